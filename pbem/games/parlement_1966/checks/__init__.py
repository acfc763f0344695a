"""The parts of ``check``: the refusals that several orders share, and a subject of orders."""
