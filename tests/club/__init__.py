"""A club of thirty people who only write mail, over ten games of all six kinds, in one evening.

Postfix carries what they write and what they get, Dovecot keeps it, and both read their clocks
through libfaketime. The gamesmaster opens the tables, and does nothing more: people sign on, wait,
watch, leave, fall silent, name deputies and come back, and the games begin, go on and end.
`python -m tests.club FOLDER` plays it and leaves every mail in FOLDER to be read.
"""
