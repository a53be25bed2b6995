"""The linear rivals on the digits with bags for labels, each learned by its own loss, tuned and not."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.bag_comparison import Split, outcome
from knnviz.lessons.stored import published
from knnviz.linear import RIVALS, Linear, select_model, tuning_grid
from knnviz_papers.errandonea.digits import (
    FEWER_NOISES,
    NOISES,
    beside_reference,
    by_noise,
    compare_on_digits,
    rules,
)
from knnviz_papers.simulate import Tables, mean_and_error, means_and_errors

#: The loss that the others are compared with, split by split.
PRODEN = "PRODEN"


def errandonea_linear(
    noises: Sequence[float] = NOISES, splits: int = 20, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of the linear rivals on digits whose labels are bags, as the bags grow noisier.

    Splits and bags are those of ``errandonea_digits``, pixels have mean 0 and variance 1, and all losses are minimized
    alike, by 300 steps of Adam with step size 0.05.

    Tables: "means", a row for each loss with a column for each nu; "linear", for each nu and loss: the mean over the
    splits beside that of the reference run, and ``z``, their difference in joint standard errors; "above", for each nu
    and loss but PRODEN: by how much more that errs, split by split.

    Source: as for ``errandonea_digits``. The paper tunes its rivals "according to the specifications in their papers"
    and does not repeat these; here nothing is tuned, and ``errandonea_linear_tuned`` shows what that changes.
    """
    reference = published("errandonea_digits")["linear"]
    found = compare_on_digits(RIVALS, noises, splits, seed, progress, "raw")
    tables: Tables = {"linear": [], "above": []}
    for index, nu in enumerate(noises):
        errors = dict(zip(found.names, found.errors[:, index].T, strict=True))
        tables["linear"] += beside_reference({"nu": nu}, errors, reference, nu)
        first = errors.pop(PRODEN)
        for name, each in errors.items():
            tables["above"].append({"nu": nu, "measured": name} | mean_and_error("above", each - first))
    return {"means": by_noise(tables["linear"], "measured", itemgetter("value"))} | tables


def families() -> dict[str, list[Linear]]:
    """Rivals by the name of their loss: those of one name differ in its parameter, and the first is the untuned one."""
    found: dict[str, list[Linear]] = {}
    for name, rival in RIVALS.items():
        found.setdefault(name.split(",")[0], []).append(rival)
    return found


def errandonea_linear_tuned(
    noises: Sequence[float] = FEWER_NOISES, splits: int = 8, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of the rivals on digits if each is tuned on bags, beside those that are not, and beside PL A-kNN.

    Splits and bags are those of ``errandonea_digits``. For each split and noise the loss's parameter, the step size of
    Adam and the penalty are those of ``linear.tuning_grid`` whose decisions are in the most of the bags held out.

    Tables: "tuned", for each nu and rival: the error, that of the untuned one (LWS with beta 1, APL with MAE), by how
    much the latter is larger, and by how much that of PL A-kNN is larger than the tuned one, split by split; "picked",
    for each nu and rival: step size and penalty with the number of splits that they were picked in.

    Source: Errandonea et al., section 4, which tunes rivals as in their own papers; the grid is ours.
    """
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    streams = np.random.SeedSequence(checks.check_int("seed", seed, 0)).spawn(splits)
    parts = [Split.of(X, y, stream) for stream in streams]
    tables: Tables = {"tuned": [], "picked": []}
    for nu in tqdm(noises, "errandonea_linear_tuned", disable=not progress):
        found: dict[str, list[list[float]]] = {name: [] for name in families()}
        settings = {name: Counter[str]() for name in found}
        for split in parts:
            bags = split.bags(nu)
            ours = outcome(split, bags, rules()["PL A-kNN"]).error
            for name, rivals in families().items():
                best = select_model(tuning_grid([each.loss for each in rivals]), split.X, bags)
                settings[name][f"{best.learning_rate:g}, {best.alpha:g}"] += 1
                tuned, untuned = (outcome(split, bags, each).error for each in (best, rivals[0]))
                found[name].append([tuned, untuned, untuned - tuned, ours - tuned])
        for name, errors in found.items():
            row = {"nu": nu, "measured": name}
            tables["tuned"].append(row | means_and_errors(np.array(errors), ("value", "untuned", "gain", "pl_above")))
            counts = "; ".join(f"{key}: {count}" for key, count in settings[name].items())
            tables["picked"].append(row | {"settings": counts})
    return tables
