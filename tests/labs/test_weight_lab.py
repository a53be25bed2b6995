"""WeightLab without a front end: its numbers beside plain Python and the paper's, the simplex, stages, presets."""

import numpy as np
import pytest
from random_moves import by_name, page, ran, refuses
from reference_implementations import reference

from knnviz import NeighborTable, VoteProfile, problems, regions
from knnviz.bounds import khim
from knnviz.labs import WeightLab
from knnviz.labs.old_parts import sizes, weighted_map
from knnviz.labs.old_parts.class_weights import WEIGHTS
from knnviz.labs.weights import EQUAL
from knnviz.labs.weights.boundary_sets import AS_SET, BOUNDARY, DISAGREEMENT, LOWER_BOUND, REGIONS_ONLY, THEOREM_1
from knnviz.labs.weights.confusions import ARGMAX, COUNTED, GEQ, NEW_POINTS, TIES, TRAINING_POINTS
from knnviz.profiles import BallProfile
from knnviz.weights import confusion_bayes, confusion_fitted, confusion_hat

KHIM = reference("khim")
Q = (0.5, 0.3, 0.2)

#: Stages that run again when the entries on show move, once all have run.
SHOWN = {"numbers", "alt", "picture", "confusions.numbers", "entries.drawn", "scores.drawn"}


@pytest.fixture
def lab(small):
    return WeightLab()


@pytest.mark.parametrize("q", [Q, (0.2, 0.2, 0.6), (0, 0.5, 0.5)])
def test_numbers_are_those_of_plain_python(lab, q):
    lab.set(n=400, seed=2, k=30, **dict(zip(WEIGHTS, q, strict=True)))
    sample, cells = problems.waves().sample(400, 2), problems.waves().measure(weighted_map.LINE_CELLS)
    eta = problems.waves().eta(cells.points)
    tables = (NeighborTable.build(sample.X, points, 30) for points in (cells.points, sample.X))
    fractions, own = (VoteProfile.count(table, sample.y, 3).at(30) / 30 for table in tables)
    for ties in TIES:
        read = lab.set(ties=ties, counted=NEW_POINTS).readout()
        found = {
            "new": confusion_fitted(fractions, eta, q, rule=ties),
            "training": confusion_hat(own, sample.y, q, rule=ties),
            "bayes": confusion_bayes(eta, q, rule=ties),
        }
        for name, entries in found.items():
            assert read[f"{name}_macro_f1"] == pytest.approx(entries.macro_f1, abs=1e-6)
        for counted, shown in zip(COUNTED, found, strict=False):
            read = lab.set(counted=counted).readout()
            for name in ("precision", "recall", "f1"):
                assert read[name] == pytest.approx(getattr(found[shown], name), abs=1e-6)
        decided, best = (np.argmax(np.round(values * q, 12), axis=1) for values in (fractions, eta))
        assert read["disagreement"] == pytest.approx(np.mean(decided != best), abs=1e-9)
        each, weighted = np.arange(weighted_map.LINE_CELLS), eta * q
        lost = weighted[each, best] - weighted[each, decided]
        assert read["weighted_risk"] - read["weighted_bayes_risk"] == pytest.approx(lost.mean(), abs=2e-6)


def test_seeded_predictions_of_fifty_points(lab):
    tied = lab.show_preset("Fifty points").readout()["training_macro_f1"]
    assert abs(lab.set(ties=ARGMAX).readout()["training_macro_f1"] - tied) > 0.01
    digest, read = KHIM["digest_n50_k18"], lab.set(ties=GEQ, seed=0).readout()
    assert read["training_macro_f1"] == pytest.approx(digest["macro_f1_geq"], abs=1e-6)
    for name, value in digest["confusion_class0_geq"].items():
        assert getattr(lab.confusions.on_training, name.lower())[0] == pytest.approx(value)


def test_moving_one_weight_keeps_the_others_ratio(lab):
    """If they have one: where both are 0 they share what is left."""
    for to, q in ((0.75, (0.75, 0.15, 0.1)), (0.99, (0.99, 0.006, 0.004)), (0.5, Q), (1.0, (1, 0, 0))):
        assert lab.set(q0=to).weights.q == pytest.approx(q, abs=1e-9)
    assert lab.set(q0=0.4).weights.q == pytest.approx((0.4, 0.3, 0.3))
    assert lab.set(q0=0.2, q1=0.2).weights.q == pytest.approx((0.2, 0.2, 0.6))
    lab.set(**EQUAL).set_from_page({"q0": 0.412345})
    assert lab.weights.q == pytest.approx((0.41, 0.295, 0.295)), "a page moves weights in hundredths"
    lab.set_from_page(EQUAL)
    assert lab.weights.q == (EQUAL["q0"], EQUAL["q1"], EQUAL["q2"])


