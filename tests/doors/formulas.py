"""Good calls of the papers' formulas."""

from typing import Any

import numpy as np

from knnviz.bounds import (
    chaudhuri_dasgupta,
    errandonea,
    gao,
    khim,
    reeve_kaban,
    rittler,
)
from knnviz.noise import LabelNoise
from knnviz.problems import checkerboard, jump, ramp, waves
from knnviz.weights import Confusion

NOISE = LabelNoise(p0=0.125, p1=0.25)
NK = {"k": 100, "n": 1000}
SURE = {**NK, "delta": 0.125}
SMOOTH = {"smoothness": 0.5, "smoothness_constant": 2.0}
MARGIN = {"margin_exponent": 0.5, "margin_constant": 2.0}
HOLDER = {"holder_exponent": 0.5, "holder_constant": 2.0}
CUBE = {"mass_constant": 0.5, "dimension": 2}
SQUARE = {"lipschitz": 2.0, "dimension": 2}
Q = (0.5, 0.25, 0.25)
BALLS = np.array([[0.5, 0.375, 0.125], [0.5, 0.25, 0.25], [0.375, 0.5, 0.125], [0.25, 0.5, 0.25]])
KS = np.array([0.0, 16.0, 64.0, 256.0])
MASSES = np.array([0.0, 0.125, 0.25, 0.5])
ADVANTAGES = np.array([0.5, 0.25, 0.125])
SIZES = np.array([1e4, 1e6])
WORLDS = khim.proposition_2(100, 0.5)
X = np.array([[0.25], [0.5], [0.625], [0.875]])
ETA = np.array([0.125, 0.5, 0.625, 0.75, 0.25])
ENTRIES = Confusion(*np.array([[0.5, 0.375], [0.125, 0.125], [0.125, 0.25], [0.25, 0.25]]))


def errors(tne: Any, fne: Any) -> khim.EntryErrors:
    return khim.proposition_3(10_000, 0.125, cover_size=11, tne=tne, fne=fne)


