"""What all games share: interface, events, options, adjudication, dice, money, time.

Pure. May import: errors, text, orders. It knows no game.
"""
