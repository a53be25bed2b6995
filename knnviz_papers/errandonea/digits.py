"""The digits of scikit-learn with bags for labels: nearest neighbors that choose k, and some that do not."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from tqdm import tqdm

from knnviz.bag_comparison import Comparison, Preparation, Rules, compare
from knnviz.lessons.stored import published
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.simulate import Row, Tables, mean_and_error

#: Largest k of any vote, and the failure probability delta.
MOST, DELTA = 100, 0.1

NOISES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)

#: Constants c1 of the band in the sweep, and its noise nu.
CONSTANTS, SWEEP_NOISE = (0.1, 0.25, 0.5, 1.0, 2.0), 0.3

#: Noises of the other settings.
FEWER_NOISES = (0.0, 0.3, 0.6)

#: What is compared split by split: the first minus the second.
GAPS = {
    "PL A-kNN above best k": ("PL A-kNN", "best k of all splits"),
    "PL A-kNN above majority": ("PL A-kNN", "PL A-kNN, majority"),
}


def rules(c1: float = 0.5, most: int = MOST) -> dict[str, Adaptive | PartialAdaptive]:
    """The rules that are compared, by name; ``most`` is T.

    "Mean bag size", over C, is another baseline. Of the labels left at T, PL A-kNN predicts that of the largest lead at
    any k, "majority" that in most bags. "Second of all" takes leads over the second of all labels, not of those left.
    """
    return {
        "PL A-kNN": PartialAdaptive(c1, DELTA, most),
        "A-kNN": Adaptive(c1, DELTA, most),
        "A-kNN, mean bag size": Adaptive(c1, DELTA, most, baseline="bag_size"),
        "PL A-kNN, majority": PartialAdaptive(c1, DELTA, most, fallback="majority"),
        "PL A-kNN, second of all": PartialAdaptive(c1, DELTA, most, runner_up="all"),
    }


def errandonea_digits(
    noises: Sequence[float] = NOISES, splits: int = 20, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of nearest neighbors on digits whose labels are bags, as the bags grow noisier.

    Each split has points, clusters, inclusions and draws of bags of its own, the same ones at every noise. T = 100,
    c1 = 0.5 and delta = 0.1. The best k is chosen with the true labels.

    Tables: "means", a row for what is measured with a column for each nu; "digits", for each nu and what is measured:
    the mean over the splits beside that of the reference run, and ``z``, their difference in joint standard errors
    (None without that, and where nothing varies); "best_k", for each nu: the k whose vote errs least in the mean, and
    by how much more that at the k of the reference run errs.

    Source: Errandonea et al., section 4 and Algorithms 1 and 2. The paper prints no numbers and has other data; those
    beside ours are of a second program.
    """
    reference = published("errandonea_digits")["main"]
    found = compare_on_digits(rules(), noises, splits, seed, progress)
    tables: Tables = {"digits": [], "best_k": []}
    for index, nu in enumerate(noises):
        tables["digits"] += beside_reference({"nu": nu}, measured(found, index), reference, nu)
        tables["best_k"].append({"nu": nu} | _best_k(found, index, _at(reference, nu).get("best k")))
    return {"means": by_noise(tables["digits"], "measured", itemgetter("value"))} | tables


def by_noise(rows: Sequence[Row], column: str, cell: Callable[[Row], Any]) -> list[Row]:
    """A row for each value of a ``column``, with a column for each nu."""
    lines: dict[str, Row] = {}
    for row in rows:
        lines.setdefault(row[column], {column: row[column]})[f"nu={row['nu']:g}"] = cell(row)
    return list(lines.values())


def errandonea_digits_settings(splits: int = 20, seed: int = 0, progress: bool = False) -> Tables:
    """``errandonea_digits`` with T = 50, on raw pixels, with single labels for bags, and for several c1.

    Splits are those of ``errandonea_digits``, and the c1 sweep is at the noise 0.3. Without ambiguity a bag is a single
    label, which noise has confused.

    Tables: "settings", a row for each of T = 50, raw pixels and no ambiguity, each nu and what is measured;
    "constants", for each c1 and what depends on it. Columns as those of "digits".

    Source: as for ``errandonea_digits``.
    """
    reference = published("errandonea_digits")
    tables: Tables = {"settings": [], "constants": []}
    sweep = {f"{c1} {name}": rule for c1 in CONSTANTS for name, rule in rules(c1).items()}
    fifty = {f"50 {name}": rule for name, rule in rules(most=50).items()}
    swept = compare_on_digits(sweep | fifty, FEWER_NOISES, splits, seed, progress)
    others = {
        "T = 50": (swept, "50 ", 50),
        "raw pixels": (compare_on_digits(rules(), FEWER_NOISES, splits, seed, progress, preparation="raw"), "", MOST),
        "no ambiguity": (compare_on_digits(rules(), FEWER_NOISES, splits, seed, progress, largest=0.0), "", MOST),
    }
    for setting, (found, prefix, most) in others.items():
        for index, nu in enumerate(FEWER_NOISES):
            row, ours = {"setting": setting, "nu": nu}, measured(found, index, prefix, most)
            tables["settings"] += beside_reference(row, ours, reference[setting], nu)
    for c1 in CONSTANTS:
        ours = depending_on_band(swept, FEWER_NOISES.index(SWEEP_NOISE), f"{c1} ")
        tables["constants"] += beside_reference({"c1": c1, "nu": SWEEP_NOISE}, ours, reference["constants"], c1)
    return tables


