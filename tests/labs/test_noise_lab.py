"""NoiseLab without a front end: its numbers beside plain Python and the paper's, stages, refusals, presets."""

import numpy as np
import pytest
from knnviz.labs.noise.risks import CURVES
from knnviz.labs.noise.rules import RATES
from random_moves import page, ran, refuses
from reference_implementations import reference

from knnviz import (
    LabelNoise,
    NeighborTable,
    Robust,
    Vote,
    VoteProfile,
    breast_cancer,
    checkerboard,
    from_data,
    noise,
    risk,
)
from knnviz.labs import NoiseLab
from knnviz.labs.noise import risks
from knnviz.labs.old_parts import sizes
from knnviz.labs.old_parts.robust_rules import DEGENERATE
from knnviz.labs.old_parts.sources import SOURCES, TWO_CLASSES, problem_named
from knnviz.noise import misled_points
from knnviz.problems import Resolution, bundled, plateau

GAO = reference("gao")

#: Stages that a move leaves alone: neighbors, and the votes that follow from labels.
NEIGHBORS = {"data.sample", "data.index", "cells.tables", "query.table", "rules.growing_table", "rules.table"}
VOTES = {"noise.labels", "cells.votes", "query.votes", "rules.training_votes", "point_set.plain"}


pytestmark = pytest.mark.usefixtures("small_unless_full")


@pytest.fixture
def lab():
    return NoiseLab(n=400, k=21, k_noise=30)


@pytest.mark.parametrize("variant", ["threshold", "gao"])
@pytest.mark.parametrize("rates", RATES)
def test_numbers_are_those_of_plain_python(rates, variant):
    lab = NoiseLab(n=500, seed=3, p0=0.1, p1=0.3, k=20, k_noise=40, rates=rates, variant=variant, x1=0.7, x2=0.2)
    problem, flips = checkerboard(), LabelNoise(0.1, 0.3)
    sample, cells = problem.sample(500, 3), problem.measure(sizes.MAP_CELLS[2])
    observed = flips.flip(sample.y, sample.v)
    train = NeighborTable.build(sample.X, None, 41)
    votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 20), observed, 2)
    at_x = VoteProfile.count(NeighborTable.build(sample.X, np.array([[0.7, 0.2]]), 20), observed, 2)
    k_noise = 19 if rates == RATES[1] else 40
    estimated = noise.estimate(train, observed, k_noise)
    robust = Robust((0.1, 0.3) if rates == "known" else estimated, variant=variant)
    plain_labels, robust_labels = (rule.predict(votes, 20) for rule in (Vote(), robust))
    eta, read = problem.eta(cells.points), lab.readout()
    assert read == {
        "plain_risk": round(risk.exact(plain_labels, eta, cells.weights), 6),
        "robust_risk": round(risk.exact(robust_labels, eta, cells.weights), 6),
        "bayes_risk": round(problem.bayes_risk(), 6),
        "limit": round(risk.vote_limit(problem, flips), 6),
        "one_nn_limit": round(risk.one_nn_limit(problem, flips), 6),
        "p0_hat": round(float(estimated.p0), 6),
        "p1_hat": round(float(estimated.p1), 6),
        "threshold": round(float(robust.threshold), 6),
        "differ": round(float(np.mean(plain_labels != robust_labels)), 6),
        "votes": tuple(at_x.at(20)[0]),
        "decision": f"class {robust.predict(at_x, 20)[0]}",
        "flipped": int((observed != sample.y).sum()),
    }


def test_the_map_follows_the_rule_of_choice():
    lab = NoiseLab(n=1000)
    assert np.array_equal(lab.point_set.decisions, lab.rules.robust.predict(lab.cells.votes, lab.k))
    assert np.array_equal(lab.set(shown="kNN").point_set.decisions, Vote().predict(lab.cells.votes, lab.k))
    assert lab.map.drawn.layers[0].codes.ravel().tolist() == lab.point_set.plain.tolist()


def test_real_data_are_judged_on_points_held_out():
    lab = NoiseLab(problem="breast cancer", seed=2, k=9, k_noise=20)
    dataset = breast_cancer(seed=2)
    observed = LabelNoise(0.1, 0.3).flip(dataset.y_train, lab.data.sample.v)
    votes = VoteProfile.count(NeighborTable.build(dataset.X_train, dataset.X_test, 9), observed, 2)
    robust = Robust(k_noise=20).fit(NeighborTable.build(dataset.X_train, None, 21), observed, 9, 2)
    read = lab.readout()
    assert lab.n == 398
    for name, rule in (("plain", Vote()), ("robust", robust)):
        wanted = risk.held_out(rule.predict(votes, 9), dataset.y_test)
        assert read[f"held_out_{name}_risk"] == round(wanted, 6)
    assert "bayes_risk" not in read
    assert read["differ"] == round(float(np.mean(lab.point_set.inside)), 6)


