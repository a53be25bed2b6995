"""Frames ahead: what the control in the reader's hand would show at other values, sent to the pages
while the kernel has nothing else to do.

A page that has the frame of a move draws it at once. The kernel's own frame follows, and is equal.
"""

import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from dataclasses import dataclass, field
from math import isclose
from threading import RLock, Thread, current_thread
from types import SimpleNamespace
from typing import Any

from IPython import get_ipython

from knnviz.labs.engine.background import ACTIVE, Background
from knnviz.labs.engine.frames import Frames, compact, message
from knnviz.labs.engine.memo import Memo, key_of
from knnviz.labs.engine.parameters import ByName

#: Kinds of parameters whose controls have frames ahead.
KINDS = ("slider", "steps", "menu")

#: Most frames ahead of a control, and most of their bytes as they are sent.
MOST = 400
MOST_BYTES = 4_000_000

#: Seconds of the processor above which a frame is slow, and how many end those ahead of a control:
#: slow ones, and those that would begin background work.
SLOW = 0.03
MOST_SLOW = 3

#: How many steps on either side of the value come first; into how many parts at most the range is
#: then divided, at first.
NEAR = 8
PARTS = 8

#: Seconds between two frames, and between looks at whether the kernel is idle.
REST = 0.001
LOOK = 0.01

#: Values that are so close to each other are the same.
ROUNDING = 1e-9

#: Whether the kernel is running a cell.
CELL = SimpleNamespace(runs=False)


class GivenUp(BaseException):
    """A frame is not computed any further, since a message has come. No recipe catches it."""


class NotKnown(GivenUp):
    """A frame would begin background work."""


@dataclass
class Base:
    """The frame from which those ahead of one control differ, whose ``lab`` is as it was then; and
    what was sent since.
    """

    name: str
    frames: Frames
    sent: set[Any] = field(default_factory=set)
    n_bytes: int = 0
    n_slow: int = 0

    @property
    def lab(self) -> Any:
        return self.frames.lab

    def place(self) -> dict[str, Any]:
        """What a page knows the base by."""
        return {"base": self.frames.number, "name": self.name}

    def is_right(self, lab: Any) -> bool:
        """Whether a lab differs in the control alone: moved back, it would be as it was."""
        beside = (lab.projector, lab.stop_count) == (self.lab.projector, self.lab.stop_count)
        if not beside or lab.state is not self.lab.state:
            return False
        try:
            setting, _ = lab.validated({self.name: self.lab.values[self.name]})
        except ValueError:
            return False
        return same_values(setting.values, self.lab.values)

    def next(self, lab: Any) -> Any:
        """The next value to send; None after the last."""
        if self.n_bytes > MOST_BYTES or self.n_slow >= MOST_SLOW or len(self.sent) >= MOST:
            return None
        values, stride = places(lab, self.name)
        now = lab.values[self.name]
        at = values.index(now) if now in values else 0
        wanted = [values[i] for i in nearest_first(len(values), at, stride)]
        return next((value for value in wanted if value != now and value not in self.sent), None)

    def frame(self, twin: Any, value: Any) -> list[Any]:
        """The frame at a value, in parts: its text, then its buffers; none where it is for the
        kernel alone, which refuses the value, or moves others.
        """
        try:
            twin.setting, notes = self.lab.validated({self.name: value})
        except ValueError:
            return []
        if notes or not self.is_right(twin):
            return []
        content, buffers = message(of_twin(self.frames, twin).next())
        # A picture that cannot be drawn is a sentence.
        return [] if twin.message else [compact(content).encode(), *buffers]


