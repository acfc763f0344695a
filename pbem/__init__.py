"""pbem: an email-driven referee for political games played by mail."""

__version__ = "0.1.0"
