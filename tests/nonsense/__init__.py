"""Bots that write legal nonsense: every order and every option, for tests that look at each period."""