def test_what_does_not_go_together_is_refused(lab):
    refuses(lab, {"q0": 0.8, "q1": 0.4}, "class weights must sum to 1, got 1.4")
    refuses(lab, {"k": 200, "n": 100}, "neighbors k must not exceed sample size n, got 200 and 100")
    known = "effective boundary needs a known distribution, but iris is data"
    refuses(lab, {"problem": "iris", "overlay": BOUNDARY}, known)
    with pytest.raises(ValueError, match=r"a triangle of weights needs three classes, but .* has 2"):
        WeightLab(problems.breast_cancer())


OUTSIDE = ((-0.2, -0.1, (1, 0, 0)), (0.5, -0.2, (0.5, 0.5, 0)), (0.5, 1.2, (0, 0, 1)))


@pytest.mark.parametrize(("x", "y", "q"), [(0, 0, (1, 0, 0)), (0.4, 0.2, Q), (0.45, 0.7, (0.2, 0.1, 0.7)), *OUTSIDE])
def test_points_of_the_triangle_or_the_nearest_in_it_are_weights_where_the_handle_stands(lab, x, y, q):
    picked = lab.pick("triangle", x, y, None, 0)
    assert lab.set(**picked).weights.q == pytest.approx(q)
    mark = by_name(lab.triangle)["weights"]
    assert lab.pick("triangle", float(mark.x[0]), float(mark.y[0]), None, 0) == pytest.approx(picked)
    assert mark.spoken == ("class 0 {:.3g}, class 1 {:.3g}, class 2 {:.3g}".format(*lab.weights.q),)


def test_the_bound_of_theorem_1_beside_the_disagreement(lab):
    """p, Delta, the mass of the boundary and the bound, as a table of the reference run has them for these n and k."""
    read, bound = lab.set(n=8000, k=200, overlay=BOUNDARY).readout(), khim.theorem_1(8000, 200, 0.05, Q)
    assert (read["ball_mass"], read["ball_margin"]) == pytest.approx((bound.mass, bound.margin), abs=1e-6)
    measure, eta = problems.waves().cells(sizes.MAP_CELLS[1])
    exact = BallProfile.integrate(measure, eta, q=Q, masses=[bound.mass])
    mass = regions.effective_boundary(exact, bound.mass, bound.margin, Q).mean()
    assert read["boundary_mass"] == pytest.approx(mass, abs=2e-3)
    assert read["disagreement"] < read["bound"] == pytest.approx(read["boundary_mass"] + 0.05)
    assert lab.set(n=1000, k=50).readout()["note"] == "the bound is vacuous"
    assert lab.set(k=10).readout()["note"] == "k is too small for the theorem"


def test_the_boundary_for_p_and_delta_that_are_set():
    lab = WeightLab(n=100, k=20, overlay=BOUNDARY, boundary=AS_SET)
    for case in KHIM["effective_boundary"]:
        if case["p"] >= 0.005:
            read = lab.set(mass=case["p"], margin=case["Delta"]).readout()
            assert read["boundary_mass"] == pytest.approx(case["q"], abs=3e-3)
            assert "bound" not in read


def test_the_boundary_in_the_plane_and_how_far_balls_reach(small):
    """Kept balls give that of other weights, up to a cell; they end at mass 1/4; no margin is above the weights."""
    lab = WeightLab(problem="three gaussians", n=500, k=20, overlay=BOUNDARY, boundary=AS_SET, mass=0.1)
    cells = lab.cells.field
    exact = BallProfile.integrate(cells.measure, cells.eta, q=Q, masses=[0.1])
    mass = cells.measure.weights[regions.effective_boundary(exact, 0.1, 0.05, Q)].sum()
    assert lab.readout()["boundary_mass"] == pytest.approx(mass, abs=1e-4)
    assert lab.set(mass=lab.parameters["mass"].max).readout()["boundary_mass"] > mass
    assert "largest that is kept" in lab.set(n=200, k=60, boundary=THEOREM_1).readout()["note"]
    assert lab.set(k=16).readout()["boundary_mass"] == 1
    assert "note" not in lab.set(k=42, overlay=LOWER_BOUND).readout()
    assert "largest that is kept" in lab.set(k=43).readout()["note"]
    assert lab.set(n=500, k=16, overlay=BOUNDARY, **EQUAL).readout()["boundary_mass"] == 1