GAO = {
    "unmet_conditions": {"statement": "theorem_2", **NK, "tau": 0.25},
    "boxes": {**NK, "noise": NOISE, **SQUARE},
    "theorem_1": {"problem": checkerboard(), **NK, "noise": NOISE, "lipschitz": 2.0, "n_cells": 8},
    "theorem_5": {"problem": checkerboard(), **NK, "noise": NOISE, "lipschitz": 2.0, "n_cells": 8},
    "theorem_2": {**NK, "tau": 0.25, **SQUARE, "bayes_risk": 0.25, "as_proved": True},
    "corollary_1": {**NK, **SQUARE, "bayes_risk": 0.25, "as_proved": True},
    "shalev_shwartz_ben_david": {**NK, **SQUARE, "bayes_risk": 0.25},
    "bias_crossover": SQUARE,
    "theorem_3": {"n": 1000, "tau": 0.25, **SQUARE, "bayes_risk": 0.25},
    "theorem_4": {"k": 100, "noise": NOISE},
    "lemma_4": {"k": 9, "p": 0.25},
    "chernoff_constant": {"k": 9},
    "binomial_constant": {"k": 9},
    "lemma_5": {"votes": np.array([0.25, 0.5, 0.375] * 3), "tau": 0.125},
}
REEVE_KABAN = {
    "k_range": {"n": 1000, "delta": 0.125, "statement": "theorem_4_2", "as_printed": True},
    "unmet_conditions": {"statement": "theorem_4_3", **SURE, **SMOOTH},
    "lemma_3_1": {"noise": NOISE, "fraction_error": 0.125, "p0_error": 0.0625, "p1_error": 0.03125},
    "lemma_3_2": {**NK, "zeta": 0.5},
    "corollary_3_1": {**NK, "zeta": 0.5},
    "lemma_4_1": {**SURE, **SMOOTH},
    "theorem_4_1": {**SURE, **SMOOTH},
    "theorem_4_2": {**SURE, **SMOOTH, "any_k": True},
    "largest_error": {**SURE, **SMOOTH},
    "theorem_4_3": {**SURE, "noise": NOISE, **MARGIN, "tight": True, "any_k": True, **SMOOTH},
    "theorem_4_3_rate": {"n": 10**9, "delta": 0.125, "noise": NOISE, **MARGIN, **SMOOTH},
    "k_n": {"n": 1000, "delta": 0.125, **SMOOTH},
    "exponent": {"smoothness": 0.5, "margin_exponent": 0.5},
    "theorem_5_1": {"problem": jump(0.125), "noise": NOISE, "n_cells": 8},
    "least_smoothness_constant": {"problem": ramp(), "smoothness": 0.5, "n_cells": 8},
    "least_margin_constant": {"problem": ramp(), "margin_exponent": 0.5, "n_cells": 8},
}
KHIM = {
    "unmet_conditions": {"statement": "theorem_3", **SURE, **CUBE},
    "theorem_1": {**SURE, "q": Q, "as_printed": True},
    "corollary_1": {**SURE, "q": Q, **SMOOTH},
    "remark_1": {"n": 10**6, "delta": 0.125, "q": Q, **SMOOTH, "as_printed": True},
    "corollary_2": {"n": 10**6, "delta": 0.125, "q": Q, **MARGIN, **SMOOTH},
    "corollary_2_excess": {**NK, "n_classes": 3, **MARGIN, **SMOOTH},
    "corollary_2_excess, printed": {**NK, "n_classes": 3, **MARGIN, **SMOOTH, "as_printed": True},
    "proposition_1": {**NK, "q": Q, "prior": (0.25, 0.5, 0.25), **SMOOTH, **MARGIN},
    "lemma_9": {"n": 10**6, "k": 100, "q": Q, "margin": 0.25, **SMOOTH},
    "gamma_3": {"k": 100, "both": 0.75, "threshold": 0.625},
    "theorem_3": {**SURE, **HOLDER, **CUBE},
    "corollary_3": {**SURE, **HOLDER, **CUBE},
    "corollary_4": {**SURE, "ambient": 5, **HOLDER, **CUBE, "as_printed": True},
    "least_error": {"n": 1000, "delta": 0.125, **HOLDER, **CUBE},
    "least_n": {"epsilon": 0.5, "delta": 0.125, **HOLDER, **CUBE, "dimension": 1},
    "theorem_4": {**HOLDER, "dimension": 2},
    "bump": {"distance": np.array([0.25, 0.5, 1.5])},
    "bump_constant": {"holder_exponent": 0.5, "n_cells": 8},
    "theorem_5": {
        "n": 1000,
        "delta": 0.125,
        "n_classes": 3,
        "cover_size": 11,
        "tne": 0.25,
        "fne": 0.125,
    },
    "proposition_3": {"n": 1000, "delta": 0.125, "cover_size": 11, "tne": 0.25, "fne": 0.125},
    "threshold_mass": {
        **{
            "eta": ETA,
            "epsilon": 0.125,
            "t": np.array([0.5, 0.25]),
            "thresholds": np.array([0.25, 0.375, 0.625]),
        },
        "weights": np.array([0.125, 0.25, 0.25, 0.125, 0.25]),
    },
    "weight_threshold": {"q": (0.5, 0.25)},
    "proposition_2": {"n": 100, "mass": 0.5, **HOLDER, "dimension": 2, "offset": 0.125},
    "log_likelihood_ratio": {"worlds": WORLDS, "points": X, "labels": np.array([0, 1, 1, 0])},
    "best_probability": {"worlds": WORLDS},
    "least_lipschitz_constants": {"problem": waves(), "n_cells": 8},
}
RITTLER = {
    "probability_radius": {"x": np.array([0.25, 0.125]), "mass": 0.25},
    "theorem_3": {"problem": ramp(), **SURE, "n_cells": 8, "as_printed": True},
    "band_slack": {**SURE, "dimension": 1, "c0": 1.5},
    "hard_width": {**SURE, "dimension": 1, "c0": 1.5},
    "least_hard_neighbors": {"n": 1000, "dimension": 1, "delta": 0.125, "c0": 1.5},
    "augmented_neighbors": {"n": 1000, "dimension": 1, "delta": 0.125, "c_plus": 1.5},
    "expected_passive_fraction": {
        "passive_fraction": 0.25,
        "augmented_mass": 0.5,
        "coin": "per_draw",
    },
    "expected_draws": {
        "m": 100,
        "passive_fraction": 0.25,
        "augmented_mass": 0.5,
        "coin": "per_sample",
    },
    "active_exponents": {"smoothness": 0.5, "margin_exponent": 0.5},
    "active_neighbors": {
        "n": 1000,
        "smoothness": 0.5,
        "margin_exponent": 0.5,
        "delta": 0.125,
        "constant": 2.0,
    },
    "condition_ratio": {**SURE, "dimension": 1, **SMOOTH},
    "corollary_1": {"n": 1000, "smoothness": 0.5, "margin_exponent": 0.5, "delta": 0.125},
    "unmet_conditions": {"statement": "corollary_1", "smoothness": 0.5, "margin_exponent": 0.5},
}
FEW = {"n_classes": 3, "delta": 0.125}
ERRANDONEA = {
    "unmet_conditions": {"statement": "theorem_3_1", "delta_power": 2.0, "neighbors_power": 1.0},
    "least_c1": {"vc_dimension": 2},
    "proof_c2": {"c1": 0.5, "c0": 1.5},
    "printed_constant": {"c2": 0.5},
    "repaired_constant": {"c2": 0.5},
    "condition_12": {"n": 1000, **FEW, "c2": 0.5},
    "lemma_c_3": {**SURE, "vc_dimension": 2, "c0": 1.5},
    "theorem_c_4": {"n": 1000, "delta": 0.125, "vc_dimension": 2},
    "lemma_c_5": {**SURE, "n_classes": 3, "c1": 512.0, "vc_dimension": 2},
    "needed_n": {"advantage": 0.125, **FEW, "constant": 2.0},
    "theorem_3_2": {"n": 1000, "advantage": 0.125, **FEW, "constant": 2.0},
    "theorem_3_3": {"n": 100, "advantage": ADVANTAGES, **FEW, "constant": 2.0},
    "level": {"n": 1000, **FEW, "constant": 2.0},
    "theorem_3_4": {"n": 1000, **FEW, "low_advantage": lambda a: min(1.0, a), "constant": 2.0},
    "theorem_3_5": {"theta": 0.25, "misaligned": 0.125},
    "lemma_c_9": {
        **{
            "n": 1000,
            **FEW,
            "low_advantage": lambda a: min(1.0, a),
            "theta": 0.25,
            "misaligned": 0.125,
        },
        **{"constant": 2.0, "as_proved": True},
    },
    "least_advantage": {"margin": 0.25, **SMOOTH, "mass_cap": 0.5},
    "rate_constants": {**SMOOTH, **MARGIN, "mass_cap": 0.5, "constant": 2.0, "as_printed": True},
    "theorem_b_1": {"n": 1000, **FEW, "smoothness": 0.5, "margin_exponent": 0.5, "scale": 2.0},
    "leads": {"frequency": BALLS},
    "label_advantages": {"frequency": BALLS, "masses": MASSES, "mass_cap": 0.5},
    "guaranteed_eliminations": {"frequency": BALLS, "ks": KS, "band_constant": 0.25},
    "largest_noise": {"n_classes": 3, "largest_inclusion": 0.75, "kind": "confusion"},
}
CHAUDHURI_DASGUPTA = {
    "least_neighbors": {"delta": 0.125},
    "locality_constant": {"k": 100, "delta": 0.125},
    "margin": {"k": 100, "delta": 0.125},
    "mass": SURE,
    "passive_exponents": {"smoothness": 0.5, "margin_exponent": 0.5},
    "passive_neighbors": {"n": 1000, "smoothness": 0.5, "delta": 0.125, "constant": 2.0},
}
MODULES = {
    gao: GAO,
    reeve_kaban: REEVE_KABAN,
    khim: KHIM,
    rittler: RITTLER,
    errandonea: ERRANDONEA,
    chaudhuri_dasgupta: CHAUDHURI_DASGUPTA,
}

