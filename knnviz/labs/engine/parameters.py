"""Parameters of a lab: a name, a range, error messages of one sentence, and what their control
shows.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from traitlets import TraitType

from knnviz import checks
from knnviz.views import style

#: Values of parameters, by name.
ByName = Mapping[str, Any]

#: Decimals to which a real parameter is rounded, so that a slider's steps are the decimals on its
#: control.
DECIMALS = 12

#: How many places a hand may drag a slider to, about as many as a track has pixels; of so many
#: steps each.
MOST_PLACES = 400
STRIDES = [digit * 10**power for power in range(12) for digit in (1, 2, 5)]

#: Whole numbers from here on are shown with a power of ten.
POWERS_FROM = 10_000_000

#: Steps within a power of ten on a logarithmic scale.
LOG_STEPS = (1, 1.5, 2, 3, 5, 7)


class Range(NamedTuple):
    """Ends of a number, or options of a choice, and the reason why there are no others, as part of
    a sentence.

    A parameter with one value is without effect, and so is one with None, which may have any value.
    """

    ends: tuple[Any, ...] | None
    why: str = ""


class Parameter:
    """What the recipe of a lab reads, and a control of its page sets.

    ``label`` has the symbol between asterisks, as in "neighbors *k*"; ``tip`` is the tooltip.
    ``when`` are values of other parameters, by name, under which it has an effect. ``draws`` names
    panels in which alone it shows: once it has moved from the start, they are on show.
    """

    name: str
    default: Any
    label: str
    tip: str
    kind: str
    when: Mapping[str, Collection[Any]]
    draws: tuple[str, ...] = ()

    #: Most milliseconds that Play stays at a value; None without Play.
    play: int | None = None
    digits = 0

    @cached_property
    def title(self) -> str:
        """Label and symbol, as shown on the control and in messages."""
        return self.label.replace("*", "")

    def is_on(self, values: ByName) -> bool:
        """Whether it has an effect, as ``when`` says."""
        return all(values[other] in allowed for other, allowed in self.when.items())

    def control(self, values: ByName) -> dict[str, Any]:
        """What a page needs to build the control; its name may depend on the first ``values``."""
        return {
            "name": self.name,
            "title": self.title,
            "tip": self.tip,
            "kind": self.kind,
            "plays": self.play is not None,
            "digits": self.digits,
        }


@dataclass(frozen=True)
class Number(Parameter):
    """A number on a slider, on a slider over a list of steps (kind "steps"), or in a text box (kind
    "number").

    While it is not above ``short``, its slider ends there, so that small values are easy to set.
    """

    name: str
    default: float
    low: float
    high: float
    label: str
    tip: str
    _: KW_ONLY
    step: float = 1
    digits: int = 0
    kind: str = "slider"
    when: Mapping[str, Collection[Any]] = field(default_factory=dict)
    play: int | None = None
    short: float = math.inf

    @cached_property
    def ends(self) -> tuple[float, float]:
        return self.low, self.high

    def text(self, value: float) -> str:
        """A value as the control shows it."""
        return f"{value:.{self.digits}f}"

    def within(self, value: float, ends: tuple[float, ...]) -> float:
        """``value``, or the end that it exceeds."""
        return within(value, ends)

    def positions(self, value: Any, ends: tuple[float, ...]) -> list[Any]:
        """What a page needs of the range: both ends, the step, and how many steps a hand that drags
        takes at once, round numbers of which a track has room for; or the steps.
        """
        low, high = ends
        if value <= self.short:
            high = min(high, self.short)
        n_steps = (high - low) / self.step
        stride = next(each for each in STRIDES if n_steps <= each * MOST_PLACES)
        return [low, high, self.step, stride]

    def steps(self, low: float, high: float) -> list[Any]:
        """The values that the control steps on."""
        count = round((high - low) / self.step) + 1
        steps = [round(low + self.step * i, DECIMALS) for i in range(count)]
        return [within(step, (low, high)) for step in steps]


class Int(Number):
    """A whole number."""

    def check(
        self,
        value: Any,
        ends: tuple[int, ...] = (-math.inf, math.inf),  # type: ignore[assignment]
    ) -> int:
        """The value as it is stored, or ValueError in one sentence."""
        return checks.check_int(self.title, value, *ends)

    def nearest(self, value: float, ends: tuple[int, ...]) -> int:
        """The step within the ends that is nearest to a value."""
        n_steps = round((value - self.low) / self.step)
        return int(within(self.low + self.step * n_steps, ends))


@dataclass(frozen=True)
class LogInt(Int):
    """A whole number on a logarithmic scale: a few steps to each power of ten, and those ``also``
    wanted.
    """

    _: KW_ONLY
    kind: str = "steps"
    also: tuple[int, ...] = ()

    def steps(self, low: float, high: float) -> list[int]:
        """The steps between two positive numbers, ascending, with both numbers."""
        powers = 10 ** np.arange(np.log10(high) + 1)
        steps = [*self.also, *[step * power for power in powers for step in LOG_STEPS]]
        between = [int(step) for step in steps if step % 1 == 0 and low < step < high]
        return sorted({int(low), int(high), *between})

    def nearest(self, value: float, ends: tuple[int, ...]) -> int:
        """The step within the ends that is nearest to a number, by ratio."""
        steps = np.array(self.steps(*ends))
        ratios = steps / within(value, ends)
        return int(steps[abs(np.log(ratios)).argmin()])

    def text(self, value: float) -> str:
        return step_name(int(value))

    def positions(self, value: int, ends: tuple[float, ...]) -> list[list[Any]]:
        """The steps and the value, each as text and as a number."""
        steps = sorted({*self.steps(*ends), value})
        return [[self.text(step), step] for step in steps]


@dataclass(frozen=True)
class Float(Number):
    """A real number, shown with some digits."""

    _: KW_ONLY
    step: float = 0.01
    digits: int = 2

    def check(self, value: Any, ends: tuple[float, ...] = (-math.inf, math.inf)) -> float:
        """The value as it is stored, or ValueError in one sentence; an end of many decimals is not
        rounded.
        """
        number = float(checks.check_real(self.title, value, *ends))
        return self.within(round(number, DECIMALS), ends)

    def within(self, value: float, ends: tuple[float, ...]) -> float:
        """``value``, or the end that it exceeds, which may be declared as a whole number."""
        return float(within(value, ends))

    def nearest(self, value: float, ends: tuple[float, ...]) -> float:
        return self.within(round(value, DECIMALS), ends)


class Seed(Int):
    """The seed of all that is random, in a text box."""

    def __init__(self, tip: str) -> None:
        super().__init__("seed", 0, 0, 2**32 - 1, "*seed*", tip, kind="number")

    def steps(self, low: float, high: float) -> list[int]:
        """The first few seeds."""
        return list(range(10))


@dataclass(frozen=True)
class Choice(Parameter):
    """One of a few options, by default the first one."""

    name: str
    ends: Iterable[str]
    label: str
    tip: str
    _: KW_ONLY
    default: str = ""
    kind: str = "menu"
    when: Mapping[str, Collection[Any]] = field(default_factory=dict)
    draws: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        options = tuple(self.ends)
        vars(self).update(ends=options, default=self.default or options[0])

    def within(self, value: str, ends: tuple[str, ...]) -> str:
        """``value`` if it is one of the options, or the first of them."""
        if value in ends:
            return value
        return ends[0]

    def check(self, value: Any, ends: tuple[str, ...] = ()) -> str:
        """The value, or ValueError if it is not one of the options."""
        options = ends or tuple(self.ends)
        if not isinstance(value, str) or value not in options:
            got = checks.shown(value)
            raise ValueError(f"{self.title} must be one of {', '.join(options)}, got {got}")
        return value

    def nearest(self, value: str, ends: tuple[str, ...]) -> str:
        return value

    def positions(self, value: str, ends: tuple[str, ...]) -> list[str]:
        return list(ends)


class Trait(TraitType):
    """A parameter as a trait of its lab, which can be observed and linked."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter.default)
        self.parameter = parameter

    def get(self, lab: Any, cls: Any = None) -> Any:
        return lab.values[self.parameter.name]

    def set(self, lab: Any, value: Any) -> None:
        lab.set(**{self.parameter.name: value})


def step_name(step: int) -> str:
    """A whole number as text, exactly: a large one with a power of ten."""
    if step < POWERS_FROM:
        return f"{step:,}"
    digits = f"{step}".rstrip("0")
    power = style.power_of_ten(len(f"{step}") - 1)
    if digits == "1":
        return power
    mantissa = f"{digits[0]}.{digits[1:]}".rstrip(".")
    return f"{mantissa}·{power}"


def within(value: Any, ends: tuple[Any, ...]) -> Any:
    """``value``, or the end that it exceeds."""
    return min(max(value, ends[0]), ends[1])
