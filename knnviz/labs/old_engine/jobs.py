"""Background jobs: threads that compute the values of a background stage after the first."""

import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from knnviz.labs.engine.background import ACTIVE
from knnviz.labs.engine.turns import machine_turn

#: Seconds without a change before a job begins, since a drag starts a job at every step.
DEBOUNCE = 0.1

#: Longest wait, in seconds, for the page to acknowledge the last frame before the next one is sent.
ACK_TIMEOUT = 1.0

#: Sentinel: the generator is exhausted, or its values are not needed any more.
EXHAUSTED = object()


class FairScheduler:
    """Lets one job of a lab at a time compute a value; the job with the fewest values so far is next."""

    def __init__(self) -> None:
        self.condition, self.busy = threading.Condition(), False
        self.waiting: list[int] = []

    @contextmanager
    def turn(self, count: int) -> Iterator[None]:
        """Wait for the turn of a job with ``count`` values so far, and hold it for the block."""
        with self.condition:
            self.waiting.append(count)
            self.condition.wait_for(lambda: not self.busy and count == min(self.waiting))
            self.waiting.remove(count)
            self.busy = True
        try:
            yield
        finally:
            with self.condition:
                self.busy = False
                self.condition.notify_all()


class Job:
    """A thread that puts the values of a stage's generator into its cache entry, until something it read changes."""

    def __init__(self, entry: Any, values: Generator[Any]) -> None:
        self.entry, self.lab, self.values = entry, entry.holder.lab, values
        self.stopped, self.published_at = threading.Event(), 0.0
        name = f"{type(self.lab).__name__}.{entry.stage.name}"
        self.thread = threading.Thread(target=self._work, name=name, daemon=True)

    @property
    def done(self) -> bool:
        return not self.thread.is_alive()

    def stop(self) -> None:
        """Have the job end; the newest value stays."""
        self.stopped.set()

    def _work(self) -> None:
        try:
            self.stopped.wait(DEBOUNCE)
            self._take_values()
        except Exception as problem:
            self.lab.background.record_failure(self, problem)
        finally:
            self.values.close()
            # Entry and job refer to each other, which would keep large values until the collector runs.
            if self.entry.job is self:
                self.entry.job = None
            if self.entry.stage.streaming and self.lab not in ACTIVE:
                self.lab.background.release()

    def _take_values(self) -> None:
        """Compute values; publish the newest whenever the page is ready, and the last one in any case."""
        newest, count = EXHAUSTED, 0
        while (value := self._next(count)) is not EXHAUSTED:
            newest, count = value, count + 1
            if self._page_is_ready():
                self._publish(newest)
                newest = EXHAUSTED
        if newest is not EXHAUSTED:
            self._publish(newest)

    def _next(self, count: int) -> Any:
        """The next value, once it is this job's turn."""
        with machine_turn(self.entry.stage.streaming), self.lab.background.scheduler.turn(count):
            return next(self.values, EXHAUSTED) if self._goes_on() else EXHAUSTED

    def _goes_on(self) -> bool:
        """Whether to go on; the stage of an outdated job is computed again when it is next read."""
        with self.lab.lock:
            current = self.entry.is_current(self)
            if not current and self.entry.job is self:
                self.entry.discard()
        return current and not self.stopped.is_set()

    def _page_is_ready(self) -> bool:
        view = self.lab.view
        return view is None or view.drawn or time.monotonic() - self.published_at > ACK_TIMEOUT

    def _publish(self, value: Any) -> None:
        """Put a value into the entry and show it, unless the job is outdated."""
        with self.lab.lock:
            if self.entry.is_current(self):
                self.entry.replace(value)
                self.lab.show()
                self.published_at = time.monotonic()
            elif self.entry.job is self:
                self.entry.discard()
