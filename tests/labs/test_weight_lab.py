"""WeightLab without a front end: its numbers beside plain Python and the paper's, the simplex, stages, presets."""

import numpy as np
import pytest
from twins import reference

from knnviz import NeighborTable, VoteProfile, Weighted, metrics, problems, regions
from knnviz.bounds import khim
from knnviz.labs import WeightLab, ground, maps
from knnviz.labs import weighted as module
from knnviz.labs.counted import COUNTED, TIES
from knnviz.labs.simplex import WEIGHTS
from knnviz.labs.weights import BOUNDARIES, EQUAL, SETS
from knnviz.profiles import BallProfile

KHIM = reference("khim")
Q = (0.5, 0.3, 0.2)

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "panels", "alt", "picture"}


@pytest.fixture
def lab():
    return WeightLab()


@pytest.fixture
def small(monkeypatch):
    """Labs with few cells."""
    for name in ("FULL", "COARSE", "POPULATION", "ROUGH"):
        monkeypatch.setattr(ground, name, {1: 200, 2: 24})
    monkeypatch.setattr(maps, "TRACED", 24)
    monkeypatch.setattr(module, "FINE", 200)


@pytest.mark.parametrize("counted", COUNTED)
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("q", [Q, (0.2, 0.2, 0.6), (0, 0.5, 0.5)])
def test_numbers_are_those_of_plain_python(q, ties, counted):
    lab = WeightLab(n=400, seed=2, k=30, ties=ties, counted=counted, **dict(zip(WEIGHTS, q, strict=True)))
    sample, cells = problems.waves().sample(400, 2), problems.waves().measure(4000)
    eta, read = problems.waves().eta(cells.points), lab.readout()
    shares, own = (
        VoteProfile.count(NeighborTable.build(sample.X, points, 30), sample.y, 3).at(30) / 30
        for points in (cells.points, sample.X)
    )
    found = {
        "new": metrics.confusion_fitted(shares, eta, q, rule=ties),
        "training": metrics.confusion_hat(own, sample.y, q, rule=ties),
        "bayes": metrics.confusion_bayes(eta, q, rule=ties),
    }
    for name, entries in found.items():
        assert read[f"{name}_macro_f1"] == pytest.approx(entries.macro_f1, abs=1e-6)
    shown = found["new" if counted == COUNTED[0] else "training"]
    for name in ("precision", "recall", "f1"):
        assert read[name] == pytest.approx(getattr(shown, name), abs=1e-6)
    decided, best = (np.argmax(np.round(values * q, 12), axis=1) for values in (shares, eta))
    assert read["disagreement"] == pytest.approx(np.mean(decided != best), abs=1e-9)
    lost = (eta * q)[np.arange(4000), best] - (eta * q)[np.arange(4000), decided]
    assert read["weighted_risk"] - read["weighted_bayes_risk"] == pytest.approx(lost.mean(), abs=2e-6)


def test_table_of_the_bayes_rules(lab):
    """Macro F1, accuracy and weighted risk as the reference run has them on 200,000 points."""
    for q, macro, accuracy, risk in ((EQUAL, 0.615965, 0.637470, 0.120843), ({}, 0.610072, 0.620766, 0.114296)):
        read = WeightLab(**q).readout()
        assert read["bayes_macro_f1"] == pytest.approx(macro, abs=1e-4)
        assert read["bayes_micro_f1"] == pytest.approx(accuracy, abs=1e-4)
        assert read["weighted_bayes_risk"] == pytest.approx(risk, abs=1e-5)


def test_seeded_predictions_of_fifty_points():
    lab = WeightLab().show_preset("Fifty points").set(seed=0)
    digest = KHIM["digest_n50_k18"]
    found = lab.sample_entries
    for name, value in digest["confusion_class0_geq"].items():
        assert getattr(found, name.lower())[0] == pytest.approx(value)
    assert lab.readout()["training_macro_f1"] == pytest.approx(digest["macro_f1_geq"], abs=1e-6)


