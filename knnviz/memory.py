"""Memory that is free again."""

import ctypes
import gc
import sys
from contextlib import suppress


def return_memory() -> None:
    """Return freed memory to the operating system; glibc does so only on request."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
