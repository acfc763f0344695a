"""The games as pages that anybody may read: files, which need no server.

May import: pages, store, post and periods (and what those import).
"""