def test_moving_one_weight_keeps_the_others_ratio(lab):
    lab.q0 = 0.75
    assert lab.q == pytest.approx((0.75, 0.15, 0.1))
    for to in (0.8, 0.95, 0.99, 0.95, 0.5):
        lab.q0 = to
    assert lab.q == pytest.approx((0.5, 0.3, 0.2), abs=1e-9)
    lab.q0 = 1.0
    assert lab.q == (1, 0, 0)
    lab.q0 = 0.4
    assert lab.q == pytest.approx((0.4, 0.3, 0.3))
    lab.set(q0=0.2, q1=0.2)
    assert lab.q == pytest.approx((0.2, 0.2, 0.6))
    lab.q0 = 1 / 3
    assert sum(lab.q) == pytest.approx(1, abs=1e-11)


def test_weights_off_the_simplex_are_refused(lab):
    before = lab.values
    for changes, message in (
        ({"q0": 0.8, "q1": 0.4}, "class weights must sum to 1, got 1.4"),
        ({"q0": 0.5, "q1": 0.5, "q2": 0.5}, "class weights must sum to 1, got 1.5"),
        ({"q0": 1.2}, "weight of class 0 q0 must be between 0 and 1, got 1.2"),
        ({"problem": "moons"}, "problem must be one of"),
        ({"k": 200, "n": 100}, "neighbors k must not exceed sample size n, got 200 and 100"),
        ({"problem": "iris", "overlay": SETS[1]}, "effective boundary needs a known distribution"),
    ):
        with pytest.raises(ValueError, match=message):
            lab.set(**changes)
        assert lab.values == before


def test_data_of_two_classes_are_refused():
    with pytest.raises(ValueError, match=r"a triangle of weights needs three classes, but .* has 2"):
        WeightLab(problems.breast_cancer())


@pytest.mark.parametrize(("x", "y", "q"), [(0, 0, (1, 0, 0)), (1, 0, (0, 1, 0)), (0.5, 1, (0, 0, 1)), (0.4, 0.2, Q)])
def test_places_on_the_triangle_are_weights(lab, x, y, q):
    assert lab.set(**lab.pick("triangle", x, y)).q == pytest.approx(q)


@pytest.mark.parametrize(("x", "y", "q"), [(-0.2, -0.1, (1, 0, 0)), (0.5, -0.2, (0.5, 0.5, 0)), (0.5, 1.2, (0, 0, 1))])
def test_beside_the_triangle_the_nearest_weights_count(lab, x, y, q):
    assert lab.set(**lab.pick("triangle", x, y)).q == pytest.approx(q)


def test_the_handle_stands_at_the_weights(lab):
    for q in (Q, (0.1, 0.2, 0.7), (0, 0, 1)):
        lab.set(**dict(zip(WEIGHTS, q, strict=True)))
        mark = lab.weight_layer
        assert lab.pick("triangle", float(mark.x[0]), float(mark.y[0])) == pytest.approx(
            dict(zip(WEIGHTS, q, strict=True))
        )
    assert mark.spoken == ("class 0 0, class 1 0, class 2 1",)


def test_the_theorem_beside_the_truth():
    """p, Delta, the mass of the boundary and the bound, as a table of the reference run has them for these n and k."""
    lab = WeightLab(n=8000, k=200, overlay=SETS[1])
    read, bound = lab.readout(), khim.theorem_1(8000, 200, 0.05, Q)
    assert (read["ball_mass"], read["ball_margin"]) == pytest.approx((bound.mass, bound.margin), abs=1e-6)
    measure, eta = problems.waves().cells(1000)
    exact = BallProfile.integrate(measure, eta, q=Q, masses=[bound.mass])
    mass = regions.effective_boundary(exact, bound.mass, bound.margin, Q).mean()
    assert read["boundary_mass"] == pytest.approx(mass, abs=2e-3)
    assert read["bound"] == pytest.approx(read["boundary_mass"] + 0.05)
    assert read["disagreement"] < read["bound"] < 1
    assert lab.set(n=1000, k=50).readout()["note"] == "the bound says nothing"
    assert lab.set(k=10).readout()["note"] == "k is too small for the theorem"


