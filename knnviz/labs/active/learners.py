"""A passive and an active learner on equally many labels: predictions, errors, and the conditions of the theory."""

from collections.abc import Iterator

import numpy as np

from knnviz import regions
from knnviz.active import LEARNERS, EvaluationPoints, LearnerComparison, region_voters, trial
from knnviz.active.sampling import CELLS
from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.labs.active.layers import DisagreementCurve
from knnviz.labs.active.rounds import ROUND_ONE, Rounds
from knnviz.labs.old_engine import Choice, Component, Float, Input, Int, stage
from knnviz.labs.old_parts.buttons import Button, stop
from knnviz.labs.old_parts.neighborhoods import PickedPoint
from knnviz.profiles import BallProfile

THIS_SAMPLE, MEAN = CURVES = ("this sample", "mean over samples")
MIDDLE = {"x1": 0.5, "x2": 0.5}

#: Number of points of a curve, evenly spaced from no label of the second round (its budget) to all of them.
BUDGETS = 11


class Learners(Component):
    """Both learners with the labels bought so far."""

    rounds: Rounds = Input()

    # The learners but the passive one, by what votes in H.
    voters = Choice("strict", LEARNERS[1:]).tag(
        label="labels used in H", tip="Targeted draws only, or every labeled point that lies in H+"
    )

    @stage
    def comparison(self) -> LearnerComparison:
        rounds = self.rounds
        return LearnerComparison(
            EvaluationPoints.from_first_round(rounds.bought.first, rounds.chosen_problem),
            rounds.bought,
            *rounds.passive_sample,
        )

    @stage
    def comparison_on_cells(self) -> LearnerComparison:
        """Both learners at the cells of the picture; for data, whose correct classes are unknown, class 0 is taken."""
        rounds = self.rounds
        if not rounds.on_data:
            return self.comparison
        points = rounds.chosen_problem.grid(CELLS[2]).points
        count, hard = len(points), rounds.bought.first.hard_at(points)
        cells = EvaluationPoints(points, np.full(count, 1 / count), np.zeros(count, int), hard)
        return LearnerComparison(cells, rounds.bought, *rounds.passive_sample)

    @property
    def cells(self) -> EvaluationPoints:
        return self.comparison_on_cells.evaluation

    @stage
    def augmented(self) -> np.ndarray:
        """Cells (m,) bool of the picture in H+: in H or in a ball. In a pool the balls are around its own points."""
        first, cells = self.rounds.bought.first, self.cells
        inside = first.region.contains(cells.points) if self.rounds.on_data else first.augmented
        return inside | cells.hard

    @stage
    def used_in_H(self) -> np.ndarray:
        """Which labels bought so far, (labels,) bool, vote inside H."""
        return region_voters(self.rounds.bought_so_far.stage, self.rounds.bought_so_far.in_augmented, self.voters)

    @stage
    def error_cells(self) -> tuple[np.ndarray, np.ndarray]:
        """Cells (m,) bool on which the passive and the active learner err; for data, on which they predict class 1."""
        passive, active = self.predictions_at(self.comparison_on_cells)
        return passive != self.cells.correct, active != self.cells.correct

    def predictions_at(self, comparison: LearnerComparison) -> list[np.ndarray]:
        """Predictions (m,) of the passive and of the active learner at the points of a comparison."""
        m, k = self.rounds.round_two_count, self.rounds.k_vote
        return [comparison.labels(learner, m, k) for learner in (LEARNERS[0], self.voters)]

    @stage
    def disagreements(self) -> tuple[float, float]:
        if self.rounds.on_data:
            passive, active = self.comparison.evaluation.disagreement(np.array(self.predictions_at(self.comparison)))
        else:
            passive, active = (self.cells.weights[wrong].sum() for wrong in self.error_cells)
        return float(passive), float(active)


class Center(PickedPoint):
    """The center of the ball of k+ neighbors that is shown."""

    data: Rounds = Input()
    learners: Learners = Input()

    x1 = Float(0.5, min=0, max=1, text_box=True).tag(
        label="center", symbol="x1", group="Ball: click, or type", tip="Center of the ball that is shown"
    )
    x2 = Float(0.5, min=0, max=1, text_box=True).tag(label="center", symbol="x2", tip="Its second coordinate")
    start_fractions = MIDDLE

    @stage
    def ball(self) -> float | None:
        """Radius of the ball of k+ neighbors; None if the center is not in H, or H is not known yet."""
        first, cells = self.data.bought.first, self.learners.cells
        nearest = int(((cells.points - self.x) ** 2).sum(axis=1).argmin())
        if not self.data.reached[ROUND_ONE] or not cells.hard[nearest]:
            return None
        return float(regions.kth_distances(first.X, self.x[None], first.k_plus)[0])


def sample_curve(comparison: LearnerComparison, label_counts: np.ndarray, k: int) -> DisagreementCurve:
    budgets = (label_counts - comparison.sample.n).tolist()
    return DisagreementCurve(label_counts, comparison.disagreement(budgets, k)[None])


