"""BandLab without a front end: numbers beside plain NumPy and the paper's, refusals, presets, links."""

import numpy as np
import pytest
from random_moves import by_name, ran

from knnviz import NeighborTable, VoteProfile, regions, weights
from knnviz.bounds import khim
from knnviz.labs import BandLab
from knnviz.labs.bands import band, uniform
from knnviz.labs.bands.band import CLASSES, COVER_STEPS, EPSILON_SOURCES, WIDTH_FACTORS
from knnviz.problems import waves
from knnviz.weights import uniform_error

Q = (0.5, 0.3, 0.2)

#: How far sums over the lab's cells may be from those over many more.
CELLS = 2e-4


@pytest.fixture(scope="module")
def fine():
    return waves().eta(waves().grid(50_000).points)


@pytest.fixture
def lab(small):
    return BandLab()


def test_the_band_is_that_of_the_function(lab, fine):
    for c, q in ((0, Q), (1, (0.2, 0.5, 0.3)), (2, (0.45, 0.1, 0.45))):
        for width_factor in WIDTH_FACTORS:
            lab.set(c=CLASSES[c], width_factor=width_factor, epsilon=0.07, q0=q[0], q1=q[1], q2=q[2])
            pair, read = weights.cover(q, 100, c), lab.readout()
            tight = width_factor == WIDTH_FACTORS[1]
            found, at_0 = (regions.error_band(fine, epsilon, *pair, c, tight=tight) for epsilon in (0.07, 0))
            assert (read["tne"], read["fne"]) == pytest.approx(found.errors(fine, c), abs=CELLS)
            assert read["mass_at_zero"] == pytest.approx(sum(at_0.errors(fine, c)), abs=2 * CELLS)
            assert read["more"] + read["less"] == pytest.approx(tuple(np.ravel(pair)))
            here = regions.error_band(lab.uniform_error.cells.eta, 0.07, *pair, c, tight=tight)
            assert np.array_equal(np.isfinite(by_name(lab.band_panel)["fne"].upper), here.inside)
        layers = by_name(lab.reset().set(c=CLASSES[c]).band_panel)
        clear = abs(layers["eta"].y - layers["threshold"].y) > 1e-6
        decides = layers["decisions"].codes[0] == c
        assert np.array_equal(decides[clear], (layers["eta"].y > layers["threshold"].y)[clear]), "where eta reaches t"
    lab.reset()
    for step, parts in COVER_STEPS.items():
        pair = lab.set(cover=step).class_band.pair
        assert weights.covers(pair.more, pair.less, Q, 0, form="strict" if parts else "weak")


def test_the_curve_over_epsilon_meets_the_numbers_and_so_do_areas(lab):
    """x is uniform, so what is shaded below and above eta is fne and tne."""
    read, areas = lab.readout(), by_name(lab.band_panel)
    for name in ("fne", "tne"):
        assert np.nansum(areas[name].upper - areas[name].lower) / 1000 == pytest.approx(read[name], abs=2e-3)
    curves = by_name(lab.mass_panel)
    at = int(abs(band.DRAWN_EPSILONS - 0.1).argmin())
    read = lab.set(epsilon=round(float(band.DRAWN_EPSILONS[at]), 12)).readout()
    assert curves["fne"].upper[at] == pytest.approx(read["fne"], abs=1e-3)
    assert curves["tne"].upper[at] == pytest.approx(read["tne"] + read["fne"], abs=1e-3)
    assert curves["at_zero"].y == pytest.approx([read["mass_at_zero"]] * 2)
    assert (curves["uncovered"].y <= curves["tne"].upper).all(), "a cover adds to the band, cell by cell"
    assert np.array_equal(curves["uncovered"].y, by_name(lab.set(cover="none").mass_panel)["tne"].upper)
    assert lab.readout()["mass_at_zero"] == 0


