"""Good calls of names that make problems, draw labels and bags, buy labels, and fit estimators."""

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
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


def answers(make: Callable[..., Any], **given: Any) -> Any:
    """A problem, and what it says of points."""
    problem = make(**given)
    coordinates = np.linspace(0.125, 0.875, 4 * problem.dimension)
    points = coordinates.reshape(4, problem.dimension)
    return problem, problem.eta(points), problem.bayes(points)


#: A good value of each parameter of problems and estimators, where they have it.
VALUES: dict[str, Any] = {
    "n_classes": 3,
    "dimension": 2,
    **dict.fromkeys(("p0", "delta", "amplitude"), 0.125),
    **dict.fromkeys(("a", "low", "width", "p1", "c1", "c0"), 0.25),
    **dict.fromkeys(("m", "scale", "c_plus"), 0.5),
    **dict.fromkeys(("high", "top", "s", "height"), 0.75),
    **dict.fromkeys(("kappa", "waves"), 2.0),
    "slope": 8.0,
    **dict.fromkeys(("prior", "fractions"), (0.5, 0.25, 0.25)),
    "n_neighbors": 3,
    "c": 1,
    **dict.fromkeys(("noise_neighbors", "n_steps", "cv"), 2),
    **dict.fromkeys(("max_neighbors", "hard_neighbors"), 4),
    "variant": "gao",
    "algorithm": "brute",
    "baseline": "bag_size",
    "strategy": "vote",
    "fallback": "majority",
    "voters": "inclusive",
    "mode": "closed_ball",
    "tie_tol": 0.25,
    "class_weight": (1.0, 2.0),
    "validation": "holdout",
    "start": (0.5, 0.5),
    "step": 0.125,
    "order": "sign",
    "accept": ">",
    "base": "running",
    "holdout_size": 0.25,
    "random_state": 0,
}


def good(make: Callable[..., Any]) -> dict[str, Any]:
    """Good values of the parameters of a problem or an estimator."""
    return {name: VALUES[name] for name in signature(make).parameters if name in VALUES}


