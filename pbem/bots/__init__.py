"""House bots: orders for a seat that no person plays.

Pure. May import: errors, text, orders, games. A bot sees its seat's view and nothing else.
"""
