"""The database itself: connections, transactions, locks, turns, jobs and backups."""
