"""Statements on outgoing mails."""
