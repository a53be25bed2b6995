"""Good calls of names that make problems, draw labels and bags, buy labels, and fit estimators."""

from functools import partial

import numpy as np
from good import calls, functions, then
from sklearn.linear_model import LogisticRegression

from knnviz import active, bags, estimators, learnability, problems
from knnviz.learnability import comparison, models
from knnviz.problems import named
from knnviz.rules import PartialAdaptive

# Bags and processes.
PROCESS = learnability.process_matrix(
    [{(0,): 0.75, (1, 2): 0.25}, {(1,): 0.5, (0, 1): 0.5}, {(1,): 0.25, (2,): 0.75}]
)
ALIKE = learnability.process_matrix(
    [{(0,): 0.5, (0, 1): 0.5}, {(1,): 0.5, (0, 1): 0.5}, {(0,): 0.25, (1,): 0.25, (0, 1): 0.5}]
)
ETA = np.array([0.5, 0.375, 0.125])
ETAS = np.array([ETA, [0.125, 0.25, 0.625]])
X = np.array([[0.0], [1.0], [3.0], [4.5], [5.0], [6.0], [8.0], [8.5]])
PLANE = np.column_stack([X[:, 0], X[::-1, 0] ** 2])
Y = np.array([0, 1, 0, 1, 1, 0, 2, 2])
TWO = np.array([0, 1, 0, 1, 1, 0, 1, 1])
BAGS = np.array(
    [[1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]
)
SCORES = np.array([0.5, -0.25, 1.0])
SIX = np.tile(X, (3, 1)) + np.repeat([[0.0], [20.0], [40.0]], len(X), axis=0)
INCLUSION = np.array([[1.0, 0.25, 0.5], [0.0, 1.0, 0.75], [0.125, 0.5, 1.0]])
DRAWS = bags.BagDraws.draw(len(X), 3, 0)
CENTERS = np.array([[0.0], [4.0]])
BY_PART = np.stack([INCLUSION, INCLUSION.T])
CLUSTERED = bags.BagProcess(BY_PART, 0.25, "removal", CENTERS)

# Labels that are bought.
SCHEME = active.Scheme(k_hard=4, passive_fraction=0.5)
LINE = problems.linear()
SAMPLE = active.two_stage_sample(LINE, 8, 4, SCHEME, 0, n_cells=16)
CELLS = LINE.measure(8)

# Tables.
DATA = problems.from_data(PLANE, TWO, test_size=0.5)
ATOMS = np.array([[0.25], [0.5], [2.0]])


#: A good value of each parameter of learnability and of bags.
OF_BAGS = {
    "process": PROCESS,
    "eta": ETA,
    "distribution": PROCESS @ ETA,
    "scores": SCORES,
    "X": X,
    **dict.fromkeys(("y", "observed"), Y),
    "seed": 3,
    "n": 8,
    "n_classes": 3,
    "k_max": 4,
    "n_draws": 1,
    "frequencies": ETAS[::-1],
    **dict.fromkeys(("p", "bag_noise"), 0.5),
    "label": 1,
    "bag_process": CLUSTERED,
    "noise": 0.25,
    "preparation": "raw",
    "splits": 2,
    "inclusion": BY_PART,
    "centers": CENTERS,
}


def compared(noise, splits, seed, k_max):
    rules = {"PL": PartialAdaptive(max_neighbors=4)}
    setting = {"splits": splits, "seed": seed, "k_max": k_max, "preparation": "raw"}
    return list(comparison.compare_rules(SIX, np.tile(Y, 3), rules, [noise], **setting))


SPLIT = then(comparison.BagSplit.draw, lambda split: split.bags(0.5))
NAMED_BAGS = {
    **functions(learnability),
    **functions(bags),
    "learnability.is_label_aligned at all": learnability.is_label_aligned,
    "learnability.models.dominates": models.dominates,
    "learnability.process_matrix": lambda p: learnability.process_matrix(
        [{(0,): p, (0, 1): 0.5}, {(1,): 1}]
    ),
    "learnability.same_bags": lambda process, eta: learnability.same_bags(
        process, eta, learnability.swap(PROCESS, ETA)
    ),
    "learnability.comparison.BagSplit.draw": SPLIT,
    "learnability.comparison.BagSplit.draw of bags": lambda X, y, bags: SPLIT(
        X, y, 0, bags=bags, k_max=4, preparation="raw"
    ),
    "learnability.comparison.BagSplit.bags": comparison.BagSplit.draw(
        X, Y, k_max=3, preparation="raw"
    ).bags,
    "learnability.comparison.compare_rules": compared,
    "bags.as_bags of a table": bags.as_bags,
    "bags.read_bags of classes": bags.read_bags,
    "bags.BagDraws.draw": bags.BagDraws.draw,
    "bags.BagProcess": then(
        bags.BagProcess, lambda process: process.frequency(X, np.tile(ETA, (8, 1)))
    ),
    "bags.BagProcess.from_inclusion": bags.BagProcess.from_inclusion,
    "bags.BagProcess.from_clusters": bags.BagProcess.from_clusters,
    "bags.BagProcess.parts": CLUSTERED.parts,
    "bags.BagProcess.draw": lambda X, y: CLUSTERED.draw(X, y, DRAWS),
    "bags.BagProcess.frequency": CLUSTERED.frequency,
}

MANY = {"eta": ETAS}
SHORT = {"process": ALIKE}
CLASSES = {"classes": np.array([4, 7, 5])}
OWN_BAGS = {
    "learnability.bag_distribution": MANY,
    "learnability.draw_bags": {"y": Y[:5]},
    "learnability.frequency": MANY,
    "learnability.is_label_aligned": MANY,
    "learnability.is_label_aligned at all": {"eta": None},
    "learnability.least_theta": MANY,
    "learnability.same_best_labels": MANY,
    "learnability.indistinguishable_etas": SHORT,
    "learnability.other_etas": SHORT,
    "learnability.largest_score_polygon": {
        "scores": PROCESS[[1, 2, 4]],
        "part": np.array([*ETAS, [0.25, 0.5, 0.25], [0.0, 0.5, 0.5]]),
    },
    "learnability.comparison.BagSplit.draw of bags": {"bags": BAGS},
    "bags.as_bags of a table": {"observed": BAGS},
    "bags.read_bags": {"bags": BAGS},
    "bags.read_bags of classes": {"bags": BAGS} | CLASSES,
    "bags.check_classes": CLASSES,
    "bags.BagProcess.from_inclusion": {"inclusion": 0.25},
    "bags.BagProcess.frequency": {"X": X[:2]} | MANY,
}

#: A good value of each parameter of labels that are bought.
OF_ACTIVE = {
    "source": LINE,
    "scheme": SCHEME,
    "X": X,
    "y": TWO,
    **dict.fromkeys(("points", "X_pool"), X),
    "queries": X[:3] + 0.25,
    "ask": TWO.__getitem__,
    "n": 8,
    **dict.fromkeys(("m", "k"), 4),
    "ks": (3, 1),
    "budgets": (2, 4),
    "n_cells": 8,
    "k_hard": 20,
    "passive_fraction": 0.5,
    "dimension": 1,
}
NAMED_ACTIVE = {
    **functions(active),
    "active.passive_sample of data": active.passive_sample,
    "active.trial": then(active.trial, lambda found: found.disagreement),
    "active.FirstRound.build": lambda X, y: active.FirstRound.build(SCHEME, X, y, CELLS),
    "active.FirstRound.hard_at": SAMPLE.first.hard_at,
    "active.Scheme": then(
        active.Scheme, lambda scheme: (scheme.width(100, 1), scheme.k_plus(100, 1))
    ),
    "active.Scheme.width": SCHEME.width,
    "active.Scheme.k_plus": SCHEME.k_plus,
    "active.TwoStageSample.head": SAMPLE.head,
}
OWN_ACTIVE = {
    "active.passive_sample of data": {"source": DATA, "n": 2},
    "active.pool_sample": {"n": 4},
    "active.TwoStageSample.head": {"m": 2},
}


def seen(problem):
    """A problem, and what it says of points."""
    coordinates = np.linspace(0.125, 0.875, 4 * problem.dimension)
    points = coordinates.reshape(4, problem.dimension)
    return problem, problem.eta(points), problem.bayes(points)


#: A good value of each parameter of problems and estimators, where they have it.
VALUES = {
    "X": PLANE,
    "y": TWO,
    "S": BAGS,
    "points": ATOMS,
    "weights": np.array([0.5, 0.25, 0.25]),
    "eta": np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]),
    "box": np.array([[0.0, 3.0]]),
    "problem": problems.waves(),
    "features": (0, 1),
    "test_size": 0.25,
    "n": 4,
    "n_cells": 3,
    "seed": 3,
    "queries": PLANE[:5] + 0.25,
    "stage": np.array([0, 0, 0, 1, 1, 2, 2, 0]),
    "n_classes": 3,
    "p0": 0.125,
    "p1": 0.25,
    "s": 0.75,
    "prior": (0.5, 0.25, 0.25),
    "n_neighbors": 3,
    **dict.fromkeys(("noise_neighbors", "cv"), 2),
    **dict.fromkeys(("max_neighbors", "hard_neighbors"), 4),
    "algorithm": "brute",
    "class_weight": (1.0, 2.0),
    "start": (0.5, 0.5),
}


