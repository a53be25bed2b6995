"""Layers of BagNoiseLab: curves of rules over the bag noise nu, and marks at the chosen nu."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from knnviz.labs.bag_noise.splits import LARGEST_NU, NOISES
from knnviz.views import marks, risk, style
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Points


class RuleStyle(NamedTuple):
    """How the curve of a rule is drawn; ``marker`` is an index in ``style.MARKERS``, None for no marker."""

    label: str
    color: str
    marker: int | None
    dash: tuple[float, ...] = ()
    width: float = 2.5


#: Rules, whose k is chosen at each point, fixed, or the best by the test labels.
STYLES = {
    "partial": RuleStyle("PL A-kNN", style.CLASS_COLORS[0], marker=0, width=4.0),
    "vote": RuleStyle("10-NN", style.CLASS_COLORS[1], marker=1, dash=(9, 4)),
    "classes": RuleStyle("A-kNN, 1/C", style.CLASS_COLORS[2], marker=2),
    "bag_size": RuleStyle("A-kNN, bag size/C", style.CLASS_COLORS[7], marker=3, dash=(9, 4)),
    "best": RuleStyle("best k, by test labels", style.INK, marker=None, dash=(2, 4), width=3.0),
}

#: Possible ends of the axis of errors.
TOPS = (0.25, 0.5, 0.75, 1.0)

#: Room at both ends of the axis of nu, and above and below fractions.
SIDE, ROOM = 0.03, 0.04

#: Size of the markers on a curve; opacity of bands, of which five may lie on top of each other.
MARKER_SIZE, BAND_OPACITY = 9.0, 0.16

NUS = np.array(NOISES)


def axes(name: str, title: str, ylabel: str, high: float) -> Axes:
    return Axes(name, title, "bag noise ν", ylabel, (-SIDE, LARGEST_NU + SIDE), (-ROOM * high, high))


def top(means: Iterable[np.ndarray]) -> float:
    highest = np.nanmax(np.concatenate([[0.0], *means]))
    return next((end for end in TOPS if highest <= end), TOPS[-1])


def curve(mean: np.ndarray, name: str, labelled: bool = False) -> tuple[Lines, Points]:
    """The mean (J,) of a rule, NaN where it is unknown, with markers at the values of nu unless its style has none."""
    title, color, marker, dash, width = STYLES[name]
    known = ~np.isnan(mean)
    x, y, label = NUS[known], mean[known], title if labelled else None
    line = Lines(name=name, x=x, y=y, color=color, width=width, dash=dash)
    if marker is None:
        return replace(line, label=label), marks.dot(x[:0], y[:0], f"{name}_marks")
    return line, marks.dot(x, y, f"{name}_marks", label, color, marker, MARKER_SIZE)


def curves(means: Mapping[str, np.ndarray], labelled: bool = False) -> tuple[Layer, ...]:
    """Means (J,) by rule: lines, the first on top; then, in the order of the legend, markers or lines without any."""
    drawn = {name: curve(mean, name, labelled) for name, mean in means.items()}
    marked = {name: STYLES[name].marker is not None for name in drawn}
    lines = [drawn[name][0] for name in reversed(drawn) if marked[name]]
    return *lines, *(drawn[name][marked[name]] for name in drawn)


def bands(means: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> tuple[Layer, ...]:
    """Bands of two standard errors around means, from the means (J,) and standard errors (J,) by rule."""
    drawn = (risk.curve(NUS, mean, error, "", name, STYLES[name].color)[0] for name, (mean, error) in means.items())
    return risk.label_one_band(replace(band, opacity=BAND_OPACITY) for band in drawn)


def nu_star(noise: float | None, high: float) -> Lines:
    """A vertical line at nu*; empty if it is unknown or beyond the largest nu."""
    x, y = (noise, (0, high)) if noise is not None and noise <= LARGEST_NU else ((), ())
    return Lines(name="aligned", x=x, y=y, color=style.MUTED, dash=(7, 4))


def nu_star_name(noise: float | None, high: float) -> Annotations:
    x, texts = (noise, ("ν*",)) if noise is not None and noise <= LARGEST_NU else ((), ())
    align = "right" if noise is not None and noise > LARGEST_NU / 2 else "left"
    return Annotations(name="aligned_name", x=x, y=0.95 * high, texts=texts, align=align)


def at_noise(noise: float, high: float, means: Mapping[str, np.ndarray]) -> tuple[Lines, Points]:
    """A line at the chosen nu, and points where it meets the means (J,)."""
    j, names = NOISES.index(noise), tuple(STYLES)
    known = {names.index(name): mean[j] for name, mean in means.items() if np.isfinite(mean[j])}
    points = Points(
        name="here",
        x=noise,
        y=[*known.values()],
        codes=np.array([*known], np.uint8),
        ringed=True,
        palette=tuple(rule_style.color for rule_style in STYLES.values()),
        markers=tuple(style.MARKERS[rule_style.marker or 0] for rule_style in STYLES.values()),
        size=MARKER_SIZE,
    )
    return Lines(name="at_noise", x=noise, y=(0, high), width=1.5), points


def handle(noise: float, high: float) -> Annotations:
    text, align = f"ν = {noise:g}", "left" if noise < LARGEST_NU / 2 else "right"
    return marks.draggable("noise_grip", noise, marks.HANDLE_HEIGHT * high, text, "bag noise", text, align, cross=14)


def describe(means: Mapping[str, np.ndarray], title: str) -> str:
    text = (f"{STYLES[name].label} {_from_to(mean)}" for name, mean in means.items())
    return f"{title} over nu: {'; '.join(text)}."


def _from_to(mean: np.ndarray) -> str:
    """A mean (J,) at the first and the last nu at which it is known, in words."""
    known = np.flatnonzero(np.isfinite(mean))
    if not len(known):
        return "not known yet"
    first, last = known[[0, -1]]
    return f"{mean[first]:.4g} at {NUS[first]:g}, {mean[last]:.4g} at {NUS[last]:g}"
