"""What all games share. Pure; knows no game.

May import: errors, text, orders.
"""
