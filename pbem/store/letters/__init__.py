"""Statements on letters: from their arrival to their outcome."""
