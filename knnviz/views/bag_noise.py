"""Rules on bags that grow noisier: their errors, stopping k and decided shares over the bag noise nu."""

from collections.abc import Iterable
from dataclasses import replace
from math import ceil
from typing import NamedTuple

import numpy as np

from knnviz.views import marks, risk, style
from knnviz.views.layers import Axes, Layer, Lines, Marks, Place, Points, single


class Look(NamedTuple):
    """How the curve of a rule looks: its name in a legend, its marker by number, None for none, and its dash."""

    label: str
    color: str
    marker: int | None
    dash: tuple[float, ...] = ()
    width: float = 2.5


#: By what stops the ball: its own rule, a k that is set, or one that knows the answers.
NEIGHBORS = {
    "partial": Look("PL A-kNN", style.CLASS_COLORS[0], 0, width=4.0),
    "vote": Look("10-NN", style.CLASS_COLORS[1], 1, (9, 4)),
    "classes": Look("A-kNN, 1/C", style.CLASS_COLORS[2], 2),
    "bag_size": Look("A-kNN, bag size/C", style.CLASS_COLORS[7], 3, (9, 4)),
    "best": Look("best k, knows the answers", style.INK, None, (2, 4), 3.0),
}

#: Linear scores by the loss that they are learned with: thin, with short dashes.
RIVALS = {
    "clpl": Look("CLPL", style.CLASS_COLORS[4], 4, (4, 3), 2.0),
    "proden": Look("PRODEN", style.CLASS_COLORS[9], 5, (4, 3), 2.0),
    "lws": Look("LWS, β = 1", style.CLASS_COLORS[5], 3, (4, 3), 2.0),
    "lws2": Look("LWS, β = 2", style.CLASS_COLORS[11], 1, (4, 3), 2.0),
    "apl_mae": Look("APL, MAE", style.CLASS_COLORS[3], 2, (4, 3), 2.0),
    "apl_gce": Look("APL, GCE", style.CLASS_COLORS[6], 0, (4, 3), 2.0),
}

LOOKS = NEIGHBORS | RIVALS

#: Rows under the panel of errors that a legend has room for.
ROWS = 4

#: Where the axis of errors may end.
TOPS = (0.25, 0.5, 0.75, 1.0)

#: Room at the ends of the axes: over nu, and above and below shares.
SIDE, ROOM = 0.03, 0.04

#: Size of the markers on a curve; how faint bands are, of which five may lie on top of each other.
MARKER, FAINT = 9.0, 0.16


def axes(name: str, title: str, ylabel: str, most: float, last: float, place: Place, top: float | None = None) -> Axes:
    """Axes over nu from 0 to ``last``, and from 0 to ``most`` or, where what is drawn ends before, to ``top``."""
    high = most * (1 + ROOM) if top is None else top
    return Axes(name, title, "bag noise ν", ylabel, (-SIDE, last + SIDE), (-ROOM * high, high), place)


def columns(curves: int) -> int:
    """In how many columns a legend of so many curves, and of their bands, fits into its rows."""
    return max(2, ceil((curves + 1) / ROWS))


def top(means: Iterable[np.ndarray]) -> float:
    """Where the axis of errors ends, for all means (J,) that are drawn."""
    highest = np.nanmax(np.concatenate([[0.0], *means]))
    return next((end for end in TOPS if highest <= end), TOPS[-1])


def curve(noises: np.ndarray, mean: np.ndarray, name: str, labelled: bool = False) -> tuple[Lines, Points]:
    """A mean (J,) over noises (J,), NaN where nothing is known, with markers at the noises unless its look has none."""
    look, known = LOOKS[name], ~np.isnan(mean)
    x, y, label = noises[known].astype(np.float32), mean[known].astype(np.float32), look.label if labelled else None
    line = Lines(name=name, x=x, y=y, color=look.color, width=look.width, dash=look.dash)
    if look.marker is None:
        return replace(line, label=label), marks.dot(x[:0], y[:0], f"{name}_marks")
    return line, marks.dot(x, y, f"{name}_marks", label, look.color, look.marker, MARKER)


