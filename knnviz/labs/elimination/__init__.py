"""EliminationLab: a ball grows around x, neighbor by neighbor (the walk), until one label is not eliminated.

A bag is a candidate label set. The "partial" rule is adaptive kNN for partial labels (PL A-kNN): of the bags in the
ball it counts those that hold each label, and eliminates a label whose fraction is below that of the leader, the most
frequent label, by the band Delta(k) or more. The "adaptive" rule is adaptive kNN (A-kNN) extended to bags: it stops
once the largest fraction exceeds 1 / C by the band. Both stop at T neighbors in any case; a rule is undecided if that
is why. 10-NN is the plain vote. The advantage at x is large if the leader is ahead in a large ball. At a misaligned
point, the labels in most bags are not the most probable ones.
"""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.elimination.bag_sample import EXAMPLE, BagFrequencies, Bags, BagSample
from knnviz.labs.elimination.panels import BagMap, BallPanel, Predictions
from knnviz.labs.elimination.rules import OF_PROOF, Decisions, StoppingRules, Walk
from knnviz.labs.old_engine import Cell, Lab, Preset, columns, rows, stage
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint, Votes

#: Milliseconds that Play stays at a k.
PACE = 120

SOURCE = "Errandonea et al."
TRUE_LABELS = {"bag_noise": 0.0, "inclusion": 0.0}
LARGE_SAMPLE = {"n": 5000, "max_neighbors": 5000, "k": 5000, "x1": 0.5}


class EliminationLab(Lab):
    """Map or Line of PL A-kNN, the ball around x as it grows, and predictions of A-kNN and 10-NN there.

    Source: Errandonea et al., Algorithms 1 and 2.

    Examples
    --------
    >>> from knnviz.labs import EliminationLab
    >>> found = EliminationLab(problem="thirds", n=500, x1=0.1).readout()
    >>> found["decision"], found["stop_k"], found["bayes_risk"]
    ('class 0', 41, 0.285714)
    """

    title = "partial labels and adaptive k"
    number_names: Mapping[str, str] = {
        "decision": "PL A-kNN at x",
        "stop_k": "stops at k",
        "survivors": "labels left",
        "aknn_decision": "A-kNN at x",
        "aknn_stop_k": "A-kNN stops at k",
        "vote_decision": "10-NN at x",
        "risk": "risk of PL A-kNN",
        "aknn_risk": "of A-kNN",
        "vote_risk": "of 10-NN",
        "limit": "limit of PL A-kNN",
        "bayes_risk": "Bayes risk",
        "mean_stop_k": "mean stopping k",
        "undecided": "undecided",
        "misaligned_mass": "misaligned mass",
        "mean_bag_size": "labels in a bag",
        "band_constant": "constant of the band",
        "advantage": "advantage at x",
    }
    layout = columns(("map", 1.0), rows(("ball", 0.6), Cell("predictions", height=160)))

    presets = (
        Preset("Worked walk", SOURCE, {"problem": EXAMPLE, "n": 100, "max_neighbors": 12, "k": 12, "x1": 0.0}),
        Preset(
            "Q1: three fractions",
            f"{SOURCE}, appendix B.2",
            {"problem": "fractions 50 49 1", "seed": 6} | TRUE_LABELS | LARGE_SAMPLE,
        ),
        Preset(
            "Q2: three fractions",
            f"{SOURCE}, appendix B.2",
            {"problem": "fractions 40 30 30", "seed": 5} | TRUE_LABELS | LARGE_SAMPLE,
        ),
        Preset(
            "A crowded third",
            f"{SOURCE}, Theorem 3.5",
            {"problem": "contested line", "n": 4000, "max_neighbors": 2000, "k": 2000, "x1": 0.15}
            | {"bag_noise": 0.0, "spread": "crowded left"},
        ),
        Preset("Proof constants", f"{SOURCE}, Theorem 3.2", {"constants": OF_PROOF}),
        Preset("Five classes", SOURCE, {"problem": "five gaussians", "n": 4000, "max_neighbors": 400, "k": 400}),
        Preset("Digits", f"{SOURCE}, section 4", {"problem": "digits 0 to 4", "n": 600, "spread": "by cluster"}),
    )

    @stage
    def masses(self) -> tuple[float, ...]:
        """The ball mass on the map; it need not be a step of a slider."""
        return (self.mass_cap,)

    @stage
    def numbers(self) -> dict[str, Any]:
        constant = self.rules.partial.band_constant(self.n, self.data.chosen_problem.n_classes)
        others = {"mean_bag_size": self.bags.mean_size, "band_constant": constant}
        return {**self.walk.numbers, **self.decisions.numbers, **others, **self.map.numbers}

    def pace(self, value: int) -> tuple[int, bool]:
        """Milliseconds that Play stays at a k, and whether it may skip some."""
        return PACE, True

    data = BagSample()
    bags = Bags(data=data)
    rules = StoppingRules(data=data)
    query = QueryPoint(data=data, labels=bags.labels, k_max=rules.k_max)
    cells = Cells(data=data, labels=bags.labels, k_max=rules.k_max, masses=masses)
    held_out = Votes(data=data, labels=bags.labels, k_max=rules.k_max, queries=lambda data: data.source.X_test)
    frequencies = BagFrequencies(data=data, bags=bags, cells=cells, query=query)
    decisions = Decisions(data=data, bags=bags, rules=rules, frequencies=frequencies, cells=cells, held_out=held_out)
    walk = Walk(data=data, bags=bags, rules=rules, query=query)

    map = BagMap(
        data=data, labels=bags.labels, cells=cells, query=query, k=rules.k, decisions=decisions, frequencies=frequencies
    )
    ball = BallPanel(data=data, rules=rules, frequencies=frequencies, walk=walk)
    predictions = Predictions(data=data, rules=rules, frequencies=frequencies, walk=walk)

    order = (
        *("k", "c1", "max_neighbors", "fallback", "overlay", "mass_cap", "bag_noise", "kind", "inclusion", "spread"),
        *("problem", "n", "seed", "delta", "constants", "x1", "x2"),
    )
