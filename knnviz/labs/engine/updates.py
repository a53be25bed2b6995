"""One update at a time, to the newest state: a drag leaves no backlog."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class UpdateQueue:
    """Run updates one at a time, from any thread or from within an update; requests that come meanwhile are merged."""

    def __init__(self, update: Callable[[], None]) -> None:
        self.update = update
        self._mutex, self._requested, self._owner = threading.RLock(), threading.Event(), None

    @property
    def held_by_this_thread(self) -> bool:
        """Whether the calling thread holds the lock."""
        return self._owner == threading.get_ident()

    def __call__(self, *_: Any) -> None:
        """Request an update; run it now unless another thread is updating, which runs it then."""
        self._requested.set()
        if not self.held_by_this_thread:
            self._drain()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Wait for others, run what is requested, and keep updates off until the end of the block."""
        if self.held_by_this_thread:
            yield
            return
        try:
            with self._mutex:
                self._finish()
                with self._held():
                    yield
        finally:
            self._drain()

    def _drain(self) -> None:
        while self._requested.is_set() and self._mutex.acquire(blocking=False):
            try:
                self._finish()
            finally:
                self._mutex.release()

    def _finish(self) -> None:
        while self._requested.is_set():
            self._requested.clear()
            with self._held():
                self.update()

    @contextmanager
    def _held(self) -> Iterator[None]:
        self._owner = threading.get_ident()
        try:
            yield
        finally:
            self._owner = None
