"""Decide what becomes of one letter, in one transaction.

May import: everything pure, house, store, post and periods.
"""
