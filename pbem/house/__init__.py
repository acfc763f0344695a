"""What an installation is made of: configuration, houses, data folders, templates, pictures.

May import: errors, text, budget, acts, orders, letters, games, pages.
"""
