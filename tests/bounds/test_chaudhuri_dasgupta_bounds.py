"""Chaudhuri & Dasgupta, Cover & Hart: constants, lemmas under the bound, and samples."""

from math import inf, log, sqrt

import numpy as np
import pytest
from reference_implementations import reference
from scipy.stats import binom

from knnviz import Problem, checkerboard, problems, risk
from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import rittler
from knnviz.problems import jump

ACTIVE = reference("active")
FORMULAS = ACTIVE["formulas"]
ATOMS = ACTIVE["atoms"]


@pytest.mark.parametrize(
    ("found", "value"),
    [
        *(
            (cd.locality_constant(k, 0.1), FORMULAS[f"c_delta_k{k}_delta0p1"])
            for k in (12, 100, 1000)
        ),
        *((cd.margin(k, 0.1), FORMULAS[f"Delta_k{k}_delta0p1"]) for k in (10, 100)),
        (cd.mass(100, 1000, 0.1), FORMULAS["p_cd_k100_N1000_delta0p1"]),
        (cd.mass(11, 1000, 0.1), inf),
        (cd.passive_neighbors(1000, 1, 0.1), 100 * log(10) ** (1 / 3)),
        (cd.passive_exponents(2, 1), (0.4, 0.8)),
    ],
)
def test_values(found, value):
    """Of the second program (sheet 04), or of the formula by hand."""
    assert found == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("delta", [0.01, 0.1, 0.5])
def test_constants_begin_where_the_margin_leaves_its_cap(delta):
    """Another constant serves for every k: balls of mass c k / n hold more than k points but for
    (delta / 2)^2.
    """
    first = int(cd.least_neighbors(delta)) + 1
    half = log(2 / delta)
    assert cd.locality_constant(first - 1, delta) == inf
    assert cd.margin(first - 1, delta) == 0.5
    assert cd.margin(first, delta) < 0.5

    c = 1 + 2 * half + 2 * sqrt(half**2 + half)
    k = np.arange(1, 100)
    failure = binom.cdf(k, 10_000, c * k / 10_000)
    assert (failure <= (delta / 2) ** 2).all()


@pytest.mark.parametrize(
    ("n", "k", "delta"), [(1000, 60, 0.1), (100, 20, 0.1), (10_000, 60, 0.01), (200, 100, 0.3)]
)
def test_the_lemmas_under_the_bound(n, k, delta):
    """With the failure probabilities (delta / 2)^2, of p, and twice that, of the margin."""
    level = (delta / 2) ** 2
    assert binom.cdf(k - 1, n, cd.mass(k, n, delta)) <= level

    votes = np.arange(k + 1)
    for frequency in (0.5, 0.7, 0.95):
        stray = abs(votes / k - frequency) >= cd.margin(k, delta)
        assert binom.pmf(votes[stray], k, frequency).sum() <= 2 * level


def test_atoms_refute_the_printed_definition():
    """Two atoms: the printed bound is .01, and in the second program the vote errs on a fifth of
    the mass.
    """
    problem = Problem.from_atoms([[0.0], [1.0]], [0.2, 0.8], [1.0, 0.0])
    printed = rittler.theorem_3(problem, 4500, 10_000, 0.01, as_printed=True)
    consistent = rittler.theorem_3(problem, 4500, 10_000, 0.01)

    assert printed.mass == pytest.approx(ATOMS["p"], abs=1e-6)
    assert printed.margin == pytest.approx(ATOMS["Delta"], abs=1e-6)
    assert printed.value == pytest.approx(ATOMS["literal_bound"], abs=1e-6)
    assert consistent.value == pytest.approx(ATOMS["sign_consistent_bound"], abs=1e-6)
    assert printed.value < ATOMS["true_disagreement"] <= consistent.value


@pytest.mark.parametrize(
    "problem", [checkerboard(), problems.waves(), jump(0.3)], ids=lambda each: each.name
)
def test_the_limit_of_one_neighbor_is_in_the_interval(problem):
    """Cover & Hart, Theorem 2; at the upper end where 1 - max eta is the same everywhere."""
    best = problem.bayes_risk()
    largest = 1 - 1 / problem.n_classes
    upper = best * (2 - best / largest)
    assert best <= risk.one_nn_limit(problem) <= upper + 1e-12
