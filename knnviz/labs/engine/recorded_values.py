"""What a lab is recorded over unless values are named: round values of the controls that it opens on."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import Any

from knnviz.labs.engine.named_values import named_values
from knnviz.labs.engine.parameters import Choice, Int, Number, Seed

#: About how many frames a lab is recorded in, and how many curves that stream.
FRAMES, CURVES = 700, 9

#: How many numbers move at most, the fewest values of one, and the most steps of a player.
NUMBERS, FEWEST, PLAYED = 4, 2, 250

#: Steps within a power of ten, from fine to coarse, for whole numbers that go over several powers.
SERIES = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 2, 5), (1,))
WIDE = 30


def recorded_values(lab: Any, frames: float = FRAMES, text: str = "") -> dict[str, list[Any]]:
    """All names of menus, the steps of players, and values of the first numbers for as many ``frames``.

    Of what a streaming curve reads there are few values. A number that moves along with one before it, as other weights
    do, is left out. Values that a ``text`` names are among them.
    """
    lab.background.wait_until_idle(lambda: lab.picture)
    parameters, slow = lab.parameters(), streamed(lab)
    named = named_values(parameters, text)
    menus = [name for name in lab.first_controls if isinstance(parameters[name], Choice)]
    values = {name: list(lab.limits(name, lab.values)) for name in menus}
    values |= {name: some(lab, name, PLAYED) for name in lab.first_controls if parameters[name].is_played}
    numbers: list[str] = []
    for name in lab.first_controls:
        if name not in values and len(numbers) < NUMBERS and not follows(lab, name, numbers):
            numbers.append(name)
    values |= some_of(lab, [name for name in numbers if name in slow], CURVES / size(values, slow), named)
    values |= some_of(lab, [name for name in numbers if name not in slow], frames / size(values), named)
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


def some_of(lab: Any, names: list[str], most: float, named: Mapping[str, Sequence[float]]) -> dict[str, list[Any]]:
    """Values of some numbers in about so many combinations."""
    share = max(round(most ** (1 / max(len(names), 1))), FEWEST)
    return {name: some(lab, name, share, named.get(name, ())) for name in names}


def follows(lab: Any, name: str, others: Sequence[str]) -> bool:
    """Whether a number moves along wherever one of the others goes."""
    for other in others:
        ends = [end for end in lab.slider_range(other, lab.values) if end != lab.values[other]]
        if ends and all(moved(lab, {other: end})[name] != lab.values[name] for end in ends):
            return True
    return False


def moved(lab: Any, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All values after changes; as they are if the lab refuses them."""
    values: Mapping[str, Any] = lab.values
    with suppress(ValueError):
        values = lab.validated(changes)[0]
    return values


def some(lab: Any, name: str, most: int, named: Sequence[float] = ()) -> list[Any]:
    """About so many values of a number at most: the ends of its control, that at hand, and those ``named`` of it."""
    low, high = lab.slider_range(name, lab.values)
    return some_between(lab.parameters()[name], low, high, [lab.values[name], *named], most)


def some_between(parameter: Number, low: float, high: float, wanted: Sequence[Any], most: int) -> list[Any]:
    """The first one that is wanted is kept in any case, the others if the control steps on them."""
    now, every = wanted[0], parameter.every(low, high)
    if isinstance(parameter, Seed):
        return sorted([*{now: 0} | dict.fromkeys(every)][:most])
    kept = {now, *[each for each in every if each in wanted]}
    for inner in steps(parameter, low, high):
        found = sorted({low, high, *(each for each in inner if low < each < high)})
        if len(found) <= most + 1:
            return with_values(found, kept)
    return sorted({low, high, *kept})


def with_values(values: list[Any], wanted: Collection[Any]) -> list[Any]:
    """Ascending values, each wanted one in place of the one between the ends that is closest to it."""
    found = {*values, *wanted}
    for each in sorted({*wanted}.difference(values)):
        if others := found.intersection(values[1:-1]).difference(wanted):
            found.remove(min(others, key=lambda other: (abs(other - each), other)))
    return sorted(found)


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
