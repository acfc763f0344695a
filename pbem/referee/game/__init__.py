"""Carry out a letter to a running game: orders, press, receipts."""
