"""Good calls of the papers' formulas: each parameter has one good value, but for a few."""

import numpy as np
from good import calls, functions

from knnviz.bounds import (
    chaudhuri_dasgupta,
    errandonea,
    gao,
    khim,
    reeve_kaban,
    rittler,
)
from knnviz.noise import LabelNoise
from knnviz.problems import ramp
from knnviz.weights import Confusion

X = np.array([[0.25], [0.5], [0.625], [0.875]])
ADVANTAGES = np.array([0.5, 0.25, 0.125])
SIZES = np.array([1e4, 1e6])
WORLDS = khim.proposition_2(100, 0.5)
ENTRIES = Confusion(*np.array([[0.5, 0.375], [0.125, 0.125], [0.125, 0.25], [0.25, 0.25]]))

#: A good value of each parameter.
VALUES = {
    **dict.fromkeys(("k", "m"), 100),
    "n": 1000,
    "n_cells": 8,
    "n_classes": 3,
    "dimension": 2,
    "ambient": 5,
    "cover_size": 11,
    **dict.fromkeys(("delta", "epsilon", "fraction_error", "offset", "misaligned"), 0.125),
    **dict.fromkeys(("fne", "advantage"), 0.125),
    **dict.fromkeys(("tau", "bayes_risk", "p", "margin", "tne", "theta"), 0.25),
    **dict.fromkeys(("passive_fraction", "band_constant"), 0.25),
    **dict.fromkeys(("smoothness", "margin_exponent", "holder_exponent", "zeta"), 0.5),
    **dict.fromkeys(("mass_constant", "mass", "mass_cap", "augmented_mass", "c1", "c2"), 0.5),
    **dict.fromkeys(("smoothness_constant", "margin_constant", "holder_constant"), 2.0),
    **dict.fromkeys(("lipschitz", "scale", "delta_power"), 2.0),
    **dict.fromkeys(("c0", "c_plus"), 1.5),
    "p0_error": 0.0625,
    "p1_error": 0.03125,
    "both": 0.75,
    "threshold": 0.625,
    "largest_inclusion": 0.75,
    "neighbors_power": 1.0,
    "noise": LabelNoise(p0=0.125, p1=0.25),
    "problem": ramp(),
    "worlds": WORLDS,
    "low_advantage": lambda a: min(1.0, a),
    "q": (0.5, 0.25, 0.25),
    "prior": (0.25, 0.5, 0.25),
    "distance": np.array([0.25, 0.5, 1.5]),
    "x": np.array([0.25, 0.125]),
    "points": X,
    "labels": np.array([0, 1, 1, 0]),
    "eta": np.array([0.125, 0.5, 0.625, 0.75, 0.25]),
    "weights": np.array([0.125, 0.25, 0.25, 0.125, 0.25]),
    "t": np.array([0.5, 0.25]),
    "thresholds": np.array([0.25, 0.375, 0.625]),
    "frequency": np.array(
        [[0.5, 0.375, 0.125], [0.5, 0.25, 0.25], [0.375, 0.5, 0.125], [0.25, 0.5, 0.25]]
    ),
    "ks": np.array([0.0, 16.0, 64.0, 256.0]),
    "masses": np.array([0.0, 0.125, 0.25, 0.5]),
}

MILLION = {"n": 10**6}
EXPLICIT = {"as_printed": False}

#: Values of single formulas.
OWN = {
    "bounds.gao.lemma_5": {"votes": np.array([0.25, 0.5, 0.375] * 3), "tau": 0.125},
    "bounds.reeve_kaban.theorem_4_3_rate": {"n": 10**9},
    "bounds.khim.remark_1": MILLION,
    "bounds.khim.corollary_2": MILLION,
    "bounds.khim.corollary_2_excess": EXPLICIT,
    "bounds.khim.lemma_9": MILLION,
    "bounds.khim.corollary_3": EXPLICIT,
    "bounds.khim.least_n": {"dimension": 1, "epsilon": 0.5},
    "bounds.khim.weight_threshold": {"q": (0.5, 0.25)},
    "bounds.khim.proposition_2": {"n": 100},
    "bounds.errandonea.lemma_c_5": {"c1": 512.0},
    "bounds.errandonea.theorem_3_3": {"n": 100, "advantage": ADVANTAGES},
}

#: Formulas for several numbers at once.
BY_CLASS = {"tne": np.array([0.0, 0.125]), "fne": np.array([0.0, 0.25])}
OWN |= dict.fromkeys(("bounds.khim.score_errors", "bounds.khim.f1_intervals"), BY_CLASS)
SEVERAL = {
    "bounds.rittler.active_neighbors of several": {"n": SIZES},
    "bounds.rittler.corollary_1 of several": {"n": SIZES},
    "bounds.rittler.condition_ratio of several": {"n": SIZES, "k": SIZES / 8},
    "bounds.errandonea.needed_n of several": {"advantage": ADVANTAGES},
}

#: Names whose arrays may have any shape: they answer for each number.
ANY_SHAPE = {
    "bounds.khim.score_errors": BY_CLASS,
    "bounds.khim.f1_intervals": BY_CLASS,
    "bounds.khim.bump": ["distance"],
    "bounds.rittler.probability_radius": ["x"],
    "bounds.khim.threshold_mass": ["t"],
    "bounds.errandonea.theorem_3_3": ["advantage"],
}


def errors(tne, fne):
    return khim.proposition_3(10_000, 0.125, cover_size=11, tne=tne, fne=fne)


NAMED = {}
for module in (gao, reeve_kaban, khim, rittler, errandonea, chaudhuri_dasgupta):
    NAMED |= functions(module)
NAMED |= {
    "bounds.khim.TwoWorlds.margin": WORLDS.margin,
    "bounds.khim.TwoWorlds.eta": WORLDS.eta,
    "bounds.khim.score_errors": lambda tne, fne: khim.score_errors(ENTRIES, errors(tne, fne)),
    "bounds.khim.f1_intervals": lambda tne, fne: khim.f1_intervals(ENTRIES, errors(tne, fne)),
}
for name in SEVERAL:
    NAMED[name] = NAMED[name.removesuffix(" of several")]
CALLS = calls(NAMED, VALUES, OWN | SEVERAL, ANY_SHAPE | SEVERAL)
