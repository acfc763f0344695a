"""The commands, by who uses them: the table (no mail), the service (the daemon), the desk (the gamesmaster)."""
