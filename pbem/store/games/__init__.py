"""Statements on games: periods, seats, orders, bulletins."""
