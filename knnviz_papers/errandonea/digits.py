"""The digits with bags for labels: nearest neighbors that choose k, and some that do not."""

from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

from knnviz.learnability.comparison import (
    BagComparison,
    BagRule,
    Preparation,
    best_votes,
    compare_rules,
)
from knnviz.lessons.stored import published
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.simulate import Row, Tables, mean_and_error

#: Largest k of any vote, which is also T, and the failure probability delta.
MOST = 100
DELTA = 0.1

NOISES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)

#: Constants c1 of the band in the sweep, and its noise nu.
CONSTANTS = (0.1, 0.25, 0.5, 1.0, 2.0)
SWEEP_NOISE = 0.3


def rules(c1: float = 0.5) -> dict[str, Adaptive | PartialAdaptive]:
    """The rules that are compared, by name.

    "Mean bag size", over C, is another baseline. Of the labels left at T, PL A-kNN predicts that of
    the largest lead at any k, "majority" that in most bags. "Second of all" takes leads over the
    second of all labels, not of those left.
    """
    band = c1, DELTA, MOST
    return {
        "PL A-kNN": PartialAdaptive(*band),
        "A-kNN": Adaptive(*band),
        "A-kNN, mean bag size": Adaptive(*band, baseline="bag_size"),
        "PL A-kNN, majority": PartialAdaptive(*band, fallback="majority"),
        "PL A-kNN, second of all": PartialAdaptive(*band, runner_up="all"),
    }


def errandonea_digits(
    noises: Sequence[float] = NOISES, splits: int = 20, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of nearest neighbors on digits whose labels are bags, as the bags grow noisier.

    Each split has points, clusters, inclusions and draws of bags of its own, the same ones at every
    noise. T = 100, c1 = 0.5 and delta = 0.1. The best k is chosen with the true labels.

    Tables: "digits", for each nu and what is measured: the mean over the splits beside that of the
    reference run, and ``z``, their difference in joint standard errors (None without that, and
    where nothing varies); "best_k", for each nu: the k whose vote errs least in the mean;
    "constants", at the noise 0.3 for each of several c1 and what depends on it: the columns of
    "digits".

    Source: Errandonea et al., section 4 and Algorithms 1 and 2. The paper prints no numbers and has
    other data; those beside ours are of a second program.
    """
    reference = published("errandonea_digits")
    tables: Tables = {"digits": [], "best_k": [], "constants": []}
    found = compare_on_digits(rules(), noises, splits, seed, progress)
    best_k, errors_at_best = best_votes(found.vote_errors)
    for index, nu in enumerate(noises):
        measured = depending_on_band(found, index)
        measured["10-NN"] = found.vote_errors[:, index, 10 - 1]
        measured["T-NN"] = found.vote_errors[:, index, MOST - 1]
        best_vote = errors_at_best[:, index]
        measured["best k of all splits"] = best_vote

        own = measured["PL A-kNN"]
        measured["PL A-kNN above best k"] = own - best_vote
        measured["PL A-kNN above majority"] = own - measured["PL A-kNN, majority"]
        key: Row = {"nu": nu}
        tables["digits"] += beside_reference(key, measured, reference["main"], nu)
        tables["best_k"].append(key | {"best_k": best_k[index]})

    for c1 in CONSTANTS:
        found = compare_on_digits(rules(c1), [SWEEP_NOISE], splits, seed, progress)
        measured = depending_on_band(found, 0)
        key = {"c1": c1, "nu": SWEEP_NOISE}
        tables["constants"] += beside_reference(key, measured, reference["constants"], c1)
    return tables


def compare_on_digits(
    named: Mapping[str, BagRule],
    noises: Sequence[float],
    splits: int,
    seed: int,
    progress: bool,
    preparation: Preparation = "vision",
) -> BagComparison:
    """``compare_rules`` on the digits of scikit-learn, to its end, for rules by name."""
    X, y = load_digits(return_X_y=True)
    steps = compare_rules(
        X, y, named, noises, splits=splits, seed=seed, k_max=MOST, preparation=preparation
    )
    *_, last = tqdm(steps, "digits", splits, disable=not progress)
    return last


def depending_on_band(found: BagComparison, index: int) -> dict[str, np.ndarray]:
    """Results of ``rules`` that depend on the band, at one noise, by split.

    Errors by rule, then stopping k, points that are undecided, those where the second of all labels
    changes the decision, and whether PL A-kNN errs no more than the vote of 10.
    """
    at = {name: rule for rule, name in enumerate(found.names)}
    own = at["PL A-kNN"]
    other = at["A-kNN"]
    second = at.pop("PL A-kNN, second of all")
    values = {name: found.errors[:, index, rule] for name, rule in at.items()}
    values["mean k, PL A-kNN"] = found.stop_k[:, index, own]
    values["mean k, A-kNN"] = found.stop_k[:, index, other]
    values["undecided, PL A-kNN"] = 1 - found.decided[:, index, own]
    labels = found.labels[:, index]
    is_changed = labels[:, own] != labels[:, second]
    values["changed by the second of all"] = is_changed.mean(axis=1)

    of_vote = found.vote_errors[:, index, 10 - 1]
    is_as_good = values["PL A-kNN"] <= of_vote
    values["PL A-kNN <= 10-NN"] = is_as_good.astype(float)
    return values


def beside_reference(key: Row, ours: dict[str, np.ndarray], reference: Row, at: float) -> list[Row]:
    """Means of our values, by split, beside those of the reference run at one nu or c1, some of
    which may be missing.

    It has the spread of PL A-kNN; for all else our spread stands in.
    """
    theirs = reference["values"].get(f"{at:g}", {})
    rows = []
    for name, values in ours.items():
        row = key | {"measured": name}
        row |= mean_and_error("value", values)
        expected = theirs.get(name)
        row |= {"reference": expected, "z": None}
        if expected is not None and row["value_se"] > 0:
            spread = theirs.get(f"spread of {name}", np.std(values, ddof=1))
            their_error = spread / np.sqrt(reference["splits"])
            error = np.hypot(row["value_se"], their_error)
            row["z"] = (row["value"] - expected) / error
        rows.append(row)
    return rows
