"""BandLab without a front end: numbers beside plain NumPy and the paper's, stages, refusals, presets, links."""

from contextlib import contextmanager

import numpy as np
import pytest
from hands import ran, refuses
from twins import reference

from knnviz import NeighborTable, VoteProfile, metrics, regions, weights
from knnviz.bounds import khim
from knnviz.labs import BandLab, uniform
from knnviz.labs.bands import CLASSES, ORIGINS, REACHES, STEPS
from knnviz.problems import waves
from knnviz.views import bands as band_view

FIGURE_2 = reference("khim")["figure2"]
Q = (0.5, 0.3, 0.2)

#: How far sums over the lab's cells may be from those over many more.
CELLS = 2e-4

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "alt", "picture"}
DRAWN = VIEW | {"panels"}
EPSILON = DRAWN | {"used", "band", "mass", "band_layers", "epsilon_layers", "needed"}
READ = DRAWN | {"uniform_numbers", "uniform_words", "source_layers"}
BOUND = READ | {"promise", "promises", "optimum", "bound_layers", "needed"}
SAMPLE = {"drawn", "windows", "votes", "observed_error", "observed_errors", "error_layers", "k_layers"}
REACH = {"starts", "bare_starts", "mass_layers"}


@pytest.fixture(scope="module")
def fine():
    """eta of the waves at many cells."""
    return waves().eta(waves().grid(50_000).points)


@pytest.fixture
def lab(small):
    return BandLab()


def test_the_band_is_that_of_the_function(lab, fine):
    for c, q in ((0, Q), (1, (0.2, 0.5, 0.3)), (2, (0.45, 0.1, 0.45))):
        for reach in REACHES:
            lab.set(c=CLASSES[c], reach=reach, epsilon=0.07, q0=q[0], q1=q[1], q2=q[2])
            pair, read = weights.cover(q, 100, c), lab.readout()
            band = regions.error_band(fine, 0.07, *pair, c, tight=reach == REACHES[1])
            assert (read["tne"], read["fne"]) == pytest.approx(band.errors(fine, c), abs=CELLS)
            assert read["more"] + read["less"] == pytest.approx(tuple(np.ravel(pair)))
            drawn = regions.error_band(lab.field.eta, 0.07, *pair, c, tight=reach == REACHES[1])
            assert np.array_equal(lab.band.inside, drawn.inside)
        own = lab.reset().set(c=CLASSES[c]).field.eta[:, c]
        clear = abs(own - lab.cut) > 1e-9
        assert np.array_equal((lab.labels == c)[clear], (own > lab.cut)[clear]), "it decides where eta reaches t"
    lab.reset()
    for step, parts in STEPS.items():
        pair = lab.set(cover=step).pair
        assert weights.covers(pair.more, pair.less, Q, 0, form="strict" if parts else "weak")


def test_masses_over_epsilon_are_those_of_the_reference_run(lab):
    for epsilon, known in FIGURE_2["by_eps"].items():
        read = lab.set(epsilon=float(epsilon), cover="1/100").readout()
        assert (read["tne"], read["fne"]) == pytest.approx(known, abs=CELLS)
        if float(epsilon) > 0:
            bare = lab.set(cover="none").readout()
            assert (bare["tne"], bare["fne"]) == pytest.approx(FIGURE_2["by_eps_self"][epsilon], abs=CELLS)
            assert bare["floor"] == 0
    read = lab.reset().set(reach=REACHES[1]).readout()
    assert (read["tne"], read["fne"]) == pytest.approx(FIGURE_2["fine_tight_r"], abs=CELLS)