#: Names whose arrays may have any shape: they answer for each number.
ANY_SHAPE = {
    "bump": "distance",
    "probability_radius": "x",
    "threshold_mass": "t",
    "theorem_3_3": "advantage",
}

CALLS: dict[str, Any] = {}
for module, calls in MODULES.items():
    room = module.__name__.removeprefix("knnviz.")
    for name, given in calls.items():
        called = getattr(module, name.split(",")[0])
        loose = [ANY_SHAPE[name]] if name in ANY_SHAPE else []
        CALLS[f"{room}.{name}"] = (called, given, *loose)
CALLS |= {
    "bounds.rittler.active_neighbors of sizes": (
        rittler.active_neighbors,
        RITTLER["active_neighbors"] | {"n": SIZES},
        "n",
    ),
    "bounds.rittler.corollary_1 of sizes": (
        rittler.corollary_1,
        RITTLER["corollary_1"] | {"n": SIZES},
        "n",
    ),
    "bounds.rittler.condition_ratio of sizes": (
        rittler.condition_ratio,
        RITTLER["condition_ratio"] | {"n": SIZES, "k": SIZES / 8},
        *("n", "k"),
    ),
    "bounds.errandonea.needed_n of points": (
        errandonea.needed_n,
        ERRANDONEA["needed_n"] | {"advantage": ADVANTAGES},
        "advantage",
    ),
    "bounds.khim.score_errors": (
        lambda tne, fne: khim.score_errors(ENTRIES, errors(tne, fne)),
        {"tne": np.array([0.0, 0.125]), "fne": np.array([0.0, 0.25])},
        *("tne", "fne"),
    ),
    "bounds.khim.f1_intervals": (
        lambda tne, fne: khim.f1_intervals(ENTRIES, errors(tne, fne)),
        {"tne": np.array([0.0, 0.125]), "fne": np.array([0.0, 0.25])},
        *("tne", "fne"),
    ),
    "bounds.khim.TwoWorlds.margin": (WORLDS.margin, {"points": X}),
    "bounds.khim.TwoWorlds.eta": (WORLDS.eta, {"points": X}),
}
