"""Stages: values that are computed when read, cached, and computed again only if something they read has changed."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, Self

from knnviz.labs.old_engine.jobs import Job

#: Replaces a large value that was released.
RELEASED = object()


class CacheEntry:
    """Cache entry of one stage of one holder, a lab or a component of it: value, dependencies, version, background job.

    ``reads`` are its dependencies: parameters by name with the values read, and entries with the versions read;
    ``pending`` are those of the computation in progress. ``readers`` are the entries that depend on this one. An entry
    that is not ``fresh`` is checked when it is read: something upstream has changed. A ``stale`` one is computed again
    without a check. ``failure`` is the error that ended the background job.
    """

    def __init__(self, holder: Any, computed: "stage") -> None:
        self.holder, self.stage, self.version = holder, computed, 0
        self.value: Any = None
        holder.cache[computed] = self
        self.reads: dict[Any, Any] = {}
        self.pending: dict[Any, Any] = {}
        self.readers: set[CacheEntry] = set()
        self.fresh, self.stale = False, True
        self.job: Job | None = None
        self.failure: Exception | None = None

    def refresh(self) -> None:
        """Make the value current: keep it if all that it was computed from is unchanged, else compute it again."""
        if self.stale or not self._is_valid():
            self._compute()
        else:
            self.fresh = True

    def _is_valid(self) -> bool:
        """Whether all that was read is unchanged; for this, entries that were read are refreshed, in order."""
        values = self.holder.lab.values
        for read, seen in self.reads.items():
            if type(read) is str:
                if values[read] != seen:
                    return False
                continue
            if not read.fresh:
                read.refresh()
            if read.version != seen:
                return False
        return True

    def _compute(self) -> None:
        """Compute the value; the old one stays if that fails."""
        lab, computing = self.holder.lab, self.holder.lab.tracker.computing
        self.pending = {}
        computing.append(self)
        try:
            computed = self.stage.compute(self.holder)
            value = next(computed) if self.stage.background else computed
        finally:
            computing.pop()
        for read in self.reads.keys() - self.pending.keys():
            (lab.readers[read] if type(read) is str else read.readers).discard(self)
        self.version += not (self.stage.compare_values and self.version and self.value == value)
        self.value, self.reads = value, self.pending
        self.fresh, self.stale, self.job, self.failure = True, False, None, None
        if self.stage.background:
            lab.background.start(self, computed)

    def replace(self, value: Any) -> None:
        """Take the next value of a background stage."""
        self.value, self.version = value, self.version + 1
        invalidate(self.readers)

    def discard(self) -> None:
        """Have the value computed again when it is next read."""
        self.stale = True
        invalidate([self])

    def release(self) -> None:
        """Drop a large value that is current; ``restore`` computes it when it is next read."""
        if self.stage.large and self.fresh and not self.job:
            self.value = RELEASED

    def restore(self) -> None:
        """Compute a released value again; since it is the same, all that has read it stays current."""
        computing = self.holder.lab.tracker.computing
        computing.append(self)
        try:
            computed = self.stage.compute(self.holder)
            self.value = list(computed)[-1] if self.stage.background else computed
        finally:
            computing.pop()

    def is_current(self, job: Job | None) -> bool:
        """Whether the value is still that of this job, and nothing that it read has changed."""
        return self.fresh and self.job is job


def invalidate(entries: Any) -> None:
    """Have entries, and all that depend on them, checked before they are used again."""
    reached = [entry for entry in entries if entry.fresh]
    while reached:
        entry = reached.pop()
        entry.fresh = False
        reached += [reader for reader in entry.readers if reader.fresh]


class DependencyTracker(threading.local):
    """The entries of one lab that are being computed, innermost last; each thread has its own."""

    def __init__(self) -> None:
        self.computing: list[CacheEntry] = []


class Reference(NamedTuple):
    """A stage, property or parameter of a component, as an input of another component in the body of a lab."""

    component: Any
    member: Any


class stage:
    """Decorate a method of a lab or a component: a cached attribute, computed again if something that it read changes.

    With ``compare_values``, a value that is equal to the one before does not count as a change. A ``background`` stage
    is a generator. It reads all that it needs before its first yield, which gives a value at once; later values come
    from a worker thread, or at once if the lab has no page. A ``streaming`` stage is a background stage that may take
    long: a lab opens without waiting for it. A ``large`` value is kept by the active lab only.
    """

    def __init__(
        self,
        compute: Any = None,
        *,
        compare_values: bool = False,
        background: bool = False,
        streaming: bool = False,
        large: bool = False,
    ) -> None:
        self.compute, self.compare_values = compute, compare_values
        self.background, self.streaming = background or streaming, streaming
        self.large = large
        self.__doc__ = compute.__doc__ if compute else None

    def __call__(self, compute: Callable[[Any], Any]) -> Self:
        self.compute, self.__doc__ = compute, compute.__doc__
        return self

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, holder: Any, owner: type | None = None) -> Any:
        if holder is None:
            return self
        lab = holder.lab
        if lab is None:
            return Reference(holder, self)
        computing = lab.tracker.computing
        if not computing and not lab.lock.held_by_this_thread:
            with lab.lock:
                return self.__get__(holder)
        entry = holder.cache.get(self) or CacheEntry(holder, self)
        if not entry.fresh:
            entry.refresh()
        if entry.value is RELEASED:
            entry.restore()
        if computing:
            reader = computing[-1]
            reader.pending[entry] = entry.version
            entry.readers.add(reader)
        return entry.value

    def __set__(self, holder: Any, value: Any) -> NoReturn:
        raise AttributeError(f"{self.name} is computed; set the parameters that it follows from")