class Curves(Component):
    """Disagreement of both learners over labels."""

    rounds: Rounds = Input()
    learners: Learners = Input()

    curve = Choice(THIS_SAMPLE, CURVES).tag(
        label="curve", group="Curve", tip="Over labels bought, of this sample or of fresh ones"
    )
    repeats = Int(20, min=2, max=100).tag(label="samples", tip="Fresh samples of the curve", when={"curve": (MEAN,)})

    def actions(self) -> list[Button]:
        return [stop(self.lab)]

    @property
    def is_preview(self) -> bool:
        return self.of_this_sample and not self.chosen_curve.done

    @property
    def of_this_sample(self) -> bool:
        return self.curve == THIS_SAMPLE

    @stage
    def label_counts(self) -> np.ndarray:
        return self.rounds.n + np.unique(np.linspace(0, self.rounds.m, BUDGETS).round().astype(int))

    @stage
    def on_line(self) -> DisagreementCurve:
        return sample_curve(self.learners.comparison, self.label_counts, self.rounds.k_vote)

    @stage(background=True)
    def on_plane(self) -> Iterator[DisagreementCurve]:
        comparison, label_counts, k = self.learners.comparison, self.label_counts, self.rounds.k_vote
        yield DisagreementCurve(label_counts, np.full((1, len(LEARNERS), len(label_counts)), np.nan))
        yield sample_curve(comparison, label_counts, k)

    @stage(streaming=True)
    def mean(self) -> Iterator[DisagreementCurve]:
        # All that the curve depends on is read before its first value.
        rounds, label_counts, n = self.rounds, self.label_counts, self.rounds.n
        arguments, seed = (rounds.chosen_problem, n, rounds.m, rounds.scheme, [rounds.k_vote]), rounds.seed
        found = np.full((self.repeats, len(LEARNERS), len(label_counts)), np.nan)
        yield DisagreementCurve(label_counts, found)
        for index, stream in enumerate(np.random.SeedSequence(seed).spawn(len(found))):
            found = found.copy()
            found[index] = trial(*arguments, stream, budgets=(label_counts - n).tolist()).disagreement[:, :, 0]
            yield DisagreementCurve(label_counts, found)

    @property
    def chosen_curve(self) -> DisagreementCurve:
        if not self.of_this_sample:
            return self.mean
        return self.on_line if self.rounds.dimension == 1 else self.on_plane

    @property
    def shown_learners(self) -> tuple[int, int]:
        """The passive learner and the active one by its choice of voters, as indices of ``LEARNERS``."""
        return 0, LEARNERS.index(self.learners.voters)

    @stage
    def means(self) -> np.ndarray:
        """Mean disagreement (2, J) of the passive and of the active learner."""
        curve = self.chosen_curve
        return curve.disagreements[: max(curve.done, 1), self.shown_learners].mean(axis=0)


class Theory(Component):
    """The theorems for this sample: the effective boundary of Theorem 3, and conditions."""

    rounds: Rounds = Input()
    learners: Learners = Input()

    @stage
    def boundary(self) -> tuple[float, float, np.ndarray | None]:
        """p and Delta of Theorem 3 for n + m labels, and the effective boundary at cells; None for data or small k."""
        rounds, k = self.rounds, self.rounds.k_vote
        Delta = chaudhuri_dasgupta.margin(k, rounds.delta)
        if rounds.on_data or k <= chaudhuri_dasgupta.least_neighbors(rounds.delta):
            return float("inf"), Delta, None
        problem, p = rounds.chosen_problem, chaudhuri_dasgupta.mass(rounds.n + rounds.m, k, rounds.delta)
        measure = problem.measure(CELLS[problem.dimension])
        if p > 1:
            return p, Delta, np.ones(len(measure.points), bool)
        balls = BallProfile.integrate(measure, problem.eta(measure.points), masses=[p])
        return p, Delta, regions.effective_boundary(balls, p, Delta)

    @stage
    def smoothness(self) -> tuple[float, float] | None:
        """alpha and L of eta, None where it is not smooth or not known."""
        rounds = self.rounds
        if rounds.problem == "power":
            return min(rounds.kappa, 1.0), max(rounds.kappa, 1.0)
        is_constant = {
            "jump": rounds.a == 0,
            "bump": rounds.height == rounds.low,
            "linear": rounds.slope == 0,
            "wave2d": rounds.high == 0.5,
        }
        if is_constant.get(rounds.problem, False):
            # Any L above 0 will do.
            return 1.0, 1e-9
        return (1.0, rounds.slope) if rounds.problem == "linear" else None

    @stage(compare_values=True)
    def conditions(self) -> dict[str, bool | None]:
        """Conditions of the theory, and whether each holds; None if that is unknown, or H has no points or voters."""
        rounds, first, smooth = self.rounds, self.rounds.bought.first, self.smoothness
        k, delta, star = rounds.k_vote, rounds.delta, None
        if smooth is not None:
            star = bool(rittler.condition_ratio(rounds.n, k, rounds.dimension, delta, *smooth) >= 1)
        return {
            "k_vote > 4 log(2/delta)": k > chaudhuri_dasgupta.least_neighbors(delta),
            "2 Delta + Delta~ < 1/2": first.width < 0.5,
            "0 < pi < 1": 0 < rounds.passive_fraction < 1,
            "labels used in H": bool(self.learners.used_in_H.any()) if first.hard.any() else None,
            "eta is smooth": None if rounds.on_data else smooth is not None,
            "Delta satisfies (*)": star,
            "voting balls stay in H+": self.balls_within,
        }

    @stage
    def balls_within(self) -> bool | None:
        """Whether the balls of k_vote voters around cells in H stay in H+; None without such cells or voters."""
        cells, voters = self.learners.cells, self.rounds.bought_so_far.X[self.learners.used_in_H]
        outside, hard = cells.points[~self.learners.augmented], cells.points[cells.hard]
        if not len(hard) or not len(voters):
            return None
        if not len(outside):
            return True
        radii = regions.kth_distances(voters, hard, min(self.rounds.k_vote, len(voters)))
        return bool((regions.kth_distances(outside, hard, 1) > radii).all())
