"""Parameters of a lab: traits with limits, error messages of one sentence, and a description of their control."""

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from traitlets import TraitType

from knnviz import checks
from knnviz.labs.old_engine.stages import Reference
from knnviz.views import style

#: Decimals to which a real parameter is rounded, so that a slider's steps are the decimals on its control.
DECIMALS = 12

#: Whole numbers from here on are shown with a power of ten.
POWERS_FROM = 10_000_000


class Parameter(TraitType):
    """A trait of a lab: stages read it, and its control sets it.

    Tags: ``label`` and ``symbol`` are its name on the control, ``tip`` the tooltip, ``group`` the heading above it.
    ``at_most`` and ``below`` name a parameter that bounds it, ``when`` values of others under which it has an effect.
    ``play`` adds a player, which moves the control by itself; its value names the lab's method that gives the
    milliseconds at a value and whether values may be skipped.
    ``depend_on_before`` are options that show what was chosen before, and ``neutral`` is a value without effect.
    ``kind`` is the kind of its control: "slider", "steps" (a slider over a list), "number" (a text box) or "menu".
    """

    name: str
    kind = "slider"

    def __get__(self, holder: Any, owner: type | None = None) -> Any:
        """The committed value, read from a lab or a component; the stage that is being computed depends on it."""
        if holder is None:
            return self
        lab = holder.lab
        if lab is None:
            return Reference(holder, self)
        value, computing = lab.values[self.name], lab.tracker.computing
        if computing:
            computing[-1].pending[self.name] = value
            lab.readers[self.name].add(computing[-1])
        return value

    def set(self, holder: Any, value: Any) -> None:
        """Set the parameter in its lab."""
        holder.lab.set(**{self.name: value})

    @cached_property
    def title(self) -> str:
        """Label and symbol, as shown on the control and in messages."""
        return " ".join(part for part in (self.metadata.get("label", self.name), self.metadata.get("symbol")) if part)

    def check(self, value: Any, limits: tuple[Any, Any]) -> Any:
        """The value as it is stored, or ValueError in one sentence."""
        raise NotImplementedError

    def check_type(self, value: Any) -> None:
        """Raise ValueError, in one sentence, if a value has the wrong type."""

    @property
    def play(self) -> str | None:
        return self.metadata.get("play")

    def control(self) -> dict[str, Any]:
        """What a page needs to build the control, which does not depend on the state of the lab."""
        texts = {"title": self.title, "tip": self.metadata.get("tip", ""), "group": self.metadata.get("group")}
        return texts | {"kind": self.kind, "plays": bool(self.play)}

    def positions(self, value: Any, limits: Any) -> list[Any]:
        """Positions of the control for a page: of a number both ends and the step, of a choice its options."""
        return list(limits)


class Number(Parameter):
    """A number between ``min`` and ``max``, on a slider or in a ``text_box``."""

    #: Decimals on its control.
    digits = 0

    def __init__(self, default: float, *, min: float, max: float, step: float = 1, text_box: bool = False) -> None:
        super().__init__(default)
        self.min, self.max, self.step = min, max, step
        if text_box:
            self.kind = "number"

    def control(self) -> dict[str, Any]:
        return super().control() | {"digits": self.digits}

    def text(self, value: float) -> str:
        """A value as the control shows it."""
        return f"{value:.{self.digits}f}"

    def positions(self, value: Any, limits: Any) -> list[Any]:
        return [*limits, self.step]

    def steps(self, low: float, high: float) -> list[Any]:
        """The values that the control steps on."""
        count = round((high - low) / self.step) + 1
        return [within(round(low + self.step * i, DECIMALS), (low, high)) for i in range(count)]


class Int(Number):
    """A whole number."""

    def check_type(self, value: Any) -> None:
        checks.check_int(self.title, value, -np.inf)

    def nearest(self, value: float, ends: tuple[int, int]) -> int:
        """The step between two numbers that is nearest to a value."""
        return int(within(self.min + self.step * round((value - self.min) / self.step), ends))

    def check(self, value: Any, limits: tuple[int, int]) -> int:
        return checks.check_int(self.title, value, *limits)


class Seed(Int):
    """The seed of all that is random, in a text box."""

    def __init__(self) -> None:
        super().__init__(0, min=0, max=2**32 - 1, text_box=True)
        self.tag(label="seed")

    def steps(self, low: float, high: float) -> list[Any]:
        """The first few seeds."""
        return list(range(10))


class LogInt(Int):
    """A whole number on a logarithmic scale: a few steps to each power of ten."""

    kind = "steps"

    #: Steps within a power of ten.
    STEPS = (1, 1.5, 2, 3, 5, 7)

    def steps(self, low: float, high: float) -> list[int]:
        """The steps between two positive numbers, ascending, with both numbers."""
        powers = 10 ** np.arange(np.log10(high) + 1)
        steps = {int(step * power) for power in powers for step in self.STEPS if step * power % 1 == 0}
        return sorted({int(low), int(high), *(step for step in steps if low < step < high)})

    def nearest(self, value: float, ends: tuple[int, int]) -> int:
        """The step between two numbers that is nearest to a positive one, by ratio."""
        steps = np.array(self.steps(*ends))
        return int(steps[abs(np.log(steps / value)).argmin()])

    def text(self, value: float) -> str:
        return step_name(int(value))

    def positions(self, value: int, limits: Any) -> list[list[Any]]:
        """The steps and the value, each as text and as a number."""
        return [[self.text(step), step] for step in sorted({*self.steps(*limits), value})]


def step_name(step: int) -> str:
    """A whole number as text, exactly: a large one with a power of ten."""
    if step < POWERS_FROM:
        return f"{step:,}"
    digits, power = f"{step}".rstrip("0"), style.power_of_ten(len(f"{step}") - 1)
    mantissa = f"{digits[0]}.{digits[1:]}".rstrip(".")
    return power if mantissa == "1" else f"{mantissa}·{power}"


class Float(Number):
    """A real number, shown with ``digits`` decimals."""

    def __init__(
        self, default: float, *, min: float, max: float, step: float = 0.01, text_box: bool = False, digits: int = 2
    ) -> None:
        super().__init__(default, min=min, max=max, step=step, text_box=text_box)
        self.digits = digits

    def check_type(self, value: Any) -> None:
        if value == value:
            checks.check_real(self.title, value, -math.inf, math.inf)

    def check(self, value: Any, limits: tuple[float, float]) -> float:
        """The value as a float within limits, or ValueError; a limit of many decimals is not rounded."""
        low, high = limits
        return min(max(round(checks.check_real(self.title, value, low, high), DECIMALS), low), high)


class Choice(Parameter):
    """One of a few options, by name."""

    kind = "menu"

    def __init__(self, default: str, options: Iterable[str]) -> None:
        super().__init__(default)
        self.options = tuple(options)

    def check(self, value: Any, limits: tuple[str, ...]) -> str:
        if value not in limits:
            raise ValueError(f"{self.title} must be one of {', '.join(limits)}, got {value!r}")
        return value


def within(value: float, limits: tuple[float, float]) -> float:
    """``value``, or the limit that it exceeds."""
    return min(max(value, limits[0]), limits[1])