def test_the_uniform_error_is_that_of_a_table_of_neighbors_and_of_the_reference_run(lab):
    cells = waves().grid(1000).points
    for n, k in ((1000, 50), (300, 7)):
        sample = waves().sample(n, 4)
        votes = VoteProfile.count(NeighborTable.build(sample.X, cells, k), sample.y, 3)
        read = lab.set(n=n, k=k, seed=4).readout()
        assert read["uniform_error"] == round(uniform_error(votes.at(k) / k, waves().eta(cells)), 6)
    for n, k, error in ((1000, 50, 0.185), (10_000, 500, 0.160), (100_000, 2000, 0.042)):
        assert lab.set(n=n, k=k, seed=0).readout()["uniform_error"] == pytest.approx(error, abs=1.5e-3)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_bound_is_the_theorem(lab, d):
    """The terms of the reference run, with half of delta for the uniform error; and the curve at every k."""
    at, (ks, terms) = lab.set(d=d).uniform_error.bound, lab.uniform_error.terms
    if d == 1:
        known = [2.4249551775445966, 0.1414213562373095, 0.41002736896274805]
        assert [at.bias, at.vote, at.union] == pytest.approx(known, rel=1e-6)
        assert (lab.readout()["bound"], lab.readout()["guarantee"]) == (round(sum(known), 6), "nothing: it reaches 1")
    each = [lab.uniform_error.bound_at(k) for k in ks.tolist()]
    assert terms == pytest.approx(np.array([[one.bias, one.vote, one.union] for one in each]).T, rel=1e-9)


def test_the_least_bound_is_that_of_the_reference_run():
    """With a million points the curve of the uniform error goes on to all of them, and is small in the middle."""
    lab = BandLab()
    for n, k, least in ((10_000, 58, 0.842), (100_000, 283, 0.411), (1_000_000, 1369, 0.199)):
        read = lab.set(n=n).readout()
        assert (read["best_k"], read["least_bound"]) == (k, pytest.approx(least, abs=5.1e-4))
    ks, errors = lab.background.wait(lambda: lab.uniform_error.curve)
    assert (ks[0], ks[-1], lab.is_preview, errors.min() < 0.03 < errors[0]) == (1, 1_000_000, False, True)
    assert lab.set(k=1).readout()["guarantee"] == "nothing: it reaches 1"
    assert lab.set(k=1369).readout()["guarantee"] == "U is at most 0.199, except with probability 0.025"
    read = lab.set(k=1400, epsilon_source=EPSILON_SOURCES[2]).readout()
    assert read["epsilon"] == read["bound"] < 1
    assert lab.hidden(lab.values) == {"epsilon"}


def test_epsilon_comes_from_the_sample_or_the_theorem_and_takes_many_points(lab):
    assert lab.readout()["needed"] == pytest.approx(8.8e6, rel=5e-3)
    assert lab.set(epsilon=0.0).readout()["needed"] == uniform.TOO_LARGE
    read = lab.set(epsilon_source=EPSILON_SOURCES[1]).readout()
    assert read["epsilon"] == read["uniform_error"]
    read = lab.set(epsilon_source=EPSILON_SOURCES[2]).readout()
    assert (read["epsilon"], read["tne"] + read["fne"]) == (1, pytest.approx(1))
    assert "no U exceeds 1" in read["note"]
    assert read["needed"] == "any", "the bound here is 1"
    assert lab.set(k=1000).readout()["guarantee"] == "nothing: k is too large for it"


def test_more_classes_move_theorem_1_alone_and_the_dimension_the_bound(lab):
    before = lab.readout()
    assert before["ball_margin_three"] == before["ball_margin"] == pytest.approx(0.2911421, abs=1e-6)
    after = lab.set(classes=1000).readout()
    assert {name for name in after if after[name] != before[name]} == {"ball_margin"}
    assert after["ball_margin"] / before["ball_margin"] == pytest.approx(0.7559237 / 0.5822842, rel=1e-5)
    after = lab.reset().set(d=2).readout()
    moved = {name for name in after if after[name] != before.get(name)}
    assert moved == {"bound", "best_k", "least_bound", "needed", "note"}
    slope = khim.least_lipschitz_constants(waves()).max()
    known = {"holder_exponent": 1, "holder_constant": slope, "dimension": 2, "mass_constant": np.pi / 4}
    assert after["bound"] == pytest.approx(khim.theorem_3(1000, 50, 0.025, **known).value, abs=1e-6)
    assert "the sample stays on the line" in after["note"]


