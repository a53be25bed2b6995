"""A passive and an active learner on as many labels: how both decide, how often they err, and what the theory asks."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import regions
from knnviz.active import FROM_P, FROM_R, LEARNERS, EvaluationPoints, LearnerComparison, region_voters, trial
from knnviz.active.sampling import CELLS
from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.labs.engine.parameters import Choice, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.schemes import BEFORE, SchemeLab
from knnviz.profiles import BallProfile

#: Curves over labels: of this sample, and of the mean over fresh ones.
CURVES = ("this sample", "mean over samples")

#: Budgets of a curve, evenly from none of the second round to all of it.
BUDGETS = 11

#: Whether a condition holds, in words; None where that cannot be said.
WORDS = {True: "holds", False: "fails", None: "open"}

#: From which step on a number is read out.
SINCE = {
    "passive_disagreement": 1,
    "active_disagreement": 1,
    "width": 2,
    "hard_mass": 3,
    "fallback": 3,
    "k_plus": 4,
    "augmented_mass": 4,
    "plain_share_realised": BEFORE + 1,
    "plain_share_expected": BEFORE + 1,
}


class Curve(NamedTuple):
    """Disagreement (samples, learners, budgets) over labels (budgets,), NaN where nothing is known yet."""

    labels: np.ndarray
    rates: np.ndarray

    @property
    def done(self) -> int:
        """Samples that are done."""
        return int(np.isfinite(self.rates[:, 0, 0]).sum())


class ContestLab(SchemeLab):
    """Both learners at the step in hand, their disagreement over labels, and the conditions of the theory."""

    curve = Choice(CURVES[0], CURVES).tag(
        label="curve", group="Curve", tip="Over labels bought, of this sample or of fresh ones"
    )
    repeats = Int(20, min=2, max=100).tag(label="samples", tip="Fresh samples of the curve")

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Samples are asked for where there is a mean of them."""
        return super().hidden(values) | ({"repeats"} if values["curve"] == CURVES[0] else set())

    @stage
    def arena(self) -> EvaluationPoints:
        """Where the learners are compared."""
        return EvaluationPoints.of(self.plane, self.bought.first)

    @stage
    def shown(self) -> EvaluationPoints:
        """The cells of the picture; of data nobody knows the right answers there."""
        if not self.on_data:
            return self.arena
        points = self.plane.grid(CELLS[2]).points
        size = len(points)
        return EvaluationPoints(points, np.full(size, 1 / size), np.zeros(size, int), self.bought.first.hard_at(points))

    @stage
    def augmented(self) -> np.ndarray:
        """Which cells of the picture lie in H+: in H, or in a ball, which in a pool stands around one of its points."""
        return self.bought.first.region.contains(self.shown.points) | self.shown.hard

    @stage
    def first_shares(self) -> np.ndarray:
        """Votes of the first round at the cells, as shares (m, 2)."""
        return self.bought.first.votes.at(self.k_hard) / self.k_hard

    @stage
    def chosen(self) -> np.ndarray:
        """Which labeled points vote in H."""
        return region_voters(self.part.stage, self.part.within, self.voters)

    @stage
    def contest(self) -> LearnerComparison:
        """Both learners where they are compared."""
        return LearnerComparison(self.arena, self.bought, *self.plainly)

    @stage
    def drawn_contest(self) -> LearnerComparison:
        """Both learners at the cells of the picture."""
        return LearnerComparison(self.shown, self.bought, *self.plainly) if self.on_data else self.contest

    @stage
    def active_decisions(self) -> np.ndarray:
        """What the active learner decides at the cells of the picture."""
        return self.drawn_contest.labels(self.voters, self.second, self.k_vote)

    @stage
    def passive_decisions(self) -> np.ndarray:
        """What the passive learner decides there."""
        return self.drawn_contest.labels(LEARNERS[0], self.second, self.k_vote)

    @stage
    def disagreements(self) -> tuple[float, float]:
        """Of the passive and the active learner, where they are compared."""
        contest, m, k = self.contest, self.second, self.k_vote
        if self.on_data:
            return tuple(self.arena.wrong(contest.labels(each, m, k)) for each in (LEARNERS[0], self.voters))
        return self.arena.wrong(self.passive_decisions), self.arena.wrong(self.active_decisions)

    @stage(compare_values=True)
    def budgets(self) -> tuple[int, ...]:
        """Labels of the second round at which a curve is taken."""
        return tuple(np.unique(np.linspace(0, self.m, BUDGETS).round().astype(int)).tolist())

    @stage
    def nothing(self) -> Curve:
        """A curve of which nothing is known yet."""
        labels = self.n + np.array(self.budgets)
        samples = 1 if self.curve == CURVES[0] else self.repeats
        return Curve(labels, np.full((samples, len(LEARNERS), len(labels)), np.nan))

    @stage(background=True)
    def own_curve(self) -> Iterator[Curve]:
        """Disagreements of this sample over its labels."""
        nothing, contest, budgets, k = self.nothing, self.contest, self.budgets, self.k_vote
        yield nothing
        yield nothing._replace(rates=np.array([contest.disagreement(budget, k) for budget in budgets]).T[None])

    @stage(streaming=True)
    def mean_curve(self) -> Iterator[Curve]:
        """Disagreements of fresh samples over their labels, sample by sample."""
        nothing, plane, scheme = self.nothing, self.plane, self.scheme
        n, m, k, budgets, seed = self.n, self.m, self.k_vote, self.budgets, self.seed
        yield nothing
        rates = nothing.rates.copy()
        for run, stream in enumerate(np.random.SeedSequence(seed).spawn(len(rates))):
            rates[run] = trial(plane, n, m, scheme, [k], stream, budgets=budgets).disagreement[:, :, 0]
            yield nothing._replace(rates=rates.copy())

    @property
    def drawn_curve(self) -> Curve:
        """The curve on show."""
        return self.own_curve if self.curve == CURVES[0] else self.mean_curve

    @stage
    def boundary(self) -> tuple[float, float, np.ndarray | None]:
        """p and Delta of Theorem 3 for all n + m labels, and its effective boundary on the cells; None for data."""
        k, size = self.k_vote, self.n + self.m
        Delta = chaudhuri_dasgupta.margin(k, self.delta)
        if self.on_data or k <= chaudhuri_dasgupta.least_neighbors(self.delta):
            return float("inf"), Delta, None
        p = chaudhuri_dasgupta.mass(size, k, self.delta)
        measure = self.plane.measure(CELLS[self.plane.dimension])
        if p > 1:
            return p, Delta, np.ones(len(measure.points), bool)
        balls = BallProfile.integrate(measure, self.plane.eta(measure.points), masses=[p])
        return p, Delta, regions.effective_boundary(balls, p, Delta)

    @stage
    def smoothness(self) -> tuple[float, float] | None:
        """alpha and L of eta, None where it is not smooth or not known."""
        if self.problem == "power":
            return min(self.kappa, 1.0), max(self.kappa, 1.0)
        constant = {"jump": self.a == 0, "bump": self.height == self.low, "linear": self.slope == 0}
        # For a constant eta any L above 0 does.
        if constant.get(self.problem, False):
            return 1.0, 1e-9
        return (1.0, self.slope) if self.problem == "linear" else None

    @stage
    def conditions(self) -> dict[str, bool | None]:
        """What the theory asks, and whether it holds; None where it cannot be said."""
        first, k, smooth = self.bought.first, self.k_vote, self.smoothness
        star = None
        if smooth is not None:
            alpha, L = smooth
            star = rittler.condition(self.n, k, self.plane.dimension, self.delta, alpha, L).holds
        return {
            "k_vote > 4 log(2/delta)": k > chaudhuri_dasgupta.least_neighbors(self.delta),
            "2 Delta + Delta~ < 1/2": first.width < 0.5,
            "0 < pi < 1": 0 < self.plain_share < 1,
            "somebody votes in H": bool(self.chosen.any()) if first.hard.any() else None,
            "eta is smooth": None if self.on_data else smooth is not None,
            "Delta reaches (*)": star,
            "voting balls stay in H+": self.balls_within,
        }

    @stage
    def balls_within(self) -> bool | None:
        """Whether the balls of k_vote voters around hard cells stay in H+; None without hard cells or voters."""
        outside, marked = self.shown.points[~self.augmented], self.shown.points[self.shown.hard]
        voters = self.part.X[self.chosen]
        if not len(marked) or not len(voters):
            return None
        if not len(outside):
            return True
        k = min(self.k_vote, len(voters))
        reach = regions.reaches(voters, marked, k)
        return bool((regions.reaches(outside, marked, 1) > reach).all())

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        part, first = self.part, self.bought.first
        p, Delta, boundary = self.boundary
        passive, active = self.disagreements
        numbers = {
            "passive_disagreement": passive,
            "active_disagreement": active,
            "labels": len(part) if self.step else 0,
            "draws": part.draws,
            "width": first.width,
            "hard_mass": first.hard_mass,
            "fallback": first.fallback,
            "k_plus": first.k_plus,
            "augmented_mass": first.augmented_mass,
            "plain_share_realised": part.plain_share,
            "plain_share_expected": part.expected_plain_share,
            "region_voters": int(self.chosen.sum()),
            "plain": int((part.stage == FROM_P).sum()),
            "targeted": int((part.stage == FROM_R).sum()),
            "margin": Delta,
        }
        if boundary is not None:
            numbers |= {"mass": p, "boundary_mass": float(self.shown.weights[boundary].sum())}
        told = {name: value for name, value in numbers.items() if self.step >= SINCE.get(name, 0)}
        return {**told, "flags": {name: WORDS[holds] for name, holds in self.conditions.items()}}
