"""Jobs: work of a lab that goes on after the hand has let go."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds for which nothing may move before work begins: a drag would start it at every step.
REST = 0.1

#: Longest wait, in seconds, for the page to have drawn the last frame before the next one is sent.
PATIENCE = 1.0


#: In place of a value that there is not.
NOTHING = object()


class Turns:
    """The jobs of a lab take steps one at a time; whoever has taken fewest goes first."""

    def __init__(self) -> None:
        self.condition, self.waiting, self.busy = threading.Condition(), [], False

    @contextmanager
    def step(self, taken: int) -> Iterator[None]:
        """Wait for the turn of a job that has taken some steps, and hold it for the block."""
        with self.condition:
            self.waiting.append(taken)
            self.condition.wait_for(lambda: not self.busy and taken == min(self.waiting))
            self.waiting.remove(taken)
            self.busy = True
        try:
            yield
        finally:
            with self.condition:
                self.busy = False
                self.condition.notify_all()


class Job:
    """One thread that draws values from a generator, for a stage of a lab, as long as they are wanted."""

    def __init__(self, lab: Any, read: Any, record: Any, values: Iterator[Any]) -> None:
        self.lab, self.read, self.record, self.values = lab, read, record, values
        self.stopped, self.sent = threading.Event(), 0.0
        self.thread = threading.Thread(target=self._work, name=f"{type(lab).__name__}.{read.name}", daemon=True)

    @property
    def done(self) -> bool:
        """Whether the thread has ended."""
        return not self.thread.is_alive()

    def stop(self) -> None:
        """Ask for an end; what is there stays."""
        self.stopped.set()

    def _work(self) -> None:
        """Wait for the hand to rest, then hand value after value over."""
        try:
            self.stopped.wait(REST)
            self._draw()
        except Exception as problem:
            self.lab.complain(self.read, self.record, problem)
        finally:
            self.values.close()
            # A record and its job hold each other: what is done lets go, so that large values are given back at once.
            self.record.job = None

    def _draw(self) -> None:
        """Draw values, and hand over the newest whenever the page is ready, the last one in any case."""
        newest, taken = NOTHING, 0
        while (value := self._next(taken)) is not NOTHING:
            newest, taken = value, taken + 1
            if self._welcome():
                self._hand_over(newest)
                newest = NOTHING
        if newest is not NOTHING:
            self._hand_over(newest)

    def _next(self, taken: int) -> Any:
        """One more value, if there is one and it is wanted when its turn comes."""
        with self.lab.turns.step(taken):
            return next(self.values, NOTHING) if self._wanted() else NOTHING

    def _wanted(self) -> bool:
        """Whether to go on; work that was given up spoils its record, so that it is done again when asked for."""
        with self.lab.latest.alone():
            wanted = self.read.wanted(self.lab, self.record)
            if not wanted:
                self.lab.spoil(self.record)
        return wanted and not self.stopped.is_set()

    def _welcome(self) -> bool:
        """Whether the page is ready for another frame."""
        face = self.lab.face
        return face is None or face.canvas.drawn or time.monotonic() - self.sent > PATIENCE

    def _hand_over(self, value: Any) -> None:
        """Put a value in the place of the last one and show it, if it is still wanted."""
        with self.lab.latest.alone():
            if self.read.wanted(self.lab, self.record):
                self.record.value, self.record.runs = value, self.record.runs + 1
                self.lab.changes += 1
                self.lab.show()
                self.sent = time.monotonic()
            else:
                # The value is lost: whoever comes back to this state must have it computed again.
                self.lab.spoil(self.record)
