"""Formulas of all papers at the ends of their arguments: refusals, a tiny delta, one near 1."""

from decimal import Decimal
from math import exp, inf, isfinite

import numpy as np
import pytest
from formulas import CALLS
from refusals import refuses
from run import has_nan, numbers

from knnviz import Problem, checkerboard
from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import errandonea as pl
from knnviz.bounds import gao, khim, rittler
from knnviz.bounds import reeve_kaban as rk
from knnviz.bounds.arguments import RANGES
from knnviz.noise import LabelNoise
from knnviz.weights import Confusion

ATOM = Problem.from_atoms([[0.5]], [1.0], [0.9])


@pytest.mark.parametrize("name", CALLS)
def test_every_formula_keeps_to_the_table(name):
    """The next number outside of a range is refused by the name of the argument."""
    call, given, *_ = CALLS[name]
    for argument, good in given.items():
        ends = RANGES.get(f"{call.__name__}.{argument}", RANGES.get(argument))
        if isinstance(ends, tuple) and np.ndim(good) == 0:
            for outside in (np.nextafter(ends[0], -inf), np.nextafter(ends[1], inf)):
                if isfinite(outside):
                    refuses(f"{argument} must be", call, **given | {argument: outside})
        if argument == "q":
            without_weight = given | {"q": np.zeros(len(good))}
            refuses("not all 0", call, **without_weight)


def test_the_table_names_no_other_arguments():
    used = set()
    for call, given, *_ in CALLS.values():
        for argument in given:
            used.add(argument)
            used.add(f"{call.__name__}.{argument}")

    assert RANGES.keys() <= used


def test_what_no_statement_allows_is_refused():
    refuses(r"not negative and not all 0, got \(1, -1\)", khim.weight_threshold, (1, -1))
    refuses("prior must be 2 numbers", khim.proposition_1, 9, 99, (1, 2), (0.5, 0.6), 1, 2, 1, 2)
    refuses("n must be a whole number, got 99.5", khim.theorem_1, 50, 99.5, 0.1, (1, 2))
    for problem in (checkerboard(), ATOM):
        refuses("problem must have a density on a line", rk.least_margin_constant, problem, 1)
    refuses("masses must be of 2 balls, got 3", pl.label_advantages, np.eye(2), [0, 0.5, 1])
    refuses("ks must be of 2 balls, got 1", pl.guaranteed_eliminations, np.eye(2), [0], 1)
    refuses("k must not exceed .* got k = 11 with n = 10", rk.lemma_3_2, 11, 10, 1)
    refuses("votes must be from tau to 1 - tau, got 0.125", gao.lemma_5, [0.125] * 8, 0.25)
    refuses("noise must be a LabelNoise, got 0.25", gao.theorem_4, 9, 0.25)
    refuses(
        "one number for each n, got 3 for 2", rittler.condition_ratio, [1, 2, 3], [9, 9], 1, 0.1
    )
    entries = Confusion(*np.ones((4, 3)))
    refuses("one or 3", khim.f1_intervals, entries, khim.EntryErrors(*np.ones((4, 2))))
    refuses("beyond the numbers that floats hold, at ", pl.least_advantage, 1e300)
    refuses("at most 10,000,000 cells", rk.theorem_5_1, checkerboard(), LabelNoise(), 10**6)


def test_whole_numbers_of_any_type_and_size_stay_exact():
    most = 5 * 10**19
    assert rk.k_range(10**20, 0.1).most == most
    assert rk.k_range(1e20, 0.1).most == most

    small = rk.k_range(np.int32(100), np.float32(0.125))
    assert type(small.most) is int


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
        expected = formula(exp(-1)) * logarithm**power
        assert formula(delta) == pytest.approx(expected, rel=1e-12)


def each_with(arguments):
    """Parametrize a test with the formulas that have one of some arguments."""
    found = [name for name, (_, given, *_) in CALLS.items() if given.keys() & arguments]
    return pytest.mark.parametrize("name", found)


@each_with({"delta"})
def test_the_smallest_delta_gives_numbers(name):
    call, given, *_ = CALLS[name]
    extreme = {"delta": 5e-324, "n": 10**9, "k": 10**6}
    found = call(**{each: extreme.get(each, value) for each, value in given.items()})
    numbers_found = [each for each in numbers(found) if isinstance(each, float)]
    assert np.isfinite(numbers_found).all()


#: Constants of any size.
UNBOUNDED = {"smoothness_constant", "holder_constant", "margin_constant"}


@each_with(UNBOUNDED)
def test_huge_constants_give_numbers_or_infinity(name):
    call, given, *_ = CALLS[name]
    for huge in (1e300, 1e-300):
        constants = dict.fromkeys(given.keys() & UNBOUNDED, huge)
        assert not has_nan(call(**given | constants))
