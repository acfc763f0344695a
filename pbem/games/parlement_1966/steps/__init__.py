"""The steps of a period."""
