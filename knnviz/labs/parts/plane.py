"""The map, in the plane or on a line, the query point x, and their neighbors, votes and balls."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from knnviz import checks, regions, risk
from knnviz.labs.engine import ByName, Click, Float, Int, Memo, Panel, Range, Values, within
from knnviz.labs.parts.data import Data
from knnviz.labs.parts.sources import Field, Source, field, named
from knnviz.neighbors import NeighborTable, SpatialIndex, Windows
from knnviz.problems import Measure, Resolution
from knnviz.problems.base import FINE_GRID
from knnviz.profiles import BallProfile, VoteProfile, Votes, WindowProfile
from knnviz.risk import Antiderivative
from knnviz.rules import Rule
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import marks
from knnviz.views import sets as set_view
from knnviz.views.layers import Annotations, Layer, Lines, Points
from knnviz.views.marks import Level

#: Cells along each side, by dimension: of the coarse map that is shown first, and for balls around
#: x.
COARSE_CELLS = {1: 1000, 2: 32}
QUERY_CELLS = {1: 2000, 2: 120}

#: Largest k on the slider of most labs, and that slider.
LARGEST_K = 200
K = Int("k", 50, 1, LARGEST_K, "neighbors *k*", "Number of neighbors that vote")

#: Most votes that have a line from x each.
FEW_VOTERS = 9

#: Balls are computed for masses from ``MASS_STEP`` to ``LARGEST_MASS`` in equal steps, and for a
#: few smaller masses.
LARGEST_MASS = 0.25
MASS_STEP = 0.005
SMALL_MASSES = (0.0005, 0.001, 0.002)

#: Sliders of masses.
OF_MASS: dict[str, Any] = {"step": MASS_STEP, "digits": 3}
MASS_TIP = "Balls up to this probability mass are considered"
MASS = Float("mass", 0.1, MASS_STEP, LARGEST_MASS, "ball mass *p*", MASS_TIP, **OF_MASS)
CAP_TIP = "Largest ball mass that the advantage considers"
MASS_CAP = Float("mass_cap", 0.25, MASS_STEP, LARGEST_MASS, "largest mass *A*", CAP_TIP, **OF_MASS)

#: Where x starts, as fractions of the sides of the box.
START = {"x1": 0.3, "x2": 0.6}


@dataclass(frozen=True)
class Coordinate(Float):
    """A coordinate of a place in the box of a problem, in a text box."""

    _: KW_ONLY
    kind: str = "number"

    def text(self, value: float) -> str:
        return f"{value:.3g}"

    def control(self, values: ByName) -> dict[str, Any]:
        """On a line there is one coordinate, x."""
        control = super().control(values)
        if "problem" in values and named(values["problem"]).dimension == 1:
            control["title"] = self.title.replace("x1", "x")
        return control

    def check(self, value: Any, ends: tuple[float, ...] = (-math.inf, math.inf)) -> float:
        """The value as it is stored, or ValueError in one sentence; the side may be short, so it is
        not rounded.
        """
        return float(checks.check_real(self.title, value, *ends))

    def nearest(self, value: float, ends: tuple[float, ...]) -> float:
        return rounded(value, *ends)


def rounded(value: float, low: float, high: float) -> float:
    """A place on a side, in steps of its largest power of ten / 1000."""
    digits = 3 - math.floor(math.log10(high - low))
    return within(round(value, digits), (low, high))


def place(source: Source, x: np.ndarray) -> dict[str, float]:
    """x (d,) as values of the coordinates."""
    sides = zip(START, x.tolist(), source.box, strict=False)
    return {name: rounded(value, *side) for name, value, side in sides}


PARAMETERS = (
    "Query: click the map, or type",
    Coordinate("x1", START["x1"], 0, 1, "point *x1*", "First coordinate of x"),
    Coordinate("x2", START["x2"], 0, 1, "point *x2*", "Second coordinate of x"),
)


def k_range(n: int) -> Range:
    """``K`` up to n."""
    return Range((1, min(LARGEST_K, n)), "k is at most n")


def ranges(values: ByName) -> dict[str, Any]:
    """x lies in the box of the problem."""
    box = named(values["problem"]).box
    return {"x2": None} | dict(zip(START, box, strict=False))


def adjust(values: dict[str, Any], changes: ByName, before: ByName) -> None:
    """In another problem x starts again."""
    if values["problem"] == before["problem"]:
        return
    for name, (low, high) in zip(START, named(values["problem"]).box, strict=False):
        if name not in changes:
            values[name] = rounded(low + START[name] * (high - low), low, high)


class Query(NamedTuple):
    """The query point x (d,), its neighbors, and their votes."""

    x: np.ndarray
    table: NeighborTable
    votes: VoteProfile


def query(p: Values, memo: Memo, data: Data, labels: np.ndarray, k_max: int) -> Query:
    problem = data.problem
    coordinates = (p.x1, p.x2)
    x = memo(np.array, coordinates[: problem.dimension])
    table = memo(nearest, data.index, x, k_max)
    votes = memo(VoteProfile.build, table, labels, problem.n_classes)
    return Query(x, table, votes)


def nearest(index: SpatialIndex, x: np.ndarray, k_max: int) -> NeighborTable:
    return NeighborTable.build(index, x[None], k_max, distances=True)


class Cells(NamedTuple):
    """The cells of the map, their neighbors and votes."""

    field: Field
    table: NeighborTable
    votes: VoteProfile


def cells(p: Values, memo: Memo, data: Data, labels: np.ndarray, k_max: int) -> Cells:
    problem = data.problem
    sides = grids(problem, p.resolution)
    table = memo.refine(cell_table, sides, problem, data.index, k_max)
    votes = memo(VoteProfile.build, table, labels, problem.n_classes)
    drawn = field(problem, cells_along(problem, len(table)))
    return Cells(drawn, table, votes)


class NewPoints(NamedTuple):
    """What stands for new points: votes (J, C), eta (J, C) or true classes (J,), and probabilities
    (J,).

    In the plane these are the cells of the map, of data the points held out, without probabilities.
    On a line they are the pieces on which the same k points are nearest, with eta averaged over
    each: sums over them are exact.
    """

    votes: Votes
    truth: np.ndarray
    weights: Any

    def error(self, labels: np.ndarray) -> float:
        """The risk of predicted labels (J,), or their error on the points held out."""
        if self.weights is None:
            return float(np.mean(labels != self.truth))
        return risk.exact(self.truth, labels, weights=self.weights)


def of_cells(cells: Cells) -> NewPoints:
    """The cells of a known distribution."""
    _, measure, eta = cells.field
    return NewPoints(cells.votes, eta, measure.weights)


def held_out(memo: Memo, data: Data, labels: np.ndarray, k_max: int) -> NewPoints:
    """The points held out of data."""
    table = memo(NeighborTable.build, data.index, data.source.X_test, k_max)
    votes = memo(VoteProfile.build, table, labels, data.problem.n_classes)
    return NewPoints(votes, data.source.y_test, data.source.test_weights)


class Voting(NamedTuple):
    """Data with the labels (n,) that vote, and the votes of the k nearest at the cells of the map
    and at x, if there is a query point.
    """

    data: Data
    labels: np.ndarray
    cells: Cells
    x: Any
    k: int


def voting(p: Values, memo: Memo, data: Data, labels: np.ndarray) -> Voting:
    """The vote of k, with votes of up to ``LARGEST_K`` at hand."""
    k_max = min(LARGEST_K, p.n)
    given = p, memo, data, labels, k_max
    return Voting(data, labels, cells(*given), query(*given), p.k)


def numbers_at_x(voting: Voting, rule: Rule) -> dict[str, Any]:
    """The votes of the k nearest neighbors of x, by class, and what a rule predicts there."""
    found = voting.x.votes
    (predicted,) = rule.predict(found, voting.k)
    counts = found.at(voting.k)[0].tolist()
    names = voting.data.problem.class_names
    votes = dict(zip(names, counts, strict=True))
    return {"votes at x": votes, "decision at x": names[predicted]}


def new_points(p: Values, memo: Memo, voting: Voting) -> NewPoints:
    data, labels, cells, _, k = voting
    problem: Any = data.problem
    if problem.eta is None:
        return held_out(memo, data, labels, cells.votes.k_max)
    if problem.dimension == 2 or problem.atoms is not None:
        return of_cells(cells)
    windows = memo(Windows.from_points, data.sample.X)
    votes = memo(WindowProfile.build, windows, labels, problem.n_classes)
    n_cells = p.resolution.integral_cells[0]
    antiderivative = memo(Antiderivative.build, problem, n_cells)
    breakpoints = memo(windows.breakpoints, k)
    return NewPoints(votes, *memo(antiderivative.pieces, breakpoints))


def grids(source: Source, resolution: Resolution, share: float = 1.0) -> list[int]:
    """Cells along each side: of a coarse map first, then of the full one, or in the plane of a
    ``share`` of these.
    """
    line, plane = resolution.map_cells
    finest = line if source.dimension == 1 else round(share * plane)
    coarse = min(COARSE_CELLS[source.dimension], finest)
    return sorted({coarse, finest})


def cells_along(source: Source, count: int) -> int:
    """Cells along each side of the box of a source, if there are ``count``."""
    return round(count ** (1 / source.dimension))


def cell_table(n_cells: int, source: Source, index: SpatialIndex, k_max: int) -> NeighborTable:
    points = source.grid(n_cells).points
    return NeighborTable.build(index, points, k_max)


def ball_masses(*more: float) -> tuple[float, ...]:
    """Masses of balls: a few small ones, the steps of the sliders, and ``more`` that are values of
    parameters.
    """
    steps = np.arange(MASS_STEP, LARGEST_MASS + MASS_STEP / 2, MASS_STEP).round(6)
    return tuple(sorted({*SMALL_MASSES, *steps.tolist(), *more}))


def measured(source: Source, n_cells: int, frequency: Any) -> tuple[Measure, np.ndarray]:
    """The measure on the cells, with eta or another ``frequency`` (m, C) of points and eta."""
    cells = field(source, n_cells)
    if frequency is None:
        return cells.measure, cells.eta
    return cells.measure, frequency(cells.grid.points, cells.eta)


def balls(
    n_cells: int, source: Source, masses: Sequence[float], frequency: Any = None
) -> BallProfile:
    """The balls around the cells, with eta or another ``frequency``, except those below a cell."""
    measure, eta = measured(source, n_cells, frequency)
    kept = [mass for mass in masses if mass * len(eta) >= 1]
    return BallProfile.build(measure, eta, masses=kept)


def balls_at(
    source: Source,
    x: np.ndarray,
    k_max: int,
    n: int,
    frequency: Any = None,
    more: tuple[float, ...] = (),
) -> BallProfile:
    """The balls around x in which 1 to k_max of n training points are expected, and of ``more``
    masses.
    """
    ks = np.unique(np.geomspace(1, k_max, 60).round())
    masses = sorted({*(ks / n).tolist(), *more})
    cells = measured(source, QUERY_CELLS[source.dimension], frequency)
    return BallProfile.build(*cells, x[None], masses=masses)


def cell_of(x: np.ndarray, source: Source, count: int) -> int:
    """The index of the cell around x among ``count``, counted along the first coordinate first."""
    n_cells = cells_along(source, count)
    low, high = np.transpose(source.box)
    fractions = (x - low) / (high - low)
    at = np.minimum(fractions * n_cells, n_cells - 1).astype(int)
    return int(np.ravel_multi_index(tuple(at), (n_cells,) * len(at), order="F"))


class Overlay(NamedTuple):
    """What the map shows besides decisions, with its numbers; ``regions`` stand in the place of
    decisions.
    """

    layers: Sequence[Layer] = ()
    numbers: Mapping[str, Any] = {}
    regions: Layer | None = None


def advantage(
    source: Source,
    balls: BallProfile,
    mass_cap: float,
    x: np.ndarray,
    noise: Any = None,
    frequency: Any = None,
) -> Overlay:
    """The advantage of the cells, whose balls have eta or another ``frequency``, and on a line that
    of x itself.
    """
    values = regions.advantage(balls, mass_cap, noise=noise)
    if source.dimension == 1:
        masses = balls.masses[1:].tolist()
        fine_cells = measured(source, FINE_GRID[1], frequency)
        around_x = BallProfile.build(*fine_cells, x[None], masses=masses)
        at_x = regions.advantage(around_x, mass_cap, noise=noise)[0]
    else:
        at_x = values[cell_of(x, source, len(values))]
    numbers = {"advantage at x": float(at_x)}
    return Overlay((), numbers, set_view.advantage(source, values))


def effective_boundary(
    source: Source, balls: BallProfile, mass: float, margin: float, q: Any, noise: Any = None
) -> Overlay:
    """The effective boundary, with its mass; a note if it needs larger balls than are kept."""
    # No class can lead by more than the largest weight: then all points are in the boundary.
    if mass > 1 or (q and margin > max(q)):
        inside = np.ones(len(balls), bool)
    elif mass > balls.masses[-1]:
        return out_of_reach(balls)
    else:
        inside = regions.effective_boundary(balls, mass, margin, q, noise=noise)
    return with_mass(source, inside, "effective boundary", "boundary mass")


def out_of_reach(balls: BallProfile) -> Overlay:
    largest = balls.masses[-1]
    note = f"balls reach beyond mass {largest:g}, the largest that is kept"
    return Overlay((), {"note": note})


def with_mass(
    source: Source, inside: np.ndarray, label: str, number: str, hatch: str = "/"
) -> Overlay:
    """A set of cells (m,) bool, and its mass as a ``number``."""
    cells = field(source, cells_along(source, len(inside)))
    weights = cells.measure.weights
    # Masses of cells sum to 1 only up to rounding.
    mass = float(min(weights[inside].sum(), 1.0))
    region = set_view.region(source, inside, "set", label, hatch)
    return Overlay((region,), {number: mass})


def view_of(source: Source) -> ModuleType:
    """The module that draws in the plane or on a line; both have functions of the same names."""
    if source.dimension == 2:
        return map_view
    return line_view


def curves(
    memo: Memo,
    voting: Voting,
    thresholds: Sequence[Level] = (),
    noisy_eta: np.ndarray | None = None,
) -> list[Layer | None]:
    """The Bayes boundary in the plane; eta, thresholds and fractions of votes on a line."""
    data, _, cells, _, k = voting
    if data.problem.dimension == 2:
        boundary = data.truth.boundary
        return [boundary and marks.named_along(boundary, None)]

    along = memo(np.ravel, cells.field.grid.points)
    found: list[Layer | None] = [*memo(line_view.eta_curves, along, cells.field.eta)]
    if noisy_eta is not None:
        found += memo(line_view.noisy_curves, along, noisy_eta)
    found += [marks.level_line(each, data.problem.box[0]) for each in thresholds]
    return found + line_view.vote_curves(along, cells.votes.at(k) / k)


def map_panel(
    memo: Memo,
    voting: Voting,
    decisions: np.ndarray,
    overlay: Overlay,
    max_points: int,
    curves: Sequence[Layer | None],
) -> Panel:
    """Decisions, an overlay, points with the k nearest ones of x, and curves."""
    data, labels, _, x, k = voting
    source = data.problem
    sample = data.sample
    view = view_of(source)
    decided = overlay.regions or memo(set_view.regions, source, decisions)
    opacity = 1.0 if x is None else set_view.FADED
    points = memo(set_view.points, source, sample, labels, max_points, opacity)
    layers: list[Layer | None] = [decided, *overlay.layers, points, *curves]
    click = None
    if x is not None:
        click = clicked
        ball, cross = around(source, x, k)
        if k == 1:
            # Its name would be larger than the ball, and cover what lies around x.
            ball = replace(ball, at="in words")
        near = x.table.indices[0, :k]
        points_at = partial(set_view.points_at, source, sample, labels)
        drawn = [ball, *voters(points_at, near, cross, max_points)]
        # Of few voters each is seen; many would hide the name of x.
        layers += [cross, *drawn] if k <= FEW_VOTERS else [*drawn, cross]
    axes = view.axes(source)
    says = predictions(source, decisions)
    corner = marks.drawn_of(max_points, len(labels), "points shown", axes)
    if corner:
        says = f"{says} There are {corner.texts[0]}."
    if source.dimension == 1 and source.n_classes == 2:
        says = f"{says} Curves are of class 1."
    return Panel(axes, [*layers, corner], click, says)


def voters(
    points_at: Callable[[np.ndarray], Points], near: np.ndarray, cross: Annotations, max_points: int
) -> list[Layer]:
    """The k nearest points, whose indices are ``near``, in full color above those that are faded.

    A few are all drawn, each with a line from x. Of more there are only those among the first
    ``max_points``, which the faded ones are: all of them, among a few of the others, would look as
    if points were denser at x than elsewhere.
    """
    is_few = len(near) <= FEW_VOTERS
    seen = near if is_few else near[near < max_points]
    # The faded points have the entries of the legend.
    voting = replace(points_at(seen), name="voters", opacity=1.0, labels=(), ring_labels=())
    if is_few:
        return [set_view.spokes(cross, voting), voting]
    return [voting]


def decided_by(panel: Panel, rule: str) -> Panel:
    """A map whose title says which rule its colors are the decisions of."""
    axes = replace(panel.axes, title=f"{panel.axes.title}: {rule} decides")
    return replace(panel, axes=axes)


def around(source: Source, x: Query, k: int) -> tuple[Lines, Annotations]:
    """The ball that reaches the k-th neighbor of x, and x."""
    view = view_of(source)
    at = x.x if source.dimension == 2 else x.x[0]
    assert x.table.distances is not None
    radius = x.table.distances[0, k - 1]
    return view.ball(at, radius), view.query(source, at)


def predictions(source: Source, decisions: np.ndarray) -> str:
    """Where each class is predicted, in words."""
    fractions = np.bincount(decisions, minlength=source.n_classes) / len(decisions)
    shares = zip(source.class_names, fractions, strict=True)
    areas = ", ".join([f"{name} on {share:.1%}" for name, share in shares])
    return f"Predictions on {source.name}: {areas}."


def clicked(at: Click) -> dict[str, float]:
    """x is where the map was clicked."""
    return {"x1": at.x, "x2": at.y}
