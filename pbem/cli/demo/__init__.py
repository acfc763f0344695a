"""A whole game by real mail on this machine.

May import: everything.
"""
