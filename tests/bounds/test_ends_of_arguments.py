"""Formulas of all papers at the ends of their arguments: refusals, a tiny delta, one near 1."""

from decimal import Decimal
from math import exp, isfinite

import pytest
from refusals import refuses

from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import closed_forms, khim, rittler
from knnviz.bounds import errandonea as pl
from knnviz.bounds import reeve_kaban as rk
from knnviz.noise import LabelNoise
from knnviz.problems import waves

NOISE = LabelNoise(p0=0.1, p1=0.3)
SMOOTH = {"smoothness": 1, "smoothness_constant": 2}
MARGIN = {"margin_exponent": 1, "margin_constant": 2}
HOLDER = {"holder_exponent": 1, "holder_constant": 2}
STEADY = {"smoothness": 1, "smoothness_constant": 0}
CAP = {"mass_cap": 0.5}

#: A formula and its arguments; "alpha" is to be replaced, and so is an exponent with a name.
EXPONENTS = [
    (cd.passive_exponents, ("alpha", 1), {}),
    (cd.passive_neighbors, (1000, "alpha", 0.1), {}),
    (rittler.active_exponents, ("alpha", 1), {}),
    (rittler.active_exponents, ("alpha", 2), {}),
    (rittler.active_neighbors, (1e4, "alpha", 0.5, 0.1), {}),
    (rittler.corollary_1, (1e4, "alpha", 0.5, 0.1), {}),
    (rittler.condition_ratio, (1e4, 100, 1, 0.1, "alpha"), {}),
    (rittler.unmet_conditions, ("alpha", 1), {}),
    (rk.unmet_conditions, ("theorem_4_3", 10_000, 400, 0.05), SMOOTH),
    (rk.lemma_4_1, (10_000, 400, 0.05), SMOOTH),
    (rk.theorem_4_1, (10_000, 400, 0.05), SMOOTH),
    (rk.theorem_4_1, (10_000, 1, 0.05), SMOOTH),
    (rk.theorem_4_2, (10_000, 400, 0.05), SMOOTH),
    (rk.largest_error, (10_000, 400, 0.05), SMOOTH),
    (rk.theorem_4_3, (10_000, 400, 0.05, NOISE), SMOOTH),
    (rk.theorem_4_3_rate, (10**9, 0.05, NOISE), SMOOTH),
    (rk.k_n, (10_000, 0.05, "alpha", 2), {}),
    (rk.exponent, ("alpha", 1), {}),
    (rk.least_smoothness_constant, (waves(), "alpha"), {}),
    (khim.corollary_1, (10_000, 400, 0.05, (1, 2)), SMOOTH),
    (khim.remark_1, (10_000, 0.05, (1, 2)), SMOOTH),
    (khim.corollary_2, (10_000, 0.05, (1, 2)), SMOOTH | MARGIN),
    (khim.corollary_2_excess, (10_000, 400, 2), SMOOTH | MARGIN),
    (khim.corollary_2_excess, (10_000, 400, 2), SMOOTH | MARGIN | {"as_printed": True}),
    (khim.proposition_1, (10_000, 400, (1, 2), (0.5, 0.5)), SMOOTH | MARGIN),
    (khim.lemma_9, (10_000, 400, (1, 2), 0.5), SMOOTH),
    (khim.theorem_3, (10_000, 400, 0.05), HOLDER),
    (khim.corollary_3, (10_000, 400, 0.05), HOLDER),
    (khim.least_error, (10_000, 0.05), HOLDER),
    (khim.least_n, (0.1, 0.05), HOLDER),
    (khim.theorem_4, ("alpha", 1, 1), {}),
    (khim.bump_constant, ("alpha",), {}),
    (khim.proposition_2, (100, 0.5), HOLDER),
    (khim.least_smoothness_constants, (waves(), "alpha"), {}),
    (pl.least_advantage, (0.1, "alpha"), {}),
    (pl.rate_constants, (), SMOOTH | MARGIN | CAP),
    (pl.theorem_b_1, (1000, 3, 0.1, "alpha", 1, 1), {}),
]


@pytest.mark.parametrize(("formula", "given", "named"), EXPONENTS)
def test_an_alpha_that_is_not_above_0_is_refused(formula, given, named):
    for alpha in (0, -0.5):
        replaced = [alpha if each == "alpha" else each for each in given]
        options = dict(named)
        options.update((name, alpha) for name in ("smoothness", "holder_exponent") if name in named)
        refuses(f"alpha must be above 0, got {alpha}", formula, *replaced, **options)


NAUGHT = (0, 0, 0)

