"""Players, gamesmasters, deputies, observers, stand-bys."""
