"""pbem: an email-driven referee for political games played by mail."""

__version__ = "2.0.0"
