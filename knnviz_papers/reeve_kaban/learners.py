"""Theorem 5.1 on other learners: consistent on noisy labels is not consistent on true ones."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, SplineTransformer
from sklearn.tree import DecisionTreeClassifier
from tqdm import tqdm

from knnviz import risk
from knnviz.estimators import NoiseRobustPlugIn
from knnviz.problems import Sample
from knnviz.problems.base import FINE_GRID
from knnviz.risk import Antiderivative
from knnviz.rules import Vote
from knnviz_papers.reeve_kaban.comparison import KNOWN, NOISE, PLATEAU, NoisySample, theorem_k
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples

#: What is measured: risk on true and on noisy labels, and on true ones inside
#: ``NoiseRobustPlugIn``.
RISKS = ("risk", "noisy_risk", "robust_risk")


def _histogram(n: int) -> ClassifierMixin:
    """The histogram rule: fractions of labels in equal bins, about k_n points in each."""
    bins = n // theorem_k(n)
    # Naive Bayes on one feature that counts, all but unsmoothed, gives the fractions of the classes
    # in each bin.
    counting = CategoricalNB(alpha=1e-9, min_categories=bins)
    binning = KBinsDiscretizer(bins, encode="ordinal", strategy="uniform", subsample=None)
    return make_pipeline(binning, counting)


#: Learners by name, each made for a number of points to learn from; kNN comes beside them from
#: windows. The spline is logistic regression on a broken line with n^(1/5) knots, nearly without
#: penalty.
LEARNERS: dict[str, Callable[[int], ClassifierMixin]] = {
    "histogram": _histogram,
    "tree": lambda n: DecisionTreeClassifier(min_samples_leaf=theorem_k(n), random_state=0),
    "forest": lambda n: RandomForestClassifier(10, min_samples_leaf=theorem_k(n), random_state=0),
    "spline": lambda n: make_pipeline(
        SplineTransformer(round(n**0.2), degree=1), LogisticRegression(C=1e4, max_iter=1000)
    ),
}


def reeve_inconsistency(
    sizes: Sequence[int] = (1000, 8000, 64_000, 256_000),
    repeats: int = 20,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Consistent learners trained on noisy labels of the plateau: as n grows their risks have the
    limits of kNN.

    Their risk on noisy labels comes down to the best there is, and for this very reason that on
    true labels to the limit of kNN. Inside ``NoiseRobustPlugIn``, which is Algorithm 1, it comes
    down to the Bayes risk.

    Tables: "limits" of the three risks; "risks", a row for each learner and n.
    """
    cells, eta = PLATEAU.cells(FINE_GRID[1])
    noisy_errors = NOISE.corrupt(eta).min(axis=1)
    limits: Row = {"risk": KNOWN.vote_limit}
    limits["noisy_risk"] = float(cells.weights @ noisy_errors)
    limits["robust_risk"] = KNOWN.bayes_risk

    noisy = replace(PLATEAU, eta=_noisy_eta, log_joint=None)
    etas = Antiderivative.build(PLATEAU), Antiderivative.build(noisy)
    measured = {"kNN": partial(_knn_risks, etas=etas)}
    measured |= {name: partial(_learner_risks, learner) for name, learner in LEARNERS.items()}
    cases = list(product(measured, sizes))
    rows = []
    for name, n in tqdm(cases, "reeve_inconsistency", disable=not progress):
        found = over_samples(measured[name], PLATEAU, n, repeats, seed)
        rows.append({"learner": name, "n": n} | means_and_errors(found, RISKS))
    return {"limits": [limits], "risks": rows}


def _noisy_eta(X: np.ndarray) -> np.ndarray:
    return NOISE.corrupt(PLATEAU.eta(X))


def _knn_risks(sample: Sample, etas: tuple[Antiderivative, Antiderivative]) -> list[float]:
    """The three risks of kNN on one sample; there Algorithm 1 is Algorithm 2."""
    seen = NoisySample.from_sample(sample)
    k = theorem_k(len(sample))
    of_vote = [seen.risk(Vote(), k, eta) for eta in etas]
    of_robust = seen.risk(seen.robust(k), k, etas[0])
    return [*of_vote, of_robust]


def _learner_risks(learner: Callable[[int], ClassifierMixin], sample: Sample) -> list[float]:
    cells, eta = PLATEAU.cells(FINE_GRID[1])
    observed = NOISE.flip(sample.y, sample.v)
    robust = NoiseRobustPlugIn(learner(len(sample)))
    robust.fit(sample.X, observed)
    probabilities = robust.estimator_.predict_proba(cells.points)
    # Class 1 on a tie, as everywhere; scikit-learn's own predict would give class 0.
    plain = (probabilities[:, 1] >= 0.5).astype(int)
    corrected = robust.predict(cells.points)

    plain_risk = risk.exact(eta, plain, weights=cells.weights)
    noisy_risk = risk.exact(NOISE.corrupt(eta), plain, weights=cells.weights)
    robust_risk = risk.exact(eta, corrected, weights=cells.weights)
    return [plain_risk, noisy_risk, robust_risk]
