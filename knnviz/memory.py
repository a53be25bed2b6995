"""Memory that this process has freed, and the system does not have back."""

import ctypes
import gc
import sys
from contextlib import suppress


def give_back() -> None:
    """Give freed memory back to the system: glibc keeps it unless it is told, other libraries need no telling."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
