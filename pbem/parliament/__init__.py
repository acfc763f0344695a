"""What games about parliaments have in common, as plain functions over plain values."""
