"""The tables and every statement on them.

May import: errors, text, budget, acts, orders, letters, games, pages, house.
"""
