"""The three rules, their predictions and risks, and the walk."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.bounds.errandonea import least_c1
from knnviz.labs.elimination.bag_sample import BagFrequencies, Bags, BagSample
from knnviz.labs.old_engine import Choice, Component, Float, Input, Int, LogInt, default_limits, stage, within
from knnviz.labs.old_parts.bag_choices import FALLBACKS
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint, Votes
from knnviz.labs.old_parts.sources import problem_named
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Trace, Vote

AS_SET, OF_PROOF = CONSTANTS = ("as set", "of the proof")

#: k of the plain vote, 10-NN.
VOTE_K = 10

#: Largest T by dimension, and values of ``k_max`` that do not exceed n.
LARGEST_T = {1: 5000, 2: 400}
TABLE_SIZES = (100, 200, 400, 1000, 5000)


class StoppingRules(Component):
    """PL A-kNN and A-kNN with the same band, and the number of neighbors in the ball around x."""

    data: BagSample = Input()

    k = Int(100, min=1, max=LARGEST_T[1]).tag(
        label="ball",
        symbol="k",
        group="The ball around x",
        tip="How many neighbors the ball around x has taken in",
        play="pace",
    )
    c1 = Float(0.5, min=0.05, max=3, step=0.05).tag(
        label="band factor",
        symbol="c1",
        group="PL A-kNN",
        tip="The band is A / sqrt(k), with A = c1 sqrt(log n + log(C / delta))",
        when={"constants": (AS_SET,)},
    )
    max_neighbors = LogInt(100, min=5, max=LARGEST_T[1]).tag(
        label="largest k", symbol="T", tip="After so many neighbors the ball stops in any case"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="Failure probability: the band grows with log(C / delta)"
    )
    constants = Choice(AS_SET, CONSTANTS).tag(label="constants", tip="c1 as it is set, or as the proof needs it")
    fallback = Choice("largest lead", FALLBACKS).tag(
        label="at T", tip="Label predicted if several are left: the largest lead ever held, or most bags"
    )

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        limits = default_limits(self.parameters[name])
        if name in ("k", "max_neighbors"):
            return limits[0], LARGEST_T[problem_named(values["problem"]).dimension]
        return limits

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        return (1, last_k(values)) if name == "k" else self.limits(name, values)

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        notes, before = [], self.lab.values
        if "max_neighbors" not in changes:
            largest = within(values["max_neighbors"], self.limits("max_neighbors", values))
            notes = self.lab.move_and_note("max_neighbors", largest, values)
        if "k" not in changes:
            at_end = before["k"] == last_k(before)
            values["k"] = last_k(values) if at_end else min(before["k"], last_k(values))
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        k, n, largest = values["k"], values["n"], values["max_neighbors"]
        if k > n:
            raise ValueError(f"neighbors k must not exceed sample size n, got {k} and {n}")
        if k > largest:
            raise ValueError(f"ball k must not exceed largest k T, got {k} and {largest}")

    @stage(compare_values=True)
    def last_k(self) -> int:
        """Neighbors of the largest ball: T, but at most n."""
        return min(self.max_neighbors, self.data.n)

    @stage(compare_values=True)
    def k_max(self) -> int:
        """Neighbors that are looked up: T in steps, so that moving T rarely looks up others; at most n."""
        return min(next(count for count in TABLE_SIZES if count >= self.max_neighbors), self.data.n)

    @stage(compare_values=True)
    def c1_in_use(self) -> float:
        return self.c1 if self.constants == AS_SET else least_c1()

    @stage
    def partial(self) -> PartialAdaptive:
        return PartialAdaptive(self.c1_in_use, self.delta, self.max_neighbors, FALLBACKS[self.fallback])

    @stage
    def adaptive(self) -> Adaptive:
        return Adaptive(self.c1_in_use, self.delta, self.max_neighbors)


class Decisions(Component):
    """What PL A-kNN predicts at the cells, and the risks of the rules: each stage depends on its rule alone."""

    data: BagSample = Input()
    bags: Bags = Input()
    rules: StoppingRules = Input()
    frequencies: BagFrequencies = Input()
    cells: Cells = Input()
    held_out: Votes = Input()

    @stage
    def scan(self) -> Scan:
        """Predictions and stopping k of PL A-kNN at the cells."""
        return self.rules.partial.scan(self.cells.tables[1], self.bags.labels, self.data.chosen_problem.n_classes)

    @stage
    def weights(self) -> np.ndarray:
        """Probabilities (m,) of the cells; equal ones for data."""
        measure, m = self.cells.field.measure, len(self.cells.tables[1])
        return np.full(m, 1 / m) if measure is None else measure.weights

    @stage(large=True)
    def votes(self) -> VoteProfile:
        """Votes where risks are measured: at the cells, or at points held out."""
        return self.cells.votes if self.data.has_eta else self.held_out.profile

    @stage
    def partial_risk(self) -> float:
        return self.risk((self.scan if self.data.has_eta else self.scan_votes(self.rules.partial)).labels)

    @stage
    def adaptive_risk(self) -> float:
        return self.risk(self.scan_votes(self.rules.adaptive).labels)

    @stage
    def vote_risk(self) -> float:
        return self.risk(Vote().predict(self.votes, min(VOTE_K, self.data.n)))

    def scan_votes(self, rule: Adaptive | PartialAdaptive) -> Scan:
        return rule.scan(self.votes.table, self.bags.labels, self.votes.n_classes)

    def risk(self, labels: np.ndarray) -> float:
        if not self.data.has_eta:
            return risk.held_out(labels, self.data.source.y_test)
        return risk.exact(labels, self.cells.field.eta, self.weights)

    @stage
    def limits_of_risks(self) -> dict[str, float]:
        """The limit of the risk of PL A-kNN as n grows, the Bayes risk, and the misaligned mass; nothing for data."""
        if not self.data.has_eta:
            return {}
        eta, bayes_risk = self.cells.field.eta, self.data.bayes_risk
        in_most_bags = self.frequencies.at_cells.argmax(axis=1)
        excess = eta.max(axis=1) - eta[np.arange(len(eta)), in_most_bags]
        mass = float(self.weights[self.frequencies.misaligned_cells].sum())
        return {"limit": bayes_risk + float(self.weights @ excess), "bayes_risk": bayes_risk, "misaligned_mass": mass}

    @stage
    def numbers(self) -> dict[str, float]:
        risks = {"risk": self.partial_risk, "aknn_risk": self.adaptive_risk, "vote_risk": self.vote_risk}
        scan, weights = self.scan, self.weights
        stops = {"mean_stop_k": float(weights @ scan.stop_k), "undecided": float(weights[~scan.decided].sum())}
        return risks | self.limits_of_risks | stops


class Walk(Component):
    """The walk: what the rules do as the ball around x takes in one neighbor after the other."""

    data: BagSample = Input()
    bags: Bags = Input()
    rules: StoppingRules = Input()
    query: QueryPoint = Input()

    @stage
    def partial(self) -> Trace:
        return self.rules.partial.trace(self.query.table, self.bags.labels, self.data.chosen_problem.n_classes)

    @stage
    def adaptive(self) -> Scan:
        return self.rules.adaptive.scan(self.query.table, self.bags.labels, self.data.chosen_problem.n_classes)

    @stage
    def adaptive_thresholds(self) -> np.ndarray:
        """The fraction (``last_k``,) of the bags at which A-kNN stops, at each k."""
        n_classes = self.data.chosen_problem.n_classes
        ks = np.arange(1, self.rules.last_k + 1)
        return 1 / n_classes + self.rules.adaptive.band_constant(self.data.n, n_classes) / np.sqrt(ks)

    @stage
    def vote(self) -> int:
        return int(Vote().predict(self.query.votes, min(VOTE_K, self.data.n))[0])

    @stage
    def stops(self) -> tuple[int | None, int | None, int | None]:
        """The k at which 10-NN, A-kNN and PL A-kNN stop; None beyond T, and for a rule that is undecided at T."""
        partial, adaptive, vote_k = self.partial, self.adaptive, min(VOTE_K, self.data.n)
        return (
            vote_k if vote_k <= self.rules.last_k else None,
            int(adaptive.stop_k[0]) if adaptive.decided[0] else None,
            partial.stop_k if partial.decided else None,
        )

    @stage
    def numbers(self) -> dict[str, Any]:
        partial, adaptive, names = self.partial, self.adaptive, self.data.chosen_problem.class_names
        return {
            "decision": names[partial.label],
            "stop_k": partial.stop_k,
            "decided": partial.decided,
            "survivors": " ".join(names[c] for c in np.flatnonzero(partial.eliminated_at == 0)),
            "aknn_decision": names[adaptive.labels[0]],
            "aknn_stop_k": int(adaptive.stop_k[0]),
            "vote_decision": names[self.vote],
        }


def last_k(values: Mapping[str, Any]) -> int:
    return min(values["max_neighbors"], values["n"])
