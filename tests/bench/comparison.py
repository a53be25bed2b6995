"""Table 2 of Gao et al. on 1000 rows of 24 columns, beside scikit-learn's search for k of kNN."""

import warnings

import numpy as np
from rows import Row, must_agree, timed
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier

from knnviz import LabelNoise
from knnviz.problems.data import LabeledTable
from knnviz_papers.gao import protocol
from knnviz_papers.gao.rivals import RIVALS

#: Most seconds of ten trials: of kNN and RkNN alone, and of all rules.
ALONE = 1
ALL = 60


def rows(quick: bool) -> list[Row]:
    """Both, with the search for the neighbors; one trial if quick."""
    X, y = make_classification(1000, 24, random_state=0)
    names = tuple(f"x{i}" for i in range(24))
    data = protocol.binary(LabeledTable("made", X, y, names, ("0", "1")))
    trials = 1 if quick else 10
    protocol.run_trial(data, protocol.neighbor_table(data), 0)

    alone, accuracy = timed(lambda: compared(data, trials, ()))
    theirs, searched = timed(lambda: [searches(data, trial) for trial in range(trials)])
    must_agree(np.allclose(accuracy[:, :, 1], searched), "accuracies of kNN")
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        everything, _ = timed(lambda: compared(data, trials, tuple(RIVALS)))

    what = f"Table 2 of Gao et al., 1000 x 24, {trials} trials"
    of_two, of_all = (None, None) if quick else (ALONE, ALL)
    return [
        Row(f"{what}: RkNN and kNN", alone, "s", of_two, theirs, "scikit-learn, kNN only"),
        Row(f"{what}: and six rivals, four of them twice", everything, "s", of_all),
    ]


def compared(data: protocol.Binary, trials: int, rivals: tuple[str, ...]) -> np.ndarray:
    """Accuracies (trials, settings, rules)."""
    table = protocol.neighbor_table(data)
    runs = [protocol.run_trial(data, table, trial, rivals=rivals) for trial in range(trials)]
    return np.array([run.accuracy[:, 0] for run in runs])


def searches(data: protocol.Binary, trial: int) -> list[float]:
    """Accuracies of kNN for each setting, with the k that a cross-validated search of scikit-learn
    picks.
    """
    rng = np.random.default_rng([0, trial])
    n = len(data.y)
    test, *others = np.array_split(rng.permutation(n), protocol.FOLDS)
    v = rng.random(n)
    train = np.concatenate(others)
    sizes = [len(part) for part in np.array_split(train, protocol.FOLDS)]
    folds = PredefinedSplit(np.repeat(range(protocol.FOLDS), sizes))

    # An even k of scikit-learn's gives ties to class 0, ours to class 1: so classes are exchanged.
    exchanged = 1 - data.y[test]
    found = []
    for rates in protocol.FLIP_RATES:
        labels = LabelNoise(*rates).flip(data.y, v)[train]
        ks = {"n_neighbors": protocol.NEIGHBORS}
        search = GridSearchCV(KNeighborsClassifier(), ks, cv=folds)
        search.fit(data.X[train], 1 - labels)
        found.append(np.mean(search.predict(data.X[test]) == exchanged))
    return found
