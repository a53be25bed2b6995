"""What a lab on a sample of the waves shares that knows eta: the uniform error of eta-hat, and what bounds it."""

from collections.abc import Iterator, Mapping
from math import gamma, pi
from typing import Any

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.engine.parameters import Float, Int, LogInt, within
from knnviz.labs.engine.stages import stage
from knnviz.labs.ground import enough
from knnviz.labs.parts.sources import Field, field, known
from knnviz.labs.sheets import SheetLab
from knnviz.labs.windows import WindowLab
from knnviz.metrics import uniform_error
from knnviz.problems import Problem
from knnviz.profiles import WindowProfile
from knnviz.views import marks
from knnviz.views import uniform as uniform_view
from knnviz.views.layers import Axes, Layer, Place

#: The three classes on a line, by name.
PROBLEM = "waves"

#: Cells at which eta-hat is held against eta.
CELLS = 1000

#: How many k the uniform error is found at: at once, and soon after; and the bound.
FEW, MANY, PLACES = 6, 40, 120

#: Sample sizes that are looked through end here.
MOST = "more than 1e30"


class UniformLab(WindowLab, SheetLab):
    """A sample of the waves, the uniform error of eta-hat, and Theorem 3 term by term."""

    n = LogInt(1000, min=100, max=1_000_000).tag(
        label="sample size", symbol="n", group="Sample", tip="Number of training points"
    )
    k = LogInt(50, min=1, max=1_000_000).tag(label="neighbors", symbol="k", tip="Neighbors whose shares are eta-hat")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws another sample")
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability",
        symbol="delta",
        group="Theorems 1 and 3",
        tip="The bounds hold but for this probability; half of it is for the uniform error, as Theorem 5 asks",
    )
    d = Int(1, min=1, max=10).tag(
        label="dimension",
        symbol="d",
        tip="Of the bound alone, for points all over [0, 1]^d: the sample stays on the line",
    )
    classes = LogInt(3, min=3, max=1000).tag(
        label="classes", symbol="C", tip="Of the bounds alone, with the same largest weight: the sample keeps its three"
    )

    def validate(self, values: Mapping[str, Any]) -> None:
        """k is at most n."""
        super().validate(values)
        enough(values["k"], values["n"])

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to n, and n down to k."""
        low, *_, high = ends = super().slider_range(name, values)
        if name == "k":
            return low, values["n"]
        return (max(low, values["k"]), high) if name == "n" else ends

    def nearest_k(self, x: float) -> int:
        """The k of two digits that a place on the axis of k stands for."""
        return int(within(float(f"{x:.2g}"), (1, self.values["n"])))

    @property
    def is_preview(self) -> bool:
        """Whether the uniform error is still known at a few k only."""
        return len(self.observed_errors[0]) <= FEW

    @stage
    def plane(self) -> Problem:
        """The distribution."""
        return known(PROBLEM)

    @stage
    def field(self) -> Field:
        """Cells of the line, and eta there."""
        return field(PROBLEM, CELLS)

    @stage
    def centers(self) -> np.ndarray:
        """Centers (CELLS,) of the cells."""
        return self.field.grid.points[:, 0]

    @stage
    def observed_error(self) -> float:
        """U of this sample at k."""
        return largest_error(self.votes, self.k, self.field)

    @stage(background=True)
    def observed_errors(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Some k, and U of this sample there: at a few k first."""
        n, votes, cells = self.n, self.votes, self.field
        for places in (FEW, MANY):
            ks = np.unique(np.geomspace(1, n, places).round().astype(int))
            yield ks, np.array([largest_error(votes, k, cells) for k in ks.tolist()])

    @stage(compare_values=True)
    def lipschitz(self) -> float:
        """L of Theorem 3 with alpha = 1: the largest slope of any eta_c, known since we made the problem."""
        return float(khim.least_lipschitz_constants(self.plane).max())

    @stage
    def smooth(self) -> dict[str, float]:
        """What the theorem is told of eta and of the marginal, in dimension d."""
        ball = pi ** (self.d / 2) / gamma(self.d / 2 + 1)
        known_of_eta = {"holder_exponent": 1.0, "holder_constant": self.lipschitz}
        return known_of_eta | {"dimension": self.d, "mass_constant": ball / 2**self.d}

    def promise_at(self, k: int) -> khim.UniformBound:
        """Theorem 3 on [0, 1]^d."""
        return khim.theorem_3(self.n, k, self.delta / 2, **self.smooth)

    @stage
    def promise(self) -> khim.UniformBound:
        """What bounds U at this n and k."""
        return self.promise_at(self.k)

    @stage
    def promises(self) -> tuple[np.ndarray, np.ndarray]:
        """Places (J,) on the axis of k, and the three terms (3, J) there."""
        ks = np.unique(np.geomspace(1, self.n, PLACES).round().astype(int))
        at = [self.promise_at(k) for k in ks.tolist()]
        return ks, np.array([[each.bias, each.vote, each.union] for each in at]).T

    @stage
    def optimum(self) -> khim.UniformBound:
        """The bound at the whole k that makes it smallest."""
        k = khim.least_error(self.n, self.delta / 2, **self.smooth).k
        return self.promise_at(int(within(round(k), (1, self.n))))

    def least_size(self, epsilon: float) -> float | str:
        """The n from which on the bound, at its best k, is at most epsilon."""
        if epsilon >= 1:
            return "any"
        try:
            return float(khim.least_n(epsilon, self.delta / 2, **self.smooth))
        except (ValueError, OverflowError):
            return MOST

    @stage(compare_values=True)
    def promised(self) -> str:
        """What the bound says of U, in words."""
        promise = self.promise
        said = (
            ("nothing: k is too large for it", not promise.not_refuted),
            ("nothing: it reaches 1", promise.value >= 1),
            ("nothing: k is too small for it", promise.failure >= 1),
        )
        holds = f"U is at most {promise.value:.3f}, but for a chance of {promise.failure:.3f}"
        return next((text for text, is_so in said if is_so), holds)

    @stage
    def uniform_numbers(self) -> dict[str, Any]:
        """What the lab reads out of U and its bound."""
        return {
            "uniform_error": self.observed_error,
            "bound": self.promise.value,
            "promised": self.promised,
            "best_k": self.optimum.k,
            "least_bound": self.optimum.value,
        }

    @stage(compare_values=True)
    def uniform_top(self) -> float:
        """Where the axis of the uniform error ends."""
        return uniform_view.top(self.optimum.value)

    @stage
    def bound_layers(self) -> tuple[Layer, ...]:
        """The terms of the bound over k, and the k that makes it smallest."""
        ks, terms = self.promises
        # Far above the panel nothing more is seen, and single precision ends somewhere.
        drawn = uniform_view.stacked(ks, np.minimum(terms, 100))
        best = marks.upright(self.optimum.k, self.uniform_top, "best", "least bound", uniform_view.BEST, (2, 3))
        return *drawn, best

    @stage
    def error_layers(self) -> tuple[Layer, ...]:
        """U over k."""
        return (uniform_view.observed(*self.observed_errors),)

    @stage
    def k_layers(self) -> tuple[Layer, ...]:
        """The k in hand, and U there."""
        error, end, limits = self.observed_error, self.uniform_top, (1, self.n)
        spoken = f"k = {self.k}, observed U {error:.3f}"
        return *marks.handle(self.k, limits, end, "k", spoken), marks.dot(self.k, error)

    def uniform_axes(self, rectangle: Place) -> Axes:
        """The frame of the uniform error."""
        return uniform_view.axes(self.n, self.uniform_top, rectangle)

    @stage
    def uniform_words(self) -> str:
        """The uniform error in words and numbers."""
        at, best = self.promise, self.optimum
        terms = np.array([at.bias, at.vote, at.union])
        return uniform_view.describe(self.k, terms, self.observed_error, best.k, best.value)


def largest_error(votes: WindowProfile, k: int, cells: Field) -> float:
    """U of the k nearest neighbors at the cells of a line."""
    starts = votes.windows.serving(cells.grid.points[:, 0], k)
    return uniform_error(votes.of(starts, np.full(len(starts), k)) / k, cells.eta)
