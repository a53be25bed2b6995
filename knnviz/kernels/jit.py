"""How a kernel is compiled."""

import os
import warnings
from collections.abc import Callable
from functools import cache
from tempfile import mkdtemp
from typing import Any

import numba

compiled = numba.njit(nogil=True, cache=True)

REMEDY = "to keep them, set NUMBA_CACHE_DIR to a folder that you can write"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep it in numba's cache.

    Where numba can write neither beside the package nor in the home folder, the cache is a new
    temporary folder, also for child processes; a warning says so once.
    """
    try:
        return _forgiving(compiled(function))
    except RuntimeError:
        os.environ["NUMBA_CACHE_DIR"] = mkdtemp(prefix="knnviz-numba-")
        numba.config.reload_config()
    sentence = (
        f"numba cannot write its cache: functions are compiled anew in each session, in {{}}; "
        f"{REMEDY}"
    )
    warnings.warn(sentence.format(os.environ["NUMBA_CACHE_DIR"]), stacklevel=2)
    return _forgiving(compiled(function))


@cache
def _warn_once(sentence: str) -> None:
    # Numba resets which warnings were shown.
    warnings.warn(sentence, stacklevel=3)


def _forgiving(dispatcher: Any) -> Any:
    """A compiled function that is used, and not kept, where the disk is full; a warning says so
    once.
    """
    save = dispatcher._cache.save_overload

    def save_if_possible(*given: Any) -> None:
        try:
            save(*given)
        except OSError as problem:
            _warn_once(f"numba cannot keep what it compiles ({problem.strerror}): {REMEDY}")

    dispatcher._cache.save_overload = save_if_possible
    return dispatcher
