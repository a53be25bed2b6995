"""The uniform error of eta-hat on a sample of a line, the bound on it of Theorem 3, and the panel of both over k."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, inf, log10
from typing import Any

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.old_engine import Component, Float, Input, Int, Panel, stage, within
from knnviz.labs.old_parts.line_sample import WindowVotes, log_spaced
from knnviz.labs.old_parts.sources import Field, field
from knnviz.profiles import WindowProfile
from knnviz.views import marks
from knnviz.views.layers import Axes, Band, Layer, Lines
from knnviz.weights import uniform_error

#: The three classes on a line, by name, and the number of cells at which eta-hat is compared with eta.
PROBLEM, CELLS = "waves", 1000

#: At how many k U is computed, in the preview and in full, and at how many the bound is drawn.
FEW_KS, MANY_KS, BOUND_KS = 6, 40, 120

#: Readout of a sample size that is larger than all that are searched.
TOO_LARGE = "more than 1e30"

#: Labels and colors of the terms of the bound, lowest first, by name.
TERMS = {"bias": ("bias", "#56B4E9"), "vote": ("1/√k", "#CC79A7"), "union": ("union over x", "#E69F00")}

#: Possible upper ends of the axis of errors; the one in use is at least ROOM times the least bound, if it can be.
TOPS, ROOM = (0.3, 0.75, 1.5), 1.5


class UniformError(Component):
    """The uniform error U, the largest error of eta-hat over points and classes, and its bound by Theorem 3."""

    votes: WindowVotes = Input()
    n: int = Input()
    k: int = Input()

    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability",
        symbol="delta",
        group="Theorems 1 and 3",
        tip="Probability that the bounds fail. Half of it is for the uniform error, as in Theorem 5",
    )
    d = Int(1, min=1, max=10).tag(
        label="dimension",
        symbol="d",
        tip="Dimension in the bound, for points spread over the cube [0, 1]^d. The sample stays on the line",
    )

    @stage
    def cells(self) -> Field:
        return field(PROBLEM, CELLS)

    @property
    def is_preview(self) -> bool:
        return len(self.curve[0]) <= FEW_KS

    @stage
    def observed(self) -> float:
        return largest_error(self.votes.profile, self.k, self.cells)

    @stage(background=True)
    def curve(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Some k (J,), and U (J,) of this sample at each: at a few k first."""
        n, votes, cells = self.n, self.votes.profile, self.cells
        for count in (FEW_KS, MANY_KS):
            ks = log_spaced(1, n, count)
            yield ks, np.array([largest_error(votes, k, cells) for k in ks.tolist()])

    @stage
    def assumptions(self) -> dict[str, Any]:
        """The theorem's constants of eta, known because the problem is synthetic, for points uniform in dimension d."""
        slope = float(khim.least_lipschitz_constants(self.votes.data.chosen_problem).max())
        return {"holder_exponent": 1.0, "holder_constant": slope, "dimension": self.d}

    def bound_at(self, k: int) -> khim.UniformBound:
        return khim.theorem_3(self.n, k, self.delta / 2, **self.assumptions)

    @stage
    def bound(self) -> khim.UniformBound:
        return self.bound_at(self.k)

    @stage
    def terms(self) -> tuple[np.ndarray, np.ndarray]:
        """Some k (J,), and the three terms (3, J) of the bound at each, which are powers of k."""
        ks, one = log_spaced(1, self.n, BOUND_KS), self.bound_at(1)
        return ks, np.array([one.bias * ks ** (1 / self.d), one.vote / np.sqrt(ks), one.union / np.sqrt(ks)])

    @stage
    def best_k(self) -> int:
        """The real k that makes the bound smallest, rounded."""
        return int(within(round(khim.least_error(self.n, self.delta / 2, **self.assumptions).k), (1, self.n)))

    @stage
    def least_bound(self) -> khim.UniformBound:
        return self.bound_at(self.best_k)

    def least_size(self, epsilon: float) -> float | str:
        """The least n at which the bound, at its best real k, is at most epsilon."""
        if epsilon >= 1:
            return "any"
        needed = float(khim.least_n(epsilon, self.delta / 2, **self.assumptions))
        return needed if needed < inf else TOO_LARGE

    @property
    def guaranteed(self) -> float:
        """Bound on U by Theorem 3 at this n, k and delta; 1 if it is vacuous, as no U exceeds 1."""
        return min(1.0, self.bound.value) if self.bound.failure < 1 else 1.0

    @property
    def guarantee(self) -> str:
        """What Theorem 3 guarantees for U at this n, k and delta, or why nothing, in words."""
        bound = self.bound
        for unmet in khim.unmet_conditions("theorem_3", self.n, self.k, **self.assumptions):
            return f"nothing: {unmet} for it"
        if bound.value >= 1:
            return "nothing: it reaches 1"
        if bound.failure >= 1:
            return "nothing: k is too small for it"
        return f"U is at most {bound.value:.3f}, except with probability {bound.failure:.3f}"

    @stage
    def numbers(self) -> dict[str, Any]:
        numbers = {"uniform_error": self.observed, "bound": self.bound.value, "guarantee": self.guarantee}
        return numbers | {"best_k": self.best_k, "least_bound": self.least_bound.value}