def test_more_weight_on_a_class_gives_it_more_cells(lab):
    taken = [np.mean(lab.set(q0=step / 20).vote.decisions == 0) for step in range(1, 20)]
    assert taken == sorted(taken)


def test_curves_and_the_bayes_boundary_are_those_of_the_weights(lab):
    drawn = by_name(lab.map)
    fractions = lab.cells.votes.at(50) / 50
    for c, factor in enumerate(np.array(Q) / max(Q)):
        assert drawn[f"eta{c}"].y == pytest.approx(factor * lab.cells.field.eta[:, c], abs=1e-6)
        assert drawn[f"votes{c}"].y == pytest.approx(factor * fractions[:, c], abs=1e-6)
    lab.set(problem="three gaussians")
    bayes = by_name(lab.map)["bayes"]
    at = np.stack([bayes.x, bayes.y], axis=1)[np.isfinite(bayes.x)]
    best = np.sort(lab.data.chosen_problem.eta(at) * Q, axis=1)
    assert best[:, 2] - best[:, 1] == pytest.approx(0, abs=0.05)


def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab):
    confusions = {f"confusions.{name}" for name in ("on_training", "on_new", "of_bayes", "risks")}
    assert ran(lab, ties=GEQ) == SHOWN | confusions
    assert ran(lab, counted=TRAINING_POINTS) == SHOWN
    again = ran(lab, q0=0.4)
    assert {"weights.q", "vote.decisions", "vote.bayes_decisions", "confusions.on_new", "triangle.drawn"} <= again
    kept = {"cells.tables", "cells.balls", "cells.votes", "query.votes", "query.balls", "triangle.prior"}
    assert not again & (kept | {"training.profile", "vote.new_votes"})
    lab.set(overlay=LOWER_BOUND)
    assert ran(lab, delta=0.1, mass=0.2) <= {"masses", "cells.ball_masses"}
    plane = ran(lab.set(problem="three gaussians", n=200, k=10, overlay=DISAGREEMENT), seed=1, n=250)
    assert "training.profile" in plane
    assert "map.weighted_boundaries" not in plane


#: Numbers of each preset in the paper or its reference run, with tolerances.
FIGURE_1 = {"bayes_macro_f1": (0.615965, 1e-4), "bayes_micro_f1": (0.637470, 1e-4), "disagreement": (0.126, 2e-3)}
WEIGHTED = {"bayes_macro_f1": (0.610072, 1e-4), "bayes_micro_f1": (0.620766, 1e-4)}
PRESETS = {
    "Figure 1, left": FIGURE_1 | {"weighted_bayes_risk": (0.120843, 1e-5)},
    "Figure 1, right": WEIGHTED | {"weighted_bayes_risk": (0.114296, 1e-5)},
    "Figure 2: q'": {"weights": ((0.52, 0.29, 0.19), 1e-12)},
    "Theorem 1": {"ball_margin": (0.145571, 1e-6), "ball_mass": (0.034323, 1e-6)},
    "Theorem 2": {"lower_mass": (KHIM["theorem2_set"]["n=1000,k=50,q"], 2e-3)},
    "Fifty points": {"weights": ((0.5, 0.3, 0.2), 0)},
    "One class dominates": {"bayes_micro_f1": (0.826, 1e-3)},
    "Three clouds": {"bayes_micro_f1": (0.8806, 1e-3)},
    "Iris": {"held_out_macro_f1": (0.95, 0.06)},
}


@pytest.mark.parametrize("preset", WeightLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(monkeypatch, preset):
    monkeypatch.setitem(sizes.MAP_CELLS, 2, 60)
    read = WeightLab().show_preset(preset.name).readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name


def test_words_say_what_is_hatched_and_where_scores_are_counted(lab):
    assert "Hatched is the disagreement." in lab.alt
    assert "Hatched" not in lab.set(overlay=REGIONS_ONLY).alt
    assert "Scores on points held out: setosa: precision" in lab.set(problem="iris", k=15).alt
    assert "Scores on training points: setosa: precision" in lab.set(counted=TRAINING_POINTS).alt


def test_a_drag_of_one_weight_moves_the_others_in_one_frame_and_follows_the_lab(faced):
    page(faced).move(q0=0.08999999999999998)
    assert faced.q0 == page(faced).values["q0"] == 0.09
    faced.reset()
    assert faced.q0 == page(faced).values["q0"] == 0.5
    before = page(faced).number
    page(faced).move(q0=0.7)
    assert page(faced).values["q1"] == pytest.approx(0.18)
    assert page(faced).number == before + 1
