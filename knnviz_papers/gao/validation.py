"""What validation on noisy labels prefers: the paper does not say on which labels it picks k and k'.

Where labels flip asymmetrically, the rule that agrees best with noisy labels is not the Bayes rule: it is the limit of
plain kNN.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import GridSearchCV, KFold
from tqdm import tqdm

from knnviz import risk
from knnviz.corruption import LabelNoise
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.lessons.stored import published
from knnviz.problems import Problem, Sample, checkerboard, plateau
from knnviz.problems.base import FINE_GRID
from knnviz_papers.gao.draws import P0, P1, Variant
from knnviz_papers.simulate import Row, Tables, limit_risks, mean_and_error

#: Flip rates on the checkerboard at which exact risks are measured.
EXACT_RATES = ((0.2, 0.1), (0.1, 0.3), (0.1, 0.4), (0.0, 0.3), (0.0, 0.4), (0.4, 0.4))


def gao_validation(
    n: int = 2000,
    runs: int = 20,
    neighbors: Sequence[int] = (11, 25, 51, 101),
    noise_neighbors: Sequence[int] = (5, 20, 50, 100, 200),
    folds: int = 4,
    variant: Variant = "threshold",
    resolution: int = 1000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Risks on noisy labels, exactly; and k and k' picked by scikit-learn's grid search on noisy and on clean labels.

    The search is on the checkerboard at flip rates (0.1, 0.3), with ``folds`` folds over k of ``neighbors`` and k' of
    ``noise_neighbors``. A learner has no clean labels; but it may fix k' = k - 1, and pick k alone. Exact risks are
    measured on ``resolution`` cells along a coordinate.

    Tables: "exact": risks on true and on noisy labels of the limit of kNN and of the Bayes rule; "scores": mean errors
    in cross-validation on both labels, for each k and k'; "picked": for each way to pick, means of k and k', the
    fraction of runs with the smallest k', and the risk of a new fit on all points.

    Source: Gao et al., section 6.2, and the limits of section 2.
    """
    grid = {"n_neighbors": list(neighbors), "noise_neighbors": [*noise_neighbors, None]}
    scores = []
    picked: dict[str, list[Any]] = {"noisy labels": [], "clean labels": [], "noisy labels, k' = k - 1": []}
    for run in tqdm(range(runs), "gao_validation", disable=not progress):
        sample = checkerboard().sample(n, np.random.default_rng([seed, run]))
        observed = LabelNoise(P0, P1).flip(sample.y, sample.v)
        search = GridSearchCV(
            RobustKNeighborsClassifier(variant=variant),
            grid,
            scoring={"noisy": "accuracy", "clean": _clean_scorer(sample)},
            cv=KFold(folds),
            refit=False,
        ).fit(sample.X, observed)
        found = search.cv_results_
        errors = {labels: 1 - found[f"mean_test_{labels}"] for labels in ("noisy", "clean")}
        scores.append(list(errors.values()))
        fixed = np.array([each["noise_neighbors"] is None for each in found["params"]])
        ways = [(errors["noisy"], ~fixed), (errors["clean"], ~fixed), (errors["noisy"], fixed)]
        for rows, (error, allowed) in zip(picked.values(), ways, strict=True):
            best = found["params"][np.where(allowed, error.round(9), np.inf).argmin()]
            rows.append(_refitted(search.estimator, best, sample.X, observed))
    return {
        "exact": _exact(resolution),
        "scores": _scores(found["params"], np.array(scores)),
        "picked": [_picked(way, np.array(rows), min(noise_neighbors)) for way, rows in picked.items()],
    }


def _clean_scorer(sample: Sample) -> Callable[[ClassifierMixin, np.ndarray, np.ndarray], float]:
    """A scorer that compares predictions with the true classes of the rows and ignores the labels it is given."""
    order = np.argsort(sample.X[:, 0])
    sorted_by_first = sample.X[order, 0]

    def accuracy(classifier: ClassifierMixin, X: np.ndarray, y: np.ndarray) -> float:
        rows = order[np.searchsorted(sorted_by_first, X[:, 0])]
        return float(np.mean(classifier.predict(X) == sample.y[rows]))

    return accuracy


def _refitted(
    classifier: RobustKNeighborsClassifier, best: dict[str, Any], X: np.ndarray, observed: np.ndarray
) -> tuple[int, int, float]:
    """k, k', and the risk with them of a fit on all points."""
    cells, eta = checkerboard().cells(100)
    labels = classifier.set_params(**best).fit(X, observed).predict(cells.points)
    k, k_noise = best["n_neighbors"], best["noise_neighbors"]
    return k, k - 1 if k_noise is None else k_noise, risk.exact(labels, eta, cells.weights)


def _picked(way: str, found: np.ndarray, smallest: int) -> Row:
    """What one way to pick gave: k, k' and the risk (runs, 3)."""
    k, k_noise, risks = found.T
    row = {"picked by": way} | mean_and_error("k", k) | mean_and_error("k_noise", k_noise)
    return row | mean_and_error("smallest_k_noise", (k_noise == smallest).astype(float)) | mean_and_error("risk", risks)


def _scores(grid: list[dict[str, Any]], errors: np.ndarray) -> list[Row]:
    """Errors (runs, 2, grid) in cross-validation, without the rows of k' = k - 1."""
    return [
        {"k": setting["n_neighbors"], "k_noise": setting["noise_neighbors"]}
        | mean_and_error("noisy_error", noisy)
        | mean_and_error("clean_error", clean)
        for setting, (noisy, clean) in zip(grid, errors.transpose(2, 1, 0), strict=True)
        if setting["noise_neighbors"] is not None
    ]


def _exact(resolution: int) -> list[Row]:
    on_checkerboard = [(checkerboard(), rates, resolution) for rates in EXACT_RATES]
    settings = [(plateau(P0, P1), (P0, P1), FINE_GRID[1]), *on_checkerboard]
    return [row for setting in settings for row in _limit_rows(*setting)]


def _limit_rows(problem: Problem, rates: tuple[float, float], resolution: int) -> list[Row]:
    p0, p1 = rates
    references = published("gao_figures")["noisy_labels"][f"{problem.name},{p0},{p1}"]
    found = limit_risks(problem, LabelNoise(p0, p1), resolution)
    return [
        {"problem": problem.name, "p0": p0, "p1": p1, "rule": rule}
        | row
        | {"reference": true, "reference_noisy": noisy}
        for rule, row, (true, noisy) in zip(("kNN", "Bayes"), found, references, strict=True)
    ]
