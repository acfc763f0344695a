"""The tables and their states."""