def test_a_light_class_has_a_wide_reach_and_a_small_band(lab, fine):
    """As q_c tends to 0, r grows without limit, and so does the threshold: max q_j eta_j <= epsilon q_max remains."""
    read = lab.set(cover="none", q0=0.000001, q1=0.55, q2=0.449999).readout()
    others = (fine[:, 1:] * (0.55, 0.45)).max(axis=1) <= 0.1 * 0.55
    assert read["tne"] + read["fne"] == pytest.approx(others.mean(), abs=1e-3)
    assert read["tne"] + read["fne"] < 0.03


def test_weights_without_a_cover_have_a_note(lab):
    assert "note" not in lab.set(q0=0.8, q1=0.1, q2=0.1, cover="1/20").readout()
    read = lab.set(q0=0.04, q1=0.48, q2=0.48).readout()
    assert read["note"] == "no weights on the grid of step 1/20 cover q, so q' = q'' = q here"
    assert read["more"] == read["less"] == (0.04, 0.48, 0.48)
    assert read["mass_at_zero"] == 0
    read = lab.reset().set(q0=0.0).readout()
    assert read["tne"] + read["fne"] == pytest.approx(1)
    assert read["note"] == "class 0 has no weight, so nothing is guaranteed for it"
    assert 0 not in by_name(lab.band_panel)["decisions"].codes


def test_picks_move_epsilon_and_k(lab):
    def picked(panel, x):
        return lab.pick(panel, x, 0.5, None, 0)

    assert picked("mass_panel", 0.01234567) == {"epsilon": 0.0123, "epsilon_source": EPSILON_SOURCES[0]}
    assert picked("mass_panel", 0.0001)["epsilon"] == band.EPSILON_LIMITS[0]
    assert (picked("uniform_panel", 137.4), picked("uniform_panel", 1150.0)) == ({"k": 140}, {"k": 1000})
    assert (lab.slider_range("k", lab.values), lab.slider_range("n", lab.values)) == ((1, 1000), (100, 1_000_000))


def test_the_alt_text_holds_band_bound_and_numbers(lab):
    assert "Band of class 0 at epsilon = 0.1: eta is inside on " in lab.alt
    assert " of the line (0.057 to 0.084, 0.167 to 0.205" in lab.alt
    assert "). Decisions: 29.8% for class 0, " in lab.alt
    assert "the bound is 2.976 (bias 2.425, 1/√k 0.141, union over x 0.410)" in lab.alt
    assert "true negative error (tne) 0.4012; false negative error (fne) 0.1115" in lab.alt
    lab.set(c=CLASSES[1], epsilon=0.0, cover="none")
    assert "Band of class 1 at epsilon = 0: eta is inside on 0.0% of the line. Decisions" in lab.alt


def test_a_control_runs_no_stage_that_does_not_depend_on_it(lab):
    sample = {"votes.profile", "uniform_error.observed", "uniform_error.curve"}
    bound = {"uniform_error.terms", "uniform_error.least_bound", "needed"}
    masses = {"class_band.entry_epsilons", "class_band.trivial_entry_epsilons", "class_band.drawn_band"}
    assert not ran(lab, epsilon=0.2) & {*sample, *bound - {"needed"}, *masses - {"class_band.drawn_band"}}
    assert not ran(lab, q0=0.45) & {*sample, *bound, "class_band.fine_cells"}
    assert not ran(lab, k=60) & {*bound, *masses, "votes.profile", "uniform_error.curve"}
    assert not ran(lab, classes=100) & {*sample, *bound, *masses}
    assert not ran(lab, seed=1) & {*bound, *masses}


def test_presets_read_what_their_sources_say(lab):
    """Those whose numbers are in no test above."""
    read = lab.show_preset("What a sample shows").readout()
    assert (read["epsilon"], read["bound"]) == (pytest.approx(0.042, abs=1e-3), pytest.approx(1.073, abs=5e-4))
    assert lab.show_preset("A hundred thousand").readout()["epsilon"] == pytest.approx(0.411, abs=5e-4)
    assert lab.show_preset("A thousand classes").readout()["uniform_error"] == pytest.approx(0.05, abs=0.02)


def test_the_uniform_error_is_known_at_few_k_first(faced):
    with faced.lock:
        assert faced.set(seed=1).is_preview
    faced.readout()
    assert not faced.is_preview
