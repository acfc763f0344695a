"""Parts of ``check``, one module per subject."""