@pytest.mark.parametrize(
    ("name", "value", "some", "none"),
    [
        (
            "variant",
            "gao",
            {"point_set.robust", "rules.thresholds"},
            NEIGHBORS | VOTES | {"rules.class_1_counts", "extremes.drawn"},
        ),
        ("shown", "kNN", {"decision", "map.drawn"}, NEIGHBORS | VOTES | {"point_set.robust", "risks"}),
        (
            "overlay",
            "regions only",
            {"map.drawn"},
            NEIGHBORS | VOTES | {"point_set.robust", "votes.drawn", "risk.drawn"},
        ),
        ("margin", 0.1, set(), {"numbers", "picture"}),
        ("k_noise", 60, {"rules.class_1_counts", "rules.smoothed", "point_set.robust"}, NEIGHBORS | VOTES),
        ("p1", 0.35, {"rules.training_votes", "cells.votes", "rules.estimated_rates", "known_risks"}, NEIGHBORS),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, some, none):
    again = ran(lab, **{name: value})
    assert some <= again
    assert not again & none


def test_the_true_threshold_misleads_no_points_and_the_vote_some_whatever_k(fine):
    lab = NoiseLab(overlay="misled points", rates="known", n=1000)
    assert lab.readout()["misled_mass"] == 0
    lab.shown = "kNN"
    for p1, mass in ((0.1, 0.0), (0.3, 0.2365), (0.4, 0.3572)):
        read = lab.set(p1=p1).readout()["misled_mass"]
        assert read == pytest.approx(mass, abs=2e-3)
    assert lab.set(k=500).readout()["misled_mass"] == read


def test_hard_points_are_those_of_plain_python(fine):
    lab = NoiseLab(overlay="hard points", shown="kNN", margin=0.1)
    measure, eta = checkerboard().cells(400)
    corrupted = LabelNoise(0.1, 0.3).corrupt(eta)
    hard = misled_points(eta, corrupted, margin=0.1)
    assert lab.readout()["hard_mass"] == round(float(measure.weights @ hard), 6)
    lab.set(shown="robust kNN", rates="known")
    width = abs(eta[:, 1] - 0.5)
    assert lab.readout()["hard_mass"] == pytest.approx(float(np.mean((width > 1e-12) & (width < 0.1 / 0.6))), abs=1e-6)


def test_a_note_tells_that_all_smoothed_labels_are_equal():
    lab = NoiseLab(problem="linear", n=50, k=9, k_noise=49)
    assert lab.readout()["note"] == DEGENERATE
    assert lab.readout()["threshold"] == 0.5
    assert DEGENERATE in lab.alt
    assert lab.extremes.drawn.layers[2].y[0] == pytest.approx(lab.rules.smoothed[0]), (
        "the midrange stays where the labels are"
    )
    assert "note" not in lab.set(k_noise=20).readout()


@pytest.mark.parametrize("curve", CURVES[1:])
@pytest.mark.parametrize("rates", RATES)
def test_curves_are_those_of_plain_python(curve, rates):
    lab = NoiseLab(problem="plateau", n=1000, k=51, k_noise=60, curve=curve, rates=rates)
    found = lab.risk.means
    settings = {"noise": LabelNoise(0.1, 0.3), "repeats": risks.REPEATS}
    settings["resolution"] = Resolution(integral_cells=(risks.FINE_GRID[1], risks.CELLS))
    k_noise = None if rates == RATES[1] else 60
    rules = {"plain": Vote(), "known": Robust((0.1, 0.3)), "estimated": Robust(k_noise=k_noise)}
    assert found.names == tuple(rules)
    if curve == "over k'":
        for j, k_noise in ((0, 1), (7, 75)):
            assert found.values[j] == k_noise
            rules["estimated"] = Robust(k_noise=k_noise)
            one = risk.curve(plateau(0.1, 0.3), rules, over={"k": [51]}, n=1000, **settings)
            assert found.mean[:, j] == pytest.approx(one.mean[:, 0])
    else:
        k = {"k": risk.growing_neighbors if "grows" in curve else 51} if "over n" in curve else {"n": 1000}
        whole = risk.curve(plateau(0.1, 0.3), rules, over={curve[5:6]: found.values.tolist()}, **k, **settings)
        assert found.mean == pytest.approx(whole.mean)
    assert found.done == found.pieces
    assert f"{found.mean[2].min():.4f}" in lab.alt


#: Numbers of each preset in the reference run of the paper, with tolerances: those of any sample, then a risk.
TRUE = {"bayes_risk": (GAO["bayes_population"], 2e-5)}
ASYMMETRIC = GAO["widgets"]["sine p0=0.1 p1=0.3"]
PRESETS = {
    "kNN, asymmetric noise": {"limit": (ASYMMETRIC["knn_limit"], 2e-4), "misled_mass": (ASYMMETRIC["mu_A0"], 2e-3)},
    "kNN, symmetric noise": {"limit": (GAO["bayes_population"], 2e-5), "misled_mass": (0, 0), "differ_by": (0, 0)},
    "One neighbor and more data": {"one_nn_limit": (0.425, 1e-6), "plain_risk": (0.425, 0.01)},
    "Robust kNN, asymmetric noise": {"limit": (ASYMMETRIC["knn_limit"], 2e-4), "robust_risk": (0.3075, 0.01)},
    "More votes do not repair it": {
        "limit": (GAO["widgets"]["sine p0=0.1 p1=0.4"]["knn_limit"], 2e-4),
        "plain_risk": (0.441, 0.015),
    },
    "Collapse: p1 above 1/2": {"limit": (0.5, 1e-9), "plain_risk": (0.5, 1e-3), "misled_mass": (0.5, 0)},
    "k' = 5 sees no noise": {"p0_hat": (0, 0), "p1_hat": (0, 0), "differ": (0, 0)},
    "Risk over k": {"robust_risk": (0.3054, 0.012), "limit": (ASYMMETRIC["knn_limit"], 2e-4)},
    "Risk over k'": {"plain_risk": (0.3318, 0.015), "robust_risk": (0.3036, 0.01)},
    "Risk over n": {"robust_risk": (0.3075, 0.01)},
}


@pytest.mark.parametrize("size", ["few", pytest.param("all", marks=pytest.mark.full)])
@pytest.mark.parametrize("preset", NoiseLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(fine, size, preset):
    lab = NoiseLab(k=99, seed=7).show_preset(preset.name)
    assert lab.values == NoiseLab().show_preset(preset.name).values
    read = lab.set(curve="off").readout()
    read["differ_by"] = read["plain_risk"] - read["robust_risk"]
    for name, (value, tolerance) in {**TRUE, **PRESETS[preset.name]}.items():
        assert read[name] == pytest.approx(value, abs=tolerance), name


def test_more_neighbors_are_looked_up_when_they_are_asked_for():
    lab = NoiseLab(n=1000)
    assert (lab.rules.k_max, lab.rules.k_axis_end, lab.cells.finest) == (200, 200, 40)
    lab.k = 500
    assert (lab.rules.k_max, lab.rules.k_axis_end, lab.cells.finest) == (800, 800, 20)
    assert sum(lab.readout()["votes"]) == 500
    lab.set(n=600, k=600, rates=RATES[1])
    assert (lab.rules.k_max, lab.rules.table_size) == (600, 600)
    assert lab.readout()["threshold"] == 0.5
    assert lab.slider_range("k", lab.values) == (1, 600)
    assert lab.set(k=51).slider_range("k", lab.values) == (1, 200)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k_noise": 400}, "neighbors for the noise k' must be below sample size n, got 400 and 400"),
        ({"n": 50, "k": 21}, "neighbors for the noise k' must be below sample size n, got 50 and 50"),
        ({"p0": 0.7, "p1": 0.4}, r"flip rates must satisfy p0 \+ p1 < 1, got 0\.70 \+ 0\.40"),
        (
            {"problem": "breast cancer", "n": 300, "overlay": "hard points"},
            "hard points need a known distribution, but breast_cancer is data",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(changes, message):
    refuses(NoiseLab(n=400, k=21, k_noise=50), changes, message)


def test_two_classes_are_offered_and_needed():
    assert [name for name in SOURCES if problem_named(name).n_classes == 2] == list(TWO_CLASSES)
    with pytest.raises(ValueError, match="label noise needs two classes, but iris has 3"):
        NoiseLab(bundled("iris"))


def test_sliders_end_where_another_would_be_refused(lab):
    assert lab.slider_range("k_noise", lab.values) == (1, 399)
    assert lab.slider_range("n", lab.values) == (50, 8000)
    assert lab.set(k_noise=130).slider_range("n", lab.values) == (150, 8000)
    assert lab.set(rates=RATES[1]).slider_range("n", lab.values) == (50, 8000)
    assert (lab.slider_range("p0", lab.values), lab.slider_range("p1", lab.values)) == ((0, 0.69), (0, 0.89))
    assert lab.set(p0=0.69, p1=0.305).slider_range("p0", lab.values) == (0, 0.69)
    assert lab.set(p0=0.0, p1=0.0).slider_range("p0", lab.values) == (0, 0.95)


def test_a_small_set_of_ones_own_moves_k_and_k_noise(faced):
    faced.set(n=8000, k=200, k_noise=400)
    faced.problem = "breast cancer"
    assert (faced.n, faced.k, faced.k_noise) == (398, 200, 99)
    assert "neighbors for the noise k' moved from 400 to 99, a quarter of n." in page(faced).message


@pytest.mark.parametrize("rows", [12, 60, 120, 500])
def test_few_rows_of_ones_own_have_smoothed_labels_that_differ(rows):
    sample = checkerboard().sample(rows, 0)
    lab = NoiseLab(from_data(sample.X, sample.y))
    assert lab.k <= lab.n
    assert lab.k_noise < lab.n / 2
    assert "note" not in lab.readout()
    lab.curve = CURVES[4]
    low, high = lab.x_limits["n"]
    assert low < lab.risk.means.values.min() <= lab.risk.means.values.max() < high


def test_many_rows_of_ones_own_stay_on_the_axis():
    sample = checkerboard().sample(20_000, 0)
    lab = NoiseLab(from_data(sample.X, sample.y), curve="over n")
    assert lab.risk.curve_arguments["over"]["n"] == [120, 250, 500, 1000, 2000, 4000, 8000]


def test_what_is_not_given_follows_n_when_a_lab_begins():
    lab = NoiseLab(n=50)
    assert (lab.k, lab.k_noise) == (50, 12)
    assert NoiseLab(n=100).k_noise == 25
    with pytest.raises(ValueError, match="neighbors k must not exceed sample size n, got 60 and 50"):
        NoiseLab(n=50, k=60)


def test_controls_that_do_nothing_hide(lab):
    assert lab.hidden(lab.values) == {"margin"}
    assert lab.set(rates=RATES[1], overlay="hard points").hidden(lab.values) == {"k_noise"}
    assert lab.set(problem="jump").hidden(lab.values) == {"k_noise", "x2"}


def test_a_click_moves_the_parameter_of_its_axis():
    lab = NoiseLab(n=1000)
    for curve, name, at, value in (
        ("off", "k", 60.4, 60),
        ("over k", "k", 333.3, 333),
        ("over k'", "k_noise", 77.7, 78),
        ("over n", "n", 1030, 1050),
    ):
        lab.curve = curve
        assert lab.pick("risk", at, 0.3) == {name: value}
        assert lab.pick("votes", 33.3, 0.5) == {"k": 33}
        assert lab.pick("risk", 1e6, 0.3)[name] == lab.feasible_range(name, lab.values)[1]
    assert lab.pick("extremes", 0.4, 0.5) == {}


def test_the_sample_stands_where_its_rule_is_on_the_curve():
    lab = NoiseLab(n=400, k=21, k_noise=100, rates=RATES[1], curve="over k'")
    assert lab.current_x["k'"] == 20
    assert lab.pick("risk", 50.2, 0.3) == {"k": 51}
    assert lab.set(rates="known").current_x["k'"] == 100
    lab = NoiseLab(n=1000, k=21, curve=CURVES[4])
    assert lab.current_risks == (), "k grows as it does there"
    assert len(lab.set(k=25).current_risks) == 2


def test_a_curve_is_kept_by_what_it_does_not_read():
    lab = NoiseLab(n=400, k=21, k_noise=30, curve="over k'")
    curve = lab.risk.means
    assert lab.set(k_noise=50, rates="known").risk.means is curve
    assert lab.set(k=23).risk.means is not curve


def test_extremes_lie_where_the_numbers_say(lab):
    low, high = float(lab.rules.smoothed.min()), float(lab.rules.smoothed.max())
    _, ends, midrange = lab.extremes.drawn.layers
    assert sorted(set(ends.y[np.isfinite(ends.y)].tolist())) == pytest.approx([low, high])
    assert midrange.y[0] == pytest.approx((low + high) / 2)
    read = lab.readout()
    assert (read["p0_hat"], read["p1_hat"]) == pytest.approx((low, 1 - high), abs=1e-6)
    assert f"{low:.3f} to {high:.3f}" in lab.alt


def test_a_curve_of_other_k_on_data_has_an_axis_before_its_first_point(drawn, lab):
    """No limit is known, and the current sample has another k."""
    lab.set(problem="breast cancer", curve=CURVES[4], k=7)
    with lab.background.opening():
        assert lab.risk.y_limits[0] == 0
