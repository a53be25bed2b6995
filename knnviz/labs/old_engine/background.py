"""The background jobs of a lab: starting, waiting, stopping, and their errors."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from knnviz.labs.engine import background
from knnviz.labs.old_engine.jobs import FairScheduler, Job
from knnviz.labs.old_engine.stages import CacheEntry

Result = TypeVar("Result")


class Background:
    """The jobs of one lab: each computes the values of a background stage after the first."""

    activate, release = background.Background.activate, background.Background.release

    def __init__(self, lab: Any) -> None:
        self.lab, self.scheduler = lab, FairScheduler()
        self.is_opening = False
        self.unstarted: list[CacheEntry] = []

    def entries(self) -> list[CacheEntry]:
        return [entry for holder in (self.lab, *self.lab.components.values()) for entry in holder.cache.values()]

    def unfinished(self, slow: bool = True) -> list[Job]:
        """Jobs at work on the current state; unless ``slow``, those of streaming stages are left out."""
        jobs = [entry.job for entry in self.entries() if entry.fresh and (slow or not entry.stage.streaming)]
        return [job for job in jobs if job and not job.done]

    def failed(self) -> list[CacheEntry]:
        return [entry for entry in self.entries() if entry.failure and entry.fresh]

    def failures(self) -> list[Exception | None]:
        return [entry.failure for entry in self.failed()]

    def streaming_inputs(self) -> set[str]:
        """The parameters that the streaming stages on show read, directly or not."""
        names: set[str] = set()
        entries = [each for each in self.entries() if each.fresh and each.stage.streaming]
        while entries:
            for read in entries.pop().reads:
                if isinstance(read, str):
                    names.add(read)
                else:
                    entries.append(read)
        return names

    def wait(self, read: Callable[[], Result], slow: bool = True) -> Result:
        """``wait_until_idle``; without ``slow`` streams compute one value, and start again when they are next read."""
        if slow:
            return self.wait_until_idle(read)
        with self.opening():
            return self.wait_until_idle(read, streams=False)

    def wait_until_idle(self, read: Callable[[], Result], streams: bool = True) -> Result:
        """The value of ``read`` once all jobs have ended, or all but streams; in an update, at once.

        An error of a job is raised once; its stage is computed again when it is next read.
        """
        lock = self.lab.lock
        while True:
            with lock:
                result, jobs = read(), self.unfinished(streams)
                for entry in [] if jobs else self.failed():
                    entry.discard()
                    assert entry.failure is not None
                    raise entry.failure
            if not jobs or lock.held_by_this_thread:
                return result
            for job in jobs:
                job.thread.join()

    def stop(self) -> None:
        """Stop streams, which keep their newest values."""
        for job in self.unfinished():
            if job.entry.stage.streaming:
                job.stop()

    def start(self, entry: CacheEntry, values: Generator[Any]) -> None:
        """Compute the further values of a background stage: in a thread if the lab has a page, else at once."""
        if self.lab.view is not None:
            entry.job = Job(entry, values)
            entry.job.thread.start()
            return
        if self.is_opening and entry.stage.streaming:
            self.unstarted.append(entry)
            return
        entry.fresh, entry.stale = False, True
        for value in values:
            entry.value = value
        entry.fresh, entry.stale = True, False

    @contextmanager
    def opening(self) -> Iterator[None]:
        """While a lab without a page opens, streaming stages compute one value; when next read, they start again."""
        self.is_opening = True
        try:
            yield
        finally:
            self.is_opening = False
            while self.unstarted:
                self.unstarted.pop().discard()

    def record_failure(self, job: Job, problem: Exception) -> None:
        """Store a job's error; show it while its result is current."""
        with self.lab.lock:
            if job.entry.is_current(job):
                job.entry.failure = problem
                self.lab.show()
