"""The parts of ``check``: a module for each subject of orders."""
