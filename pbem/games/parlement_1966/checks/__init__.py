"""Parts of ``check``."""