def test_a_boundary_of_ones_own(lab):
    lab.set(overlay=SETS[1], boundary=BOUNDARIES[1])
    for case in KHIM["effective_boundary"]:
        if case["p"] >= 0.005:
            read = lab.set(mass=case["p"], margin=case["Delta"]).readout()
            assert read["boundary_mass"] == pytest.approx(case["q"], abs=3e-3)
            assert "bound" not in read


def test_balls_that_are_kept_tell_the_boundary_of_other_weights(monkeypatch):
    """Balls of the plane are kept for equal weights and at some masses; grown anew they say the same, up to a cell."""
    monkeypatch.setattr(ground, "FULL", {1: 1000, 2: 60})
    lab = WeightLab(problem="three gaussians", n=500, k=20, overlay=SETS[1], boundary=BOUNDARIES[1], mass=0.1)
    cells = lab.field
    exact = BallProfile.integrate(cells.measure, cells.eta, q=Q, masses=[0.1])
    mass = cells.measure.weights[regions.effective_boundary(exact, 0.1, 0.05, Q)].sum()
    assert lab.readout()["boundary_mass"] == pytest.approx(mass, abs=1e-4)


def test_the_set_of_theorem_2():
    lab = WeightLab().show_preset("Theorem 2")
    assert lab.readout()["lower_mass"] == pytest.approx(KHIM["theorem2_set"]["n=1000,k=50,q"], abs=2e-3)


def test_the_scale_of_a_margin_follows_the_weights(small):
    """On the plane balls end at a mass of 1/4: beyond it nothing is said, and of margins that nobody reaches all is."""
    lab = WeightLab(problem="three gaussians", n=200, k=60, overlay=SETS[1])
    assert "largest that is kept" in lab.readout()["note"]
    assert lab.set(k=16).readout()["boundary_mass"] == 1
    assert "largest that is kept" in lab.set(k=60, overlay=SETS[2]).readout()["note"]


def test_more_weight_on_a_class_gives_it_more_cells(lab):
    taken = [np.mean(lab.set(q0=step / 20).labels == 0) for step in range(1, 20)]
    assert taken == sorted(taken)


def test_only_the_ratio_of_weights_matters(lab):
    votes = lab.cell_votes
    for q in (np.array(Q) * 7, (5, 3, 2)):
        assert np.array_equal(Weighted(q).predict(votes, 50), lab.labels)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (
            "ties",
            TIES[1],
            {"sample_entries", "new_entries", "bayes_entries", "entries", "entry_layers", "score_layers"},
        ),
        ("counted", COUNTED[1], {"entries", "entry_layers", "score_layers"}),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, expected):
    assert ran(lab, **{name: value}) - {"known_numbers"} == VIEW | expected


def ran(lab, **changes):
    """Stages that ran for a change."""
    _ = lab.picture, lab.numbers
    before = lab.runs()
    _ = lab.set(**changes).picture, lab.numbers
    return {name for name, runs in lab.runs().items() if runs != before.get(name)}


def test_weights_leave_geometry_and_votes_alone(lab):
    again = ran(lab, q0=0.4)
    assert {"q", "labels", "best", "new_entries", "weight_layer"} <= again
    counted = {
        "mapped",
        "balls",
        "cell_votes",
        "training_votes",
        "x_votes",
        "x_ball",
        "prior",
        "landmark_layer",
        "population_votes",
        "axes",
    }
    assert not again & counted