def fitted(
    make: Callable[..., Any], at: np.ndarray = X, **given: Any
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """An estimator by its parameters, fitted to points of two classes."""
    return lambda **given: make(**given).fit(at, TWO).predict(at + 0.25), given


def predicted(model: Any, points: np.ndarray = X, y: np.ndarray = TWO) -> tuple[Any, ...]:
    """An estimator by the points that it gets; labels may be text, and of any number."""

    def call(X: Any, y: Any, queries: Any) -> Any:
        return model.fit(X, y).predict(queries)

    return call, {"X": points, "y": y, "queries": points[:5] + 0.25}, "y"


LEARNABILITY: dict[str, tuple[Any, ...]] = {
    "aligned_world": (learnability.aligned_world, {"process": PROCESS, "eta": ETA}),
    "bag_distribution": (learnability.bag_distribution, {"process": PROCESS, "eta": ETAS}),
    "best": (learnability.best, {"scores": SCORES}),
    "cooccurrence": (learnability.cooccurrence, {"process": PROCESS}),
    "decode": (learnability.decode, {"process": PROCESS, "distribution": PROCESS @ ETA}),
    "draw_bags": (learnability.draw_bags, {"process": PROCESS, "y": Y[:5], "seed": 0}),
    "every_bag": (learnability.every_bag, {"n_classes": 3}),
    "feng_process": (learnability.feng_process, {"n_classes": 3}),
    "frequency": (learnability.frequency, {"process": PROCESS, "eta": ETAS}),
    "indistinguishable_etas": (learnability.indistinguishable_etas, {"process": ALIKE}),
    "is_label_aligned": (learnability.is_label_aligned, {"process": PROCESS, "eta": ETAS}),
    "is_label_aligned at all": (learnability.is_label_aligned, {"process": PROCESS}),
    "largest_score_polygon": (
        learnability.largest_score_polygon,
        {
            "scores": PROCESS[[1, 2, 4]],
            "label": 1,
            "part": np.array([*ETAS, [0.25, 0.5, 0.25], [0.0, 0.5, 0.5]]),
        },
    ),
    "least_theta": (learnability.least_theta, {"eta": ETAS, "frequencies": ETAS[::-1]}),
    "lv_counterexample": (learnability.lv_counterexample, {"label": 1}),
    "misaligned_eta": (learnability.misaligned_eta, {"process": PROCESS}),
    "misaligned_fraction": (learnability.misaligned_fraction, {"process": PROCESS}),
    "model_fractions": (
        learnability.model_fractions,
        {"n_classes": 3, "n_draws": 1, "seed": 0},
    ),
    "models.dominates": (models.dominates, {"process": PROCESS, "eta": ETA}),
    "other_etas": (learnability.other_etas, {"process": ALIKE, "eta": ETA}),
    "process_matrix": (
        lambda p: learnability.process_matrix([{(0,): p, (0, 1): 0.5}, {(1,): 1}]),
        {"p": 0.5},
    ),
    "process_of": (lambda part: learnability.process_of(CLUSTERED, part), {"part": 1}),
    "rank": (learnability.rank, {"process": PROCESS}),
    "same_bags": (
        lambda process, eta: learnability.same_bags(process, eta, learnability.swap(PROCESS, ETA)),
        {"process": PROCESS, "eta": ETA},
    ),
    "same_best_labels": (learnability.same_best_labels, {"eta": ETAS, "frequencies": ETAS[::-1]}),
    "split_frequency": (learnability.split_frequency, {"process": PROCESS}),
    "swap": (learnability.swap, {"process": PROCESS, "eta": ETA}),
    "comparison.BagSplit.draw": (
        lambda noise=0.25, **given: comparison.BagSplit.draw(**given).bags(noise),
        {
            "X": X,
            "y": Y,
            "seed": 3,
            "noise": 0.25,
            "k_max": 4,
            "preparation": "raw",
            "largest": 0.5,
            "kind": "other",
            "standardize": True,
        },
    ),
    "comparison.BagSplit.draw of bags": (
        lambda **given: comparison.BagSplit.draw(**given, seed=0, k_max=4, preparation="raw").bags(
            0.5
        ),
        {"X": X, "y": Y, "bags": BAGS},
    ),
    "comparison.compare_rules": (
        lambda noise, **given: list(
            comparison.compare_rules(
                rules={"PL": PartialAdaptive(max_neighbors=4)}, noises=[noise], **given
            )
        ),
        {
            "X": SIX,
            "y": np.tile(Y, 3),
            "noise": 0.25,
            "splits": 2,
            "seed": 0,
            "k_max": 4,
            "preparation": "raw",
        },
    ),
}

ACTIVE: dict[str, tuple[Any, ...]] = {
    "FirstRound.build": (
        lambda X, y: active.FirstRound.build(SCHEME, X, y, CELLS),
        {"X": X, "y": TWO},
    ),
    "FirstRound.hard_at": (SAMPLE.first.hard_at, {"points": X}),
    "Scheme": (
        lambda n, dimension, **given: (
            active.Scheme(**given).width(n, dimension),
            active.Scheme(**given).k_plus(n, dimension),
        ),
        {
            "k_hard": 20,
            "passive_fraction": 0.5,
            "delta": 0.125,
            "c0": 0.25,
            "c_plus": 0.5,
            "coin": "per_draw",
            "n": 100,
            "dimension": 1,
        },
    ),
    "TwoStageSample.head": (SAMPLE.head, {"m": 2}),
    "passive_sample": (
        partial(active.passive_sample, LINE),
        {"n": 4, "seed": 0},
    ),
    "passive_sample of data": (
        partial(active.passive_sample, DATA),
        {"n": 2, "seed": 0},
    ),
    "pool_sample": (
        partial(active.pool_sample, ask=lambda i: TWO[i], scheme=SCHEME),
        {"X_pool": X, "n": 4, "m": 4, "seed": 0},
    ),
    "trial": (
        lambda **given: active.trial(LINE, scheme=SCHEME, **given).disagreement,
        {"n": 8, "m": 4, "seed": 0, "ks": (3, 1), "budgets": (2, 4), "n_cells": 8},
        "ks",
        "budgets",
    ),
    "two_stage_sample": (
        partial(active.two_stage_sample, LINE, scheme=SCHEME),
        {"n": 8, "m": 4, "seed": 0, "n_cells": 8},
    ),
    "vote": (active.vote, {"X": X, "y": TWO, "queries": X[:3] + 0.25, "k": 3}),
}

OF_BAGS: dict[str, tuple[Any, ...]] = {
    "as_bags": (lambda observed: bags.as_bags(observed, 8, 3), {"observed": Y}),
    "as_bags of a table": (lambda observed: bags.as_bags(observed, 8, 3), {"observed": BAGS}),
    "read_bags": (bags.read_bags, {"bags": BAGS}),
    "read_bags of classes": (
        partial(bags.read_bags, BAGS),
        {"classes": np.array([4, 7, 5])},
        "classes",
    ),
    "check_classes": (bags.check_classes, {"classes": np.array([4, 7, 5])}, "classes"),
    "BagDraws.draw": (bags.BagDraws.draw, {"n": 4, "n_classes": 3, "seed": 0}),
    "BagProcess": (
        lambda **given: bags.BagProcess(**given).frequency(X, np.tile(ETA, (8, 1))),
        {
            "inclusion": CLUSTERED.inclusion,
            "bag_noise": 0.25,
            "kind": "other",
            "centers": CLUSTERED.centers,
        },
    ),
    "BagProcess.from_inclusion": (
        bags.BagProcess.from_inclusion,
        {"n_classes": 3, "inclusion": 0.25, "bag_noise": 0.5},
    ),
    "BagProcess.from_clusters": (
        bags.BagProcess.from_clusters,
        {"X": X, "n_classes": 3, "seed": 0, "largest": 0.5},
    ),
    "BagProcess.parts": (CLUSTERED.parts, {"X": X}),
    "BagProcess.draw": (lambda X, y: CLUSTERED.draw(X, y, DRAWS), {"X": X, "y": Y}),
    "BagProcess.frequency": (CLUSTERED.frequency, {"X": X[:2], "eta": ETAS}),
}

PROBLEMS: dict[str, tuple[Any, ...]] = {
    "Problem": (
        lambda n_classes, box: problems.Problem(
            "even", lambda X: np.full((len(X), 3), 1 / 3), box, n_classes
        ).sample(3, 0),
        {"n_classes": 3, "box": np.array([[0.0, 1.0], [0.5, 2.0]])},
    ),
    "Problem.from_atoms": (
        lambda **given: answers(partial(problems.Problem.from_atoms, **given)),
        {
            "points": ATOMS,
            "weights": np.array([0.5, 0.25, 0.25]),
            "eta": np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]),
            "box": np.array([[0.0, 3.0]]),
        },
    ),
    "Problem.from_atoms of two classes": (
        lambda eta: answers(
            partial(problems.Problem.from_atoms, ATOMS, np.array([0.5, 0.25, 0.25]), eta)
        ),
        {"eta": np.array([0.25, 0.5, 1.0])},
    ),
    "Problem.sample": (problems.checkerboard().sample, {"n": 4, "seed": 0}),
    "Problem.points": (problems.rare().points, {"n": 4, "seed": 0}),
    "Problem.bayes": (problems.waves().bayes, {"X": X / 16}),
    "Problem.bayes_risk": (problems.checkerboard().bayes_risk, {"n_cells": 8}),
    "Problem.grid": (problems.checkerboard().grid, {"n_cells": 3}),
    "Problem.measure": (problems.gaussians(2).measure, {"n_cells": 3}),
    "Problem.cells": (problems.gaussians(2, dimension=2).cells, {"n_cells": 3}),
    "Grid.from_box": (
        lambda box, n_cells: problems.Grid.from_box(box, n_cells),
        {"box": np.array([[0.0, 1.0], [0.5, 2.0]]), "n_cells": 3},
    ),
    "Resolution": (
        problems.Resolution,
        {"map_cells": (10, 4), "integral_cells": (20, 8), "repeats": 2},
        "map_cells",
        "integral_cells",
    ),
    "expected_seen": (problems.expected_seen, {"prior": (0.5, 0.25, 0.25), "n": 5}),
    "expected_singletons": (problems.expected_singletons, {"prior": (0.5, 0.25, 0.25), "n": 5}),
    "plateau_level": (problems.plateau_level, {"p0": 0.125, "p1": 0.25}),
    "zipf": (problems.zipf, {"n_classes": 3, "exponent": 1.0}),
    "from_spec": (
        lambda s: problems.from_spec({"name": "linear", "parameters": {"s": s}}).spec(),
        {"s": 0.75},
    ),
    "from_data": (
        problems.from_data,
        {
            "X": np.column_stack([PLANE, X[:, 0] + 0.5]),
            "y": TWO,
            "features": (0, 2),
            "scale": "minmax",
            "test_size": 0.25,
            "seed": 3,
        },
        "y",
    ),
    "bundled": (
        lambda **given: problems.bundled(
            "iris", ("petal length (cm)", "petal width (cm)"), **given
        ).sample(5),
        {"scale": "minmax", "test_size": 0.25, "seed": 3},
    ),
    "breast_cancer": (
        lambda features: problems.breast_cancer(features).sample(5),
        {"features": (0, 2)},
    ),
    "Dataset.sample": (DATA.sample, {"n": 2}),
    "Dataset.with_seed": (DATA.with_seed, {"seed": 3}),
    "Dataset.grid": (DATA.grid, {"n_cells": 3}),
    "from_bags": (problems.from_bags, {"X": X, "S": BAGS, "y": Y}),
}

