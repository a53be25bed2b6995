"""The golden record: what every lab says and draws at its start and at each preset, on a screen and on a projector.

``python tests/golden.py record`` writes it into tests/golden/, a file a lab; ``compare`` says what differs; both take
the names of labs, all by default. Where panels stand and how large things are drawn is left out. Work in the background
has ended.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from knnviz import labs
from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.parameters import Number
from knnviz.views.layers import Layer

HERE = Path(__file__).with_name("golden")

#: Deviations up to these are those of another processor.
RELATIVE, ABSOLUTE = 1e-4, 1e-5

#: The state at which a lab begins.
START = "start"


def classes(names: tuple[str, ...]) -> list[type[Lab]]:
    """The named labs, all by default."""
    return [getattr(labs, name) for name in names or labs.__all__ if name != "Lab"]


def states(lab_class: type[Lab]) -> Iterator[tuple[str, Lab]]:
    """A lab at its start and at each preset, first on a screen and then on a projector, with the name of the state."""
    for name in (START, *(preset.name for preset in lab_class.presets)):
        lab = lab_class()
        if name != START:
            lab.show_preset(name)
        yield name, lab
        lab.projector = True
        yield f"{name}, projector", lab


def taken(lab: Lab) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a lab says, and the arrays of its layers by panel, layer and field."""
    readout, picture = lab.readout(), lab.background.wait_until_idle(lambda: lab.picture)
    layers = {f"{panel.axes.name}/{layer.name}": layer for panel in picture.panels for layer in panel.layers}
    said = {
        "readout": {name: plain(value) for name, value in readout.items()},
        "numbers": lab.shown_numbers(),
        "alt": picture.alt,
        "hidden": sorted(lab.hidden(lab.values)),
        "limits": {name: plain(limits(lab, name)) for name in lab.parameters()},
        "axes": {
            panel.axes.name: [panel.axes.title, *plain(panel.axes.xlim), *plain(panel.axes.ylim)]
            for panel in picture.panels
        },
        "layers": {name: look(layer) for name, layer in layers.items()},
    }
    arrays = {
        f"{name}/{field.name}": getattr(layer, field.name)
        for name, layer in layers.items()
        for field in fields(layer)
        if isinstance(getattr(layer, field.name), np.ndarray)
    }
    return json.loads(json.dumps(said)), arrays


def limits(lab: Lab, name: str) -> tuple[Any, ...]:
    """Where the control of a number ends, or what there is to choose from."""
    read = lab.slider_range if isinstance(lab.parameters()[name], Number) else lab.limits
    return read(name, lab.values)


def look(layer: Layer) -> dict[str, Any]:
    """The kind of a layer and what it holds besides arrays; markers and sizes, which follow the sheet, are left out."""
    left = {"markers", "size", "width", "ring_gap", "ring_width", "cross", "halo", "dash", "opacity"}
    held = {field.name: getattr(layer, field.name) for field in fields(layer) if field.name not in left}
    return {"kind": type(layer).__name__} | {
        name: plain(value) for name, value in held.items() if not isinstance(value, np.ndarray)
    }


def plain(value: Any) -> Any:
    """A value as JSON has it, numbers to six significant digits."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.6g}")
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def record(*names: str) -> int:
    """Write the record of all labs; each array once, however many states have it."""
    HERE.mkdir(exist_ok=True)
    for lab_class in classes(names):
        said, kept = {}, {}
        for state, lab in states(lab_class):
            said[state], arrays = taken(lab)
            said[state]["arrays"] = {name: digest(array) for name, array in arrays.items()}
            kept |= {digest(array): array for array in arrays.values()}
        np.savez_compressed(HERE / f"{lab_class.__name__}.npz", said=np.array(json.dumps(said)), **kept)
        print(f"{lab_class.__name__}: {len(said)} states, {len(kept)} arrays", flush=True)
    return 0


def digest(array: np.ndarray) -> str:
    """A name for an array, by what it holds."""
    return sha256(f"{array.shape} {array.dtype}".encode() + array.tobytes()).hexdigest()[:20]


def compare(*names: str) -> int:
    """Print each difference from the record, with lab, state, layer and the largest deviation; how many there are."""
    count = 0
    for lab_class in classes(names):
        with np.load(HERE / f"{lab_class.__name__}.npz") as file:
            kept = dict(file)
        said = json.loads(str(kept["said"]))
        for state, lab in states(lab_class):
            before, (now, arrays) = said.get(state, {"arrays": {}}), taken(lab)
            held = {name: kept[each] for name, each in before.pop("arrays").items()}
            for difference in (*unlike("", before, now), *apart(held, arrays)):
                print(f"{lab_class.__name__}, {state}: {difference}", flush=True)
                count += 1
    print(f"{count} differences")
    return count


def unlike(place: str, before: Any, now: Any) -> Iterator[str]:
    """Where two values that JSON can hold differ."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in {**before, **now}:
            yield from unlike(f"{place}/{name}", before.get(name), now.get(name))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, pair in enumerate(zip(before, now, strict=True)):
            yield from unlike(f"{place}/{i}", *pair)
    elif isinstance(before, float) and isinstance(now, (int, float)):
        if not np.isclose(before, now, RELATIVE, ABSOLUTE):
            yield f"{place}: {before} is {now} now"
    elif before != now:
        yield f"{place}: {before!r} is {now!r} now"


def apart(before: dict[str, np.ndarray], now: dict[str, np.ndarray]) -> Iterator[str]:
    """Which arrays differ, and by how much at most."""
    for name in {**before, **now}:
        one, other = before.get(name), now.get(name)
        if one is None or other is None or one.shape != other.shape:
            yield f"{name}: {getattr(one, 'shape', None)} is {getattr(other, 'shape', None)} now"
        elif not np.allclose(one, other, RELATIVE, ABSOLUTE, equal_nan=True):
            deviation = np.nanmax(abs(one.astype(float) - other.astype(float)))
            yield f"{name}: largest deviation {deviation:.3g}, at {np.mean(one != other):.1%} of {one.size} values"


if __name__ == "__main__":
    sys.exit(min({"record": record, "compare": compare}[sys.argv[1]](*sys.argv[2:]), 1))
