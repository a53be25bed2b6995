"""Example processes by name, each described in one line."""

from typing import NamedTuple

import numpy as np

from knnviz.bags import BagProcess
from knnviz.learnability.matrix import process_matrix, process_of


class BagExample(NamedTuple):
    """A process M (2^C, C), its ``description`` in one line, and an ``eta`` (C,) if the example is
    about one.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES
    >>> EXAMPLES["never alone"].process.tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """

    description: str
    process: np.ndarray
    eta: np.ndarray | None = None

    @property
    def n_classes(self) -> int:
        return self.process.shape[1]


#: Processes by name. Sources: "permutation" is from Errandonea et al., section 2.2. The two experts
#: are the two worlds with the same bags in their appendix A.5.
EXAMPLES: dict[str, BagExample] = {
    "labels themselves": BagExample(
        "Each bag holds its true label and nothing else.",
        process_of(BagProcess.from_inclusion(3, 0)),
    ),
    "always both": BagExample(
        "Every bag holds both labels.",
        process_of(BagProcess.from_inclusion(2, 1)),
    ),
    "two never apart": BagExample(
        "Labels 0 and 1 come in one bag whichever is true; label 2 comes alone.",
        process_of(BagProcess([[1, 1, 0], [1, 1, 0], [0, 0, 1]])),
    ),
    "a mixture of two": BagExample(
        "The bags of label 2 are those of labels 0 and 1 mixed, half and half.",
        process_matrix(
            [
                {(0,): 0.6, (0, 1): 0.4},
                {(1,): 0.6, (0, 1): 0.4},
                {(0,): 0.3, (1,): 0.3, (0, 1): 0.4},
            ]
        ),
    ),
    "all but one wrong label": BagExample(
        "One wrong label, each as likely, is ruled out: a bag holds the true label and the other "
        "wrong one.",
        process_matrix(
            [{(0, 1): 0.5, (0, 2): 0.5}, {(0, 1): 0.5, (1, 2): 0.5}, {(0, 2): 0.5, (1, 2): 0.5}]
        ),
    ),
    "never alone": BagExample(
        "Label 0 never comes without label 1, which comes alone when it is the true one.",
        process_of(BagProcess([[1, 1], [0, 1]])),
    ),
    "permutation": BagExample(
        "Each bag holds one wrong label: 1 where 0 is true, 2 where 1 is, 0 where 2 is.",
        process_matrix([{(1,): 1}, {(2,): 1}, {(0,): 1}]),
    ),
    "mostly right": BagExample(
        "Each bag holds one label: the true one 70 % of the time, else a wrong one, each as "
        "likely.",
        process_matrix(
            [{(label,): 0.7 if label == true else 0.15 for label in range(3)} for true in range(3)]
        ),
    ),
    "supersets without full rank": BagExample(
        "Each true label is in its bags beside one of two others, so that two pairs of labels "
        "give the same bags.",
        process_matrix(
            [
                {(0, 2): 0.5, (0, 3): 0.5},
                {(1, 2): 0.5, (1, 3): 0.5},
                {(0, 2): 0.5, (1, 2): 0.5},
                {(0, 3): 0.5, (1, 3): 0.5},
            ]
        ),
    ),
    "even inclusion": BagExample(
        "The true label is in its bag, and each wrong one joins with probability 0.4.",
        process_of(BagProcess.from_inclusion(3, 0.4)),
    ),
    "first expert": BagExample(
        "Fraction 2/3 for label 0, which has label 1 in two of three bags; label 1 comes alone.",
        process_of(BagProcess([[1, 2 / 3], [0, 1]])),
        np.array([2 / 3, 1 - 2 / 3]),
    ),
    "second expert": BagExample(
        "Fraction 1/3 for label 0, which has label 1 in one of three bags; label 1 has label 0 in "
        "half of its own.",
        process_of(BagProcess([[1, 1 / 3], [1 / 2, 1]])),
        np.array([1 / 3, 1 - 1 / 3]),
    ),
}

for _example in EXAMPLES.values():
    _example.process.flags.writeable = False
    if _example.eta is not None:
        _example.eta.flags.writeable = False
