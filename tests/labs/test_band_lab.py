"""BandLab: its numbers beside plain NumPy, the paper's and the reference run's; cover and bound."""

import numpy as np
import pytest
from random_moves import layers, votes_of

from knnviz import regions, weights
from knnviz.bounds import khim
from knnviz.labs import BandLab, bands
from knnviz.labs.bands import CLASSES, COVERS, EPSILONS
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.problems import waves
from knnviz.weights import uniform_error

Q = (0.5, 0.3, 0.2)
(_, OBSERVED) = EPSILONS
TNE = "true negative error (tne)"
FNE = "false negative error (fne)"

#: How far sums over the lab's cells may be from those over many more.
CELLS = 2e-4


@pytest.fixture(scope="module")
def fine():
    return waves().eta(waves().grid(50_000).points)


@pytest.fixture
def lab():
    return BandLab()


@pytest.mark.parametrize(("c", "q"), [(0, Q), (1, (0.2, 0.5, 0.3)), (2, (0.45, 0.1, 0.45))])
def test_the_band_is_that_of_the_function(lab, fine, c, q):
    pair = weights.cover(q, 100, c)
    found = regions.error_band(fine, 0.07, *pair, c)
    at_0 = regions.error_band(fine, 0, *pair, c)

    q_of_lab = dict(zip(WEIGHTS, q, strict=True))
    read = lab.set(c=CLASSES[c], epsilon=0.07, **q_of_lab).readout()

    assert (read[TNE], read[FNE]) == pytest.approx(found.errors(fine, c), abs=CELLS)
    assert read["mass at epsilon 0"] == pytest.approx(sum(at_0.errors(fine, c)), abs=2 * CELLS)

    drawn = layers(lab, "band")
    at_cells = waves().eta(waves().grid(1000).points)
    inside = regions.error_band(at_cells, 0.07, *pair, c).inside
    assert np.array_equal(np.isfinite(drawn["fne"].upper), inside)

    ahead = drawn["eta"].y - drawn["threshold"].y
    clear = abs(ahead) > 1e-6
    is_decided = drawn["decisions"].codes[0] == c
    assert np.array_equal(is_decided[clear], ahead[clear] > 0), "where eta reaches t"


def test_the_curve_over_epsilon_meets_the_numbers_and_so_do_areas(lab):
    """x is uniform, so what is shaded below and above eta is fne and tne."""
    read = lab.readout()
    areas = layers(lab, "band")
    for name, number in (("fne", FNE), ("tne", TNE)):
        heights = areas[name].upper - areas[name].lower
        assert np.nansum(heights) / 1000 == pytest.approx(read[number], abs=2e-3)

    curves = layers(lab, "mass")
    covered = curves["tne"].upper
    uncovered = curves["uncovered"].y
    assert (uncovered <= covered).all(), "a cover adds to the band, cell by cell"

    read = lab.set(epsilon=bands.DRAWN[40].item()).readout()
    assert covered[40] == pytest.approx(read[TNE] + read[FNE], abs=1e-3)

    without_cover = layers(lab.set(cover=COVERS[1]), "mass")
    assert np.array_equal(uncovered, without_cover["tne"].upper)


def test_the_uniform_error_is_that_of_a_table_of_neighbors_and_of_the_reference_run(lab):
    cells = waves().grid(1000).points
    eta = waves().eta(cells)
    for n, k in ((1000, 50), (300, 7)):
        sample = waves().sample(n, 4)
        votes = votes_of(sample.X, sample.y, cells, k, 3)
        read = lab.set(n=n, k=k, seed=4).readout()
        assert read["observed U"] == round(uniform_error(eta, votes.at(k) / k), 6)

    read = lab.set(n=100_000, k=2000, seed=0, epsilon_source=OBSERVED).readout()
    assert read["epsilon"] == read["observed U"] == pytest.approx(0.042, abs=1.5e-3)


def test_the_bound_is_the_theorem_with_half_of_delta_and_takes_many_points(lab):
    heights = [band.upper for band in bands.stacked_terms(1000, 0.05)]
    slope = khim.least_lipschitz_constants(waves()).max()
    for i, k in enumerate(layers(lab, "error")["bias"].x.astype(int).tolist()):
        one = khim.theorem_3(k, 1000, 0.025, holder_exponent=1, holder_constant=slope)
        terms = np.cumsum([one.bias, one.vote, one.union])
        assert [each[i] for each in heights] == pytest.approx(terms, rel=1e-6)

    for n, k, least in ((10_000, 58, 0.842), (1_000_000, 1369, 0.199)):
        assert layers(lab.set(n=n), "error")["best"].x[0] == k
        assert bands.bound_at(k, n, 0.05).value == pytest.approx(least, abs=5.1e-4)


def test_a_light_class_has_a_wide_reach_and_a_small_band(lab, fine):
    """As q_c goes to 0, r and the threshold have no limit: max q_j eta_j <= epsilon q_max stays."""
    read = lab.set(cover=COVERS[1], q0=0.000001, q1=0.55, q2=0.449999).readout()
    largest = (fine[:, 1:] * (0.55, 0.45)).max(axis=1)
    remaining = np.mean(largest <= 0.1 * 0.55)
    assert read[TNE] + read[FNE] == pytest.approx(remaining, abs=1e-3)

    read = lab.set(q0=0.0).readout()
    assert read[TNE] + read[FNE] == pytest.approx(1)
    assert layers(lab, "band")["threshold"].y.min() > 1, "of a class without weight it is infinite"


def test_weights_without_a_cover_cover_themselves(lab):
    read = lab.set(q0=0.008, q1=0.496, q2=0.496).readout()
    assert read["note"].endswith("cover q, so q' = q'' = q here")
    assert read["mass at epsilon 0"] == 0
