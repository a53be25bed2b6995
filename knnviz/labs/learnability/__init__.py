"""LearnabilityLab: whether bags determine the most probable label, and whether counting labels in bags finds it.

A bag is a candidate label set. M (2^C, C), the matrix of a bag process, has the probability of each bag, given each
true label. eta_y is P(y | x), the probability of label y at the point x, and P(S_y | x) that of a bag that holds y. The
best label has the largest eta_y. A process is reconstructible if the distribution of its bags always determines the
best label. Counting predicts the label that is in most bags, the counted label; at an eta where that is the best one
the process is aligned, and elsewhere counting errs. theta is how much less probable the counted label is than the best.
A world is a process with an eta; the other world differs from it, but its bags have the same distribution.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from knnviz import learnability
from knnviz.checks import require
from knnviz.labs.learnability.panels import BagBars, Conclusions, LabelBars, Simplex, Table, best_labels
from knnviz.labs.learnability.process import EDITED, ETA_NAMES, BagSample, ChosenProcess, Findings, parameter_values
from knnviz.labs.old_engine import Lab, Preset, columns, rows, stage
from knnviz.learnability.matrix import check_eta, check_process

SECTION = "Errandonea et al., section 2"
APPENDIX = "Errandonea et al., appendix A"


class LearnabilityLab(Lab):
    """The simplex of P(y | x) with the most probable label and the one in most bags, the bags, and the matrix M.

    Source: Errandonea et al., section 2 and appendix A.

    Examples
    --------
    >>> from knnviz.labs import LearnabilityLab
    >>> found = LearnabilityLab(model="permutation", n_classes=3).readout()
    >>> found["reconstructible"], found["aligned"], found["best_label"], found["counted_label"]
    (True, False, '0', '1')
    """

    title = "which bags can be learned from"
    number_names: Mapping[str, str] = {
        "rank": "rank of M",
        "reconstructible": "reconstructible",
        "aligned_process": "aligned at every eta",
        "aligned": "aligned at eta",
        "best_label": "best label",
        "counted_label": "in most bags",
        "sample_label": "in most bags drawn",
        "decoded_label": "by least squares",
        "theta": "counting costs theta",
        "misaligned_fraction": "counting errs on",
        "mean_bag_size": "labels in a bag",
        "bags_gap": "bags differ by",
    }
    layout = rows(
        columns(("simplex", 5 / 6), ("fractions", 1.3), ("process", 1.7), ratios=(10, 7, 7)),
        columns(("conclusions", 0.38), ("bags", 0.45), ratios=(13, 11)),
    )
    order = ("model", "n_classes", *ETA_NAMES, "beside", "n", "seed", "column")

    presets = (
        Preset("Labels themselves", SECTION, {"model": "labels themselves"}),
        Preset("Two never apart", SECTION, {"model": "two never apart", "beside": "same bags"}),
        Preset("A mixture of two", SECTION, {"model": "a mixture of two", "beside": "same bags"}),
        Preset("All but one wrong label", SECTION, {"model": "all but one wrong label"}),
        Preset("Mostly right", SECTION, {"model": "mostly right"}),
        Preset("Permutation", SECTION, {"model": "permutation"}),
        Preset("Permutation, swapped", "Errandonea et al., Theorem 3.1", {"model": "permutation", "beside": "swapped"}),
        Preset("Never alone", SECTION, {"model": "never alone"}),
        Preset("Always both", SECTION, {"model": "always both", "beside": "same bags"}),
        Preset("First expert", f"{APPENDIX}.5", {"model": "first expert"}),
        Preset("Second expert", f"{APPENDIX}.5", {"model": "second expert"}),
        *(Preset(name, APPENDIX, {"model": name}) for name in learnability.MODELS),
    )

    bag_process = ChosenProcess()
    sample = BagSample(process=bag_process)
    findings = Findings(process=bag_process, sample=sample)

    simplex = Simplex(process=bag_process, findings=findings)
    process = Table(process=bag_process)
    fractions = LabelBars(findings=findings)
    conclusions = Conclusions(findings=findings)
    bags = BagBars(findings=findings)

    def show_process(self, process: np.ndarray, eta: np.ndarray | None = None) -> Self:
        """Show a process M (2^C, C) of two or three labels, and P(y | x) (C,) if given; ValueError for other arrays."""
        process = check_process(process)
        n_classes = process.shape[1]
        require(n_classes in (2, 3), f"the lab shows two or three labels, got {n_classes}")
        if eta is None:
            eta = self.bag_process.eta if self.n_classes == n_classes else np.full(n_classes, 1 / n_classes)
        eta = check_eta(eta, n_classes)
        require(eta.ndim == 1, f"eta must be that of one point here, got shape {eta.shape}")
        return self.set(model=EDITED, n_classes=n_classes, **parameter_values(process, eta))

    @stage
    def numbers(self) -> dict[str, Any]:
        found, here, other = self.findings, self.bag_process.world, self.findings.other
        numbers = {
            "rank": found.rank,
            "reconstructible": found.rank == self.n_classes,
            "aligned_process": found.misaligned_eta is None,
            "aligned": bool(learnability.same_best_labels(here.frequency, here.eta)),
            "best_label": best_labels(here.eta),
            "counted_label": best_labels(here.frequency),
            "decoded_label": None if found.decoded is None else best_labels(found.decoded),
            "decoded": None if found.decoded is None else rounded(found.decoded),
            "frequency": rounded(here.frequency),
            "theta": found.theta,
            "misaligned_fraction": found.misaligned_fraction,
            "mean_bag_size": float(here.frequency.sum()),
        }
        if self.sample.frequency is not None:
            numbers |= {"sample_label": best_labels(self.sample.frequency)}
        if other is not None:
            gap = float(abs(other.bag_distribution - here.bag_distribution).max())
            numbers |= {"other_best": best_labels(other.eta), "bags_gap": gap}
        return numbers


def rounded(values: np.ndarray) -> tuple[float, ...]:
    return tuple((np.round(values, 6) + 0.0).tolist())
