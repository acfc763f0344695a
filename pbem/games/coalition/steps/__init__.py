"""The steps of a period of this game, in files of its own."""