#: What the paper or its reference run says of each preset, and how close a sample comes.
PRESETS = {
    "Figure 1, left": {"bayes_macro_f1": (0.615965, 1e-4), "disagreement": (0.126, 2e-3)},
    "Figure 1, right": {"bayes_macro_f1": (0.610072, 1e-4), "weighted_bayes_risk": (0.114296, 1e-5)},
    "Figure 2: q'": {"weights": ((0.52, 0.29, 0.19), 1e-12)},
    "Theorem 1": {"ball_margin": (0.145571, 1e-6), "ball_mass": (0.034323, 1e-6)},
    "Theorem 2": {"lower_mass": (0.301, 2e-3)},
    "Fifty points": {"weights": ((0.5, 0.3, 0.2), 0)},
    "One class dominates": {"bayes_micro_f1": (0.826, 1e-3)},
    "Three clouds": {"bayes_micro_f1": (0.8806, 1e-3)},
    "Iris": {"held_out_macro_f1": (0.95, 0.06)},
}


@pytest.mark.parametrize("preset", WeightLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(preset):
    lab = WeightLab().show_preset(preset.name)
    read = lab.readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name


def test_ties_show_among_fifty_points():
    lab = WeightLab().show_preset("Fifty points")
    tied = lab.readout()["training_macro_f1"]
    assert abs(lab.set(ties=TIES[0]).readout()["training_macro_f1"] - tied) > 0.01


def test_words_hold_the_numbers_of_each_state(small):
    lab = WeightLab(n=200, k=20)
    states = ({}, {"overlay": SETS[3]}, {"q0": 0.6}, {"overlay": SETS[1]}, EQUAL)
    told = [lab.set(**changes).settled(lambda: lab.alt) for changes in states]
    assert len(set(told)) == 5
    read = lab.readout()
    assert f"disagreement {read['disagreement']:.4f}" in lab.alt
    assert "weights q 0.3333 : 0.3333 : 0.3333" in lab.alt


def test_a_hand_moves_weights_in_hundredths(lab):
    lab.set(**EQUAL)
    lab._take({"q0": 0.412345})
    assert lab.q == pytest.approx((0.41, 0.295, 0.295))
    lab._take(EQUAL)
    assert lab.q == (EQUAL["q0"], EQUAL["q1"], EQUAL["q2"])


def test_the_set_on_show_reads_what_it_needs(lab):
    lab.set(overlay=SETS[2])
    assert ran(lab, delta=0.1, mass=0.2) <= {"set_numbers", "asked_masses"}
    assert "note" not in lab.set(n=100, k=100).readout()


def test_what_is_counted_of_data_is_held_out(small):
    lab = WeightLab(problem="iris", k=15)
    assert "Scores on points held out: setosa: precision" in lab.alt
    assert "Scores on training points: setosa: precision" in lab.set(counted=COUNTED[1]).alt


def test_scenes_come_back(small):
    lab = WeightLab(n=200, k=20, q0=0.7, overlay=SETS[2], ties=TIES[1])
    assert WeightLab.from_scene(lab.scene()).readout() == lab.readout()


def test_a_control_that_was_moved_back_follows_the_lab(faced):
    """A page may repeat a value with another digit, or take a move back while it is refused."""
    faced.set(q0=0.09)
    faced.face.controls["q0"].value = 0.08999999999999998
    faced.reset()
    assert (faced.q0, faced.face.controls["q0"].value) == (0.5, 0.5)
    faced.face.controls["seed"].value = -3
    faced.face.controls["seed"].value = 0
    faced.new_sample()
    assert (faced.seed, faced.face.controls["seed"].value) == (1, 1)


def test_a_slider_that_moves_others_is_drawn_once(faced):
    before = faced.face.canvas.frame["number"]
    faced.face.controls["q0"].value = 0.7
    assert faced.face.controls["q1"].value == pytest.approx(0.18)
    assert faced.face.canvas.frame["number"] == before + 1


def test_a_new_sample_leaves_the_field_of_the_boundary_alone(small):
    lab = WeightLab(problem="three gaussians", n=200, k=10)
    _ = lab.picture
    before = lab.runs()
    _ = lab.set(seed=1, n=250).picture
    ran = {stage for stage, runs in lab.runs().items() if runs != before[stage]}
    assert "training_votes" in ran
    assert not ran & {"levels", "truth_layers"}
