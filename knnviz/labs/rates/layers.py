"""The panels of RatesLab, and the layers that only it draws."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.bounds.reeve_kaban import ErrorTerms
from knnviz.labs.old_engine import Choice, Input, Panel, stage, within
from knnviz.labs.old_parts.risk_panel import OFF, RiskPanel, mean_curves
from knnviz.labs.old_parts.robust_rules import COLORS
from knnviz.labs.rates.line import LineQuery
from knnviz.labs.rates.theorem import N_LIMITS, Theorem
from knnviz.risk import FittedRate, fitted_rate
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import extremes as extremes_view
from knnviz.views import line as line_view
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views import style, vote_curve
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines
from knnviz.views.vote_curve import ThresholdLine

#: The bound on the excess risk over k or n, or that on the error of e at x.
OVER_K, OVER_N, AT_X = BOUNDS = ("over k", "over n", "at x, over k")

#: Ends of the axes of the bound on the excess risk, which is vacuous above 1, and of the error at x.
BOUND_END, ERROR_END = 1.5, 1.0

#: What the risk curve shows: no curve, risks, or log10 of the excess over the Bayes risk.
_, _, EXCESS = CURVES = (OFF, "over n", "excess over n")

#: Limits of the axis of log10 of the excess risk.
LOG_EXCESS = (-5.0, 0.0)

#: The sample size from which a rate is fitted.
FITTED_FROM = 1000

#: Sample sizes of the risk curve, and the number of samples of each.
RISK_SIZES = (250, 1000, 4000, 16_000, 64_000, 256_000, 1_024_000)
REPEATS = 10


class LinePanel(Panel):
    """What robust kNN predicts along the line, with eta and the votes."""

    query: LineQuery = Input()

    def axes(self) -> Axes:
        return replace(line_view.axes(self.query.rules.line.chosen_problem), title="Line: robust kNN decides")

    def layers(self) -> Iterator[Layer]:
        draw, query, rules = self.draw, self.query, self.query.rules
        line, noise, problem = rules.line, rules.noise, rules.line.chosen_problem
        yield draw(line_view.regions, problem, rules.decisions)
        yield draw(set_view.region, problem, noise.misled, "set", "misled points", "\\")
        yield draw(line_view.points, problem, line.sample, noise.labels, self.lab.display_scale.max_points)
        yield draw(line_view.eta_curves, line.cells, line.eta)
        yield draw(line_view.noisy_curves, line.cells, noise.eta_corr)
        for threshold in (*(each._replace(label=None) for each in rules.thresholds), *rules.range_of_e):
            yield draw(vote_curve.threshold_line, threshold, problem.box[0])
        yield draw(line_view.vote_curves, line.cells, rules.fractions)
        yield draw(line_view.ball, query.x1, query.radius)
        yield draw(line_view.query, problem, query.x1)

    def alt_text(self) -> str:
        rules, line, noise = self.query.rules, self.query.rules.line, self.query.rules.noise
        plateau = "" if line.m is None else f", resting at {line.m:.4f}"
        return (
            f"Line with {len(line.sample)} points of two classes, {noise.flipped} labels flipped. eta rises from "
            f"{line.low:g} to {line.high:g}{plateau}. Robust kNN decides for class 1 on {rules.decisions.mean():.1%} "
            f"of the line; misled points, on {noise.misled.mean():.1%} of it, are hatched."
        )

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"x1": within(round(x, 3), self.query.rules.line.chosen_problem.box[0])}


class VotesPanel(Panel):
    """The votes around the query point over k, the extremes of e, and their midrange, the estimated threshold."""

    theorem: Theorem = Input()
    query: LineQuery = Input()

    def axes(self) -> Axes:
        return k_axes(self.theorem.n)

    def layers(self) -> Iterator[Layer]:
        draw, query, rules, noise = self.draw, self.query, self.query.rules, self.query.rules.noise
        min_to_max, midrange = draw(extremes_view.over_k, *rules.extremes, COLORS["estimated"])
        half, theta, _ = rules.thresholds
        p0 = ThresholdLine(noise.p0, "p0", "p0 and 1 - p1", style.MUTED, (2, 3))
        p1 = p0._replace(fraction=1 - noise.p1, name="p1", label=None)
        yield min_to_max
        for threshold in (p0, p1, half, theta):
            yield draw(vote_curve.threshold_line, threshold, self.axes().xlim)
        yield midrange
        yield draw(true_frequency, *query.true_frequencies, self.theorem.n)
        yield draw(vote_curve.curve_at, *query.votes_over_k, 1, "votes, class 1")
        yield draw(vote_curve.at_k, rules.k)
        yield draw(
            value_label,
            *query.votes_over_k,
            query.votes,
            query.decision,
            rules.thresholds,
            self.lab.display_scale.votes_text,
        )

    def alt_text(self) -> str:
        query, rules = self.query, self.query.rules
        names = rules.line.chosen_problem.class_names
        votes = vote_curve.describe(np.array([query.x1]), query.votes, rules.k, names, query.decision)
        return f"{votes} {extremes_view.describe_over_k(*rules.extremes)}"

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.theorem.picked(x)


class BoundPanel(Panel):
    """The two terms of the bound over k, the bound over n, or the error of e at x over k below its bound."""

    theorem: Theorem = Input()
    query: LineQuery = Input()

    bound_over = Choice(OVER_K, BOUNDS).tag(
        label="bound",
        tip="Over k its two terms, over n all of it along k_n; at x the errors of e and of one neighbor, below theirs",
    )

    def axes(self) -> Axes:
        if self.bound_over == OVER_N:
            return Axes("bound", "Bound", "sample size n", "bound on excess", N_LIMITS, (0, BOUND_END), log=True)
        axes = replace(k_axes(self.theorem.n), name="bound")
        if self.bound_over == AT_X:
            return replace(axes, title="Bound at x", ylabel="error of e", ylim=(0, ERROR_END))
        return replace(axes, title="Bound", ylabel="sum of terms", ylim=(0, BOUND_END))

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        yield from {OVER_K: self.over_k, OVER_N: self.over_n, AT_X: self.at_x}[self.bound_over]()

    def over_k(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, theorem, k = self.draw, self.theorem, self.theorem.k_in_use
        yield draw(terms, *theorem.terms)
        height, k_n = theorem.vacuous_from, theorem.k_n(theorem.n)
        yield draw(curve, "useful", "where the bound is 1", self.axes().xlim, (height, height), style.MUTED, (3, 3))
        # Where k is k_n one line would hide the other.
        if k_n != k:
            yield draw(curve, "k_n", "k_n", (k_n, k_n), (0, BOUND_END), COLORS["known"], (7, 3))
        yield draw(curve, "at_k", "k = k_n" if k_n == k else "k", (k, k), (0, BOUND_END))

    def over_n(self) -> Iterator[Layer]:
        draw, n = self.draw, self.theorem.n
        sizes, printed, tight = self.theorem.along_n
        yield draw(curve, "printed", "bound", sizes, printed)
        yield draw(curve, "tight", "tight form", sizes, tight, style.INK, (7, 3))
        yield draw(curve, "useful", "where it is 1", N_LIMITS, (1, 1), style.MUTED, (3, 3))
        yield draw(curve, "at_n", "n", (n, n), (0, BOUND_END))

    def at_x(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, k, (ks, error, worst) = self.draw, self.theorem.k_in_use, self.query.errors
        # The smoothness term is at the bottom, since Lemma 4.1 compares the worst neighbor with it alone.
        yield draw(terms, *self.theorem.terms_at_x, True)
        yield draw(curve, "worst", "worst neighbor", ks, worst, COLORS["known"], (7, 3))
        yield draw(curve, "error", "error of e at x", ks, error, COLORS["estimated"])
        yield draw(curve, "at_k", "k", (k, k), (0, ERROR_END))

    def alt_text(self) -> str:
        theorem, k = self.theorem, self.theorem.k_in_use
        if self.bound_over == OVER_N:
            return describe_over_n(*theorem.along_n[:2])
        if self.bound_over == OVER_K:
            text = describe_terms(theorem.terms_at(k), k)
            return f"Bound over k: {text}; it is not vacuous where their sum is below {theorem.vacuous_from:.4f}."
        ks, (error, worst) = theorem.ks_at_x, (each[0] for each in self.query.errors_at(np.array([k])))
        covered = ks.least <= k <= ks.most
        text = describe_terms(theorem.bound_at_x(k), k) if covered else f"Theorem 4.1 does not cover k = {k}"
        return (
            f"Bound on the error of e at x, for k from {ks.least} to {ks.most}: {text}. The error is "
            f"{error:.3f}, and eta_corr of the neighbors differs from that at x by at most {worst:.3f}."
        )

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {} if self.bound_over == OVER_N else self.theorem.picked(x)


class RatesPanel(RiskPanel):
    """Risks over n, or log10 of their excess over the Bayes risk, with the fitted and the promised rate."""

    exponent: float | None = Input()

    @property
    def shows_excess(self) -> bool:
        return self.curve == EXCESS

    def stream(self) -> Iterator[risk.RiskCurve | None]:
        lab = self.lab
        rules: dict[str, Rule] = {"plain": Vote(), "known": lab.rules.known, "estimated": Robust(votes="order")}
        problem, noise, ks = lab.line.chosen_problem, lab.noise.model, {n: lab.theorem.k_at(n) for n in RISK_SIZES}
        yield None
        sizes = [n for n in RISK_SIZES if ks[n] <= n]
        yield from risk.stream(problem, rules, over={"n": sizes}, k=ks.__getitem__, noise=noise, repeats=REPEATS)

    @stage
    def rate(self) -> FittedRate | None:
        return None if self.means is None else fitted_rate(self.means, "estimated", FITTED_FROM)

    @stage
    def drawn_curve(self) -> Any:
        """The mean risks, or log10 of their excess; None before any."""
        means = self.means
        if means is None or not self.shows_excess:
            return means
        excess = np.where(means.mean > self.bayes_risk, means.mean - self.bayes_risk, np.nan)
        error = means.standard_error / (excess * np.log(10))
        return SimpleNamespace(
            values=means.values, mean=np.log10(excess), standard_error=error, done=means.done, pieces=means.pieces
        )

    @property
    def drawn_limits(self) -> tuple[float, float]:
        return LOG_EXCESS if self.shows_excess else self.y_limits

    def on_axis(self, risks: Iterable[Any]) -> Iterator[Any]:
        """Known or current risks as they are, or those above the Bayes risk as log10 of the excess."""
        for each in risks:
            if not self.shows_excess:
                yield each
            elif each.risk - self.bayes_risk > 10 ** LOG_EXCESS[0]:
                yield each._replace(risk=math.log10(each.risk - self.bayes_risk))

    def axes(self) -> Axes:
        name = "log₁₀ of excess" if self.shows_excess else "risk"
        return risk_view.axes("n", self.x_limits["n"], self.drawn_limits, ylabel=name)

    def layers(self) -> Iterator[Layer]:
        draw, bayes_risk, ends, styles = self.draw, self.bayes_risk, self.x_limits["n"], tuple(self.styles.items())
        if not self.shows_excess:
            yield draw(risk_view.bayes, bayes_risk, ends)
        for level in self.on_axis(self.levels):
            yield draw(risk_view.level, level.risk, ends, level.name, level.label, level.dash, level.color)
        if self.rate is not None:
            yield draw(rates, self.rate, self.exponent, None if self.shows_excess else bayes_risk, ends[1])
        if self.curve != OFF:
            yield draw(mean_curves, self.drawn_curve, styles, ends, self.drawn_limits)
        for y, label, name, color in self.on_axis(self.current_risks):
            yield draw(risk_view.current_point, self.current_x["n"], y, label, name, color)

    def alt_text(self) -> str:
        scale = "Risks are drawn as powers of ten of what exceeds the Bayes risk." if self.shows_excess else ""
        return " ".join(filter(None, [scale, super().alt_text()]))


def k_axes(n: int) -> Axes:
    """Axes of fractions over k, the same for all n between two powers of ten."""
    return vote_curve.axes(10 ** math.ceil(math.log10(n)), log=True)


def curve(
    name: str, label: str, x: Any, y: Any, color: str = style.INK, dash: tuple[float, ...] = (), width: float = 2.5
) -> Lines:
    return Lines(name=name, label=label, x=x, y=y, color=color, dash=dash, width=width)


def terms(
    ks: np.ndarray, vote: np.ndarray, smoothness: np.ndarray, smoothness_below: bool = False
) -> tuple[Band, Band, Lines]:
    """Two terms stacked, the lower one first, and their sum."""
    stacked = [("vote", vote, "#CC79A7"), ("smoothness", smoothness, "#56B4E9")]
    (name, first, color), (other, second, other_color) = reversed(stacked) if smoothness_below else stacked
    total = first + second
    below = Band(name=name, label=f"{name} term", x=ks, lower=0, upper=first, color=color, opacity=0.45)
    above = replace(below, name=other, label=f"{other} term", lower=first, upper=total, color=other_color)
    return below, above, curve("sum", "sum", ks, total)


def describe_terms(terms: ErrorTerms, k: int) -> str:
    return f"vote term {terms.vote:.3f} and smoothness term {terms.bias:.3f} at k = {k}"


def describe_over_n(sizes: np.ndarray, bound: np.ndarray) -> str:
    ends = ", ".join(f"{bound[j]:.3g} at n = {sizes[j]:.3g}" for j in (0, -1))
    below = np.flatnonzero(bound < 1)
    since = f"below 1 from n = {sizes[below[0]]:.3g} on" if len(below) else "never below 1"
    return f"Bound over n, along k_n: {ends}; {since}."


def rates(rate: FittedRate, promised: float | None, bayes_risk: float | None, end: float) -> list[Lines]:
    """The fitted rate and that of Theorem 4.3 (``promised``), above the Bayes risk; if that is None, log10 of both."""
    sizes = np.geomspace(FITTED_FROM, end, 40)
    excess = rate(sizes)
    drawn: list[tuple[str, np.ndarray, str, tuple[float, ...]]] = [("fitted", excess, COLORS["estimated"], (9, 3))]
    if promised is not None:
        drawn.append(("promised", excess[0] * (sizes / sizes[0]) ** -promised, style.MUTED, (9, 3, 2, 3)))
    return [
        curve(name, f"{name} rate", sizes, np.log10(y) if bayes_risk is None else bayes_risk + y, color, dash, width=2)
        for name, y, color, dash in drawn
    ]


def true_frequency(masses: np.ndarray, frequency: np.ndarray, n: int) -> Lines:
    """The curve of class 1 alone, with the label that ``population`` gives to class 0 only."""
    return replace(vote_curve.population(masses, frequency, n)[1], label="true frequency")


def value_label(
    ks: np.ndarray,
    fractions: np.ndarray,
    votes: np.ndarray,
    decision: str,
    thresholds: tuple[ThresholdLine, ...],
    layout: vote_curve.TextLayout,
) -> Annotations:
    """The votes (2,) at k in words, on the side of k where the axis of ks (J,) has more room, clear of the curve."""
    k = int(votes.sum())
    at, align, beside = (1.15 * k, "left", ks >= k) if k**2 <= ks[-1] else (k / 1.15, "right", ks <= k)
    avoided = np.append(fractions[beside], [threshold.fraction for threshold in thresholds])
    return vote_curve.text_at(votes, decision, at, align, avoided, layout)