FROM_ANOTHER = partial(problems.one_against_rest, problems.waves())
for name in named.RANGES:
    make = FROM_ANOTHER if name == "one_against_rest" else getattr(problems, name)
    if given := good(make):
        PROBLEMS[name] = (partial(answers, make), given)

ESTIMATORS: dict[str, tuple[Any, ...]] = {
    "RobustKNeighborsClassifier of rates": fitted(
        estimators.RobustKNeighborsClassifier, n_neighbors=3, noise_rates=(0.125, 0.25), p=1.5
    ),
    "RobustKNeighborsClassifier of points": predicted(estimators.RobustKNeighborsClassifier(3)),
    "RobustKNeighborsClassifier.kneighbors": (
        lambda X, n_neighbors: (
            estimators.RobustKNeighborsClassifier(2).fit(PLANE, TWO).kneighbors(X, n_neighbors)
        ),
        {"X": PLANE[:3] + 0.25, "n_neighbors": 3},
    ),
    "NoiseRobustPlugIn": fitted(partial(estimators.NoiseRobustPlugIn, LogisticRegression()), cv=2),
    "NoiseRobustPlugIn of labels": (
        lambda y: estimators.NoiseRobustPlugIn(LogisticRegression()).fit(X, y).predict(X),
        {"y": TWO},
        "y",
    ),
    "AdaptiveKNeighborsClassifier of points": predicted(estimators.AdaptiveKNeighborsClassifier()),
    "PartialLabelKNeighborsClassifier of classes": fitted(
        estimators.PartialLabelKNeighborsClassifier, classes=np.array([1, 0, 2])
    )
    + ("classes",),
    "PartialLabelKNeighborsClassifier.score": (
        estimators.PartialLabelKNeighborsClassifier().fit(X, BAGS).score,
        {"X": X, "y": BAGS, "sample_weight": X[:, 0]},
        "y",
    ),
    "PartialLabelKNeighborsClassifier of bags": predicted(
        estimators.PartialLabelKNeighborsClassifier(), y=BAGS
    ),
    "TwoStageKNeighborsClassifier of points": predicted(estimators.TwoStageKNeighborsClassifier(3)),
    "TwoStageKNeighborsClassifier of stages": (
        lambda stage: estimators.TwoStageKNeighborsClassifier(2).fit(X, TWO, stage).predict(X),
        {"stage": np.array([0, 0, 0, 1, 1, 2, 2, 0])},
    ),
    "ClassWeightedKNeighborsClassifier of points": predicted(
        estimators.ClassWeightedKNeighborsClassifier(3, class_weight="balanced"), y=Y
    ),
    "TunedClassWeightKNeighborsClassifier of a grid": fitted(
        partial(estimators.TunedClassWeightKNeighborsClassifier, 3), search="grid", grid_parts=4
    ),
    "TunedClassWeightKNeighborsClassifier of points": predicted(
        estimators.TunedClassWeightKNeighborsClassifier(3, n_steps=2), y=TWO
    ),
}

for name in estimators.__all__:
    if name != "NoiseRobustPlugIn":
        make = getattr(estimators, name)
        ESTIMATORS[name] = fitted(make, **good(make))

#: A name, what calls it, good values of its arguments, and those of them for which fewer values are
#: bad: labels of any kind.
CALLS: dict[str, tuple[Any, ...]] = {
    **{f"learnability.{name}": call for name, call in LEARNABILITY.items()},
    **{f"active.{name}": call for name, call in ACTIVE.items()},
    **{f"bags.{name}": call for name, call in OF_BAGS.items()},
    **{f"problems.{name}": call for name, call in PROBLEMS.items()},
    **{f"estimators.{name}": call for name, call in ESTIMATORS.items()},
}
