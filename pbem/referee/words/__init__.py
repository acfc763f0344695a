"""Carry out what people write besides orders."""
