"""One update at a time, to the newest state: a drag leaves no backlog."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Latest:
    """Bring something up to date with its newest state, one update at a time; what came in between is never shown.

    Calls come from more than one thread, and from within an update.
    """

    def __init__(self, update: Callable[[], None]) -> None:
        self.update = update
        self.lock, self.dirty, self.owner = threading.RLock(), threading.Event(), None

    @property
    def inside(self) -> bool:
        """Whether the calling thread is the one at work."""
        return self.owner == threading.get_ident()

    def __call__(self, *_: Any) -> None:
        """Mark the state as moved; update now, unless whoever is at it will see to it."""
        self.dirty.set()
        if not self.inside:
            self._drain()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait for others, do what is pending, and keep updates off until the end of the block."""
        if self.inside:
            yield
            return
        try:
            with self.lock:
                self._finish()
                with self._at_work():
                    yield
        finally:
            self._drain()

    def _drain(self) -> None:
        """Update until nothing is pending; if another thread is at work, that one does it."""
        while self.dirty.is_set() and self.lock.acquire(blocking=False):
            try:
                self._finish()
            finally:
                self.lock.release()

    def _finish(self) -> None:
        while self.dirty.is_set():
            self.dirty.clear()
            with self._at_work():
                self.update()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        self.owner = threading.get_ident()
        try:
            yield
        finally:
            self.owner = None
