"""From the bytes of a mail to who wrote what, and what is to become of it.

Pure. May import: errors, text, orders.
"""
