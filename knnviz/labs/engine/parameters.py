"""Parameters of a lab: traits that refuse bad values in one sentence and make their own control."""

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from traitlets import TraitType

from knnviz import checks
from knnviz.labs.engine.stages import Reference
from knnviz.views import style

#: Decimals to which a real parameter is kept, so that a slider's steps are the decimals a reader sees.
DECIMALS = 12

#: How sliders take a hand: one that presses beside the handle has hold of it at once, and can drag on.
GRIP = {"behavior": "drag-snap"}

#: Steps from here on are shown with a power of ten.
POWERS_FROM = 10_000_000


def decimals(value: float) -> int:
    """Decimals of a number as it is written."""
    return max(-Decimal(str(value)).normalize().as_tuple().exponent, 0)


@lru_cache(maxsize=4096)
def on_steps(value: float, start: float, step: float) -> bool:
    """Whether a number is so many steps from a start, as decimals; every frame asks it of every slider."""
    return (Fraction(str(value)) - Fraction(str(start))) % Fraction(str(step)) == 0


class Parameter(TraitType):
    """A trait of a lab that stages may read and a reader may move.

    Tags: ``label`` and ``symbol`` name it on its control, ``tip`` is the tooltip, ``group`` the heading over it.
    """

    def __get__(self, holder: Any, owner: type | None = None) -> Any:
        """The committed value, for a lab or for one of its components; the stage being computed becomes a reader."""
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
        """Move the parameter in its lab."""
        holder.lab.set(**{self.name: value})

    @cached_property
    def title(self) -> str:
        """Label and symbol, as shown on the control and in messages."""
        return " ".join(part for part in (self.metadata.get("label", self.name), self.metadata.get("symbol")) if part)

    def validate(self, value: Any, limits: tuple[Any, Any]) -> Any:
        """The value as it is kept, or ValueError in one sentence."""
        raise NotImplementedError

    def check_type(self, value: Any) -> None:
        """Raise ValueError, in one sentence, if a value is not even of the right type."""

    def same(self, shown: Any, value: Any) -> bool:
        """Whether a control that shows one value need not move to another."""
        return shown == value

    def control(self) -> widgets.Widget:
        """A widget that moves the parameter."""
        raise NotImplementedError

    def _dressed(self, kind: type, **options: Any) -> widgets.Widget:
        look = {
            "description": self.title,
            "tooltip": self.metadata.get("tip", ""),
            "style": {"description_width": "6em"},
        }
        return kind(layout=widgets.Layout(width="auto"), **look, **options)


class Number(Parameter):
    """A number between ``min`` and ``max``; ``typed`` asks for a text box in place of a slider."""

    def __init__(self, default: float, *, min: float, max: float, step: float, typed: bool = False) -> None:
        super().__init__(default)
        self.min, self.max, self.step, self.typed = min, max, step, typed

    def step_at(self, value: float) -> float:
        """The control's step, or a finer one that holds a value set from Python; a slider would move it otherwise."""
        return self.step if on_steps(value, self.min, self.step) else float(10 ** -decimals(value))


class Int(Number):
    """A whole number."""

    def check_type(self, value: Any) -> None:
        """Raise ValueError unless the value is a whole number."""
        checks.whole(self.title, value, -math.inf)

    def __init__(self, default: int, *, min: int, max: int, step: int = 1, typed: bool = False) -> None:
        super().__init__(default, min=min, max=max, step=step, typed=typed)

    def step_at(self, value: int) -> int:
        """The control's step, or 1."""
        return int(super().step_at(value))

    def nearest(self, value: float, low: int, high: int) -> int:
        """The step between two numbers that is nearest to a value."""
        return int(within(self.min + self.step * round((value - self.min) / self.step), (low, high)))

    def validate(self, value: Any, limits: tuple[int, int]) -> int:
        """The value as an int within limits, or ValueError."""
        return checks.whole(self.title, value, *limits)

    def control(self) -> widgets.Widget:
        """A slider, or a box for typed numbers."""
        value = self.default_value
        if self.typed:
            return self._dressed(widgets.IntText, value=value)
        return self._dressed(widgets.IntSlider, value=value, min=self.min, max=self.max, step=self.step, **GRIP)


