"""What the program draws, the same in every run."""

import os
import random
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def fixed() -> Iterator[None]:
    """Draw the same in every run, each length from its own stream, so
    that one nonce more does not change the seeds of games."""
    streams: dict[int, random.Random] = {}
    real, main = os.urandom, threading.main_thread()

    def draw(nbytes: int | None = None) -> bytes:
        size = 32 if nbytes is None else nbytes
        if threading.current_thread() is not main:  # the post office draws for itself
            return real(size)
        return streams.setdefault(size, random.Random(size)).randbytes(size)

    with (
        patch.object(secrets, "token_bytes", draw),
        patch.object(secrets, "token_hex", lambda nbytes=None: draw(nbytes).hex()),
        patch.object(os, "urandom", draw),
    ):
        yield
