"""Hold what an installation is made of: configuration, house rules, data folders, templates,
pictures.

May import: errors, text, budget, acts, orders, letters, games, pages.
"""