def curves(noises: np.ndarray, means: dict[str, np.ndarray], labelled: bool = False) -> tuple[Layer, ...]:
    """Means (J,) by name: lines with the first on top, then as they stand in the legend markers, or lines without."""
    drawn = {name: curve(noises, mean, name, labelled) for name, mean in means.items()}
    marked = {name: LOOKS[name].marker is not None for name in drawn}
    lines = [drawn[name][0] for name in reversed(drawn) if marked[name]]
    return *lines, *(drawn[name][marked[name]] for name in drawn)


def bands(noises: np.ndarray, means: dict[str, tuple[np.ndarray, np.ndarray]]) -> tuple[Layer, ...]:
    """Two standard errors to each side of means (J,), both by name."""
    drawn = (risk.curve(noises, *each, "", name, LOOKS[name].color)[0] for name, each in means.items())
    return risk.one_band(replace(band, opacity=FAINT) for band in drawn)


def aligned(noise: float, last: float, high: float) -> Lines:
    """nu*, below which the true label is in most bags whatever the draw; nothing beyond the last noise drawn."""
    ends = 2 * (noise <= last)
    x, y = np.full(ends, noise, np.float32), np.array([0, high], np.float32)[:ends]
    return Lines(name="aligned", x=x, y=y, color=style.MUTED, dash=(7, 4))


def aligned_name(noise: float, last: float, high: float) -> Marks:
    """Its name, on the side that has more room."""
    inside = int(noise <= last)
    x, y = np.full(inside, noise, np.float32), np.full(inside, 0.95 * high, np.float32)
    return Marks(name="aligned_name", x=x, y=y, texts=("ν*",) * inside, align="right" if noise > last / 2 else "left")


def at(noise: float, high: float, values: dict[str, float]) -> tuple[Lines, Points]:
    """The nu in hand, and each value there that is known, by name, in a ring."""
    line = Lines(name="at_noise", x=np.full(2, noise, np.float32), y=np.array([0, high], np.float32), width=1.5)
    known, names = {name: value for name, value in values.items() if np.isfinite(value)}, tuple(LOOKS)
    looks = {
        "palette": tuple(look.color for look in LOOKS.values()),
        "markers": tuple(style.MARKERS[look.marker or 0] for look in LOOKS.values()),
        "codes": np.array([names.index(name) for name in known], np.uint8),
        "ringed": np.ones(len(known), bool),
    }
    y = np.array([*known.values()], np.float32)
    return line, Points(name="here", x=np.full(len(y), noise, np.float32), y=y, size=MARKER, **looks)


def handle(noise: float, last: float, high: float) -> Marks:
    """What the nu in hand is moved by."""
    text = f"ν = {noise:g}"
    look = {"cross": 14, "handles": ("bag noise",), "spoken": (text,), "align": "left" if noise < last / 2 else "right"}
    return Marks(name="noise_grip", x=single(noise), y=single(marks.GRIP * high), texts=(text,), **look)


def describe(noises: np.ndarray, means: dict[str, np.ndarray], read: str) -> str:
    """Curves (J,) by name, in words and numbers: ``read`` says of what."""
    said = (f"{LOOKS[name].label} {_from_to(noises, mean)}" for name, mean in means.items())
    return f"{read} over nu: {'; '.join(said)}."


def _from_to(noises: np.ndarray, mean: np.ndarray) -> str:
    """A mean (J,) at the first and the last noise at which it is known."""
    known = np.flatnonzero(np.isfinite(mean))
    if not len(known):
        return "not known yet"
    first, last = known[[0, -1]]
    return f"{mean[first]:.4g} at {noises[first]:g}, {mean[last]:.4g} at {noises[last]:g}"