#: A formula, its arguments, and the end of the sentence that refuses them.
REFUSED = [
    (khim.weight_threshold, ((0, 0),), {}, r"not all 0, got \(0, 0\)"),
    (khim.weight_threshold, ((1, -1),), {}, r"not negative and not all 0, got \(1, -1\)"),
    (khim.theorem_1, (1000, 50, 0.05, NAUGHT), {}, r"not all 0, got \(0, 0, 0\)"),
    (khim.corollary_1, (1000, 50, 0.05, NAUGHT), SMOOTH, "not all 0"),
    (khim.remark_1, (1000, 0.05, NAUGHT), SMOOTH, "not all 0"),
    (khim.corollary_2, (1000, 0.05, NAUGHT), SMOOTH | MARGIN, "not all 0"),
    (khim.proposition_1, (1000, 50, NAUGHT, (0.2, 0.3, 0.5)), SMOOTH | MARGIN, "not all 0"),
    (khim.lemma_9, (1000, 50, NAUGHT, 0.1), SMOOTH, "not all 0"),
    (khim.least_margin_constant, (waves(), 1, NAUGHT), {}, "not all 0"),
    (khim.least_conditional_margin_constants, (waves(), 1, NAUGHT), {}, "not all 0"),
    (khim.proposition_1, (99, 9, (1, 2), (0.5, 0.5)), STEADY | MARGIN, "L must be above 0, got 0"),
    (pl.least_advantage, (0.1, 1, 0), {}, "L must be above 0, got 0"),
    (khim.proposition_2, (100, 0.5), {"holder_exponent": 1.5}, "alpha must be at most 1, got 1.5"),
    (closed_forms.plateau, (0.2, 0.2), {}, "two different flip rates below 1/2, got 0.2 and 0.2"),
    (closed_forms.plateau, (0.6, 0.1), {}, "two different flip rates below 1/2, got 0.6 and 0.1"),
]


@pytest.mark.parametrize(("formula", "given", "named", "sentence"), REFUSED)
def test_what_no_statement_allows_is_refused(formula, given, named, sentence):
    refuses(sentence, formula, *given, **named)


#: Formulas of delta that grow like this power of log(1 / delta); n = 1 has no logarithm to add.
POWERS = [
    (lambda delta: cd.passive_neighbors(1000, 1, delta), 1 / 3),
    (lambda delta: rittler.band_slack(1, 1, 1, delta, 1), 1 / 2),
    (lambda delta: rittler.active_neighbors(1e4, 1, 0.5, delta), 0.4),
    (lambda delta: rittler.corollary_1(1e6, 1, 0.5, delta), 0.15),
]


@pytest.mark.parametrize(("formula", "power"), POWERS)
def test_digits_stay_for_a_delta_near_1(formula, power):
    """The logarithm of 1 / delta itself has few digits there: 1 / delta is rounded."""
    for bits in (1, 10, 30, 50, 53):
        delta = 1 - 2**-bits
        logarithm = float(-Decimal(delta).ln())
        assert formula(delta) == pytest.approx(formula(exp(-1)) * logarithm**power, rel=1e-12)


TINY = 5e-324


@pytest.mark.parametrize(
    "value",
    [
        lambda: cd.least_neighbors(TINY),
        lambda: cd.passive_neighbors(1000, 1, TINY),
        lambda: cd.mass(10**9, 10**6, TINY),
        lambda: rittler.band_slack(1000, 100, 1, TINY, 1),
        lambda: rittler.least_hard_neighbors(1000, 1, TINY, 0),
        lambda: rittler.active_neighbors(1e4, 1, 0.5, TINY),
        lambda: rittler.corollary_1(1e4, 1, 0.5, TINY),
        lambda: 1 / rittler.condition_ratio(1e4, 100, 1, TINY),
        lambda: pl.condition_12(1000, 2, TINY, 1),
        lambda: pl.lemma_c_3(1000, 5, TINY),
        lambda: pl.theorem_c_4(1000, TINY),
        lambda: pl.lemma_c_5(4, 1000, 10, TINY, 300.0),
        lambda: pl.needed_n(0.1, 3, TINY),
        lambda: pl.level(1000, 3, TINY),
        lambda: pl.theorem_b_1(1000, 3, TINY, 1, 1, 1),
        lambda: khim.theorem_1(10**9, 10**6, TINY, (1, 2)).margin,
        lambda: khim.corollary_1(10**9, 10**6, TINY, (1, 2), **SMOOTH),
        lambda: khim.theorem_5(1000, TINY, n_classes=3, cover_size=10, tne=0, fne=0).tn,
        lambda: khim.proposition_3(1000, TINY, cover_size=10, tne=0, fne=0).tn,
    ],
)
def test_the_smallest_delta_gives_numbers(value):
    assert isfinite(value())
