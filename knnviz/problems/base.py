"""A problem: a known distribution, with marginal mu on a box or finitely many points, and class
probabilities eta.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from knnviz.checks import (
    Seed,
    check_int,
    check_interval,
    check_ints,
    check_n_classes,
    check_numbers,
    check_points,
    check_probabilities,
    check_seed,
    check_weights,
    require,
    shown,
)
from knnviz.threads import slices

#: Lower and upper end of each coordinate.
Box = tuple[tuple[float, float], ...]

#: Cells along each coordinate, by dimension: for a fine quadrature, and for draws from a marginal
#: that is not uniform.
FINE_GRID = {1: 20_000, 2: 400}
SAMPLING_GRID = {1: 20_000, 2: 200}

#: Most cells of a grid: a few numbers for each fit in memory.
MOST_CELLS = 10_000_000

#: Most distances in memory at once.
MAX_DISTANCES = 1_000_000


@dataclass(frozen=True)
class Resolution:
    """How finely regions and integrals are computed, and how many samples a curve averages.

    Attributes
    ----------
    map_cells, integral_cells : (int, int)
        Cells along each coordinate of a map, and of a grid on which risks are integrated: on a
        line, and in the plane.
    repeats : int
        Samples over which risk curves are means.

    Examples
    --------
    >>> from knnviz import Resolution
    >>> Resolution(repeats=5).map_cells
    (1000, 200)
    """

    map_cells: tuple[int, int] = (1000, 200)
    integral_cells: tuple[int, int] = (20_000, 100)
    repeats: int = 20

    def __post_init__(self) -> None:
        for name in ("map_cells", "integral_cells"):
            cells = tuple(check_ints(name, getattr(self, name), 1))
            require(len(cells) == 2, f"{name} must be of a line and of the plane, got {cells}")
            object.__setattr__(self, name, cells)
        object.__setattr__(self, "repeats", check_int("repeats", self.repeats, 1))


def check_box(box: Any) -> Box:
    """Return the ends of one or two coordinates as floats, or raise ValueError."""
    sides = check_numbers("box", box)
    got = shown(box)
    require(
        sides.shape in ((1, 2), (2, 2)),
        f"the box must hold two ends for each of 1 or 2 coordinates, got {got}",
    )
    return tuple(check_interval("each side of the box", side) for side in sides.tolist())


#: The resolution of figures.
FULL_RESOLUTION = Resolution()


@dataclass(frozen=True, eq=False)
class Sample:
    """Points X (n, d), true classes y (n,) int, and uniform numbers in [0, 1).

    The classes were drawn by ``u`` (n,), which is None for real data. Label noise reads ``v`` (n,),
    so that a higher flip rate flips a superset of the labels.

    Examples
    --------
    >>> from knnviz import checkerboard
    >>> sample = checkerboard().sample(100, seed=0)
    >>> len(sample), sample.X.shape, sample.y[:5].tolist()
    (100, (100, 2), [1, 1, 0, 0, 0])
    """

    X: np.ndarray
    y: np.ndarray
    u: np.ndarray | None
    v: np.ndarray

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True, eq=False)
class Grid:
    """Centers ``points`` (m, d) of equal cells of a box, row by row from the lowest.

    ``shape`` is (rows, columns) in the plane, with the first coordinate along columns, and (m,) on
    a line.
    """

    points: np.ndarray
    shape: tuple[int, ...]
    box: Box

    @classmethod
    def from_box(cls, box: Box, n_cells: int) -> Self:
        """Cut a box into ``n_cells`` cells along each coordinate."""
        n_cells = check_int("n_cells", n_cells, 1)
        box = check_box(box)
        size = n_cells ** len(box)
        fits = size <= MOST_CELLS
        require(fits, f"a grid must have at most {MOST_CELLS:,} cells, got {size:,}")
        steps = (np.arange(n_cells) + 0.5) / n_cells
        centers = [low + (high - low) * steps for low, high in box]
        mesh = np.meshgrid(*centers[::-1], indexing="ij")[::-1]
        points = np.stack([axis.ravel() for axis in mesh], axis=1)
        return cls(points, (n_cells,) * len(box), box)


@dataclass(frozen=True, eq=False)
class Measure:
    """A discrete measure: distinct points (m, d) with weights (m,) that sum to 1; ``grid`` if they
    are cells of one.
    """

    points: np.ndarray
    weights: np.ndarray
    grid: Grid | None = None


@dataclass(frozen=True, eq=False)
class Problem:
    """A distribution with known eta on a box of dimension 1 or 2.

    ``eta`` maps points (m, d) to class probabilities (m, C). ``density`` maps points to the density
    of the marginal mu (m,), up to a factor; None is the uniform marginal. ``atoms`` are the points
    that carry all of mu, if finitely many do (see ``from_atoms``). ``log_joint`` maps points to the
    log of prior times density of each class (m, C), up to a constant, if eta and density are
    computed from it. Raises ValueError for a box of another dimension, or with an empty or infinite
    side, and unless there are 2 to 255 classes.

    Examples
    --------
    >>> from knnviz import Problem
    >>> import numpy as np
    >>> problem = Problem(
    ...     "ramp", lambda X: np.stack([1 - X[:, 0], X[:, 0]], axis=1), box=((0.0, 1.0),)
    ... )
    >>> problem.bayes([[0.2], [0.7]]).tolist()
    [0, 1]
    >>> round(problem.bayes_risk(), 4)
    0.25
    """

    name: str
    eta: Callable[[np.ndarray], np.ndarray]
    box: Box = ((0.0, 1.0), (0.0, 1.0))
    n_classes: int = 2
    density: Callable[[np.ndarray], np.ndarray] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    atoms: Measure | None = None
    log_joint: Callable[[np.ndarray], np.ndarray] | None = None

    #: Labs draw at least so many points; there is no limit above, which a ``Dataset`` has.
    least_size = 50
    max_size = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "box", check_box(self.box))
        object.__setattr__(self, "n_classes", check_n_classes(self.n_classes))

    @classmethod
    def from_atoms(
        cls,
        points: Any,
        weights: Any,
        eta: Any,
        *,
        name: str = "atoms",
        box: Sequence[Sequence[float]] | None = None,
    ) -> Self:
        """Finitely many weighted points as a problem, whose sums are exact at every n_cells.

        mu puts the positive ``weights`` (m,), which sum to 1, on distinct ``points`` (m, d), d = 1
        or 2; ``eta`` holds their class probabilities (m, C), or those of class 1 (m,). Elsewhere
        eta is that of the nearest point, the first on a tie. The default box exceeds that of the
        points by a tenth of its side at each end (by 1/2 where the side is zero). Raises ValueError
        for anything else, and where a given box leaves a point out.
        """
        # Copies, so that later changes of the caller's arrays do not matter. Adding zero turns -0.0
        # into 0.0.
        points = check_points("points", points) + 0.0
        m, d = points.shape
        weights = check_weights(weights, m).copy()
        eta = check_numbers("eta", eta)
        if eta.ndim == 1:
            eta = two_classes(eta)
        eta = check_probabilities("eta", eta).copy()
        require(len(np.unique(points, axis=0)) == m, "points must differ")
        require(weights.all(), "weights must be positive")
        got = f"got {len(eta)}"
        require(len(eta) == m, f"eta must hold class probabilities for each of {m} points, {got}")

        low = points.min(axis=0)
        high = points.max(axis=0)
        if box is None:
            margins = np.where(high > low, 0.1 * (high - low), 0.5)
            sides = np.stack([low - margins, high + margins], axis=1)
        else:
            sides = check_numbers("box", box)
        holds = sides.shape == (d, 2) and (sides.T[0] <= low).all() and (high <= sides.T[1]).all()
        got = f"got {sides.tolist()}"
        require(holds, f"the box must have a side for each coordinate and hold all points, {got}")

        arrays = {"points": points, "weights": weights, "eta": eta, "box": sides}
        parameters = {key: each.tolist() for key, each in arrays.items()}

        def nearest_eta(X: np.ndarray) -> np.ndarray:
            parts = slices(len(X), MAX_DISTANCES // m + 1)
            nearest = [cdist(X[rows], points, "sqeuclidean").argmin(axis=1) for rows in parts]
            return eta[np.concatenate([np.empty(0, int), *nearest])]

        ends = tuple((low, high) for low, high in sides.tolist())
        atoms = Measure(points, weights)
        return cls(name, nearest_eta, ends, eta.shape[1], None, parameters, atoms)

    @property
    def dimension(self) -> int:
        return len(self.box)

    @property
    def has_line_density(self) -> bool:
        """Whether points have a density on a line: it has one coordinate, and no atoms."""
        return self.dimension == 1 and self.atoms is None

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(f"class {c}" for c in range(self.n_classes))

    @property
    def feature_names(self) -> tuple[str, ...]:
        return ("x",) if self.dimension == 1 else ("x1", "x2")

    def with_seed(self, seed: int) -> Self:
        """The problem itself: a known distribution is not split."""
        return self

    def sample(self, n: int, seed: Seed = 0) -> Sample:
        """Draw n points, their classes, and the uniform numbers for label noise, in this order."""
        rng = check_seed(seed)
        X = self.points(n, rng)
        u = rng.random(n)
        y = draw_classes(self._eta(X), u)
        return Sample(X, y, u, rng.random(n))

    def points(self, n: int, seed: Seed = 0) -> np.ndarray:
        """Points (n, d) from mu. The uniform numbers that choose cells or atoms are drawn first,
        for all points.
        """
        n = check_int("n", n, 1)
        rng = check_seed(seed)
        choosing = int(self.atoms is not None or self.density is not None)
        chosen = rng.random((n, choosing))
        placed = rng.random((n, self.n_uniforms - choosing))
        return self._points_from_uniforms(np.concatenate([chosen, placed], axis=1))

    @property
    def n_uniforms(self) -> int:
        """How many uniform numbers determine a point: one chooses an atom or, unless mu is uniform,
        a cell.
        """
        if self.atoms is not None:
            return 1
        return int(self.density is not None) + self.dimension

    def _points_from_uniforms(self, u: np.ndarray) -> np.ndarray:
        """The points (n, d) of mu that uniform numbers u (n, ``n_uniforms``) determine."""
        low, high = np.array(self.box).T
        if self.atoms is None and self.density is None:
            return low + (high - low) * u
        measure = self.atoms or self._sampling_cells
        cumulative = np.cumsum(measure.weights)
        positions = np.searchsorted(cumulative, u[:, 0] * cumulative[-1], side="right")
        # A product with u just below 1 may round up to the last sum.
        points = measure.points[positions.clip(max=len(cumulative) - 1)]
        if self.atoms:
            return points
        side = (high - low) / SAMPLING_GRID[self.dimension]
        return points + side * (u[:, 1:] - 0.5)

    def _eta(self, X: np.ndarray) -> np.ndarray:
        """eta (m, C) at points, which may come from a reader's function."""
        if not len(X):
            return np.empty((0, self.n_classes))
        eta = check_probabilities(f"eta of {self.name}", self.eta(X))
        wanted = (len(X), self.n_classes)
        require(
            eta.shape == wanted, f"eta of {self.name} must be of shape {wanted}, got {eta.shape}"
        )
        return eta

    @cached_property
    def _sampling_cells(self) -> Measure:
        return self.measure(SAMPLING_GRID[self.dimension])

    def grid(self, n_cells: int = 200) -> Grid:
        """Cell centers of the box, ``n_cells`` along each coordinate."""
        return Grid.from_box(self.box, n_cells)

    def measure(self, n_cells: int = 200) -> Measure:
        """The marginal mu on the cells of ``grid(n_cells)``, weighted by the density at their
        centers; or atoms.
        """
        if self.atoms is not None:
            return self.atoms
        grid = self.grid(n_cells)
        name = f"the density of {self.name}"
        m = len(grid.points)
        densities = np.ones(m)
        if self.density is not None:
            densities = check_numbers(name, self.density(grid.points))
        total = densities.sum()
        valid = densities.shape == (m,) and densities.min() >= 0 and 0 < total < np.inf
        require(valid, f"{name} must be {m} finite numbers, none negative and not all 0")
        return Measure(grid.points, densities / total, grid)

    def cells(self, n_cells: int = 200) -> tuple[Measure, np.ndarray]:
        """The marginal mu as ``measure`` gives it, and eta (m, C) at its points; both from
        ``log_joint``, if set.
        """
        if self.log_joint is None:
            measure = self.measure(n_cells)
            return measure, self._eta(measure.points)
        grid = self.grid(n_cells)
        logs = self.log_joint(grid.points)
        total = logsumexp(logs, axis=1)
        densities = np.exp(total - total.max())
        measure = Measure(grid.points, densities / densities.sum(), grid)
        return measure, np.exp(logs - total[:, None])

    def bayes(self, X: np.ndarray) -> np.ndarray:
        """Bayes class codes (m,) at points (m, d): for two classes 1 iff eta_1 >= 1/2."""
        eta = self._eta(check_points("X", X, self.dimension))
        best = eta.argmax(axis=1)
        if self.n_classes == 2:
            best = eta[:, 1] >= 0.5
        return best.astype(np.int64)

    def bayes_risk(self, n_cells: int | None = None) -> float:
        """The Bayes risk R* = E[1 - max_c eta_c], by quadrature on the grid; a fine one by
        default.
        """
        if n_cells is None:
            n_cells = FINE_GRID[self.dimension]
        measure, eta = self.cells(n_cells)
        return float(measure.weights @ (1 - eta.max(axis=1)))

    def spec(self) -> dict[str, Any]:
        """Name and parameters, as JSON can hold them."""
        return {"name": self.name, "parameters": dict(self.parameters)}


def draw_classes(eta: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Classes (n,) by uniform numbers u (n,): with two classes 1 iff u < eta_1; else by cumulative
    sums of eta.
    """
    if eta.shape[1] == 2:
        return (u < eta[:, 1]).astype(int)
    cumulative = np.cumsum(eta[:, :-1], axis=1)
    return (u[:, None] >= cumulative).sum(axis=1)


def two_classes(eta_1: np.ndarray) -> np.ndarray:
    """eta (m, 2) of two classes from eta_1 (m,)."""
    return np.stack([1 - eta_1, eta_1], axis=1, dtype=float)


def check_line_density(problem: Any) -> Problem:
    """Return a problem on a line whose points have a density, or raise ValueError for others."""
    if not (isinstance(problem, Problem) and problem.has_line_density):
        raise ValueError(f"problem must have a density on a line, got {shown(problem)}")
    return problem
