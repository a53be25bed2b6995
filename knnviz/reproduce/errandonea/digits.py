"""The digits of scikit-learn with bags for labels: nearest neighbors that choose k, and some that do not."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.bag_comparison import Comparison, Preparation, Rules, compare
from knnviz.reproduce.registry import Row, Tables, published, reproduction
from knnviz.reproduce.simulate import estimate
from knnviz.rules import Adaptive, PartialAdaptive

#: Largest k of any vote, and the failure probability delta.
MOST, DELTA = 100, 0.1

NOISES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)

#: Constants c1 of the band in the sweep, and its noise nu.
CONSTANTS, SWEEP_NOISE = (0.1, 0.25, 0.5, 1.0, 2.0), 0.3

#: Noises of the other settings.
FEWER_NOISES = (0.0, 0.3, 0.6)

#: Names of the rules of one setting.
RULES = ("PL A-kNN", "A-kNN", "A-kNN, mean bag size", "PL A-kNN, majority", "PL A-kNN, second of all")

#: What is compared split by split: the first minus the second.
GAPS = {"PL A-kNN above best k": ("PL A-kNN", "best k of all splits"), "PL A-kNN above majority": (RULES[0], RULES[3])}


def rules(c1: float = 0.5, most: int = MOST) -> dict[str, Adaptive | PartialAdaptive]:
    """The rules that are compared, by the names in ``RULES``; ``most`` is T."""
    made = (
        PartialAdaptive(c1, DELTA, most),
        Adaptive(c1, DELTA, most),
        Adaptive(c1, DELTA, most, baseline="bag_size"),
        PartialAdaptive(c1, DELTA, most, fallback="majority"),
        PartialAdaptive(c1, DELTA, most, runner_up="all"),
    )
    return dict(zip(RULES, made, strict=True))


@reproduction
def errandonea_digits(
    noises: Sequence[float] = NOISES, splits: int = 20, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of nearest neighbors on digits whose labels are bags, as the bags grow noisier.

    Each split has points, clusters, inclusions and bags of its own, the same ones at every noise. T = 100, c1 = 0.5 and
    delta = 0.1. The best k is chosen with the answers.

    Tables: "means", a row for what is measured with a column for each nu; "digits", for each nu and what is measured:
    the mean over the splits beside that of the reference run, and how many of their joint errors are between the two
    (none where nothing varies); "best_k", for each nu: the k whose vote errs least in the mean, and by how much more
    that at the k of the reference run errs.

    Source: Errandonea et al., section 4 and Algorithms 1 and 2. The paper prints no numbers and has other data; those
    beside ours are of a second program.
    """
    found, reference = compared(rules(), noises, splits, seed, progress), published("errandonea_digits")["main"]
    tables: Tables = {"digits": [], "best_k": []}
    for index, nu in enumerate(noises):
        theirs = reference["values"].get(f"{nu:g}", {})
        tables["digits"] += beside({"nu": nu}, measured(found, index), theirs, reference["splits"])
        tables["best_k"].append({"nu": nu} | _best_k(found, index, theirs.get("best k")))
    return {"means": by_noise(tables["digits"], "measured", itemgetter("value"))} | tables


def by_noise(rows: Sequence[Row], label: str, cell: Callable[[Row], Any]) -> list[Row]:
    """A row for each value of the column ``label``, with a column for each nu."""
    lines: dict[str, Row] = {}
    for row in rows:
        lines.setdefault(row[label], {label: row[label]})[f"nu={row['nu']:g}"] = cell(row)
    return list(lines.values())


