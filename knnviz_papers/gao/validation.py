"""What validation on noisy labels prefers: the paper does not say on which labels it picks k and
k'.

Where labels flip asymmetrically, the rule that agrees best with noisy labels is not the Bayes rule:
it is the limit of plain kNN.
"""

from collections.abc import Sequence

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import GridSearchCV, KFold
from tqdm import tqdm

from knnviz import risk
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.noise import LabelNoise
from knnviz.problems import checkerboard
from knnviz_papers.simulate import Tables, means_and_errors

#: Ways to pick: their name, the labels that folds are scored on, and whether k' is k - 1.
WAYS = (
    ("noisy labels", "noisy", False),
    ("clean labels", "clean", False),
    ("noisy labels, k' = k - 1", "noisy", True),
)


def gao_validation(
    runs: int = 20,
    neighbors: Sequence[int] = (11, 25, 51, 101),
    noise_neighbors: Sequence[int] = (5, 20, 50, 100, 200),
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """k and k' picked by scikit-learn's grid search on noisy and on clean labels, as far as section
    6.2 is stated.

    Each run has 2000 points on the checkerboard with flip rates (0.1, 0.3), and four folds. A
    learner has no clean labels; but it may fix k' = k - 1, and pick k alone.

    Table: "picked": for each way to pick, means of k and k', the fraction of runs with the smallest
    k', and the risk of a new fit on all points.
    """
    grid = {"n_neighbors": list(neighbors), "noise_neighbors": [*noise_neighbors, None]}
    cells, eta = checkerboard().cells(100)
    found: dict[str, list[list[float]]] = {way: [] for way, _, _ in WAYS}
    for run in tqdm(range(runs), "gao_validation", disable=not progress):
        sample = checkerboard().sample(2000, np.random.default_rng([seed, run]))
        observed = LabelNoise(0.1, 0.3).flip(sample.y, sample.v)
        truth = dict(zip(map(bytes, sample.X), sample.y, strict=True))

        def clean(
            rule: ClassifierMixin, X: np.ndarray, y: np.ndarray, truth: dict = truth
        ) -> float:
            return float(np.mean(rule.predict(X) == [truth[bytes(x)] for x in X]))

        search = GridSearchCV(
            RobustKNeighborsClassifier(),
            grid,
            scoring={"noisy": "accuracy", "clean": clean},
            cv=KFold(4),
            refit=False,
        ).fit(sample.X, observed)
        settings = search.cv_results_["params"]
        fixed = np.array([each["noise_neighbors"] is None for each in settings])
        for way, labels, is_fixed in WAYS:
            errors = 1 - search.cv_results_[f"mean_test_{labels}"]
            best = settings[np.where(fixed == is_fixed, errors.round(9), np.inf).argmin()]
            rule = RobustKNeighborsClassifier(**best).fit(sample.X, observed)
            k = rule.n_neighbors
            k_noise = rule.noise_neighbors or rule.n_neighbors - 1
            new = risk.exact(rule.predict(cells.points), eta, cells.weights)
            found[way].append([k, k_noise, float(k_noise == min(noise_neighbors)), new])
    names = ("k", "k_noise", "smallest_k_noise", "risk")
    return {
        "picked": [
            {"picked by": way} | means_and_errors(np.array(rows), names)
            for way, rows in found.items()
        ]
    }
