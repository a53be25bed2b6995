"""Example processes by name, each described in one line."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from knnviz.bags import BagProcess
from knnviz.learnability.matrix import check_eta, check_process, process_matrix, process_of


@dataclass(frozen=True, eq=False)
class Example:
    """A process M (2^C, C), its ``description`` in one line, and an ``eta`` (C,) if the example is about one.

    Both arrays are read-only. Raises ValueError for arrays that are no process or no probabilities.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES
    >>> EXAMPLES["always both"].description
    'Every bag holds both labels.'
    >>> EXAMPLES["always both"].process.tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    """

    description: str
    process: np.ndarray
    eta: np.ndarray | None = None

    def __post_init__(self) -> None:
        kept = {"process": check_process(self.process).copy()}
        if self.eta is not None:
            kept["eta"] = check_eta(self.eta, kept["process"].shape[1]).copy()
        for name, array in kept.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def n_classes(self) -> int:
        return self.process.shape[1]


def _expert(eta_0: float, joins: tuple[float, float], description: str) -> Example:
    """Two labels: eta of label 0, and how often the other label joins a bag of label 0 and of label 1."""
    process = process_of(BagProcess([[1, joins[0]], [joins[1], 1]]))
    return Example(description, process, np.array([eta_0, 1 - eta_0]))


#: Processes by name. Sources: "permutation" is from Errandonea et al., section 2.2. The two experts are the two worlds
#: with the same bags in their appendix A.5.
EXAMPLES: Mapping[str, Example] = MappingProxyType(
    {
        "labels themselves": Example(
            "Each bag holds its true label and nothing else.",
            process_matrix([{(0,): 1}, {(1,): 1}, {(2,): 1}]),
        ),
        "always both": Example(
            "Every bag holds both labels.",
            process_matrix([{(0, 1): 1}, {(0, 1): 1}]),
        ),
        "two never apart": Example(
            "Labels 0 and 1 come in one bag whichever is true; label 2 comes alone.",
            process_matrix([{(0, 1): 1}, {(0, 1): 1}, {(2,): 1}]),
        ),
        "a mixture of two": Example(
            "The bags of label 2 are those of labels 0 and 1 mixed, half and half.",
            process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 0.6, (0, 1): 0.4}, {(0,): 0.3, (1,): 0.3, (0, 1): 0.4}]),
        ),
        "all but one wrong label": Example(
            "One wrong label, each as likely, is ruled out: a bag holds the true label and the other wrong one.",
            process_matrix([{(0, 1): 0.5, (0, 2): 0.5}, {(0, 1): 0.5, (1, 2): 0.5}, {(0, 2): 0.5, (1, 2): 0.5}]),
        ),
        "never alone": Example(
            "Label 0 never comes without label 1, which comes alone when it is the true one.",
            process_matrix([{(0, 1): 1}, {(1,): 1}]),
        ),
        "permutation": Example(
            "Each bag holds one wrong label: 1 where 0 is true, 2 where 1 is, 0 where 2 is.",
            process_matrix([{(1,): 1}, {(2,): 1}, {(0,): 1}]),
        ),
        "mostly right": Example(
            "Each bag holds one label: the true one 70 % of the time, else a wrong one, each as likely.",
            process_matrix([{(label,): 0.7 if label == true else 0.15 for label in range(3)} for true in range(3)]),
        ),
        "supersets without full rank": Example(
            "Each true label is in its bags beside one of two others, so that two pairs of labels give the same bags.",
            process_matrix(
                [
                    {(0, 2): 0.5, (0, 3): 0.5},
                    {(1, 2): 0.5, (1, 3): 0.5},
                    {(0, 2): 0.5, (1, 2): 0.5},
                    {(0, 3): 0.5, (1, 3): 0.5},
                ]
            ),
        ),
        "even inclusion": Example(
            "The true label is in its bag, and each wrong one joins with probability 0.4.",
            process_of(BagProcess.even_inclusion(3, 0.4)),
        ),
        "first expert": _expert(
            2 / 3,
            (2 / 3, 0),
            "Fraction 2/3 for label 0, which has label 1 in two of three bags; label 1 comes alone.",
        ),
        "second expert": _expert(
            1 / 3,
            (1 / 3, 1 / 2),
            "Fraction 1/3 for label 0, which has label 1 in one of three bags; label 1 has label 0 in half of its own.",
        ),
    }
)