def fitted(make, at=X):
    """An estimator by its parameters, fitted to points of two classes."""
    return then(make, lambda model: model.fit(at, TWO).predict(at + 0.25))


def predicted(model):
    """An estimator by the points that it gets."""
    return lambda X, y, queries: model.fit(X, y).predict(queries)


NAMED = {
    **functions(problems),
    **{f"problems.{name}": then(getattr(problems, name), seen) for name in named.RANGES},
    "problems.Problem": lambda n_classes, box: problems.Problem(
        "even", lambda X: np.full((len(X), 3), 1 / 3), box, n_classes
    ).sample(3, 0),
    "problems.Problem.from_atoms": then(problems.Problem.from_atoms, seen),
    "problems.Problem.from_atoms of two classes": then(problems.Problem.from_atoms, seen),
    "problems.Problem.sample": problems.checkerboard().sample,
    "problems.Problem.points": problems.rare().points,
    "problems.Problem.bayes": problems.waves().bayes,
    "problems.Problem.bayes_risk": problems.checkerboard().bayes_risk,
    "problems.Problem.grid": problems.checkerboard().grid,
    "problems.Problem.measure": problems.gaussians(2).measure,
    "problems.Problem.cells": problems.gaussians(2, dimension=2).cells,
    "problems.Grid.from_box": problems.Grid.from_box,
    "problems.Resolution": problems.Resolution,
    "problems.from_spec": lambda s: problems.from_spec(
        {"name": "linear", "parameters": {"s": s}}
    ).spec(),
    "problems.bundled": then(partial(problems.bundled, "iris"), lambda data: data.sample(5)),
    "problems.breast_cancer": lambda features: problems.breast_cancer(features).sample(5),
    "problems.Dataset.sample": DATA.sample,
    "problems.Dataset.with_seed": DATA.with_seed,
    "problems.Dataset.grid": DATA.grid,
    "estimators.RobustKNeighborsClassifier of rates": fitted(estimators.RobustKNeighborsClassifier),
    "estimators.RobustKNeighborsClassifier of points": predicted(
        estimators.RobustKNeighborsClassifier(3)
    ),
    "estimators.RobustKNeighborsClassifier.kneighbors": (
        estimators.RobustKNeighborsClassifier(2).fit(PLANE, TWO).kneighbors
    ),
    "estimators.NoiseRobustPlugIn of labels": lambda y: (
        estimators.NoiseRobustPlugIn(LogisticRegression()).fit(X, y).predict(X)
    ),
    "estimators.PartialLabelKNeighborsClassifier.score": (
        estimators.PartialLabelKNeighborsClassifier().fit(PLANE, BAGS).score
    ),
    "estimators.PartialLabelKNeighborsClassifier of bags": predicted(
        estimators.PartialLabelKNeighborsClassifier()
    ),
    "estimators.TwoStageKNeighborsClassifier of stages": lambda stage: (
        estimators.TwoStageKNeighborsClassifier(2).fit(X, TWO, stage).predict(X)
    ),
    "estimators.TunedClassWeightKNeighborsClassifier of a grid": lambda search, grid_parts: (
        estimators.TunedClassWeightKNeighborsClassifier(3, search=search, grid_parts=grid_parts)
        .fit(X, TWO)
        .predict(X)
    ),
}
for name in estimators.__all__:
    NAMED[f"estimators.{name}"] = fitted(getattr(estimators, name))

