"""Letters, from arrival to outcome."""