def test_the_curve_over_epsilon_meets_the_numbers_and_so_do_areas(lab):
    """x is uniform, so what is shaded below and above eta is fne and tne."""
    fne, tne, *_ = lab.band_layers
    read = lab.readout()
    assert np.nansum(fne.upper - fne.lower) / 1000 == pytest.approx(read["fne"], abs=2e-3)
    assert np.nansum(tne.upper - tne.lower) / 1000 == pytest.approx(read["tne"], abs=2e-3)
    below, above, bare, floor = lab.mass_layers
    at = int(abs(above.x - 0.1).argmin())
    read = lab.set(epsilon=round(float(above.x[at]), 12)).readout()
    assert below.upper[at] == pytest.approx(read["fne"], abs=1e-3)
    assert above.upper[at] == pytest.approx(read["tne"] + read["fne"], abs=1e-3)
    assert np.array_equal(below.upper, above.lower)
    assert (np.diff(above.upper) >= 0).all()
    assert floor.y == pytest.approx([read["floor"]] * 2)
    assert (bare.y <= above.upper).all(), "a cover adds to the band, cell by cell"
    assert np.array_equal(bare.y, lab.set(cover="none").mass_layers[1].upper)


def test_the_uniform_error_is_that_of_a_table_of_neighbors_and_of_the_reference_run(lab):
    cells = waves().grid(1000).points
    for n, k in ((1000, 50), (300, 7)):
        sample = waves().sample(n, 4)
        votes = VoteProfile.count(NeighborTable.build(sample.X, cells, k), sample.y, 3)
        read = lab.set(n=n, k=k, seed=4).readout()
        assert read["uniform_error"] == round(metrics.uniform_error(votes.at(k) / k, waves().eta(cells)), 6)
    for n, k, error in ((1000, 50, 0.185), (10_000, 500, 0.160), (100_000, 2000, 0.042)):
        assert lab.set(n=n, k=k, seed=0).readout()["uniform_error"] == pytest.approx(error, abs=1.5e-3)


def test_the_bound_is_the_theorem(lab):
    """The terms of the reference run, with half of delta for the uniform error."""
    terms = [2.4249551775445966, 0.1414213562373095, 0.41002736896274805]
    at = lab.promise
    assert [at.bias, at.vote, at.union] == pytest.approx(terms, rel=1e-6)
    read = lab.readout()
    assert read["bound"] == pytest.approx(sum(terms), abs=1e-5)
    assert read["promised"] == "nothing: it reaches 1"
    drawn = {layer.name: layer for layer in lab.bound_layers}
    ks = lab.promises[0]
    assert drawn["union"].upper == pytest.approx([lab.promise_at(k).value for k in ks.tolist()], rel=1e-6)
    assert np.array_equal(drawn["bias"].upper, drawn["vote"].lower)
    assert np.array_equal(drawn["vote"].upper, drawn["union"].lower)


def test_the_least_bound_is_that_of_the_reference_run():
    """With a million points the curve of the uniform error goes on to all of them, and is small in the middle."""
    lab = BandLab()
    for n, k, least in ((10_000, 58, 0.842), (100_000, 283, 0.411), (1_000_000, 1369, 0.199)):
        read = lab.set(n=n).readout()
        assert (read["best_k"], read["least_bound"]) == (k, pytest.approx(least, abs=5.1e-4))
    ks, errors = lab.background.wait_until_idle(lambda: lab.observed_errors)
    assert (ks[0], ks[-1]) == (1, 1_000_000)
    assert errors.min() < 0.03 < errors[0]
    assert not lab.is_preview
    assert lab.set(k=1).readout()["promised"] == "nothing: it reaches 1"
    assert lab.set(k=1369).readout()["promised"] == "U is at most 0.199, but for a chance of 0.025"
    read = lab.set(k=1400, epsilon_source=ORIGINS[2]).readout()
    assert read["epsilon"] == read["bound"] < 1
    assert lab.hidden(lab.values) == {"epsilon"}


