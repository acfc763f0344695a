"""A game from opening to end.

May import: everything pure, store and post.
"""
