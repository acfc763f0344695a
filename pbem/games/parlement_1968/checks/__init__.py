"""Parts of ``check`` by subject."""
