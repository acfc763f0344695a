"""A year of a game with real servers and real mail programs, on a calendar of its own.

Dovecot, the referee and the mail programs read their clocks through libfaketime, so that a year
passes in minutes; Postfix carries the mail. The gamesmaster does everything by mail, or everything
by shell: `python -m tests.year FOLDER --by mail` plays it and leaves journal, bulletins and every
mail of his in FOLDER to be read.
"""
