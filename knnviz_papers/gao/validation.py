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
from knnviz.problems import Sample, checkerboard
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
    grid: dict[str, list] = {"n_neighbors": list(neighbors)}
    grid["noise_neighbors"] = [*noise_neighbors, None]
    problem = checkerboard()
    cells, eta = problem.cells(100)
    found: dict[str, list[list[float]]] = {way: [] for way, _, _ in WAYS}
    for run in tqdm(range(runs), "gao_validation", disable=not progress):
        rng = np.random.default_rng([seed, run])
        sample = problem.sample(2000, rng)
        observed = LabelNoise(0.1, 0.3).flip(sample.y, sample.v)
        settings, errors_on = _grid_errors(grid, sample, observed)
        fixed = np.array([each["noise_neighbors"] is None for each in settings])
        for way, labels, is_fixed in WAYS:
            errors = np.where(fixed == is_fixed, errors_on[labels], np.inf)
            best = settings[errors.argmin()]
            rule = RobustKNeighborsClassifier(**best).fit(sample.X, observed)
            k = rule.n_neighbors
            k_noise = rule.noise_neighbors or k - 1
            is_smallest = float(k_noise == min(noise_neighbors))
            predicted = rule.predict(cells.points)
            new = risk.exact(eta, predicted, weights=cells.weights)
            found[way].append([k, k_noise, is_smallest, new])

    names = ("k", "k_noise", "smallest_k_noise", "risk")
    picked = []
    for way, rows in found.items():
        means = means_and_errors(np.array(rows), names)
        picked.append({"picked by": way} | means)
    return {"picked": picked}


def _grid_errors(
    grid: dict[str, list], sample: Sample, observed: np.ndarray
) -> tuple[list[dict], dict[str, np.ndarray]]:
    """Settings of a grid, and their errors on the "noisy" and on the "clean" labels of folds."""
    true_label = dict(zip(map(bytes, sample.X), sample.y, strict=True))

    def clean(rule: ClassifierMixin, X: np.ndarray, y: np.ndarray) -> float:
        truth = [true_label[bytes(x)] for x in X]
        return float(np.mean(rule.predict(X) == truth))

    scoring = {"noisy": "accuracy", "clean": clean}
    search = GridSearchCV(
        RobustKNeighborsClassifier(), grid, scoring=scoring, cv=KFold(4), refit=False
    )
    found = search.fit(sample.X, observed).cv_results_
    errors = {}
    for labels in scoring:
        accuracy = found[f"mean_test_{labels}"]
        errors[labels] = (1 - accuracy).round(9)
    return found["params"], errors
