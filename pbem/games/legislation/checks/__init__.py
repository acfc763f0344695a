"""Parts of ``check`` by subject (§3)."""
