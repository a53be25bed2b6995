"""The Band: where decisions on one class may turn if eta-hat is off by epsilon, and what lies in it."""

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Axes, Band, Layer, Lines, Place, Raster

#: Colours of what the band holds: points of other classes, and of the class.
TNE, FNE = "#7F5539", "#6A3D9A"

#: How much of what is behind them the areas hide.
OPAQUE = 0.4

#: The axis of probabilities, with room below for the strip of decisions, which stands between two heights.
HEIGHTS, STRIP = (-0.13, 1.02), (-0.13, -0.05)

#: Curves that leave the panel are drawn up to here.
FARTHEST = (-1.0, 2.0)

#: Ends of the axis of epsilon.
EPSILONS = (0.001, 1.0)

#: Ends of its panel, with room for a handle.
ERROR_ENDS = (0.00085, 1.2)


def axes(rectangle: Place, c: int) -> Axes:
    """Axes over [0, 1] and the probability of class c."""
    ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    return Axes("band", f"Band of class {c}", "x", "probability", (0, 1), HEIGHTS, rectangle, yticks=ticks)


def curves(
    x: np.ndarray, eta: np.ndarray, cut: np.ndarray, lower: np.ndarray, upper: np.ndarray, c: int
) -> tuple[Lines, ...]:
    """eta (m,) of class c over x (m,), its cut and the edges (m,) of the band, which end beyond the panel."""
    look = {"width": 2.0, "color": style.INK}
    return (
        _line(x, cut, "cut", "cut t of class " + str(c), width=1.2, color=style.MUTED),
        _line(x, upper, "upper", "upper edge t'' + ε r''", dash=(7, 3), **look),
        _line(x, lower, "lower", "lower edge t' - ε r'", dash=(2, 3), **look),
        _line(x, eta, "eta", f"eta of class {c}", width=3.0, color=style.class_color(c)),
    )


def _line(x: np.ndarray, y: np.ndarray, name: str, label: str, **look: object) -> Lines:
    return Lines(name=name, label=label, x=x.astype(np.float32), y=y.clip(*FARTHEST).astype(np.float32), **look)


def areas(x: np.ndarray, eta: np.ndarray, inside: np.ndarray, c: int) -> tuple[Band, Band]:
    """Where eta (m,) of class c is in the band: the area below it is fne, the area above it tne."""
    x, height = x.astype(np.float32), np.where(inside, eta, np.nan).astype(np.float32)
    below = Band(name="fne", label=f"fne: class {c}", x=x, lower=0 * height, upper=height, color=FNE, opacity=OPAQUE)
    above = Band(
        name="tne", label="tne: other classes", x=x, lower=height, upper=1 + 0 * height, color=TNE, opacity=OPAQUE
    )
    return below, above


def strip(labels: np.ndarray, class_names: tuple[str, ...]) -> Raster:
    """What weights decide (m,) along [0, 1], below the curves."""
    look = {"palette": style.palette(len(class_names)), "extent": (0.0, 1.0, *STRIP)}
    names = tuple(f"decision: {name}" for name in class_names)
    return Raster(name="decisions", codes=labels[None].astype(np.uint8), labels=names, **look)


def error_axes(rectangle: Place, top: float) -> Axes:
    """Axes over epsilon and the mass of the band, up to ``top``."""
    return Axes("errors", "Mass of the band", "epsilon", "tne + fne", ERROR_ENDS, (0, top), rectangle, log=True)


def errors(epsilons: np.ndarray, tne: np.ndarray, fne: np.ndarray) -> tuple[Band, Band]:
    """fne (J,) over epsilons (J,), and tne (J,) on top of it."""
    x, low, both = (each.astype(np.float32) for each in (epsilons, fne, fne + tne))
    below = Band(name="fne", label="fne", x=x, lower=0 * low, upper=low, color=FNE, opacity=OPAQUE)
    return below, Band(name="tne", label="tne", x=x, lower=low, upper=both, color=TNE, opacity=OPAQUE)


def uncovered(epsilons: np.ndarray, mass: np.ndarray) -> Lines:
    """The mass (J,) of the band for q' = q'' = q over epsilons (J,)."""
    x, y = epsilons.astype(np.float32), mass.astype(np.float32)
    return Lines(name="uncovered", label="q' = q'' = q", x=x, y=y, dash=(7, 3))


def level(height: float, name: str, label: str) -> Lines:
    """A mass that the band has at every epsilon."""
    x, y = np.array(EPSILONS, np.float32), np.full(2, height, np.float32)
    return Lines(name=name, label=label, x=x, y=y, color=style.MUTED, dash=(2, 3))


def layers(
    x: np.ndarray,
    eta: np.ndarray,
    cut: np.ndarray,
    edges: tuple[np.ndarray, np.ndarray, np.ndarray],
    labels: np.ndarray,
    c: int,
) -> list[Layer]:
    """All of the band at x (m,): eta (m, C), cut, edges and where eta is between them (m,), and decisions (m,)."""
    lower, upper, inside = edges
    names = tuple(f"class {j}" for j in range(eta.shape[1]))
    own = eta[:, c]
    return [*areas(x, own, inside, c), *curves(x, own, cut, lower, upper, c), strip(labels, names)]


def describe(c: int, epsilon: float, inside: np.ndarray, shares: np.ndarray) -> str:
    """The band of class c over cells (m,), and shares (C,) of the decisions, in words and numbers."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    places = ", ".join(f"{low / len(inside):.3f} to {high / len(inside):.3f}" for low, high in edges.reshape(-1, 2))
    decided = ", ".join(f"{share:.1%} for class {j}" for j, share in enumerate(shares))
    return (
        f"Band of class {c} at epsilon = {epsilon:.4g}: eta is inside on {inside.mean():.1%} of the line"
        f"{' (' + places + ')' if places else ''}. Decisions: {decided}."
    )
