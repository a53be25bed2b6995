"""What a lab on the two-round scheme knows: where labels are bought, step by step, and how both learners decide."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import problems, regions
from knnviz.active import (
    FROM_P,
    FROM_R,
    LEARNERS,
    Arena,
    Contest,
    Scheme,
    TwoStageSample,
    active_sample,
    passive_sample,
    region_voters,
    trial,
)
from knnviz.active.sampling import CELLS
from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.labs.parameters import Choice, Float, Int
from knnviz.labs.risks import StreamLab
from knnviz.labs.sources import Source, known
from knnviz.labs.stages import stage
from knnviz.problems import Dataset
from knnviz.profiles import BallProfile

#: Problems by name, with the parameters that each is made of.
PROBLEMS: dict[str, tuple[str, ...]] = {
    "bump": ("width", "height", "low"),
    "jump": ("a",),
    "power": ("kappa",),
    "linear": ("slope",),
    "wave2d": ("amplitude", "waves", "high"),
    "breast cancer": (),
}
MADE: dict[str, Callable[..., Source]] = {
    "bump": problems.bump,
    "jump": problems.jump,
    "power": problems.power,
    "linear": problems.linear,
    "wave2d": problems.wave2d,
    "breast cancer": lambda: known("breast cancer"),
}

#: Steps before the first label of the second round: nothing, the first round, its votes, H, H+.
BEFORE = 4

#: Curves over labels: of this sample, and of the mean over fresh ones.
CURVES = ("this sample", "mean over samples")

#: Budgets of a curve, evenly from none of the second round to all of it.
BUDGETS = 11

#: How coins and voters are called on screen.
COINS = {"per draw": "per_draw", "per sample": "per_sample"}

#: Most of a pool that both rounds may buy together at the start.
POOL_SHARE = 0.6


class Curve(NamedTuple):
    """Disagreement (samples, learners, budgets) over labels (budgets,), NaN where nothing is known yet."""

    labels: np.ndarray
    rates: np.ndarray

    @property
    def done(self) -> int:
        """Samples that are done."""
        return int(np.isfinite(self.rates[:, 0, 0]).sum())


class SchemeLab(StreamLab):
    """Two rounds of labels from a distribution or from a pool, and the passive learner beside it."""

    problem = Choice("bump", PROBLEMS).tag(label="problem", group="Data", tip="Where the points come from")
    width = Float(0.022, min=0.002, max=0.5, step=0.002, digits=3).tag(
        label="bump width", tip="How wide the stretch of class 1 around 1/2 is"
    )
    height = Float(0.98, min=0, max=1).tag(label="eta inside", tip="Probability of class 1 on the bump")
    low = Float(0.02, min=0, max=1).tag(label="eta outside", tip="Probability of class 1 beside it")
    a = Float(0.3, min=0, max=0.5).tag(label="jump", symbol="a", tip="eta jumps from 1/2 - a to 1/2 + a")
    kappa = Float(2.0, min=0.1, max=6, step=0.1, digits=1).tag(
        label="power", symbol="kappa", tip="eta leaves 1/2 like |2u|^kappa: margin exponent beta = 1 / kappa"
    )
    slope = Float(0.8, min=0, max=1).tag(label="slope", symbol="s", tip="Slope of eta")
    amplitude = Float(0.12, min=0, max=0.4).tag(label="amplitude", tip="How far the boundary swings")
    waves = Float(2.0, min=0, max=6, step=0.5, digits=1).tag(label="waves", tip="How often it does")
    high = Float(0.98, min=0.5, max=1).tag(label="eta above", tip="Probability of class 1 above the boundary")
    n = Int(1000, min=50, max=6000, step=10).tag(
        label="first round", symbol="n", tip="Labels of the first round, all of them plain"
    )
    m = Int(1000, min=0, max=6000, step=10).tag(label="second round", symbol="m", tip="Labels of the second round")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws everything anew")
    k_hard = Int(100, min=1, max=400).tag(
        label="k for H", symbol="k_hard", group="Scheme", tip="Neighbors whose vote says what is hard"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure", symbol="delta", tip="Failure probability of the statements about H"
    )
    c0 = Float(0.0, min=0, max=1).tag(
        label="band", symbol="c0", tip="Constant of Delta~, which the paper does not name: it widens the band"
    )
    c_plus = Float(0.25, min=0, max=4, step=0.05).tag(
        label="balls", symbol="c_plus", tip="Constant of k+, the neighbors in the balls that fatten H; theory has 4"
    )
    plain_share = Float(0.1, min=0, max=1).tag(
        label="plain share", symbol="pi", tip="Chance that the coin asks for a plain draw"
    )
    coin = Choice("per draw", COINS).tag(
        label="coin", tip="Flipped anew after a rejection, as printed, or once for each label"
    )
    k_vote = Int(100, min=1, max=400).tag(
        label="neighbors", symbol="k_vote", group="Vote", tip="Neighbors that vote, of both learners"
    )
    voters = Choice("strict", LEARNERS[1:]).tag(
        label="voters in H", tip="Targeted draws only, or every labeled point that lies in H+"
    )
    step = Int(BEFORE + 1000, min=0, max=BEFORE + 6000).tag(
        label="step",
        group="Play",
        tip="First round, votes, H, H+, then one label of the second round at each step",
        play="pace",
    )
    curve = Choice(CURVES[0], CURVES).tag(
        label="curve", group="Curve", tip="Over labels bought, of this sample or of fresh ones"
    )
    repeats = Int(20, min=2, max=100).tag(label="samples", tip="Fresh samples of the curve")
    x1 = Float(0.5, min=0, max=1, typed=True).tag(
        label="center", symbol="x1", group="Ball: click, or type", tip="Where the ball stands that is shown"
    )
    x2 = Float(0.5, min=0, max=1, typed=True).tag(label="center", symbol="x2", tip="Its second coordinate")

    #: Play comes first, beside the top of the picture.
    order = ("step",)

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The last step follows m, the center its box, and a pool cannot sell more than it has."""
        low, *_, high = ends = super().limits(name, values)
        source, size = self._source(values), self._pool(values)
        if name == "step":
            return low, BEFORE + values["m"]
        if name in ("x1", "x2"):
            return source.box[min(int(name[1]), source.dimension) - 1]
        if name == "n" and size:
            return low, size - 1
        return (low, min(high, size)) if name == "m" and size else ends

    def allowed(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``limits``, and within what the other values leave."""
        low, *_, high = ends = self.limits(name, values)
        size = self._pool(values)
        if name in ("n", "m") and size:
            high = min(high, size - values["m" if name == "n" else "n"])
        if name == "n":
            low = max(low, values["k_hard"], values["k_vote"] - values["m"])
        elif name == "m":
            low = max(low, values["k_vote"] - values["n"])
        elif name == "k_hard":
            high = min(high, values["n"])
        elif name == "k_vote":
            high = min(high, values["n"] + values["m"])
        else:
            return ends
        return low, high

    def ends(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``allowed``; n and m begin and end on their steps."""
        low, *_, high = ends = self.allowed(name, values)
        if name not in ("n", "m"):
            return ends
        step, least = self.parameters()[name].step, self.parameters()[name].min
        return min(least + step * -(-(low - least) // step), values[name]), high

    def _source(self, values: Mapping[str, Any]) -> Source:
        """The problem that values name, with parameters as the class has them: its box and size."""
        return known("breast cancer") if values["problem"] == "breast cancer" else BOXES[values["problem"]]

    def _pool(self, values: Mapping[str, Any]) -> int | None:
        """Points of the pool; None for a distribution."""
        return self._source(values).max_size

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters of other problems, a second coordinate on a line, samples of no curve."""
        hidden = {name for names in PROBLEMS.values() for name in names} - set(PROBLEMS[values["problem"]])
        hidden |= {"x2"} if self._source(values).dimension == 1 else set()
        return hidden | ({"repeats"} if values["curve"] == CURVES[0] else set())

    def adapt(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """A lab at its last step stays there; a pool moves n, m and k into what it has, and the center into its box."""
        notes = self._to_pool(values, given) if values["problem"] != self.values["problem"] else []
        if "step" not in given:
            last = self.values["step"] == BEFORE + self.values["m"]
            values["step"] = BEFORE + values["m"] if last else min(values["step"], BEFORE + values["m"])
        return notes

    def _to_pool(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """After a change of problem: the center in the middle, n, m and both k within a pool, and said so."""
        for name in {"x1", "x2"} - given.keys():
            values[name] = round(sum(self.limits(name, values)) / 2, 3)
        size, notes = self._pool(values), []
        if size is None:
            return notes
        most = int(POOL_SHARE * size)
        for name, best in (("n", most // 2), ("m", most // 2), ("k_hard", most // 4), ("k_vote", most // 8)):
            if name not in given and values[name] > best:
                notes.append(f"{self.parameters()[name].title} moved from {values[name]} to {best}.")
                values[name] = best
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """k_hard is at most n, k_vote at most n + m, and a pool has as many points as are bought."""
        super().validate(values)
        n, m, size = values["n"], values["m"], self._pool(values)
        if size and n + m > size:
            raise ValueError(f"a pool of {size} points cannot sell {n} + {m} labels")
        if values["k_hard"] > n:
            raise ValueError(f"k for H must not exceed the {n} labels of the first round, got {values['k_hard']}")
        if values["k_vote"] > n + m:
            raise ValueError(f"neighbors that vote must not exceed the {n + m} labels, got {values['k_vote']}")

    @stage
    def plane(self) -> Source:
        """The distribution, or the data split by the seed."""
        made = MADE[self.problem](*(getattr(self, name) for name in PROBLEMS[self.problem]))
        return made.with_seed(self.seed) if isinstance(made, Dataset) else made

    @stage(steady=True)
    def on_data(self) -> bool:
        """Whether labels are bought from a pool."""
        return isinstance(self.plane, Dataset)

    @stage
    def scheme(self) -> Scheme:
        """Where the second round buys."""
        return Scheme(self.k_hard, self.plain_share, self.delta, self.c0, self.c_plus, COINS[self.coin])

    @stage
    def bought(self) -> TwoStageSample:
        """All labels of both rounds."""
        return active_sample(self.plane, self.n, self.m, self.scheme, np.random.SeedSequence(self.seed))

    @stage
    def plainly(self) -> tuple[np.ndarray, np.ndarray]:
        """As many labels of the passive learner."""
        return passive_sample(self.plane, self.n + self.m, np.random.SeedSequence(self.seed))

    @stage(steady=True)
    def second(self) -> int:
        """Labels of the second round that have been bought so far."""
        return max(self.step - BEFORE, 0)

    @stage
    def part(self) -> TwoStageSample:
        """Labels that have been bought so far."""
        return self.bought.head(self.second)

    @stage
    def arena(self) -> Arena:
        """Where the learners are compared."""
        return Arena.of(self.plane, self.bought.first)

    @stage
    def shown(self) -> Arena:
        """The cells of the picture; of data nobody knows the right answers there."""
        if not self.on_data:
            return self.arena
        points = self.plane.grid(CELLS[2]).points
        size = len(points)
        return Arena(points, np.full(size, 1 / size), np.zeros(size, int), self.bought.first.hard_at(points))

    @stage
    def augmented(self) -> np.ndarray:
        """Which cells of the picture lie in H+."""
        return self.bought.first.region.contains(self.shown.points)

    @stage
    def first_shares(self) -> np.ndarray:
        """Votes of the first round at the cells, as shares (m, 2)."""
        return self.bought.first.votes.at(self.k_hard) / self.k_hard

    @stage
    def chosen(self) -> np.ndarray:
        """Which labeled points vote in H."""
        return region_voters(self.part.stage, self.part.within, self.voters)

    @stage
    def contest(self) -> Contest:
        """Both learners where they are compared."""
        return Contest(self.arena, self.bought, *self.plainly)

    @stage
    def drawn_contest(self) -> Contest:
        """Both learners at the cells of the picture."""
        return Contest(self.shown, self.bought, *self.plainly) if self.on_data else self.contest

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

    @stage(steady=True)
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
        # For a constant eta any L above 0 does.
        return (1.0, self.slope or 1e-9) if self.problem == "linear" else None

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
        errors = zip(("passive_disagreement", "active_disagreement"), self.disagreements, strict=True)
        numbers = dict(errors) if self.step else {}
        numbers |= {
            "labels": len(part) if self.step else 0,
            "draws": part.draws,
            "hard_mass": first.hard_mass,
            "augmented_mass": first.augmented_mass,
            "width": first.width,
            "k_plus": first.k_plus,
            "plain_share_expected": part.expected_plain_share,
            "fallback": first.fallback,
            "region_voters": int(self.chosen.sum()),
            "margin": Delta,
        }
        numbers |= {"plain_share_realised": part.plain_share} if part.m else {}
        if boundary is not None:
            numbers |= {"mass": p, "boundary_mass": float(self.shown.weights[boundary].sum())}
        flags = {name: {True: "holds", False: "fails", None: "open"}[value] for name, value in self.conditions.items()}
        kinds = {"plain": int((part.stage == FROM_P).sum()), "targeted": int((part.stage == FROM_R).sum())}
        return {**numbers, **kinds, "flags": flags}


#: The problems as they stand by default: their boxes do not move with their parameters.
BOXES = {name: made() for name, made in MADE.items() if name != "breast cancer"}
