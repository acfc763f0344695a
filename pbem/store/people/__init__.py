"""Statements on people: players, gamesmasters, deputies, observers, stand-bys."""
