"""A setting: values of all parameters, and what follows from them for the controls."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from knnviz.labs.engine.parameters import ByName, Range

#: Most milliseconds in which Play goes over all steps.
PLAY_LENGTH = 10_000


@dataclass(frozen=True)
class Setting:
    """The values of some parameters, and their ranges under these values, all by name."""

    parameters: ByName
    values: ByName
    ranges: Mapping[str, Range]

    @cached_property
    def ends(self) -> dict[str, tuple[Any, ...]]:
        """The ends of each parameter, also of those without effect."""
        return {name: each.ends or self.parameters[name].ends for name, each in self.ranges.items()}

    @cached_property
    def hidden(self) -> set[str]:
        """Parameters without effect."""
        hidden = {name for name, each in self.parameters.items() if not each.is_on(self.values)}
        return hidden | {
            name for name, (ends, _) in self.ranges.items() if ends is None or ends[0] == ends[-1]
        }

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why parameters have a smaller range than declared, or none, where a ``Range`` says so."""
        return {
            name: why
            for name, (ends, why) in self.ranges.items()
            if why and ends != self.parameters[name].ends
        }

    @cached_property
    def paces(self) -> dict[str, float]:
        """For each player the milliseconds of a step, all of which take at most ``PLAY_LENGTH``."""
        paces = {}
        for name, each in self.parameters.items():
            if each.play:
                low, high = self.ends[name]
                paces[name] = min(each.play, PLAY_LENGTH / max(high - low, 1))
        return paces

    @cached_property
    def positions(self) -> dict[str, list[Any]]:
        """What a page needs of the range of each control."""
        return {
            name: each.positions(self.values[name], self.ends[name])
            for name, each in self.parameters.items()
        }

    def checked(self, name: str) -> Any:
        """A value as it is stored; ValueError, with the reason, if it is not in its range."""
        parameter = self.parameters[name]
        (ends, why) = self.ranges[name]
        try:
            return parameter.check(self.values[name], self.ends[name])
        except ValueError as problem:
            refusal = str(problem)
        if ends and ends[0] == ends[-1]:
            refusal = f"{parameter.title} must stay at {ends[0]}, got {self.values[name]}"
        if why:
            refusal = f"{refusal}: {why}"
        raise ValueError(refusal)
