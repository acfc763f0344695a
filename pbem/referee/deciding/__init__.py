"""Decide one letter: whose it is, what it proves, one transaction each."""
