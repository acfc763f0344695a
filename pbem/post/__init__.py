"""Mail in and mail out: the only place that speaks IMAP and SMTP.

May import: everything pure, and store.
"""
