"""The values at which a lab is recorded unless they are named: round values of the controls that it
opens on.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import Any

#: About how many frames a recording has, and how many streaming curves.
FRAMES = 700
CURVES = 9

#: The most number controls that vary, the fewest values of one, and the most steps of a player.
MAX_NUMBERS = 4
MIN_VALUES = 2
MAX_PLAYED = 120

#: Steps within a power of ten, from fine to coarse, for whole numbers whose range is wider than
#: this ratio.
SERIES = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 2, 5), (1,))
WIDE = 30


def recorded_values(lab: Any, frames: float = FRAMES) -> dict[str, list[Any]]:
    """All options of menus, the steps of players, and values of the first sliders, in about this
    many ``frames``.

    Parameters with which a curve changes have few values. A number that changes along with one
    before it, as other weights do, is left out. The values of the lab's steps are included.
    """
    lab.background.wait(lambda: lab.picture)
    slow = inputs_of_curves(lab)
    targets = [setting.values for setting in lab.step_settings]
    named = {name: [each[name] for each in targets] for name in lab.parameters}
    ends = lab.setting.ends
    values: dict[str, list[Any]] = {}
    for name in lab.first_controls:
        if lab.parameters[name].kind == "menu":
            values[name] = list(ends[name])
    for name in lab.first_controls:
        if lab.parameters[name].play:
            values[name] = some_values(lab, name, MAX_PLAYED, named[name])

    numbers: list[str] = []
    for name in lab.first_controls:
        has_room = len(numbers) < MAX_NUMBERS
        if name not in values and has_room and not follows(lab, name, numbers):
            numbers.append(name)
    slow_numbers = [name for name in numbers if name in slow]
    count = CURVES / combinations(values, slow)
    values |= equally_many(lab, slow_numbers, count, named)
    fast_numbers = [name for name in numbers if name not in slow]
    count = frames / combinations(values)
    values |= equally_many(lab, fast_numbers, count, named)
    return {name: values[name] for name in lab.first_controls if name in values}


def values_of_steps(lab: Any, values: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The values of those parameters that steps move, in order, with some ``values``, or with that
    at the start.

    A parameter that others lead to its value at each step, as a threshold leads to a weight, is
    left out.
    """
    found: dict[str, list[Any]] = {}
    for name in dict.fromkeys([*values, *lab.values]):
        now = lab.values[name]
        of_steps = [target.values[name] for target in lab.step_settings]
        different = dict.fromkeys([*values.get(name, [now]), *of_steps])
        if len(different) == 1 or (name not in values and _led(lab, name, found)):
            continue
        found[name] = list(different) if isinstance(now, str) else sorted(different)
    return {name: found[name] for name in lab.values if name in found}


def _led(lab: Any, name: str, others: Collection[str]) -> bool:
    """Whether a parameter has its value at each step once the others have theirs."""
    for target in lab.step_settings:
        step = target.values
        moved = {other: step[other] for other in others if step[other] != lab.values[other]}
        if values_after(lab, moved)[name] != step[name]:
            return False
    return True


def inputs_of_curves(lab: Any) -> set[str]:
    """The controls that the lab opens on with which the curves on show change."""
    curves = curves_on_show(lab)
    before = lab.setting
    found: set[str] = set()
    if not curves:
        return found
    for name in lab.first_controls:
        move(lab, name, before.ends[name])
        if curves_on_show(lab) != curves:
            found.add(name)
        lab.commit(before.values)
    return found


def move(lab: Any, name: str, values: Sequence[Any]) -> None:
    """Set a parameter to the last one of some values that is new; not if there is none, or if it is
    refused.
    """
    others = [each for each in values if each != lab.values[name]]
    if others:
        with suppress(ValueError):
            lab.commit({name: others[-1]})


def curves_on_show(lab: Any) -> set[Any]:
    """What the curves on show are called with."""
    lab.background.wait(lambda: lab.picture, slow=False)
    return {key for key, call in lab.memo.calls.items() if call.slow}


def combinations(values: dict[str, list[Any]], among: Collection[str] = ()) -> int:
    """How many combinations there are of the values of all parameters, or of those ``among`` some
    names.
    """
    counted = [each for name, each in values.items() if not among or name in among]
    return prod(map(len, counted))


def equally_many(
    lab: Any, names: list[str], count: float, named: Mapping[str, Sequence[float]]
) -> dict[str, list[Any]]:
    """Values of some numbers, about as many of each, in about ``count`` combinations."""
    of_each = count ** (1 / max(len(names), 1))
    max_count = max(round(of_each), MIN_VALUES)
    return {name: some_values(lab, name, max_count, named.get(name, ())) for name in names}


def follows(lab: Any, name: str, others: Sequence[str]) -> bool:
    """Whether a number changes whenever one of the others does."""
    now = lab.values
    for other in others:
        ends = [end for end in lab.setting.ends[other] if end != now[other]]
        if ends and all(values_after(lab, {other: end})[name] != now[name] for end in ends):
            return True
    return False


def values_after(lab: Any, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All values after changes; the current values if the lab refuses them."""
    with suppress(ValueError):
        return lab.validated(changes)[0].values
    return lab.values


def some_values(lab: Any, name: str, max_count: int, named: Sequence[float] = ()) -> list[Any]:
    """Up to about ``max_count`` values of a number: both ends, its current value, the ``named``
    ones, and others.
    """
    low, high = lab.setting.ends[name]
    wanted = [lab.values[name], *named]
    return values_between(lab.parameters[name], low, high, wanted, max_count)


def values_between(
    parameter: Any, low: float, high: float, wanted: Sequence[Any], max_count: int
) -> list[Any]:
    """Round values with both ends, the first wanted value, and those other wanted ones on which the
    control steps.
    """
    current = wanted[0]
    steps = parameter.steps(low, high)
    if parameter.name == "seed":
        seeds = list(dict.fromkeys([current, *steps]))
        return sorted(seeds[:max_count])
    kept = {current, *[each for each in steps if each in wanted]}
    for coarser in coarser_steps(parameter, low, high):
        between = [each for each in coarser if low < each < high]
        found = sorted({low, high, *between})
        if len(found) <= max_count + 1:
            return with_values(found, kept)
    return sorted({low, high, *kept})


def with_values(values: list[Any], wanted: Collection[Any]) -> list[Any]:
    """Ascending values, in which each wanted one replaces the closest one between the ends."""
    found = {*values, *wanted}
    replaceable = set(values[1:-1]).difference(wanted)
    for each in sorted({*wanted}.difference(values)):
        if replaceable:
            closest = min(replaceable, key=lambda other: (abs(other - each), other))
            replaceable.remove(closest)
            found.remove(closest)
    return sorted(found)


def coarser_steps(parameter: Any, low: float, high: float) -> Iterator[Sequence[Any]]:
    """All steps of a number's control, then fewer and fewer."""
    steps = parameter.steps(low, high)
    yield steps
    if not parameter.digits and low > 0 and high > WIDE * low:
        powers = [10**power for power in range(len(str(high)))]
        ends = (int(low), int(high))
        for series in SERIES:
            wanted = [step * power for power in powers for step in series]
            yield [parameter.nearest(each, ends) for each in wanted]
    for factor in (2, 5, 10, 20, 25, 50, 100, 200, 500, 1000):
        if parameter.kind == "steps":
            yield steps[::factor]
        else:
            # Round values: multiples of a coarser step.
            coarse = factor * parameter.step
            yield [each for each in steps if abs(each / coarse % 1 - 0.5) > 0.5 - 1e-9]
