"""Two examples in which the rules stop at different k, and balls that grow step by step ("walks")."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz.bounds.errandonea import exact_stops
from knnviz.neighbors import NeighborTable
from knnviz.problems import Sample, constant
from knnviz.rules import Adaptive, PartialAdaptive, Trace
from knnviz_papers.simulate import Row, Tables, mean_and_error, means_and_errors, over_samples

#: Fractions of three labels, each bag a single label: two close ones and a rare one, or one ahead of two.
EXAMPLES = {"Q1": (0.50, 0.49, 0.01), "Q2": (0.40, 0.30, 0.30)}

RULES = {"A-kNN": Adaptive, "PL A-kNN": PartialAdaptive}

#: What is measured on a sample.
MEASURED = ("mean_k", "error", "decided")

#: Balls that grow step by step: n, C, T, and the bags of the nearest neighbors in order, labels from 1.
WALKS = {
    "two struck out": (100, 3, 50, "12 1 13 2 12 1 13 12 1 12 13 1"),
    "undecided": (10**6, 3, 12, "12 1 13 2 12 1 13 12 1 12 13 1"),
    "fewer points than T": (6, 2, 50, "12 12 12 12 2 2"),
}


def errandonea_examples(
    constants: Sequence[float] = (0.5, 1.0),
    n: int = 5000,
    delta: float = 0.1,
    repeats: int = 1000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The stopping k of A-kNN and PL A-kNN at given fractions of three labels, and how often they err.

    All n labels are drawn from the fractions, and T = n. Run r draws the same uniforms for both examples, and one
    sample is used for every rule and each of the ``constants`` c1 of the band, above 0.

    Tables: "stops", a row for each example, c1 and rule: the stopping k of exact fractions, the mean one, and how often
    the rule errs and decides before T; "strays", for each example and c1: in what fraction of samples some label's
    fraction deviates by half the band or more at some k, which the proofs exclude; "walks" and "steps", growing balls
    of given bags: the result of each, and every step.

    Source: Errandonea et al., appendix B.2, which gives no numbers of samples.
    """
    stops, strays = [], []
    for name, fractions in tqdm(EXAMPLES.items(), "errandonea_examples", disable=not progress):
        work = partial(measured, fractions=fractions, constants=constants, delta=delta)
        found = over_samples(work, constant(fractions), n, repeats, seed)
        for c1, each in zip(constants, np.split(found, len(constants), axis=1), strict=True):
            band = PartialAdaptive(c1, delta).band_constant(n, len(fractions))
            key = {"example": name, "c1": c1, "band_constant": band}
            strays.append(key | mean_and_error("strays", each[:, -1]))
            exact = exact_stops(fractions, band)
            for rule, k, seen in zip(RULES, exact, (each[:, :3], each[:, 3:6]), strict=True):
                stops.append(key | {"rule": rule, "exact_k": k} | means_and_errors(seen, MEASURED))
    walks, steps = zip(*(walked(name) for name in WALKS), strict=True)
    return {"stops": stops, "strays": strays, "walks": list(walks), "steps": [step for each in steps for step in each]}


def measured(sample: Sample, fractions: Sequence[float], constants: Sequence[float], delta: float) -> list[float]:
    """Results of the rules on the labels of one sample, taken in the order of the sample; its points do not matter.

    ``fractions`` are those of the labels, the largest first. For each c1: of either rule what ``MEASURED`` names, then
    1 if a fraction of a label ever deviates by half the band.
    """
    n, bags = len(sample), np.eye(len(fractions), dtype=bool)[sample.y]
    table = NeighborTable(np.arange(n, dtype=np.int32)[None], n)
    k = np.arange(1, n + 1)[:, None]
    strayed = float((abs(np.cumsum(bags, axis=0) / k - fractions) * 2 * np.sqrt(k)).max())
    found = []
    for c1 in constants:
        for rule in RULES.values():
            scan = rule(c1, delta).scan(table, bags, len(fractions))
            found += [float(scan.stop_k[0]), float(scan.labels[0] != 0), float(scan.decided[0])]
        found.append(float(strayed >= PartialAdaptive(c1, delta).band_constant(n, len(fractions))))
    return found


def walked(name: str) -> tuple[Row, list[Row]]:
    """One of ``WALKS`` by PL A-kNN with c1 = 0.5 and delta = 0.1, labels from 1: the result, and a row for each k.

    The result has the ``band_constant``, where the ball stops, which labels are left, what is predicted, and where the
    smallest M of those left is. M is the band constant minus the lead in bags over sqrt(k). A step has how often each
    label was in a bag (None beyond the classes), the band, the two largest counts of labels not yet eliminated, and
    which it eliminates.
    """
    n, n_classes, most, text = WALKS[name]
    bags = np.zeros((n, n_classes), bool)
    for row, labels in enumerate(text.split()):
        bags[row, [int(label) - 1 for label in labels]] = True
    rule = PartialAdaptive(0.5, 0.1, most)
    table = NeighborTable(np.arange(min(n, most), dtype=np.int32)[None], n)
    trace, left = rule.trace(table, bags, n_classes), rule.scan(table, bags, n_classes).alive[0]
    band = rule.band_constant(n, n_classes)
    leads = np.where(left, trace.lead[: trace.stop_k], -np.inf)
    at, label = np.unravel_index(leads.argmax(), leads.shape)
    walk = {"walk": name, "n": n, "classes": n_classes, "T": most, "band_constant": band, "stop_k": trace.stop_k}
    walk |= {"label": trace.label + 1, "left": _labels(left), "least_m": band - leads.max()}
    walk |= {"at_k": int(at) + 1, "at_label": int(label) + 1}
    return walk, [_step(name, trace, k) for k in range(1, trace.stop_k + 1)]


def _step(name: str, trace: Trace, k: int) -> Row:
    counts = trace.counts[k - 1]
    second, first = np.sort(counts[trace.alive[k - 1]])[-2:]
    row = {"walk": name, "k": k}
    row |= {f"bags_{label}": counts[label - 1] if label <= len(counts) else None for label in (1, 2, 3)}
    row |= {"band": trace.band[k - 1], "first": first, "second": second}
    return row | {"struck": _labels(trace.eliminated_at == k)}


def _labels(marked: np.ndarray) -> str:
    return " ".join(str(label + 1) for label in np.flatnonzero(marked))
