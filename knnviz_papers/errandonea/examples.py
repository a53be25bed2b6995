"""Two examples in which the rules stop at different k."""

from collections.abc import Sequence
from functools import partial
from math import inf

import numpy as np
from tqdm import tqdm

from knnviz.bounds.arithmetic import ceil_rounded
from knnviz.checks import TIE_TOL
from knnviz.neighbors import NeighborTable
from knnviz.problems import Sample, constant
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples

#: Fractions of three labels, each bag a single label: two close ones and a rare one, or one ahead
#: of two.
EXAMPLES = {"Q1": (0.50, 0.49, 0.01), "Q2": (0.40, 0.30, 0.30)}

RULES = {"A-kNN": Adaptive, "PL A-kNN": PartialAdaptive}

#: What is measured on a sample.
MEASURED = ("mean_k", "error", "decided")


def errandonea_examples(
    constants: Sequence[float] = (0.5, 1.0),
    n: int = 5000,
    delta: float = 0.1,
    repeats: int = 1000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The stopping k of A-kNN and PL A-kNN at given fractions of three labels, and how often they
    err.

    All n labels are drawn from the fractions, and T = n. Run r draws the same uniforms for both
    examples, and one sample is used for every rule and each of the ``constants`` c1 of the band.

    Table: "stops", a row for each example, c1 and rule: the stopping k of exact fractions, the mean
    one, and how often the rule errs and decides before T.

    Source: Errandonea et al., appendix B.2, which gives no numbers of samples.
    """
    work = partial(stops_and_errors, constants=constants, delta=delta)
    stops = []
    for name, fractions in tqdm(EXAMPLES.items(), "errandonea_examples", disable=not progress):
        found = over_samples(work, constant(fractions), n, repeats, seed)
        for i, c1 in enumerate(constants):
            band = PartialAdaptive(c1, delta).band_constant(n, len(fractions))
            first, second, _ = fractions
            leads = (first - 1 / len(fractions), first - second)
            exact = [stopping_k(lead, band) for lead in leads]
            for j, rule in enumerate(RULES):
                row: Row = {"example": name, "c1": c1, "band_constant": band}
                row |= {"rule": rule, "exact_k": exact[j]}
                row |= means_and_errors(found[:, i, j], MEASURED)
                stops.append(row)
    return {"stops": stops}


def stopping_k(gap: float, band_constant: float) -> float:
    """The k from which on the band is at most the gap, (band_constant / gap)^2 rounded up; infinite
    for no gap.

    Where all balls hold each label with its probability at the point, PL A-kNN eliminates a label
    at this k, with the gap to the top labels, and A-kNN stops at it, with that of the top label to
    1 / C.
    """
    # Decimals such as 0.1 are not exact: a gap that is only rounding counts as 0.
    if gap <= TIE_TOL:
        return inf
    return ceil_rounded((band_constant / gap) ** 2)


def stops_and_errors(sample: Sample, constants: Sequence[float], delta: float) -> list:
    """What ``MEASURED`` names for each c1 and rule on one sample, whose best label is 0."""
    n = len(sample)
    bags = np.eye(3, dtype=bool)[sample.y]
    own_order = np.arange(n, dtype=np.int32)
    table = NeighborTable(own_order[None], n)
    found = []
    for c1 in constants:
        of_rules = []
        for rule in RULES.values():
            scan = rule(c1, delta).scan(table, bags, 3)
            errs = scan.labels[0] != 0
            of_rules.append([scan.stop_k[0], errs, scan.decided[0]])
        found.append(of_rules)
    return found
