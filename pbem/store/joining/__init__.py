"""Statements on joining: open tables, invitations, offers of free seats."""
