"""ActiveRatesLab: what theory guarantees for passive and active learning, and where it contradicts itself.

A rate is the order, up to constants, of a bound on the disagreement: the probability that a vote does not predict as
the Bayes classifier does. The passive rate is that of Chaudhuri & Dasgupta for n random labels, the active rate that of
Corollary 1 for the two rounds of ``knnviz.active``. Each prescribes a k. The active one assumes condition (*): Delta,
which bounds how far a vote is from its expectation, is large enough at this k. The effective boundary of Theorem 3
holds points around which eta, averaged over some ball, is within Delta of 1/2 or on its other side. Balls have mass at
most p = c_delta k / N, for N labels of both rounds: by the formula of c_delta one of mass p is likely to hold k of N.
alpha and L are the smoothness exponent and its constant, beta is the margin exponent.
"""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.active_rates import layers as view
from knnviz.labs.active_rates.boundary import Boundary, BoundaryPanel
from knnviz.labs.active_rates.curves import ConditionPanel, NeighborPanel, RatePanel, Rates
from knnviz.labs.old_engine import Lab, Preset, columns, rows, stage

#: Numbers over many powers of ten, which are shown to a few digits.
WIDE_RANGE = ("active_k", "ratio")

COROLLARY, THEOREM = "Rittler & Chaudhuri, Corollary 1", "Rittler & Chaudhuri, Theorem 3"


class ActiveRatesLab(Lab):
    """Rates, condition (*) and the prescribed k over n, and the effective boundary of Theorem 3 on a line.

    Source: Rittler & Chaudhuri, Theorem 3 and Corollary 1.

    Examples
    --------
    >>> from knnviz.labs import ActiveRatesLab
    >>> found = ActiveRatesLab(smoothness=1.0, margin_exponent=0.9).readout()
    >>> found["passive_exponent"], found["active_exponent"]
    (0.3, 0.428571)
    """

    title = "guarantees of active learning"
    number_names: Mapping[str, str] = {
        "passive_exponent": "passive exponent",
        "active_exponent": "active exponent",
        "active_k": "active k at n",
        "ratio": "(*) ratio at n",
        "condition_holds": "(*) holds",
        "k_within": "k from 1 to n",
        "usable": "usable for n",
        "boundary_mass": "boundary mass",
        "closed_form": "closed form",
        "bound": "Theorem 3's bound",
        "vacuous": "vacuous",
        "mean_vote_error": "error of the mean vote",
        "theorem_note": "on Theorem 3",
        "rates_note": "on the rates",
    }
    layout = rows(columns(("rates", 0.56), ("condition", 0.56)), columns(("map", 0.5), ("neighbors", 0.5)))

    presets = (
        Preset("Corollary 1 at alpha 1, beta .9", COROLLARY, {}),
        Preset("constant .001", COROLLARY, {"constant_power": -3.0}),
        Preset(
            "power family, kappa 2", COROLLARY, {"assumed": "power family", "problem": "power", "constant_power": -3.0}
        ),
        Preset("k beyond n", COROLLARY, {"margin_exponent": 1.5}),
        Preset("Theorem 3's bump", THEOREM, {"problem": "bump"}),
        Preset("Theorem 3 on a jump", THEOREM, {"problem": "jump", "total": 3000, "k": 300}),
        Preset("Theorem 3 on a slope", THEOREM, {"total": 3000, "k": 300}),
        Preset(
            "two atoms, as printed",
            "Rittler & Chaudhuri, Definition 2",
            {"problem": "two atoms", "total": 10_000, "k": 4500, "delta": 0.01, "sides": "literal"},
        ),
    )

    rates_at_n = Rates()
    boundary = Boundary(delta=rates_at_n.delta, kappa=rates_at_n.kappa)

    rates = RatePanel(rates=rates_at_n)
    condition = ConditionPanel(rates=rates_at_n)
    map = BoundaryPanel(boundary=boundary)
    neighbors = NeighborPanel(rates=rates_at_n)

    order = (
        *("assumed", "kappa", "smoothness", "smoothness_constant", "margin_exponent", "dimension", "delta"),
        *("constant_power", "n"),
    )

    @stage
    def numbers(self) -> dict[str, Any]:
        notes = {"rates_note": self.rates_at_n.note(self.problem), "theorem_note": self.boundary.note}
        notes = {name: note for name, note in notes.items() if note}
        return {**self.rates_at_n.numbers, **self.boundary.numbers, **notes}

    def shown_numbers(self) -> dict[str, str]:
        short = {self.number_names[key]: view.short_number(self.numbers[key]) for key in WIDE_RANGE}
        return super().shown_numbers() | short