@reproduction
def errandonea_digits_settings(splits: int = 20, seed: int = 0, progress: bool = False) -> Tables:
    """The same with T = 50, on raw pixels, with labels for bags, and for several constants of the band.

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
    whole = compared(sweep | fifty, FEWER_NOISES, splits, seed, progress)
    others = {
        "T = 50": (whole, "50 ", 50),
        "raw pixels": (compared(rules(), FEWER_NOISES, splits, seed, progress, preparation="raw"), "", MOST),
        "no ambiguity": (compared(rules(), FEWER_NOISES, splits, seed, progress, largest=0.0), "", MOST),
    }
    for setting, (found, prefix, most) in others.items():
        record = reference[setting]
        for index, nu in enumerate(FEWER_NOISES):
            ours = measured(found, index, prefix, most)
            row = {"setting": setting, "nu": nu}
            tables["settings"] += beside(row, ours, record["values"][f"{nu:g}"], record["splits"])
    record = reference["constants"]
    for c1 in CONSTANTS:
        ours = decided_by_band(whole, FEWER_NOISES.index(SWEEP_NOISE), f"{c1} ")
        key, theirs = {"c1": c1, "nu": SWEEP_NOISE}, record["values"][f"{c1:g}"]
        tables["constants"] += beside(key, ours, theirs, record["splits"])
    return tables


def compared(
    named: Rules,
    noises: Sequence[float],
    splits: int,
    seed: int,
    progress: bool,
    preparation: Preparation = "vision",
    largest: float = 0.8,
) -> Comparison:
    """The digits under some rules, by name, in full; settings are those of ``bag_comparison.compare``."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    splits = checks.check_int("splits", splits, 2)
    steps = compare(X, y, named, noises, splits=splits, seed=seed, k_max=MOST, largest=largest, preparation=preparation)
    (*_, last) = tqdm(steps, "digits", splits * len(noises), disable=not progress)
    return last


def decided_by_band(found: Comparison, index: int, prefix: str = "") -> dict[str, np.ndarray]:
    """What depends on the band at one noise, split by split, of rules whose names are ``prefix`` and one of ``RULES``.

    Errors by rule, then stopping k, points that are undecided, those where the second of all labels changes the
    decision, and whether PL A-kNN errs no more than the vote of 10.
    """
    at = {name: found.names.index(prefix + name) for name in RULES}
    own, other, second = (at[name] for name in (RULES[0], RULES[1], RULES[-1]))
    values = {name: found.errors[:, index, at[name]] for name in RULES[:-1]}
    values["mean k, PL A-kNN"], values["mean k, A-kNN"] = found.stop_k[:, index, own], found.stop_k[:, index, other]
    values["undecided, PL A-kNN"] = 1 - found.decided[:, index, own]
    values["changed by the second of all"] = found.disagreement[:, index, own, second]
    values["PL A-kNN <= 10-NN"] = (found.errors[:, index, own] <= found.vote(10)[:, index]).astype(float)
    return values


def measured(found: Comparison, index: int, prefix: str = "", most: int = MOST) -> dict[str, np.ndarray]:
    """All that is measured at one noise, split by split: ``decided_by_band``, votes at given k and at T, and gaps."""
    votes = {"10-NN": found.vote(10), "T-NN": found.vote(most)}
    votes |= {"best k of all splits": found.best_vote(), "best k of each split": found.best_vote_each()}
    values = decided_by_band(found, index, prefix) | {name: errors[:, index] for name, errors in votes.items()}
    return values | {name: values[first] - values[second] for name, (first, second) in GAPS.items()}


def beside(key: Row, ours: dict[str, np.ndarray], theirs: dict[str, float], splits: int) -> list[Row]:
    """Means of ours, split by split, beside ``theirs`` of the reference run, some or all of which may be missing.

    ``splits`` are those of the reference run. Of PL A-kNN it holds how they vary; elsewhere they vary as ours do. ``z``
    is the distance in joint standard errors, none without a partner or where ours do not vary.
    """
    rows = []
    for name, values in ours.items():
        row, partner = key | {"measured": name} | estimate("value", values), _partner(name, theirs)
        spread = theirs.get(f"spread of {name}", np.std(values, ddof=1))
        error = np.hypot(row["value_se"], spread / np.sqrt(splits))
        varies = partner is not None and row["value_se"] > 0
        rows.append(row | {"reference": partner, "z": (row["value"] - partner) / error if varies else None})
    return rows


def _partner(name: str, theirs: dict[str, float]) -> float | None:
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
    return row | estimate("more", found.vote(theirs)[:, index] - found.vote(k)[:, index])
