"""The steps of a period, one file per group."""