def test_epsilon_comes_from_the_sample_or_the_theorem_and_takes_many_points(lab):
    assert lab.readout()["needed"] == pytest.approx(8.8e6, rel=5e-3)
    assert lab.set(epsilon=0.0).readout()["needed"] == uniform.MOST
    read = lab.set(epsilon_source=ORIGINS[1]).readout()
    assert read["epsilon"] == read["uniform_error"]
    read = lab.set(epsilon_source=ORIGINS[2]).readout()
    assert (read["epsilon"], read["tne"] + read["fne"]) == (1, pytest.approx(1))
    assert "no U exceeds 1" in read["note"]
    assert read["needed"] == "any", "what is promised here is 1"
    assert lab.set(k=1000).readout()["promised"] == "nothing: k is too large for it"


def test_more_classes_move_theorem_1_alone_and_the_dimension_the_bound(lab):
    before = lab.readout()
    assert before["ball_margin_three"] == before["ball_margin"] == pytest.approx(0.2911421, abs=1e-6)
    after = lab.set(classes=1000).readout()
    assert {name for name in after if after[name] != before[name]} == {"ball_margin"}
    assert after["ball_margin"] / before["ball_margin"] == pytest.approx(0.7559237 / 0.5822842, rel=1e-5)
    after = lab.reset().set(d=2).readout()
    moved = {name for name in after if after[name] != before.get(name)}
    assert moved == {"bound", "best_k", "least_bound", "needed", "note"}
    assert after["bound"] > before["bound"]
    known = {"holder_exponent": 1, "holder_constant": lab.lipschitz, "dimension": 2, "mass_constant": np.pi / 4}
    assert after["bound"] == pytest.approx(khim.theorem_3(1000, 50, 0.025, **known).value, abs=1e-6)
    assert "the sample stays on the line" in after["note"]


def test_a_light_class_has_a_wide_reach_and_a_small_band(lab, fine):
    """As q_c falls to 0, r grows without limit, but so does the cut: what remains is max q_j eta_j <= epsilon q_max."""
    lab.set(cover="none", q0=0.000001, q1=0.55, q2=0.449999)
    others = (fine[:, 1:] * (0.55, 0.45)).max(axis=1) <= 0.1 * 0.55
    read = lab.readout()
    assert read["tne"] + read["fne"] == pytest.approx(others.mean(), abs=1e-3)
    assert read["tne"] + read["fne"] < 0.03


def test_weights_that_nothing_covers_are_said(lab):
    """And a class without weight is promised nothing."""
    read = lab.set(q0=0.8, q1=0.1, q2=0.1, cover="1/20").readout()
    assert "note" not in read
    read = lab.set(q0=0.04, q1=0.48, q2=0.48).readout()
    assert read["note"] == "no weights on the grid of step 1/20 cover q, so q' = q'' = q here"
    assert read["more"] == read["less"] == (0.04, 0.48, 0.48)
    assert read["floor"] == 0
    read = lab.reset().set(q0=0.0).readout()
    assert read["tne"] + read["fne"] == pytest.approx(1)
    assert read["note"] == "class 0 has no weight, so nothing is promised of it"
    assert not (lab.labels == 0).any()


def test_picks_move_epsilon_and_k(lab):
    assert lab.pick("errors", 0.01234567, 0.5) == {"epsilon": 0.0123, "epsilon_source": ORIGINS[0]}
    assert lab.pick("errors", 0.0001, 0.5)["epsilon"] == band_view.EPSILONS[0]
    assert lab.pick("uniform", 137.4, 0.5) == {"k": 140}
    assert lab.pick("uniform", 1150.0, 0.5) == {"k": 1000}
    assert lab.pick("band", 0.5, 0.5) == {}


def test_every_picture_has_words_of_its_own(lab):
    told = [lab.set(**values).alt for values in ({}, {"epsilon": 0.05}, {"k": 60}, {"c": CLASSES[1]}, {"q0": 0.4})]
    assert len(set(told)) == len(told)
    assert "0.057 to 0.084, 0.167 to 0.205" in told[0]
    assert "29.8% for class 0" in told[0]
    assert "bias 2.425, 1/√k 0.141, union over x 0.410" in told[0]
    assert "tne 0.4012; fne 0.1115" in told[0]
    assert "weights q 0.5000 : 0.3000 : 0.2000" in told[0]
    assert "weights q 0.4000 : 0.3600 : 0.2400" in told[4]


