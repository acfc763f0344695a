"""Where the kill matrix (tests/faults) interrupts the process."""


def no_crash(point: str) -> None:
    """Do nothing."""
