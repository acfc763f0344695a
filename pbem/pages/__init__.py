"""Turn events and views into what people read.

Pure. May import: errors, text, orders, letters, games.
"""
