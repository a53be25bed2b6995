"""PL A-kNN beside its rivals on a reader's own bags, by the protocol that Errandonea et al. have for real data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from knnviz import checks
from knnviz.bag_comparison import Comparison, Rules, Split, n_train
from knnviz.corruption.bag_process import Kind, check_kind
from knnviz.linear import RIVALS
from knnviz.problems.bags import BagTable, read_bag_table
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.errandonea.digits import MOST, NOISES, by_noise
from knnviz_papers.paired_tests import mark, wins_ties_losses
from knnviz_papers.simulate import Row, mean_and_error

#: Constants of the paper: c1 and delta of the band, and the k of the plain vote.
C1, DELTA, PLAIN_K = 0.5, 0.1, 10

#: The adaptive rules, the first of which all others are compared with; then votes at a fixed k and at the best k.
ADAPTIVE = PL_A_KNN, A_KNN = "PL A-kNN", "A-kNN"
PLAIN_VOTE, BEST_VOTE = f"{PLAIN_K}-NN", "best k"

#: What noise of each kind does with probability nu, in words.
NOISE_TEXT = {
    "removal": "takes the true label out of its bag",
    "confusion": "puts a label drawn from all in the place of the true one",
    "other": "puts another label in the place of the true one",
}


def check_rows(name: str, rows: int, neighbors: int) -> None:
    """ValueError if the rows to train on, four fifths, are too few for so many neighbors of each."""
    training = n_train(rows)
    if training <= neighbors:
        raise ValueError(f"{name} has too few rows: {training} to train on cannot have {neighbors} others")


@dataclass(frozen=True)
class ErrandoneaComparison:
    """Errors of PL A-kNN, A-kNN, votes and linear rivals on given bags, as noise takes true labels from more of them.

    ``noises`` are values of nu in [0, 1]. Noise of the ``kind`` "removal" is that of the paper; "confusion" and "other"
    put another label in the place of the true one. ``most`` is T, the largest k of a ball, from 1 to 100; c1 is 0.5 and
    delta 0.1. ``rivals`` are names of ``knnviz.linear.RIVALS``. Neighbors are found after the paper's preprocessing of
    tables; linear rivals see columns with mean 0 and variance 1. Raises ValueError for other values.

    Source: Errandonea et al., section 4 and appendix D.2. It tunes the rivals as their own papers do; here nothing is
    tuned. The noises, and the largest k among which the best is chosen, here 100, are not stated there.
    """

    noises: Sequence[float] = NOISES
    kind: Kind = "removal"
    most: int = 50
    rivals: Sequence[str] = tuple(RIVALS)
    seed: int = 0

    open: ClassVar[Callable[..., Any]] = staticmethod(read_bag_table)

    def __post_init__(self) -> None:
        check_kind(self.kind)
        checks.check_int("seed", self.seed, 0)
        checks.check_int("most", self.most, 1, self.largest_k)
        # As JSON can hold them.
        for name in ("noises", "rivals"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if not self.noises or len(set(self.noises)) < len(self.noises):
            raise ValueError(f"noises must be one or more different numbers, got {self.noises!r}")
        for noise in self.noises:
            checks.check_real("each of noises", noise, 0, 1)
        if unknown := [name for name in self.rivals if name not in RIVALS]:
            raise ValueError(f"rivals are {', '.join(RIVALS)}, got {unknown[0]!r}")

    @property
    def largest_k(self) -> int:
        """The largest k of the plain vote."""
        return MOST

    @property
    def rules(self) -> Rules:
        """Rules by name: the adaptive ones, then the rivals."""
        band = C1, DELTA, self.most
        adaptive: Rules = {PL_A_KNN: PartialAdaptive(*band), A_KNN: Adaptive(*band)}
        return {**adaptive, **{name: RIVALS[name] for name in self.rivals}}

    def read(self, table: Any) -> Any:
        """The same bags; ValueError for a table without bags, and for too few rows to train on."""
        if not isinstance(table, BagTable):
            raise ValueError(f"{table.name} holds no bags")
        check_rows(table.name, len(table.y), self.largest_k)
        return table

    def describe(self, data: Any) -> str:
        return f"{len(data.y)} rows, {data.X.shape[1]} features, {data.n_classes} classes"

    def prepare(self, data: Any, progress: bool) -> None:
        """Nothing: the preprocessing is fitted on the training points of each split."""

    def split(self, data: Any, stream: np.random.SeedSequence) -> Split:
        """Four fifths of the points to train on and a fifth to test on."""
        return Split.of(data.X, data.y, stream, bags=data.S, k_max=MOST, preparation="tabular", kind=self.kind)

    def trial(self, data: Any, prepared: None, number: int) -> Row:
        """One split at every noise, as JSON holds it."""
        split = self.split(data, np.random.SeedSequence(self.seed, spawn_key=(number,)))
        found, adaptive = Comparison.empty(self.noises, self.rules, 1, self.largest_k), len(ADAPTIVE)
        for index in range(len(self.noises)):
            found.measure(0, index, split, self.rules)
        measured = {"stops": found.stop_k[0, :, :adaptive], "decided": found.decided[0, :, :adaptive]}
        measured |= {"errors": found.errors[0], "by_k": found.vote_errors[0]}
        return {name: each.tolist() for name, each in measured.items()}

    def heading(self) -> str:
        """What the columns of the tables are."""
        return (
            f"With probability nu noise {NOISE_TEXT[self.kind]}. Errors are means over trials, on the true labels of\n"
            "points held out. Mark w: PL A-kNN errs less than the rule by a paired t-test at 95 %, l: it errs more.\n"
            f"The best of k = 1 to {self.largest_k} at each nu is chosen with the answers: a reference, not a method."
        )

    def found(self, trials: Sequence[Row]) -> Comparison:
        """The results of the trials, as ``bag_comparison.compare`` gives them."""
        found, adaptive = Comparison.empty(self.noises, self.rules, len(trials), self.largest_k), len(ADAPTIVE)
        for i, each in enumerate(trials):
            found.errors[i], found.vote_errors[i] = each["errors"], each["by_k"]
            found.stop_k[i, :, :adaptive], found.decided[i, :, :adaptive] = each["stops"], each["decided"]
        return found

    def rows(self, data: Any, trials: Sequence[Row]) -> list[Row]:
        """A row for each noise and rule, of numbers, from two trials or more."""
        found = self.found(trials)
        settings = {"data": data.name, "kind": self.kind, "most": self.most, "seed": self.seed, "trials": len(trials)}
        errors = dict(zip(found.names, np.moveaxis(found.errors, 2, 0), strict=True))
        errors |= {PLAIN_VOTE: found.vote(PLAIN_K), BEST_VOTE: found.best_vote()}
        order, tested = [*ADAPTIVE, PLAIN_VOTE, BEST_VOTE, *self.rivals], len(data.y) - n_train(len(data.y))
        return [
            settings | {"nu": nu, "rule": rule} | _measured(found, errors, rule, index, tested)
            for index, nu in enumerate(self.noises)
            for rule in order
        ]

    def tables(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Errors of one data set with their marks, and how far balls grow, as text: a column for each nu."""
        with_k = [row for row in rows if row["k"] is not None and row["rule"] != PLAIN_VOTE]
        stops = "Mean k at which the ball stops, fraction of points where it does by itself"
        return {
            "Error on points held out, mark": by_noise(rows, "rule", _error_cell),
            stops: by_noise(with_k, "rule", _stops_cell),
        }

    def summary(self, rows: Sequence[Row]) -> str:
        """How often PL A-kNN errs less, as much and more than each rule, over all data sets and noises."""
        lines = [f"{PL_A_KNN} against each rule, wins/ties/losses by the t-test, over all data sets and noises"]
        for rule in dict.fromkeys(row["rule"] for row in rows if row["rule"] != PL_A_KNN):
            found = wins_ties_losses([row["mark"] for row in rows if row["rule"] == rule])
            lines.append(f"  {rule:<14}" + "{wins}/{ties}/{losses}".format(**found).rjust(9))
        return "\n".join(lines)


def _measured(found: Comparison, errors: dict[str, np.ndarray], rule: str, index: int, tested: int) -> Row:
    """What one rule did at the noise of this ``index``; ``errors`` (trials, J) by rule, on ``tested`` points each."""
    own, first = errors[rule][:, index], errors[PL_A_KNN][:, index]
    row: Row = mean_and_error("error", own) | {"k": None, "decided": None}
    if rule in ADAPTIVE:
        row |= {"k": float(found.mean("stop_k", rule)[index]), "decided": float(found.mean("decided", rule)[index])}
    if rule in (PLAIN_VOTE, BEST_VOTE):
        row["k"] = PLAIN_K if rule == PLAIN_VOTE else int(found.best_k()[index])
    # In whole numbers of points, whose differences are exact.
    right = (-np.rint(tested * each) for each in (own, first))
    return row | mean_and_error("above", own - first) | {"mark": "" if rule == PL_A_KNN else mark(*right)}


def _error_cell(row: Row) -> str:
    return f"{row['error']:.3f} {row['mark'] or ' '}"


def _stops_cell(row: Row) -> str:
    return f"{row['k']:.1f}" if row["decided"] is None else f"{row['k']:.1f} {row['decided']:.2f}"
