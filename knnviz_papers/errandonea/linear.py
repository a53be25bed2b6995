"""The linear rivals on the digits with bags for labels, each by its own loss, tuned and not."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from sklearn.datasets import load_digits
from sklearn.pipeline import Pipeline
from tqdm import tqdm

from knnviz.learnability.comparison import BagSplit, rule_outcome
from knnviz.lessons.stored import published
from knnviz_papers.errandonea.digits import NOISES, beside_reference, compare_on_digits, rules
from knnviz_papers.errandonea.linear_rivals import LINEAR_LOSSES, linear_rival
from knnviz_papers.errandonea.losses import BagLoss
from knnviz_papers.simulate import Row, Tables, means_and_errors

#: What is measured of a tuned rival on a split.
MEASURED = ("value", "untuned", "gain", "pl_above")

#: Fraction of the points, the last ones, that are held out to compare rivals.
VALIDATION_FRACTION = 0.2

#: Step sizes of Adam and L2 penalties that are tried with each loss; the grid is ours.
LEARNING_RATES = (0.005, 0.05)
ALPHAS = (1e-4, 1e-2, 1e-1)


def most_in_bags(rivals: Sequence[Pipeline], X: np.ndarray, bags: np.ndarray) -> Pipeline:
    """The rival whose predictions are in the most held-out bags, the first on a tie.

    Each is trained on the first four fifths of the points X (n, d) with bags (n, C) bool, which are
    in random order, and predicts the others.
    """
    n_out = round(VALIDATION_FRACTION * len(X))
    held_out = bags[-n_out:]
    hits = []
    for rival in rivals:
        predicted = rival.fit(X[:-n_out], bags[:-n_out]).predict(X[-n_out:])
        hits.append(held_out[np.arange(n_out), predicted].sum())
    return rivals[int(np.argmax(hits))]


def errandonea_linear(
    noises: Sequence[float] = NOISES, splits: int = 20, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of the linear rivals on digits whose labels are bags, as the bags grow noisier.

    Splits and bags are those of ``errandonea_digits``, pixels have mean 0 and variance 1, and all
    losses are minimized alike, by 300 steps of Adam with step size 0.05.

    Table: "linear", for each nu and loss: the mean over the splits beside that of the reference
    run, and ``z``, their difference in joint standard errors.

    Source: as for ``errandonea_digits``. The paper tunes its rivals "according to the
    specifications in their papers" and does not repeat these; here nothing is tuned, and
    ``errandonea_linear_tuned`` shows what that changes.
    """
    reference = published("errandonea_digits")["linear"]
    rows = []
    rivals = {name: linear_rival(loss) for name, loss in LINEAR_LOSSES.items()}
    found = compare_on_digits(rivals, noises, splits, seed, progress, "raw")
    for index, nu in enumerate(noises):
        errors = {name: found.errors[:, index, i] for i, name in enumerate(found.names)}
        rows += beside_reference({"nu": nu}, errors, reference, nu)
    return {"linear": rows}


def errandonea_linear_tuned(
    noises: Sequence[float] = (0.0, 0.3, 0.6),
    splits: int = 8,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Test errors of the rivals on digits if each is tuned on bags, beside those that are not, and
    beside PL A-kNN.

    Splits and bags are those of ``errandonea_digits``. For each split and noise the loss's
    parameter, the step size of Adam and the penalty are those of the grid whose decisions are in
    the most of the bags held out.

    Table: "tuned", for each nu and rival: the error, that of the untuned one (LWS with beta 1, APL
    with MAE), by how much the latter is larger, and by how much that of PL A-kNN is larger than the
    tuned one, split by split.

    Source: Errandonea et al., section 4, which tunes rivals as in their own papers; the grid is
    ours.
    """
    X, y = load_digits(return_X_y=True)
    streams = np.random.SeedSequence(seed).spawn(splits)
    parts = [BagSplit.draw(X, y, stream) for stream in streams]
    # By the name of the loss; rivals of one name differ in its parameter, and the first is the
    # untuned one.
    families: dict[str, list[BagLoss]] = {}
    for name, loss in LINEAR_LOSSES.items():
        family = name.split(",")[0]
        families.setdefault(family, []).append(loss)

    adaptive = rules()["PL A-kNN"]
    rows = []
    for nu in tqdm(noises, "errandonea_linear_tuned", disable=not progress):
        drawn = [(split, split.bags(nu)) for split in parts]
        ours = [rule_outcome(*each, adaptive).error for each in drawn]
        for name, losses in families.items():
            grid = [linear_rival(*each) for each in product(losses, LEARNING_RATES, ALPHAS)]
            first = linear_rival(losses[0])
            measured = []
            for (split, bags), own in zip(drawn, ours, strict=True):
                untuned = rule_outcome(split, bags, first).error
                best = most_in_bags(grid, split.X, bags)
                tuned = rule_outcome(split, bags, best).error
                measured.append([tuned, untuned, untuned - tuned, own - tuned])
            row: Row = {"nu": nu, "measured": name}
            rows.append(row | means_and_errors(np.array(measured), MEASURED))
    return {"tuned": rows}
