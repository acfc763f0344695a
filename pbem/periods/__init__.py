"""Run a game from its opening to its end: deadlines, reminders, stand-ins, adjudication, bulletins.

May import: everything pure, store and post.
"""
