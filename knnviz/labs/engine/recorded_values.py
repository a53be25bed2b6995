"""What a lab is recorded over unless values are named: round values of the controls that it opens on."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import Any

from knnviz.labs.engine.parameters import Choice, Int, Number, Seed

#: About how many frames a lab is recorded in, and how many curves that stream.
FRAMES, CURVES = 700, 9

#: How many numbers move at most, the fewest values of one, and the most steps of a player.
NUMBERS, FEWEST, PLAYED = 3, 3, 250

#: Steps within a power of ten, from fine to coarse, for whole numbers that go over several powers.
SERIES = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 2, 5), (1,))
WIDE = 30


def recorded_values(lab: Any, frames: float = FRAMES) -> dict[str, list[Any]]:
    """All names of menus, the steps of players, and values of the first numbers for as many ``frames``.

    Of what a streaming curve reads there are few values. A number that follows from those before it, as the last of
    some weights does, is left out.
    """
    lab.background.wait_until_idle(lambda: lab.picture)
    parameters, slow = lab.parameters(), streamed(lab)
    menus = [name for name in lab.first_controls if isinstance(parameters[name], Choice)]
    values = {name: list(lab.limits(name, lab.values)) for name in menus}
    values |= {name: some(lab, name, PLAYED) for name in lab.first_controls if parameters[name].is_played}
    numbers: list[str] = []
    for name in lab.first_controls:
        if name not in values and len(numbers) < NUMBERS and moves(lab, name, [*values, *numbers]):
            numbers.append(name)
    values |= some_of(lab, [name for name in numbers if name in slow], CURVES / size(values, slow))
    values |= some_of(lab, [name for name in numbers if name not in slow], frames / size(values))
    return {name: values[name] for name in lab.first_controls if name in values}


def streamed(lab: Any) -> set[str]:
    """The parameters that the streaming stages on show read, directly or not."""
    names: set[str] = set()
    entries = [each for each in lab.background.entries() if each.fresh and each.stage.streaming]
    while entries:
        for read in entries.pop().reads:
            if isinstance(read, str):
                names.add(read)
            else:
                entries.append(read)
    return names


def size(values: dict[str, list[Any]], among: Collection[str] = ()) -> int:
    """How many combinations there are of the values of parameters, or of those among some names."""
    return prod([len(each) for name, each in values.items() if not among or name in among])


def some_of(lab: Any, names: list[str], most: float) -> dict[str, list[Any]]:
    """Values of some numbers in about so many combinations; the last ones stay as they are if there are too few."""
    while names and most ** (1 / len(names)) < FEWEST:
        names = names[:-1]
    share = round(most ** (1 / max(len(names), 1)))
    return {name: some(lab, name, share) for name in names}


def moves(lab: Any, name: str, held: Sequence[str]) -> bool:
    """Whether a number can go to an end of its control while others are held."""
    for end in lab.slider_range(name, lab.values):
        with suppress(ValueError):
            lab.validated({each: lab.values[each] for each in held} | {name: end})
            return True
    return False


def some(lab: Any, name: str, most: int) -> list[Any]:
    """About so many values of a number at most: the ends of its control, and that at hand."""
    low, high = lab.slider_range(name, lab.values)
    return some_between(lab.parameters()[name], low, high, lab.values[name], most)


def some_between(parameter: Number, low: float, high: float, now: Any, most: int) -> list[Any]:
    if isinstance(parameter, Seed):
        return sorted([*{now: 0} | dict.fromkeys(parameter.every(low, high))][:most])
    for inner in steps(parameter, low, high):
        found = sorted({low, high, *(each for each in inner if low < each < high)})
        if len(found) <= most + 1:
            return with_value(found, now)
    return sorted({low, high, now})


def with_value(values: list[Any], now: Any) -> list[Any]:
    """Ascending values, that at hand in place of the one between the ends that is closest to it."""
    if now in values or len(values) < 3:
        return sorted({*values, now})
    closest = min(values[1:-1], key=lambda each: abs(each - now))
    return sorted({now, *values} - {closest})


def steps(parameter: Number, low: float, high: float) -> Iterator[Sequence[Any]]:
    """Values of a number, finer steps first."""
    every = parameter.every(low, high)
    yield every
    if isinstance(parameter, Int) and low > 0 and high > WIDE * low:
        powers = [10**power for power in range(len(str(high)))]
        for series in SERIES:
            yield [parameter.nearest(step * power, int(low), int(high)) for power in powers for step in series]
    for factor in (2, 5, 10, 20, 25, 50, 100, 200, 500, 1000):
        if parameter.kind == "steps":
            yield every[::factor]
        else:
            # Round values: multiples of a coarser step.
            yield [each for each in every if abs(each / (factor * parameter.step) % 1 - 0.5) > 0.5 - 1e-9]
