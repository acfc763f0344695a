"""The database itself: connections, locks, turns, jobs, backups."""
