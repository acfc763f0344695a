"""Hold an installation's configuration, house rules, data folders, templates and pictures.

May import: errors, text, budget, acts, orders, letters, games, pages.
"""