class LogInt(Int):
    """A whole number that goes up by shares of itself: a few steps to each power of ten."""

    #: Steps within a power of ten.
    STEPS = (1, 1.5, 2, 3, 5, 7)

    def rungs(self, low: int, high: int) -> tuple[int, ...]:
        """The steps between two positive numbers, both of them included, ascending."""
        powers = 10 ** np.arange(np.log10(high) + 1)
        steps = {int(step * power) for power in powers for step in self.STEPS if step * power % 1 == 0}
        return tuple(sorted({low, high, *(step for step in steps if low < step < high)}))

    def nearest(self, value: float, low: int, high: int) -> int:
        """The step between two numbers that is nearest to a positive one, by ratio."""
        rungs = np.array(self.rungs(low, high))
        return int(rungs[abs(np.log(rungs / value)).argmin()])

    def options(self, value: int, low: int, high: int) -> tuple[tuple[str, int], ...]:
        """The steps, and the value among them, as a control shows them."""
        return tuple((step_name(rung), rung) for rung in sorted({*self.rungs(low, high), value}))

    def control(self) -> widgets.Widget:
        """A slider over the steps."""
        value = self.default_value
        options = self.options(value, self.min, self.max)
        return self._dressed(widgets.SelectionSlider, options=options, value=value, **GRIP)


def step_name(rung: int) -> str:
    """A step as a control shows it, exactly: large ones with a power of ten."""
    if rung < POWERS_FROM:
        return f"{rung:,}"
    first, *rest = f"{rung}".rstrip("0")
    share, power = f"{first}.{''.join(rest)}" if rest else first, style.raised(len(f"{rung}") - 1)
    return power if share == "1" else f"{share}·{power}"


class Float(Number):
    """A real number, shown with some digits after the point."""

    def __init__(
        self, default: float, *, min: float, max: float, step: float = 0.01, typed: bool = False, digits: int = 2
    ) -> None:
        super().__init__(default, min=min, max=max, step=step, typed=typed)
        self.digits = digits

    def check_type(self, value: Any) -> None:
        """Raise ValueError unless the value is a number."""
        if value == value:
            checks.real(self.title, value, -math.inf, math.inf)

    def validate(self, value: Any, limits: tuple[float, float]) -> float:
        """The value as a float within limits, or ValueError; at a limit of many decimals it stays that limit."""
        low, high = limits
        return min(max(round(checks.real(self.title, value, low, high), DECIMALS), low), high)

    def same(self, shown: Any, value: Any) -> bool:
        """Whether both agree to the decimals that are kept: a slider's own arithmetic gives 0.08999999999999998."""
        return round(shown, DECIMALS) == round(value, DECIMALS)

    def control(self) -> widgets.Widget:
        """A slider, or a box for typed numbers."""
        options = {"value": self.default_value, "step": self.step}
        if self.typed:
            return self._dressed(widgets.FloatText, **options)
        return self._dressed(
            widgets.FloatSlider, min=self.min, max=self.max, readout_format=f".{self.digits}f", **options, **GRIP
        )


class Choice(Parameter):
    """One of a few names."""

    def __init__(self, default: str, options: Iterable[str]) -> None:
        super().__init__(default)
        self.options = tuple(options)

    def validate(self, value: Any, limits: tuple[str, ...]) -> str:
        """The value if it is one of the names in ``limits``, or ValueError."""
        if value not in limits:
            raise ValueError(f"{self.title} must be one of {', '.join(limits)}, got {value!r}")
        return value

    def control(self) -> widgets.Widget:
        """A menu."""
        return self._dressed(widgets.Dropdown, options=self.options, value=self.default_value)


def within(value: float, limits: tuple[float, float]) -> float:
    """The value within limits that is nearest to a given one."""
    return min(max(value, limits[0]), limits[1])