class UniformPanel(Panel):
    """The terms of the bound over k, and the U of the sample."""

    uniform_error: UniformError = Input()

    @property
    def top(self) -> float:
        return next((end for end in TOPS if end >= ROOM * self.uniform_error.least_bound.value), TOPS[-1])

    def axes(self) -> Axes:
        xlim = (0.9, 1.15 * 10 ** ceil(log10(self.uniform_error.n)))
        axes = Axes("uniform_panel", "Uniform error", "neighbors k", "largest error", xlim, (0, self.top), log=True)
        return replace(axes, legend_columns=3)

    def layers(self) -> Iterator[Layer]:
        draw, error, top = self.draw, self.uniform_error, self.top
        yield draw(stacked_terms, *error.terms)
        yield draw(marks.vertical_line, error.best_k, top, "best", "least bound", "#6A3D9A", (2, 3))
        yield draw(observed, *error.curve)
        spoken = f"k = {error.k}, observed U {error.observed:.3f}"
        yield draw(marks.handle, error.k, (1, error.n), top, "k", spoken)
        yield draw(marks.dot, error.k, error.observed)

    def alt_text(self) -> str:
        error, bound, least = self.uniform_error, self.uniform_error.bound, self.uniform_error.least_bound
        terms = ", ".join(f"{label} {getattr(bound, name):.3f}" for name, (label, _) in TERMS.items())
        return (
            f"Uniform error at k = {error.k}: the bound is {bound.value:.3f} ({terms}), the sample's own error "
            f"{error.observed:.3f}. The bound is smallest, {least.value:.3f}, at k = {error.best_k}."
        )

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"k": int(within(float(f"{x:.2g}"), (1, self.lab.values["n"])))}


def largest_error(votes: WindowProfile, k: int, cells: Field) -> float:
    """U of the k nearest neighbors of a sample on the line, as the maximum over the cells."""
    starts = votes.windows.starts(cells.grid.points[:, 0], k)
    return uniform_error(votes.votes_in(starts, np.full(len(starts), k)) / k, cells.eta)


def stacked_terms(ks: np.ndarray, terms: np.ndarray) -> list[Band]:
    """Terms (3, J) of the bound at ks (J,), one on top of the other."""
    # Far above the panel nothing is visible, and layers hold single precision.
    heights = np.concatenate([np.zeros((1, len(ks))), np.cumsum(np.minimum(terms, 100), axis=0)])
    return [
        Band(name=name, label=label, x=ks, lower=low, upper=high, color=color, opacity=0.5)
        for (name, (label, color)), low, high in zip(TERMS.items(), heights[:-1], heights[1:], strict=True)
    ]


def observed(ks: np.ndarray, errors: np.ndarray) -> Lines:
    return Lines(name="observed", label="observed U", x=ks, y=errors, width=2.5)
