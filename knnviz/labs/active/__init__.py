"""ActiveLab: labels bought in two rounds, step by step, compared with equally many passive labels.

The first round labels n random points. A point is hard, or contentious, if its vote of k_hard neighbors is within 2
Delta + Delta~ of 1/2. Delta bounds how far a vote at one point is from its expectation; Delta~ allows for votes at all
points together. H is the set of hard points; H+ adds the ball of k_plus neighbors around each. In the second round a
coin makes a draw passive with probability pi, else targeted, to be labeled only in H+. The passive learner has n + m
labels of random points. The disagreement is the probability that a learner does not predict as the Bayes classifier
does, or, for data, the held-out error. (*) is the condition of Corollary 1, a lower bound on Delta. The effective
boundary of Theorem 3 holds points around which eta, averaged over some ball, is within Delta of 1/2 or on its other
side. Balls have mass at most p, which exceeds k_vote / (n + m).
"""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.active import panels
from knnviz.labs.active.learners import Center, Curves, Learners, Theory
from knnviz.labs.active.rounds import ROUND_ONE, Rounds
from knnviz.labs.old_engine import Cell, Lab, Preset, aligned, columns, rows, stage

SOURCE = "Rittler & Chaudhuri"


class ActiveLab(Lab):
    """The vote of the first round, H, the labels of both rounds, both learners, and the conditions of the theory.

    Source: Rittler & Chaudhuri.

    Examples
    --------
    >>> from knnviz.labs import ActiveLab
    >>> found = ActiveLab(problem="linear", n=1000, m=1000).readout()
    >>> found["hard_mass"], found["passive_disagreement"], found["active_disagreement"]
    (0.823, 0.058, 0.01)
    """

    title = "two rounds of labels"
    number_names: Mapping[str, str] = {
        "passive_disagreement": "disagreement, passive",
        "active_disagreement": "disagreement, active",
        "labels": "labels bought",
        "draws": "points drawn in round two",
        "hard_mass": "mass of H",
        "augmented_mass": "mass of H+",
        "width": "2 Delta + Delta~ at k_hard",
        "k_plus": "k+",
        "passive_label_fraction": "fraction of passive labels",
        "expected_passive_fraction": "fraction of passive labels, expected",
        "region_voters": "labels used in H",
        "mass": "ball mass p",
        "margin": "Delta at k_vote",
        "boundary_mass": "boundary mass",
    }
    layout = rows(
        Cell("story", height=28),
        aligned(("line", 0.2), Cell("rows", height=190)),
        columns(("map", 1.0), ("errors", 1.0)),
        columns(Cell("risk", height=104), Cell("draws", height=120), Cell("flags", height=140), ratios=(24, 19, 25)),
    )

    presets = (
        Preset("A: narrow bump", SOURCE, {}),
        Preset("A2: one coin per label", SOURCE, {"coin": "per sample"}),
        Preset("B: noise everywhere", SOURCE, {"problem": "jump", "a": 0.05}),
        Preset("C: c0 = 1", SOURCE, {"c0": 1.0}),
        Preset("D: passive fraction .9", SOURCE, {"passive_fraction": 0.9}),
        Preset("E: first round of 250", SOURCE, {"n": 250, "m": 1750, "step": ROUND_ONE + 1750}),
        Preset("E2: c_plus = 1", SOURCE, {"c_plus": 1.0}),
        Preset("E3: c_plus = 4", SOURCE, {"c_plus": 4.0}),
        Preset(
            "F: noisy bump",
            SOURCE,
            {"width": 0.1, "height": 0.8, "low": 0.2, "n": 3000, "m": 3000, "k_hard": 300, "k_vote": 300}
            | {"step": ROUND_ONE + 3000},
        ),
        Preset("G: wave in the square", SOURCE, {"problem": "wave2d", "n": 2000, "m": 2000, "step": ROUND_ONE + 2000}),
        Preset(
            "pi = 0, outside Theorem 7",
            f"{SOURCE}, Theorem 7: k = (n + m)^(2/3)",
            {"problem": "jump", "a": 0.45, "n": 300, "m": 6000, "k_vote": 341, "passive_fraction": 0.0}
            | {"step": ROUND_ONE + 6000},
        ),
        Preset("A slope of power 2", "margin exponent 1/2", {"problem": "power", "kappa": 2.0}),
        Preset(
            "A real pool",
            "Breast Cancer Wisconsin, mean radius and mean texture",
            {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29, "step": ROUND_ONE + 119},
        ),
    )

    rounds = Rounds()
    learners = Learners(rounds=rounds)
    center = Center(data=rounds, learners=learners)
    curves = Curves(rounds=rounds, learners=learners)
    theory = Theory(rounds=rounds, learners=learners)

    @stage
    def numbers(self) -> dict[str, Any]:
        rounds, bought, first = self.rounds, self.rounds.bought_so_far, self.rounds.bought.first
        (passive, active), (p, Delta, boundary) = self.learners.disagreements, self.theory.boundary
        _, passive_labels, targeted_labels, _ = rounds.counts
        numbers = {
            "labels": rounds.label_count,
            "draws": bought.n_draws,
            "region_voters": int(self.learners.used_in_H.sum()),
            "passive": passive_labels,
            "targeted": targeted_labels,
            "margin": Delta,
            "flags": {name: panels.VERDICTS[holds] for name, holds in self.theory.conditions.items()},
        }
        if boundary is not None:
            numbers |= {"mass": p, "boundary_mass": float(self.learners.cells.weights[boundary].sum())}
        expected = bought.expected_passive_fraction
        from_step = {
            1: {"passive_disagreement": passive, "active_disagreement": active},
            2: {"width": first.width},
            3: {"hard_mass": first.hard_mass, "fallback": first.fallback},
            4: {"k_plus": first.k_plus, "augmented_mass": first.augmented_mass},
            5: {"passive_label_fraction": bought.passive_label_fraction, "expected_passive_fraction": expected},
        }
        for step, more in from_step.items():
            if rounds.step >= step:
                numbers |= more
        return numbers

    story = panels.StoryPanel(center=center)
    line = panels.LinePanel(rounds=rounds, learners=learners, center=center)
    rows = panels.RowsPanel(rounds=rounds, learners=learners, center=center, theory=theory)
    map = panels.LabelMapPanel(rounds=rounds, learners=learners, center=center)
    errors = panels.ErrorMapPanel(rounds=rounds, learners=learners, center=center)
    risk = panels.CurvePanel(curves=curves)
    draws = panels.DrawsPanel(rounds=rounds)
    flags = panels.FlagsPanel(theory=theory)

    #: The controls of Play and of the vote come first, beside the top of the picture.
    order = ("step", "k_vote", "voters")

    def pace(self, value: int) -> tuple[int, bool]:
        """How long Play stays at a step, in milliseconds, and whether it may skip steps."""
        return (1500, False) if value <= ROUND_ONE else (100, True)

    @stage
    def alt(self) -> str:
        return f"{self.story.alt_text()} {self.flags.alt_text()} {self.numbers_text()}. {self.risk.alt_text()}"
