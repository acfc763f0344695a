"""Write the games as public pages: files, without a server.

May import: pages, store, post and periods (and what those import).
"""
