"""The digits with bags for labels once more: linear scores, learned by the losses of the rivals."""

from collections.abc import Sequence

from knnviz.linear import RIVALS
from knnviz.reproduce.errandonea.digits import NOISES, across, beside, compared
from knnviz.reproduce.registry import Tables, published, reproduction
from knnviz.reproduce.simulate import estimate

#: The loss that the others are compared with, split by split.
FIRST = "PRODEN"


@reproduction
def errandonea_linear(
    noises: Sequence[float] = NOISES, splits: int = 20, seed: int = 0, progress: bool = False
) -> Tables:
    """Test errors of linear scores on digits whose labels are bags, as the bags grow noisier.

    Splits and bags are those of ``errandonea_digits``, pixels have mean 0 and variance 1, and all losses are minimized
    alike, by 300 steps of Adam of length .05.

    Tables: "means", a row for each loss with a column for each nu; "linear", for each nu and loss: the mean over the
    splits beside that of the reference run, and how many of their joint errors are between the two; "above", for each
    nu and loss but PRODEN: by how much more that errs, split by split.

    Source: Errandonea et al., section 4, whose rivals are tuned as in their own papers. It prints no numbers and has
    other data; those beside ours are of a second program.
    """
    found, reference = compared(RIVALS, noises, splits, seed, progress, "raw"), published("errandonea_digits")["linear"]
    tables: Tables = {"linear": [], "above": []}
    for place, nu in enumerate(noises):
        errors = dict(zip(found.names, found.errors[:, place].T, strict=True))
        tables["linear"] += beside({"nu": nu}, errors, reference["values"].get(f"{nu:g}", {}), reference["splits"])
        first = errors.pop(FIRST)
        for name, each in errors.items():
            tables["above"].append({"nu": nu, "measured": name} | estimate("above", each - first))
    return {"means": across(tables["linear"])} | tables
