"""The experiment on images of Errandonea et al., on a reader's own table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from knnviz import checks
from knnviz.bag_comparison import Comparison, Rules, Split
from knnviz.linear import RIVALS
from knnviz.problems.data import Table
from knnviz.problems.tables import read_table
from knnviz.reproduce.errandonea.comparison import check_settings
from knnviz.reproduce.errandonea.digits import NOISES, across, measured, rules
from knnviz.reproduce.registry import Row
from knnviz.reproduce.simulate import estimate

#: Principal components that are kept.
COMPONENTS = 50

#: What of a comparison one split fills in.
ARRAYS = ("errors", "stops", "decided", "by_k", "apart")

#: The rule that others are compared with, and those that the paper compares it with beside the rivals.
FIRST = "PL A-kNN"
OTHERS = ("A-kNN", "10-NN", "best k of all splits")

#: What is measured besides errors.
STOPPING = ("mean k, PL A-kNN", "mean k, A-kNN", "undecided, PL A-kNN", "best k")


@dataclass(frozen=True)
class ErrandoneaImages:
    """Figures 1 to 4 for any table: adaptive rules, votes and linear rivals as bags of the same images grow noisier.

    Columns beyond 50 become 50 principal components of all rows; then, in each split, the pipeline for images and bags
    by cluster, as in ``bag_comparison.compare``. ``noises`` are values of nu in [0, 1], and ``most`` is T, the largest
    k of any rule. ``rivals`` are names of ``linear.RIVALS``, on columns of mean 0 and variance 1. A split of 10,000
    rows takes a few seconds, and each rival one more for each noise; time grows with the square of the rows. Raises
    ValueError for values out of range.

    Source: Errandonea et al., section 4 and appendix D.2. It has components of features by GoogLeNet, does not say of
    which rows, and averages 100 runs.
    """

    noises: Sequence[float] = NOISES
    seed: int = 0
    most: int = 400
    rivals: Sequence[str] = tuple(RIVALS)

    def __post_init__(self) -> None:
        checks.check_int("most", self.most, 10)
        check_settings(self.noises, self.seed, self.rivals)

    open = staticmethod(read_table)

    def read(self, table: Table) -> Table:
        """The table with 50 columns at most; ValueError if it has too few rows to learn from."""
        from sklearn.decomposition import PCA

        (n, d), needed = table.X.shape, max(self.most, 51)
        if n * 4 // 5 < needed:
            raise ValueError(f"{table.name}: four fifths of {n} rows are fewer than the {needed} to learn from")
        if d <= COMPONENTS:
            return table
        # The full decomposition is the same on every run.
        X = PCA(n_components=COMPONENTS, svd_solver="full").fit_transform(table.X)
        names = tuple(f"component {i} of {d} columns" for i in range(COMPONENTS))
        return replace(table, X=X, feature_names=names)

    def describe(self, data: Table) -> str:
        """How many rows, columns and classes there are; the first column shows whether it is a component."""
        n, d = data.X.shape
        return f"{n} rows, {d} columns from {data.feature_names[0]!r} on, {len(data.class_names)} classes"

    def prepare(self, data: Table, progress: bool) -> None:
        """Nothing: each split has neighbors of its own."""

    def trial(self, data: Table, prepared: None, number: int) -> Row:
        """One split, that of ``bag_comparison.compare`` with the same number and seed, as JSON holds it."""
        stream = np.random.SeedSequence(self.seed).spawn(number + 1)[number]
        split, named = Split.of(data.X, data.y, stream, k_max=self.most), self.named()
        found = Comparison.unknown(self.noises, named, 1, self.most)
        for place in range(len(self.noises)):
            found.measure(0, place, split, named)
        return {name: getattr(found, name)[0].tolist() for name in ARRAYS}

    def named(self) -> Rules:
        """All rules by name."""
        return rules(most=self.most) | {name: RIVALS[name] for name in self.rivals}

    def heading(self) -> str:
        """What the columns of the tables are."""
        return (
            "With probability nu a random label replaces the true one; others join by cluster. Errors are those on a\n"
            f"fifth of the rows, by true labels. T = {self.most}, c1 = 0.5, delta = 0.1; best k knows the answers.\n"
            "The paper prints no numbers and has features by GoogLeNet. It tunes its rivals; here they are not tuned."
        )

    def rows(self, data: Table, trials: Sequence[Row]) -> list[Row]:
        """A row for each noise and what is measured, from two trials or more.

        ``above`` is by how much it errs more than PL A-kNN, split by split; None for that one and for what is no error.
        """
        arrays = (np.array([each[name] for each in trials], float) for name in ARRAYS)
        found, rows = Comparison(np.array(self.noises), tuple(self.named()), *arrays), list[Row]()
        for place, noise in enumerate(self.noises):
            start = {"data": data.name, "seed": self.seed, "trials": len(trials), "nu": noise}
            values = measured(found, place, most=self.most)
            values |= {name: found.errors[:, place, found.names.index(name)] for name in self.rivals}
            values["best k"] = np.full(len(trials), float(found.best_k()[place]))
            for name in (FIRST, *OTHERS, *self.rivals, *STOPPING):
                above: Row = {"above": None, "above_se": None}
                if name not in (FIRST, *STOPPING):
                    above = estimate("above", values[name] - values[FIRST])
                rows.append(start | {"measured": name} | estimate("value", values[name]) | above)
        return rows

    def tables(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Errors of one data set, differences from PL A-kNN as text, and how far rules look."""
        apart = [
            row | {"value": f"{row['above']:+.4f} ± {row['above_se']:.4f}"} for row in rows if row["above"] is not None
        ]
        return {
            "Test errors": across([row for row in rows if row["measured"] not in STOPPING]),
            "By how much each errs more than PL A-kNN": across(apart),
            "Stopping k, and points undecided at T": across([row for row in rows if row["measured"] in STOPPING]),
        }

    def summary(self, rows: Sequence[Row]) -> str:
        """How often PL A-kNN errs less than each other, more, or within two standard errors, over sets and noises."""
        lines = ["PL A-kNN errs less / within two standard errors / more, over data sets and noises"]
        for name in dict.fromkeys(row["measured"] for row in rows if row["above"] is not None):
            apart = [(row["above"], 2 * row["above_se"]) for row in rows if row["measured"] == name]
            less, more = sum(gap > error for gap, error in apart), sum(gap < -error for gap, error in apart)
            lines.append(f"  {name:<22}{less}/{len(apart) - less - more}/{more}")
        return "\n".join(lines)
