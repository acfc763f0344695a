"""The tables, and the states that their rows may have."""
