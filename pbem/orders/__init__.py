"""From a player's text to typed orders, or to a refusal that helps them.

Pure. May import: errors, text, acts.
"""
