"""How a kernel is compiled."""

import os
import warnings
from collections.abc import Callable
from tempfile import mkdtemp
from typing import Any

import numba

compiled = numba.njit(nogil=True, cache=True)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep it in numba's cache.

    Where numba can write neither beside the package nor in the home folder, the cache is a new temporary folder, also
    for child processes; a warning says so once.
    """
    try:
        return compiled(function)
    except RuntimeError:
        os.environ["NUMBA_CACHE_DIR"] = mkdtemp(prefix="knnviz-numba-")
        numba.config.reload_config()
    sentence = (
        "numba cannot write its cache: functions are compiled anew in each session, in {}; "
        "to keep them, set NUMBA_CACHE_DIR to a folder that you can write"
    )
    warnings.warn(sentence.format(os.environ["NUMBA_CACHE_DIR"]), stacklevel=2)
    return compiled(function)
