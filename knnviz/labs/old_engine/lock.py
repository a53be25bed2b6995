"""The lock under which a lab is read and changed."""

import threading
from typing import Any, Self


class Lock:
    """A reentrant lock that can tell whether the calling thread holds it."""

    def __init__(self) -> None:
        self._lock, self._depth = threading.RLock(), 0
        #: The thread that holds the lock.
        self._owner: int | None = None

    @property
    def held_by_this_thread(self) -> bool:
        return self._owner == threading.get_ident()

    def __enter__(self) -> Self:
        self._lock.acquire()
        self._owner, self._depth = threading.get_ident(), self._depth + 1
        return self

    def __exit__(self, *_: Any) -> None:
        self._depth -= 1
        if not self._depth:
            self._owner = None
        self._lock.release()