class Known(Memo):
    """The calls of another memo; what goes on in the background is not begun, but computed at once
    if it ``fills`` a memo that has let go of it.
    """

    def __init__(self, memo: Memo, fills: bool, is_late: Callable[[], bool]) -> None:
        super().__init__(SimpleNamespace(has_page=False))
        self.calls = memo.calls
        self.before = memo.before
        self.fills = fills
        self.is_late = is_late

    def __call__(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        if self.is_late():
            raise GivenUp
        return super().__call__(function, *arguments, **named)

    def _value(self, given: tuple[Any, ...], make: Callable[..., Any]) -> Any:
        key = key_of(given)
        call = self.calls.get(key) or self.before.get(key)
        if call is None and self.fills:
            call = make(given)
        if call is None or call.more:
            raise NotKnown
        self.calls[key] = call
        return call.value


class Ahead:
    """The frames ahead of one lab's pages.

    A thread computes them with twins of the lab, which share what the lab has computed, so that
    they leave no trace in it. Each is right as long as only the control has moved since the base.
    """

    #: What a frame is computed in, and whether there is time for it: kernels of a class take turns.
    turn: Callable[[], AbstractContextManager[bool]] = staticmethod(lambda: nullcontext(True))

    def __init__(self, lab: Any, frames: Frames) -> None:
        self.lab = lab
        self.frames = frames
        self.thread: Thread | None = None
        self.name: str | None = None
        self.base: Base | None = None
        self.n_messages = 0
        watch_cells()

    def take(self, name: str) -> None:
        """A hand has taken a control."""
        if name != self.name:
            self.leave()
            parameter = self.lab.parameters.get(name)
            if parameter and parameter.kind in KINDS:
                self.name = name

    def leave(self) -> None:
        """No control is in a hand."""
        self.name = None
        self.base = None

    def number(self) -> int | None:
        """The number of the base, while frames ahead are right."""
        if self.base and not self.base.is_right(self.lab):
            self.base = None
        return self.base.frames.number if self.base else None

    def align(self) -> None:
        """Have the values as frames ahead have them: without what is rounded on the way there."""
        if self.base and self.base.is_right(self.lab):
            name = self.base.name
            setting, _ = self.base.lab.validated({name: self.lab.values[name]})
            if same_values(setting.values, self.lab.values):
                self.lab.setting = setting

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within the block a message is received, and nothing is computed ahead; then this goes
        on.
        """
        self.n_messages += 1
        try:
            yield
        finally:
            self.n_messages -= 1
            with self.lab.lock:
                if self.name and not self.thread:
                    self.thread = Thread(target=self._work, name="ahead", daemon=True)
                    self.thread.start()

    def _is_late(self) -> bool:
        return bool(self.n_messages or CELL.runs)

    def _work(self) -> None:
        """Send frames until the kernel ends; as long as others want the processor, it is theirs as
        well.
        """
        while self.thread is current_thread():
            began = time.monotonic() - time.thread_time()
            with self.turn() as has_time:
                went_on = has_time and not self._is_late() and self._go_on()
            others = time.monotonic() - time.thread_time() - began
            time.sleep(REST + others if went_on else LOOK)

    def _go_on(self) -> bool:
        """Send the base or a frame, or first fill a memo that was let go; whether there was time.
        Ends the thread after the last frame.
        """
        lab = self.lab
        with lab.lock:
            if lab.background.unfinished():
                return False
            self.number()
            base = self.base
            value = base.next(lab) if base else None
            is_done = base is not None and value is None
            is_seen = lab.view is not None and lab.view.ahead is self
            if is_done or not is_seen or not self.name or lab not in ACTIVE:
                self.thread = None
                return True
            if not base and lab.memo.holds:
                self._begin(self.name)
                return True
            twin = twin_of(lab, Known(lab.memo, not base, self._is_late))
        try:
            if base:
                self._send(base, twin, value)
            else:
                self._fill(twin)
        except NotKnown:
            if base:
                base.n_slow += 1
                base.sent.add(value)
            else:
                self.leave()
        except GivenUp:
            pass
        return True

    def _begin(self, name: str) -> None:
        """Tell pages from what frames ahead differ."""
        self.base = Base(name, of_twin(self.frames, twin_of(self.lab, None)))
        self.lab.view.send({"ahead": self.base.place()}, [])

    def _fill(self, twin: Any) -> None:
        """Compute again what the lab has let go."""
        calls = self.lab.memo.calls
        of_twin(self.frames, twin).current()
        with self.lab.lock:
            if self.lab.memo.calls is calls:
                self.lab.memo.calls = twin.memo.calls

    def _send(self, base: Base, twin: Any, value: Any) -> None:
        began = time.thread_time()
        parts = base.frame(twin, value)
        packed = zlib.compress(b"".join(parts), 1)
        base.n_slow += time.thread_time() - began > SLOW
        with self.lab.lock:
            base.sent.add(value)
            base.n_bytes += len(packed)
            if parts and base is self.base and self.lab.view:
                sizes = list(map(len, parts))
                self.lab.view.send(
                    {"ahead": base.place(), "value": value, "sizes": sizes}, [packed]
                )


def twin_of(lab: Any, memo: Memo | None) -> Any:
    """A lab with the same values that computes with another memo, under a lock of its own."""
    twin = object.__new__(type(lab))
    own = {"memo": memo, "background": Background(twin), "lock": RLock(), "message": ""}
    vars(twin).update({**vars(lab), **own, "_output": None, "_panels": {}})
    return twin


def of_twin(frames: Frames, twin: Any) -> Frames:
    """The frames of a lab, to go on with a twin."""
    found = copy(frames)
    found.lab = twin
    return found


def same_values(one: ByName, other: ByName) -> bool:
    """Whether values by name are the same, but for rounding."""
    return all(
        value == other[name]
        or (isinstance(value, float) and isclose(value, other[name], abs_tol=ROUNDING))
        for name, value in one.items()
    )


def places(lab: Any, name: str) -> tuple[list[Any], int]:
    """The values to which a control can go, and how many of them a hand that drags goes at once."""
    parameter = lab.parameters[name]
    positions = lab.setting.positions[name]
    if parameter.kind == "steps":
        return [value for _, value in positions], 1
    if parameter.kind == "slider":
        (low, high, _, stride) = positions
        return parameter.steps(low, high), stride
    return positions, 1


def nearest_first(count: int, at: int, stride: int) -> Iterable[int]:
    """Numbers below ``count`` in the order in which a hand wants them: those near a place, then all
    multiples of the stride, ever finer over the whole range, and the last.
    """
    near = range(max(at - NEAR, 0), min(at + NEAR + 1, count))
    order = dict.fromkeys(sorted(near, key=lambda i: abs(i - at)))
    step = stride
    while step * PARTS < count:
        step *= 2
    while step >= stride:
        order |= dict.fromkeys([*range(0, count, step), count - 1])
        step //= 2
    return order


def watch_cells() -> None:
    """Have it noted when the kernel runs a cell."""
    shell = get_ipython()
    if shell is not None:
        shell.events.register("pre_run_cell", cell_begins)
        shell.events.register("post_run_cell", cell_ends)


def cell_begins(_: Any) -> None:
    CELL.runs = True


def cell_ends(_: Any) -> None:
    CELL.runs = False
