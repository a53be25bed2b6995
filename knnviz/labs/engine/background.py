"""Background work: one thread of a lab computes further values of its calls, while its recipe uses
them.
"""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar
from weakref import WeakSet

from knnviz.labs.engine.memo import Call
from knnviz.memory import return_memory

Result = TypeVar("Result")

#: Seconds without a change before work begins, since a drag changes what is wanted at every step.
DEBOUNCE = 0.1

#: Longest wait, in seconds, for the page to acknowledge the last frame before the next one is sent.
ACK_TIMEOUT = 1.0

#: Seconds between looks at whether finer values are there, while streams go on.
LOOK = 0.01

#: Stands for the value after the last.
END = object()

#: The labs that were moved on a page and hold large values; all others there hold their picture.
ACTIVE: WeakSet[Any] = WeakSet()


class Background:
    """The unfinished calls of a lab: finer values first, then streams, the one with the fewest
    values next.

    Without a page there is no thread: a finer value is there at once, and a stream once it is
    waited for.
    """

    #: What each step is computed in, given whether it is a stream's: kernels of a class take turns.
    turn: Callable[[bool], AbstractContextManager[Any]] = nullcontext

    def __init__(self, lab: Any) -> None:
        self.lab = lab
        self.thread: threading.Thread | None = None
        self.moved_at = self.shown_at = 0.0

    @property
    def has_page(self) -> bool:
        return self.lab.view is not None

    @property
    def works(self) -> bool:
        """Whether the thread is at work; an error that is not of a call would have ended it."""
        return self.thread is not None and self.thread.is_alive()

    def begin(self) -> None:
        """Go on with unfinished calls, if there are any, once values have not moved for a while."""
        if self.has_page and not self.works and self.unfinished():
            name = type(self.lab).__name__
            self.thread = threading.Thread(target=self._work, name=name, daemon=True)
            self.thread.start()

    def postpone(self) -> None:
        """Values were set: work waits until they rest, and calls that failed are made again."""
        self.moved_at = time.monotonic()
        self.lab.memo.begun = 0
        self.forget_failures()

    def activate(self) -> None:
        """Make the lab the active one. Not under its lock, since this takes those of the others."""
        for other in set(ACTIVE) - {self.lab}:
            other.background.release()
        ACTIVE.add(self.lab)

    def release(self) -> None:
        """Let go of large values."""
        ACTIVE.discard(self.lab)
        with self.lab.lock:
            self.lab.release()
        return_memory()

    def unfinished(self, slow: bool = True) -> list[Call]:
        """Calls that the recipe uses and that have values to come, the next one first."""
        found = [call for call in self.lab.memo.calls.values() if call.more]
        if not slow:
            found = [call for call in found if not call.slow]
        return sorted(found, key=lambda call: (call.slow, call.steps))

    def wait(self, read: Callable[[], Result], slow: bool = True) -> Result:
        """The value of ``read`` once all that it uses is complete, or all but ``slow`` streams.

        The error of a call is raised; the call is made again when it is next read.
        """
        while True:
            with self.lab.lock:
                result = read()
                unfinished = self.unfinished(slow)
                for failure in self.failures():
                    self.forget_failures()
                    raise failure
                if not unfinished:
                    return result
                thread = self.thread if self.works else None
                if not thread:
                    finish(unfinished[0])
                    self.lab.changed()
            if thread:
                # It goes on with streams after the finer values; once there is no page, it ends.
                thread.join(None if slow else LOOK)

    def stop(self) -> None:
        """Stop streams, which keep their newest values; also of panels that have not been made
        since the recipe ran.
        """
        memo = self.lab.memo
        for call in (*memo.calls.values(), *memo.before.values()):
            if call.slow:
                call.more = None

    def failures(self) -> list[BaseException]:
        """Errors of calls that the recipe uses."""
        return [call.failure for call in self.lab.memo.calls.values() if call.failure]

    def forget_failures(self) -> None:
        """Have calls that failed made again."""
        self.lab.memo.forget(lambda call: call.failure is not None)
        self.lab.changed()

    def _work(self) -> None:
        """Compute values, and show the newest whenever the page is ready, and the last one in any
        case.
        """
        behind = False
        while call := self._next(behind):
            if (early := self.moved_at + DEBOUNCE - time.monotonic()) > 0:
                time.sleep(early)
                continue
            with self.turn(call.slow):
                value = self._value(call)
            with self.lab.lock:
                if value is END:
                    call.more = None
                else:
                    call.value = value
                    call.steps += 1
                if call not in self.lab.memo.calls.values():
                    continue
                self.lab.changed()
                view = self.lab.view
                ready = view and (view.drawn or time.monotonic() - self.shown_at > ACK_TIMEOUT)
                behind = not (ready or value is END)
                if not behind:
                    self._show()

    def _next(self, behind: bool) -> Call | None:
        """The call to go on with; None, and the thread ends, if all are complete."""
        with self.lab.lock:
            if behind and not self.unfinished():
                self._show()
            found = self.unfinished() if self.has_page else []
            if not found:
                self.thread = None
        if not found and self.lab not in ACTIVE:
            self.release()
        return found[0] if found else None

    def _show(self) -> None:
        self.lab.show()
        self.shown_at = time.monotonic()

    def _value(self, call: Call) -> Any:
        # Stop may take the values away meanwhile.
        values = call.more
        try:
            return next(values, END) if values else END
        except Exception as problem:
            call.failure = problem
            return END


def finish(call: Call) -> None:
    """Compute all values of a call. An interrupt is a failure as well: the call has to be made
    again.
    """
    values = call.more
    call.more = None
    try:
        for call.value in values or ():
            call.steps += 1
    except BaseException as problem:
        call.failure = problem
