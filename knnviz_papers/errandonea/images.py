"""The experiment on images of Errandonea et al., on a reader's own table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from knnviz.bag_comparison import Split
from knnviz.corruption.bag_process import Kind
from knnviz.problems.data import Table
from knnviz.problems.tables import read_table
from knnviz_papers.errandonea.comparison import PLAIN_K, ErrandoneaComparison, check_rows

#: Principal components that are kept, and neighbors that the preprocessing of images needs.
COMPONENTS, PIPELINE_NEIGHBORS = 50, 50


@dataclass(frozen=True)
class ErrandoneaImages(ErrandoneaComparison):
    """Figures 1 to 4 for any table: the same rules on bags that are drawn by cluster, as in ``bag_comparison.compare``.

    More than 50 columns become 50 principal components of all rows; each split has the paper's preprocessing of images.
    ``most`` is T, and the largest k of the plain vote, at least 10. A split of 10,000 rows takes a few seconds, and
    each rival one second more for each noise; time grows with the square of the rows.

    Source: Errandonea et al., section 4 and appendix D.2. It has components of features by GoogLeNet, does not say of
    which rows, and averages 100 runs.
    """

    kind: Kind = "confusion"
    most: int = 400

    open: ClassVar[Callable[..., Any]] = staticmethod(read_table)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.most < PLAIN_K:
            raise ValueError(f"most must be at least {PLAIN_K}, got {self.most}")

    @property
    def largest_k(self) -> int:
        """T, so that the best k is sought as far as balls grow."""
        return self.most

    def read(self, table: Table) -> Table:
        """The table with 50 columns at most; ValueError if it has too few rows to train on."""
        from sklearn.decomposition import PCA

        check_rows(table.name, len(table.y), max(self.most, PIPELINE_NEIGHBORS))
        d = table.X.shape[1]
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

    def split(self, data: Any, stream: np.random.SeedSequence) -> Split:
        """Four fifths of the rows to train on, with bags by cluster, and a fifth to test on."""
        return Split.of(data.X, data.y, stream, k_max=self.most, preparation="vision", kind=self.kind)