def compare_on_digits(
    named: Rules,
    noises: Sequence[float],
    splits: int,
    seed: int,
    progress: bool,
    preparation: Preparation = "vision",
    largest: float = 0.8,
) -> Comparison:
    """``bag_comparison.compare`` on the digits of scikit-learn, to its end; ``named`` are the rules by name."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    steps = compare(X, y, named, noises, splits=splits, seed=seed, k_max=MOST, largest=largest, preparation=preparation)
    (*_, last) = tqdm(steps, "digits", splits * len(noises), disable=not progress)
    return last


def depending_on_band(found: Comparison, index: int, prefix: str = "") -> dict[str, np.ndarray]:
    """Results that depend on the band, at one noise, by split; names in ``found`` are a prefix and those of ``rules``.

    Errors by rule, then stopping k, points that are undecided, those where the second of all labels changes the
    decision, and whether PL A-kNN errs no more than the vote of 10.
    """
    at = {name: found.names.index(prefix + name) for name in rules()}
    own, other, second = at["PL A-kNN"], at["A-kNN"], at.pop("PL A-kNN, second of all")
    values = {name: found.errors[:, index, rule] for name, rule in at.items()}
    values["mean k, PL A-kNN"], values["mean k, A-kNN"] = found.stop_k[:, index, own], found.stop_k[:, index, other]
    values["undecided, PL A-kNN"] = 1 - found.decided[:, index, own]
    values["changed by the second of all"] = found.disagreement[:, index, own, second]
    values["PL A-kNN <= 10-NN"] = (found.errors[:, index, own] <= found.vote(10)[:, index]).astype(float)
    return values


def measured(found: Comparison, index: int, prefix: str = "", most: int = MOST) -> dict[str, np.ndarray]:
    """All that is measured at one noise, split by split: ``depending_on_band``, votes at given k and at T, and gaps."""
    votes = {"10-NN": found.vote(10), "T-NN": found.vote(most)}
    votes |= {"best k of all splits": found.best_vote(), "best k of each split": found.best_vote_each()}
    values = depending_on_band(found, index, prefix) | {name: errors[:, index] for name, errors in votes.items()}
    return values | {name: values[first] - values[second] for name, (first, second) in GAPS.items()}


def beside_reference(key: Row, ours: dict[str, np.ndarray], reference: Row, at: float) -> list[Row]:
    """Means of our values, by split, beside those of the reference run at one nu or c1, some of which may be missing.

    It has the spread of PL A-kNN; for all else our spread stands in. ``z`` is the difference in joint standard errors,
    None without a reference value or where ours do not vary.
    """
    rows, theirs = [], _at(reference, at)
    for name, values in ours.items():
        row, expected = key | {"measured": name} | mean_and_error("value", values), _reference_value(name, theirs)
        spread = theirs.get(f"spread of {name}", np.std(values, ddof=1))
        error = np.hypot(row["value_se"], spread / np.sqrt(reference["splits"]))
        varies = expected is not None and row["value_se"] > 0
        rows.append(row | {"reference": expected, "z": (row["value"] - expected) / error if varies else None})
    return rows


def _at(reference: Row, at: float) -> Row:
    """Values of a reference run at one nu or c1, if it has any."""
    return reference["values"].get(f"{at:g}", {})


def _reference_value(name: str, theirs: Row) -> float | None:
    """The value of the same name in the reference run, or the difference of two."""
    if name in GAPS and theirs:
        first, second = GAPS[name]
        return theirs[first] - theirs[second]
    return theirs.get(name)


def _best_k(found: Comparison, index: int, theirs: int | None) -> Row:
    """The best k at one noise, and what another k costs."""
    k = int(found.best_k()[index])
    row = {"best_k": k, "error": found.vote(k)[:, index].mean(), "reference_k": theirs}
    if theirs is None:
        return row | {"more": None, "more_se": None}
    return row | mean_and_error("more", found.vote(theirs)[:, index] - found.vote(k)[:, index])
