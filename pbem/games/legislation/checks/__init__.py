"""Parts of the check of an order (§3)."""