SQUARE = {"box": np.array([[0.0, 1.0], [0.5, 2.0]])}
SCALE = {"scale": "standard"}
WITH_BAGS = {"y": BAGS}

#: Values of single names.
OWN = {
    "problems.Problem": SQUARE,
    "problems.Grid.from_box": SQUARE,
    "problems.Problem.from_atoms of two classes": {"eta": np.array([0.25, 0.5, 1.0])},
    "problems.Problem.bayes": {"X": X / 16},
    "problems.Problem.bayes_risk": {"n_cells": 8},
    "problems.from_data": SCALE,
    "problems.bundled": SCALE,
    "problems.from_bags": {"y": Y},
    "estimators.NoiseRobustPlugIn": {"estimator": LogisticRegression()},
    "estimators.RobustKNeighborsClassifier of rates": {"noise_rates": (0.125, 0.25), "p": 1.5},
    "estimators.PartialLabelKNeighborsClassifier.score": WITH_BAGS | {"sample_weight": X[:, 0]},
    "estimators.PartialLabelKNeighborsClassifier of bags": WITH_BAGS,
    "estimators.TunedClassWeightKNeighborsClassifier of a grid": {
        "search": "grid",
        "grid_parts": 4,
    },
}

#: Arguments for which fewer values are bad: labels of any kind.
LOOSE = {
    "active.trial": ["ks", "budgets"],
    "bags.read_bags of classes": ["classes"],
    "bags.check_classes": ["classes"],
    "problems.Resolution": ["map_cells", "integral_cells"],
    "problems.from_data": ["y"],
    "estimators.NoiseRobustPlugIn of labels": ["y"],
    "estimators.PartialLabelKNeighborsClassifier.score": ["y"],
}
for name in NAMED:
    if name.endswith(("of points", "of bags")):
        LOOSE[name] = ["y"]

CALLS = {
    **calls(NAMED_BAGS, OF_BAGS, OWN_BAGS, LOOSE),
    **calls(NAMED_ACTIVE, OF_ACTIVE, OWN_ACTIVE, LOOSE),
    **calls(NAMED, VALUES, OWN, LOOSE),
}
