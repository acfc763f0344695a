"""Open tables, invitations, offers of free seats."""
