"""BandLab: where errors of eta-hat can change decisions of class-weighted kNN, and the bound on
these errors of Theorem 3.

eta-hat are the fractions of the classes among the k nearest neighbors. Its uniform error U is the
largest ``|eta-hat - eta|`` over points and classes; epsilon bounds it. With weights q class c is
predicted where its eta exceeds a threshold t, which depends on the point. The band of c is where
its eta is so near t that an error of epsilon may change this decision: from t' - epsilon r' to t''
+ epsilon r''. The cover q', q'' of q are weights on a grid that favor c slightly more and slightly
less; t', t'' are their thresholds and r', r'' their width factors. The mass of the band has two
parts: tne, the true negative error, is the mass of the other classes in it, and fne, the false
negative error, that of class c.
"""

from collections.abc import Sequence
from math import ceil, log10
from typing import Any, NamedTuple

import numpy as np

from knnviz import regions, weights
from knnviz.bounds import khim
from knnviz.checks import TIE_TOL
from knnviz.labs.engine import (
    ByName,
    Choice,
    Float,
    Lab,
    LogInt,
    Memo,
    Panel,
    Range,
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.parts import class_weights, plane
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts.profile import log_spaced
from knnviz.labs.parts.sources import Field, field
from knnviz.neighbors import Windows
from knnviz.problems import waves
from knnviz.profiles import WindowProfile
from knnviz.regions import ErrorBand
from knnviz.rules import Weighted
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Place, Raster, runs
from knnviz.weights import uniform_error

#: Three classes on a line; cells at which eta-hat is compared with eta, and those over which masses
#: are summed.
WAVES = waves()
CLASSES = ("class 0", "class 1", "class 2")
CELLS = 1000
FINE_CELLS = 8000

#: The constants of eta that Theorem 3 assumes, known because the problem is synthetic.
SMOOTH: dict[str, Any] = {
    "holder_exponent": 1.0,
    "holder_constant": khim.least_lipschitz_constants(WAVES).max(),
}

#: Steps from 0 to 1 of the grid of the cover; without a cover q' and q'' are q.
STEPS = 100
GRID = f"1/{STEPS}"
NO_COVER = "none"
COVERS = (GRID, NO_COVER)

#: Where epsilon comes from.
AS_SET = "as set"
OBSERVED = "observed U"
EPSILONS = (AS_SET, OBSERVED)

#: At how many k U is computed, in the preview and in full, and at how many the bound is drawn.
FEW_KS = 6
MANY_KS = 40
BOUND_KS = 120

#: Ends of curves over epsilon, and of its axis, which leaves room for a handle; the upper end of
#: the axis of masses.
ENDS = (0.001, 1.0)
EPSILON_AXIS = (0.00085, 1.2)
TOP = 1.05

#: The epsilons at which masses are drawn.
DRAWN = np.geomspace(*ENDS, 81)

#: Limits of the axis of probabilities, and of the strip of decisions below 0.
HEIGHTS = (-0.13, 1.02)
STRIP = (-0.13, -0.05)

#: Decisions on at least this part of the line are named.
NAMED_WIDTH = 0.04

#: Possible upper ends of the axis of errors; the one in use is at least ROOM times the least bound,
#: if it can be.
TOPS = (0.3, 0.75, 1.5)
ROOM = 1.5

#: Terms of the bound, lowest first: name, label and color.
TERMS = (
    ("bias", "bias", "#56B4E9"),
    ("vote", "1/√k", "#CC79A7"),
    ("union", "union over x", "#E69F00"),
)

SET = {"epsilon_source": (AS_SET,)}
CLASS_TIP = "The band is where decisions for or against this class may change"
COVER_TIP = (
    "q' and q'', on a grid of this step, favor the class slightly more and less than q does; none: "
    "both are q"
)
SOURCE_TIP = "Epsilon is the number you set, or the error U observed in this sample"
EPSILON_TIP = "Largest error of eta-hat, over all points and classes"
K_TIP = "Number of neighbors; their class fractions are eta-hat"
DELTA_TIP = "Probability that bounds fail; half of it is for the uniform error, as in Theorem 5"

PARAMETERS = (
    *class_weights.PARAMETERS,
    "Band",
    Choice("c", CLASSES, "class *c*", CLASS_TIP),
    Choice("cover", COVERS, "cover's grid step", COVER_TIP),
    Choice("epsilon_source", EPSILONS, "epsilon is", SOURCE_TIP),
    Float(
        "epsilon", 0.1, 0, 1, "uniform error *epsilon*", EPSILON_TIP, step=0.001, digits=3, when=SET
    ),
    "Sample",
    LogInt("n", 1000, 100, 1_000_000, "sample size *n*", "Number of training points"),
    LogInt("k", 50, 1, 1_000_000, "neighbors *k*", K_TIP),
    training_data.SEED,
    "Theorem 3",
    Float("delta", 0.05, 0.01, 0.5, "failure probability *delta*", DELTA_TIP),
)


def ranges(values: ByName) -> dict[str, Any]:
    """k up to n."""
    return {"k": Range((1, values["n"]), "k is at most n")}


def recipe(p: Values, memo: Memo) -> Shown:
    q = (p.q0, p.q1, p.q2)
    c = CLASSES.index(p.c)
    cells = field(WAVES, CELLS)
    eta = field(WAVES, FINE_CELLS).eta

    # Epsilon, and the band of class c with its mass.
    votes = memo(window_votes, p.n, p.seed)
    observed = memo(largest_error, p.k, votes)
    epsilon = p.epsilon if p.epsilon_source == AS_SET else observed
    plain = Cover(q, q, c)
    on_grid = None
    if p.cover == GRID:
        on_grid = memo(covering, q, c)
    used = on_grid or plain
    band = memo(band_of, cells.eta, epsilon, used)
    entry = memo(entry_epsilons, eta, used)
    (none_tne, tne), (none_fne, fne) = memo(masses, (0.0, epsilon), entry, eta, c)
    at_zero = none_tne + none_fne

    def band_panel() -> Panel:
        threshold = memo(band_of, cells.eta, 0.0, plain).upper
        decisions = memo(Weighted(q).decide, cells.eta)
        return memo(panel_of_band, cells, band, threshold, decisions, c)

    def mass_panel() -> Panel:
        uncovered = memo(entry_epsilons, eta, plain)
        curves = memo(mass_curves, entry, uncovered, eta, c, at_zero)
        return memo(panel_of_masses, curves, observed, epsilon, tne + fne)

    def error_panel() -> Panel:
        # At few k first, since a large sample takes long.
        errors = memo.refine(errors_over_k, (FEW_KS, MANY_KS), votes)
        terms = memo(stacked_terms, p.n, p.delta)
        return memo(panel_of_errors, terms, errors, p.n, p.k, observed, p.delta)

    note = None
    if q[c] == 0:
        note = f"{p.c} has no weight, so nothing is guaranteed for it"
    elif p.cover == GRID and not on_grid:
        note = f"no weights on the grid of step {GRID} cover q, so q' = q'' = q here"

    numbers = {
        "epsilon": epsilon,
        "true negative error (tne)": tne,
        "false negative error (fne)": fne,
        "mass at epsilon 0": at_zero,
        "observed U": observed,
        "note": note,
    }
    return Shown({"band": band_panel, "mass": mass_panel, "error": error_panel}, numbers)


def window_votes(n: int, seed: int) -> WindowProfile:
    """The votes of a sample: on a line the k nearest neighbors of x are k consecutive points."""
    sample = WAVES.sample(n, seed)
    windows = Windows.from_points(sample.X)
    return WindowProfile.build(windows, sample.y, len(CLASSES))


def largest_error(k: int, votes: WindowProfile) -> float:
    """U, as the maximum over the cells."""
    x, _, eta = field(WAVES, CELLS)
    return uniform_error(eta, votes.at_points(x.points[:, 0], k) / k)


def errors_over_k(count: int, votes: WindowProfile) -> Lines:
    """U of a sample over k."""
    ks = log_spaced(1, votes.windows.n, count)
    errors = np.array([largest_error(k, votes) for k in ks.tolist()])
    return Lines("observed", ks, errors, label="observed U", width=2.5)


def bound_at(k: int, n: int, delta: float) -> khim.UniformBound:
    return khim.theorem_3(k, n, delta / 2, **SMOOTH)


class Cover(NamedTuple):
    """The weights q' and q'' of the band of class c."""

    more: tuple[float, ...]
    less: tuple[float, ...]
    c: int


def covering(q: Sequence[float], c: int) -> Cover | None:
    """The cover of q, or None where no weights on the grid cover it."""
    if q[c] == 0:
        return None
    found = weights.cover(q, STEPS, c)
    if found is None or found[1, c] <= 0:
        return None
    more, less = found.round(6).tolist()
    return Cover(tuple(more), tuple(less), c)


def band_of(eta: np.ndarray, epsilon: float, cover: Cover) -> ErrorBand:
    """The band at points of eta (m, C); all, if the class has no weight."""
    if cover.less[cover.c] == 0:
        far = np.full(len(eta), np.inf)
        everywhere = np.ones(len(eta), bool)
        return ErrorBand(-far, far, everywhere)
    return regions.error_band(eta, epsilon, *cover)


def entry_epsilons(eta: np.ndarray, cover: Cover) -> np.ndarray:
    """Smallest epsilon at which each cell (m,) is in the band, whose edges are linear in it."""
    if cover.less[cover.c] == 0:
        return np.zeros(len(eta))
    own = eta[:, cover.c]
    at_0 = band_of(eta, 0.0, cover)
    at_1 = band_of(eta, 1.0, cover)
    below = (at_0.lower - own) / (at_0.lower - at_1.lower)
    above = (own - at_0.upper) / (at_1.upper - at_0.upper)
    return np.maximum(np.maximum(below, above), 0)


def masses(
    epsilons: Any, entry: np.ndarray, eta: np.ndarray, c: int
) -> tuple[list[float], list[float]]:
    """tne and fne at ascending epsilons, where cells of eta (m, C) enter the band at epsilons
    ``entry`` (m,).
    """
    size = len(epsilons)
    first = np.searchsorted(epsilons, entry - TIE_TOL)
    own = eta[:, c]

    def summed(mass: np.ndarray) -> list[float]:
        """The mass (m,) of the cells that have entered at each epsilon."""
        entering = np.bincount(first, mass, size + 1)[:size]
        return (np.cumsum(entering) / len(eta)).tolist()

    return summed(1 - own), summed(own)


def areas(x: np.ndarray, name: str, fne: np.ndarray, tne: np.ndarray) -> list[Band]:
    """fne (J,) of the class over x, with tne on top."""
    looks = (("fne", f"fne: {name}", "#6A3D9A"), ("tne", "tne: other classes", "#7F5539"))
    return marks.stacked(x, looks, (fne, tne), 0.4)


def panel_of_band(
    cells: Field, band: ErrorBand, threshold: np.ndarray, decisions: np.ndarray, c: int
) -> Panel:
    """eta of class c, the band around its threshold, its mass inside below and above eta, and
    decisions under q.
    """
    x = cells.grid.points[:, 0]
    eta = cells.eta[:, c]
    name = CLASSES[c]
    inside = np.where(band.inside, eta, np.nan)

    def curve(name: str, label: str, y: np.ndarray, **drawn: Any) -> Lines:
        # Clipped beyond the panel.
        return Lines(name, x, y.clip(-1, 2), label=label, **drawn)

    label = f"threshold t of {name}"
    layers: list[Layer] = [
        *areas(x, name, inside, 1 - inside),
        curve("threshold", label, threshold, color=style.MUTED, width=1.2),
        curve("upper", "edges of the band", band.upper, dash=(7, 3)),
        curve("lower", "lower edge t' - ε r'", band.lower, dash=(7, 3), at="in words"),
        curve("eta", f"eta of {name}", eta, color=style.class_color(c), width=3.0),
        *decided(decisions),
    ]

    inside_runs = runs(band.inside[None]) / len(x)
    stretches = ", ".join(f"{low:.3f} to {high:.3f}" for _, low, high in inside_runs)
    says = f"eta is inside on {band.inside.mean():.1%} of the line"
    if stretches:
        says = f"{says} ({stretches})"
    says = f"{says}. {plane.predictions(WAVES, decisions)}"

    yticks = (sum(STRIP) / 2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    ynames = ("decision", "0", "0.2", "0.4", "0.6", "0.8", "1")
    axes = Axes(
        "band", f"Band of {name}", "x", "probability", (0, 1), HEIGHTS, yticks=yticks, ynames=ynames
    )
    return Panel(axes, layers, says=says)


def decided(decisions: np.ndarray) -> tuple[Raster, Annotations]:
    """The strip of decisions (m,), and the class on each stretch with room for it."""
    texts = []
    middles = []
    for each in range(len(CLASSES)):
        stretches = runs(decisions[None] == each)[:, 1:] / len(decisions)
        for ends in stretches:
            if np.ptp(ends) >= NAMED_WIDTH:
                texts.append(str(each))
                middles.append(ends.mean())
    y = sum(STRIP) / 2
    names = Annotations("decided", middles, y, tuple(texts), align="middle", size=12.0, halo=3.0)

    codes = decisions[None].astype(np.uint8)
    palette = style.palette(len(CLASSES))
    extent = (0.0, 1.0, *STRIP)
    return Raster("decisions", codes, extent, palette=palette), names


def mass_curves(
    entry: np.ndarray, uncovered: np.ndarray, eta: np.ndarray, c: int, at_zero: float
) -> list[Layer]:
    """fne over epsilon with tne on top; their sum for q' = q'' = q; and the mass at epsilon 0."""
    tne, fne = np.array(masses(DRAWN, entry, eta, c))
    both = np.sum(masses(DRAWN, uncovered, eta, c), axis=0)
    # Solid, since dashes are the edges of the band.
    place = Place(0.009, 0.3, "left")
    line = Lines("uncovered", DRAWN, both, label="q' = q'' = q", at=place)
    level = marks.Level(at_zero, "at_zero", "at epsilon 0", (2, 3), style.MUTED)
    return [*areas(DRAWN, "the class", fne, tne), line, marks.level_line(level, ENDS, 0)]


def panel_of_masses(curves: Sequence[Layer], observed: float, epsilon: float, mass: float) -> Panel:
    """The mass of the band over epsilon, which can be dragged."""
    at = Place(observed, 0.3, "left")
    look = style.MUTED, (9, 3, 2, 3)
    layers = [*curves, marks.curve("observed", OBSERVED, observed, (0, TOP), *look, at=at)]
    # At the edge of the panel where it is smaller than all on the axis.
    shown = max(epsilon, ENDS[0])
    spoken = f"epsilon = {epsilon:.3g}, mass of the band {mass:.3f}"
    layers += marks.handle(shown, ENDS, TOP, "ε", spoken)
    layers += [marks.dot(shown, mass)]

    title = "Mass of the band"
    axes = Axes("mass", title, "epsilon", "mass, tne + fne", EPSILON_AXIS, (0, TOP), log=True)
    return Panel(
        axes, layers, lambda at: {"epsilon": float(f"{at.x:.3g}"), "epsilon_source": AS_SET}
    )


def stacked_terms(n: int, delta: float) -> list[Band]:
    """The terms of the bound over k, which are powers of k, one on top of the other."""
    ks = log_spaced(1, n, BOUND_KS)
    one = bound_at(1, n, delta)
    roots = np.sqrt(ks)
    terms = (one.bias * ks, one.vote / roots, one.union / roots)
    # Far above the panel nothing is visible, and layers hold single precision.
    return marks.stacked(ks, TERMS, np.minimum(terms, 100), 0.5)


def panel_of_errors(
    terms: Sequence[Layer],
    errors: Lines,
    n: int,
    k: int,
    observed: float,
    delta: float,
) -> Panel:
    """The terms of the bound over k, and U of the sample; k can be dragged."""
    best_k = round(khim.least_error(n, delta / 2, **SMOOTH).k)
    least = bound_at(best_k, n, delta).value
    top = next((end for end in TOPS if end >= ROOM * least), TOPS[-1])
    best = Lines("best", best_k, (0, top), label="least bound", color="#6A3D9A", dash=(2, 3))
    spoken = f"k = {k}, observed U {observed:.3f}"
    handle = marks.handle(k, (1, n), top, "k", spoken)
    layers = [*terms, best, errors, *handle, marks.dot(k, observed)]

    xlim = (0.9, 1.15 * 10 ** ceil(log10(n)))
    axes = Axes("error", "Uniform error", "neighbors k", "largest error", xlim, (0, top), log=True)
    return Panel(axes, layers, lambda at: {"k": at.x})


class BandLab(Lab):
    """The band of a class, its mass over epsilon, and the uniform error with its bound, from which
    epsilon may come.

    Source: Khim et al., Theorems 3 and 5.

    Examples
    --------
    >>> from knnviz.labs import BandLab
    >>> found = BandLab(epsilon=0.1).readout()
    >>> found["true negative error (tne)"], found["false negative error (fne)"]
    (0.401223, 0.111527)
    """

    title = "Error bands"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (class_weights,)
    buttons = training_data.BUTTONS
    layout = columns(("band", 1.05), rows(("mass", 0.58), ("error", 0.58)), ratios=(10, 9))