def test_drawn_curves_end_near_the_panel(lab):
    for values in ({}, {"q0": 0.0}, {"q0": 0.01, "epsilon": 1.0}):
        for layer in lab.set(**values).band_layers:
            if hasattr(layer, "y"):
                assert np.isfinite(layer.y).all()
                assert band_view.FARTHEST[0] <= layer.y.min() <= layer.y.max() <= band_view.FARTHEST[1]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("epsilon", 0.2, EPSILON),
        ("reach", REACHES[1], EPSILON - {"used", "needed"} | REACH),
        ("delta", 0.1, BOUND | {"margins"}),
        ("d", 2, BOUND | {"smooth", "note"}),
        ("classes", 100, VIEW | {"margins"}),
        ("seed", 1, READ | SAMPLE),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, expected):
    assert ran(lab, **{name: value}) == expected
    again = ran(lab, q0=0.45)
    assert {"band", "labels", "starts", "mass", "pair"} <= again
    assert not again & {"drawn", "votes", "observed_errors", "promises", "fine", "field"}


#: What the paper or its reference run says of each preset, and how close the lab's cells come.
PRESETS = {
    "Figure 2 as captioned": {"tne": (0.40120, CELLS), "fne": (0.11150, CELLS)},
    "Figure 2 as computed": {"tne": (0.19504, CELLS), "fne": (0.05998, CELLS), "epsilon": (0.05, 0)},
    "Without a cover": {"tne": (0.04498, CELLS), "fne": (0.01409, CELLS), "floor": (0, 0)},
    "A small epsilon": {"tne": (0.04817, CELLS), "floor": (0.04450 + 0.01421, CELLS)},
    "A large epsilon": {"epsilon": (0.3, 0)},
    "A light class": {"epsilon": (0.1, 0)},
    "The other classes": {"ball_margin": (0.29114, 1e-5)},
    "What a sample shows": {"epsilon": (0.042, 1e-3), "bound": (1.073, 5e-4)},
    "A thousand points": {"epsilon": (1, 0), "bound": (2.9764, 1e-4)},
    "A hundred thousand": {"epsilon": (0.411, 5e-4), "best_k": (283, 0)},
    "A thousand classes": {"least_bound": (0.199, 5e-4), "uniform_error": (0.05, 0.02)},
    "Two dimensions": {"uniform_error": (0.05, 0.02)},
}


@pytest.mark.parametrize("preset", BandLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(lab, preset):
    read = lab.show_preset(preset.name).readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name


def test_what_does_not_go_together_is_refused_and_controls_end_before_it(lab):
    refuses(lab, {"k": 2000}, "neighbors k must not exceed sample size n, got 2000 and 1000")
    refuses(lab, {"q0": 0.5, "q1": 0.5, "q2": 0.5}, "class weights must sum to 1, got 1.5")
    assert lab.slider_range("k", lab.values) == (1, 1000)
    assert lab.slider_range("n", lab.values) == (100, 1_000_000)
    assert lab.set(k=300).slider_range("n", lab.values) == (300, 1_000_000)


def test_the_page_learns_of_new_steps_before_a_value_among_them(faced):
    """A page moves a place beyond the last step that it knows back to that one, and says so to the kernel."""
    control, sent = faced.face.controls["k"], []
    last, hold = len(control.options) - 1, control.hold_sync

    @contextmanager
    def held():
        with hold():
            yield
        sent.append((len(control.options), control.index))

    control.hold_sync = held
    faced.set(n=100_000, k=2000)
    ((steps, place),) = sent
    assert place <= last < control.index < steps
    assert control.value == 2000
