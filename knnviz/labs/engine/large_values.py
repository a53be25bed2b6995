"""Of the labs on pages only the active one, moved last, holds large values; the others hold their picture."""

from typing import Any
from weakref import WeakSet

from knnviz.outputs import release

#: The labs that were moved on a page and have not released their large values.
ACTIVE: WeakSet[Any] = WeakSet()


def activate(lab: Any) -> None:
    """Make a lab the active one: all others release their large values."""
    for other in set(ACTIVE) - {lab}:
        release_large_values(other)
    ACTIVE.add(lab)


def release_large_values(lab: Any) -> None:
    ACTIVE.discard(lab)
    with lab.lock:
        lab.release()
    release()
