"""What becomes of one letter, in one transaction.

May import: everything pure, store, post and periods.
"""
