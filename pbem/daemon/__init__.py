"""``once(now)`` and the loop around it: take letters, decide, do what is due, send.

May import: everything but cli.
"""
