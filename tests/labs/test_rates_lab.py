"""What is particular to RatesLab: its numbers beside plain Python and the paper's, stages, refusals, presets."""

import numpy as np
import pytest
from hands import ran, refuses
from twins import reference

from knnviz import LabelNoise, NeighborTable, Robust, Vote, VoteProfile, noise, regions, risk
from knnviz.bounds import reeve_kaban
from knnviz.labs import RatesLab, lines
from knnviz.labs import rates as module
from knnviz.labs.engine.face import Face
from knnviz.labs.engine.parameters import LogInt
from knnviz.labs.lines import SHAPES
from knnviz.labs.rates import BOUNDS, CURVES, NEIGHBORS
from knnviz.problems import levels, plateau, ramp, terrace
from knnviz.windows import Windows

FAMILY = reference("reeve_kaban")["plateau"]
RATES = LabelNoise(0.1, 0.3)

#: A k of one's own, whose number follows.
OWN = {"neighbors": NEIGHBORS[1]}
PLATEAU = {"shape": "plateau"}

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "panels", "alt", "picture"}
BOUND = {"promise", "tight_promise", "promised", "bound_layers", "term_layers", "bound_words", "warning"}
#: Stages that only pass on what may or may not have changed.
STEADY = {"line_layers", "line_words", "assumed", "useful", "whole_layers", "voters", "risk_range", "axes"}


@pytest.fixture
def lab(monkeypatch):
    """A lab with short risk curves; its sample is small, so that its cells may be many."""
    monkeypatch.setattr(module, "SIZES", (250, 1000, 4000))
    monkeypatch.setattr(module, "REPEATS", 3)
    return RatesLab(n=1000)


@pytest.mark.parametrize(
    ("shape", "problem"),
    [("plateau", plateau(0.1, 0.3)), ("ramp", ramp(0.0, 1.0)), ("two levels", levels(0.0, 1.0))],
)
def test_numbers_are_those_of_plain_python(shape, problem):
    """The votes come from a table of neighbors here, from windows there."""
    lab = RatesLab(shape=shape, n=700, seed=3, neighbors=NEIGHBORS[1], k=40, x1=0.35)
    sample, cells = problem.sample(700, 3), problem.measure(20_000)
    observed = RATES.flip(sample.y, sample.v)
    votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 40), observed, 2)
    estimated = noise.estimate(NeighborTable.build(sample.X, None, 40), observed, 39, "order")
    at_x = VoteProfile.count(NeighborTable.build(sample.X, np.array([[0.35]]), 40), observed, 2).at(40)
    eta, read = problem.eta(cells.points), lab.readout()
    for name, rule in (("plain_risk", Vote()), ("robust_risk", Robust(estimated))):
        assert read[name] == pytest.approx(risk.exact(rule.predict(votes, 40), eta, cells.weights), abs=1e-4)
    assert (read["p0_hat"], read["p1_hat"]) == (round(float(estimated.p0), 6), round(float(estimated.p1), 6))
    assert read["cut"] == round(float(estimated.cut), 6)
    assert read["votes"] == tuple(at_x[0])
    assert read["decision"] == f"class {int(at_x[0, 1] >= 40 * estimated.cut)}"
    assert read["bayes_risk"] == pytest.approx(problem.bayes_risk(), abs=1e-6)
    assert read["limit"] == pytest.approx(risk.vote_limit(problem, RATES), abs=1e-6)
    disagree = regions.disagreement(eta, RATES.corrupt(eta))
    assert read["misled_mass"] == pytest.approx(float(cells.weights @ disagree), abs=1e-6)


@pytest.mark.parametrize("rates", [(0.1, 0.3), (0.3, 0.1), (0.2, 0.1), (0.05, 0.45)])
def test_the_plateau_follows_the_rates(rates, lab):
    lab.set(p0=rates[0], p1=rates[1])
    read, known = lab.readout(), FAMILY["p0={},p1={}".format(*rates)]
    assert read["m"] == pytest.approx(known["m"], abs=1e-6)
    assert read["bayes_risk"] == pytest.approx(known["bayes"], abs=1e-5)
    assert read["limit"] == pytest.approx(known["knn_limit"], abs=2e-5)
    assert read["misled_mass"] == pytest.approx(known["mu_A0"], abs=1e-4)
    assert read["robust_limit"] == pytest.approx(known["bayes"], abs=1e-5)
    even = lab.set(p0=0.2, p1=0.2).readout()
    assert (even["m"], even["misled_mass"]) == (0.5, 0), "even noise misleads nobody"
    assert even["limit"] == even["bayes_risk"] == even["robust_limit"]


def test_the_sample_is_that_of_the_problem():
    lab = RatesLab(n=500, seed=5, p0=0.3, p1=0.1)
    drawn = plateau(0.3, 0.1).sample(500, 5)
    for name in ("X", "y", "u", "v"):
        assert np.array_equal(getattr(lab.sample, name), getattr(drawn, name)), name
    assert np.array_equal(lab.windows.x, Windows.of(drawn.X).x)
    assert lab.plane.spec() == terrace(lab.m, 0.0, 1.0).spec()


def test_a_broken_range_gives_a_wrong_cut():
    """Where eta keeps to [a, b], the midrange stands for eta = (a + b) / 2."""
    read = RatesLab(shape="ramp", low=0.2, n=100_000).readout()
    assert read["cut"] == pytest.approx(0.1 + 0.6 * 0.6, abs=0.01)
    # Between 1/2 and 0.6 eta wants class 1 and is given class 0: an area of (0.1 / 0.8) of mean price 0.1.
    assert read["robust_limit"] - read["bayes_risk"] == pytest.approx(0.0125, abs=1e-4)
    # A cut that is off by 0.01 is off by 0.017 in eta, which moves the risk by 2 * 0.1 * 0.017 / 0.8.
    assert read["robust_risk"] == pytest.approx(read["robust_limit"], abs=5e-3)
    assert "eta does not reach 0 and 1" in read["note"]
    even = RatesLab(shape="ramp", low=0.2, high=0.8, n=1000).readout()
    assert even["robust_limit"] == pytest.approx(even["bayes_risk"])


def test_a_wide_gap_saves_the_vote(lab):
    for gap, limit in ((0.16, 0.5), (0.17, 0.33)):
        lab.set(shape="two levels", low=round(0.5 - gap, 2), high=round(0.5 + gap, 2))
        assert lab.readout()["limit"] == pytest.approx(limit)


def test_k_follows_n_and_hides_or_stands_still(lab):
    assert lab.hidden(lab.values) == {"k"}
    ks = {n: lab.set(n=n).voters for n in (1000, 10_000, 100_000, 1_000_000)}
    assert ks == {1000: 90, 10_000: 438, 100_000: 2131, 1_000_000: 10_306}
    assert lab.set(**OWN, k=70).voters == lab.set(n=1000).readout()["k"] == 70
    assert lab.hidden(lab.values) == set()


def test_the_bound_is_the_theorem(lab):
    lab.set(n=1_000_000, delta=0.01, **OWN, k=10_000)
    assert lab.promised["bound"] == pytest.approx(2.22552, abs=5e-6)
    told = {"smoothness": 1.0, "smoothness_constant": 1.5, "margin_exponent": 1.0, "margin_constant": 6.0}
    lab.set(**told)
    for name, tight in (("bound", False), ("tight_bound", True)):
        bound = reeve_kaban.theorem_4_3(1_000_000, 10_000, 0.01, RATES, tight=tight, **told)
        assert lab.promised[name] == pytest.approx(bound.excess, abs=1e-6)


def test_a_rate_is_promised_of_k_n_alone(lab):
    lab.set(curve=CURVES[1], margin_exponent=1.0)
    assert lab.readout()["promised_rate"] == pytest.approx(2 / 3, abs=1e-6)
    assert [layer.name for layer in lab.rate_layers] == ["fitted", "promised"]
    assert "promised_rate" not in lab.set(**OWN, k=90).readout()
    assert [layer.name for layer in lab.rate_layers] == ["fitted"]


def test_terms_stand_on_top_of_each_other(lab):
    vote, smooth, total, useful, *_ = lab.term_layers
    assert np.array_equal(vote.upper, smooth.lower)
    assert np.array_equal(smooth.upper, total.y)
    at = int(np.flatnonzero(total.x == 1000)[0])
    bound = reeve_kaban.theorem_4_3(1000, 1000, 0.05, RATES, smoothness=1, smoothness_constant=3)
    assert total.y[at] == pytest.approx(bound.bracket)
    assert useful.y[0] == pytest.approx(0.6 / 8 * 0.95)
    # At the height that is drawn the bound is 1.
    lab.set(margin_exponent=1.0, margin_constant=5.0)
    assert 5 * (8 / 0.6 * lab.useful) ** 2 + 0.05 == pytest.approx(1)


def test_the_bound_over_n_is_that_along_k_n(lab):
    lab.set(delta=0.01, smoothness_constant=1.5, bound_over=BOUNDS[1])
    whole, tight, *_ = lab.bound_layers
    for n, value, sharper in ((1e6, 1.83, 0.919), (1e8, 0.428, 0.219), (1e10, 0.105, 0.0576), (1e12, 0.0315, 0.0207)):
        at = int(abs(whole.x / n - 1).argmin())
        assert whole.y[at] == pytest.approx(value, abs=5.1e-3)
        assert tight.y[at] == pytest.approx(sharper, abs=5.1e-4)


def test_extremes_are_those_of_the_training_points(lab):
    ks, low, high = lab.extremes
    observed = RATES.flip(lab.sample.y, lab.sample.v)
    table = NeighborTable.build(lab.sample.X, None, 1000)
    for j in (0, len(ks) // 2, -1):
        ends = [noise.extremum(table, observed, int(ks[j]), which).value for which in ("min", "max")]
        assert [low[j], high[j]] == [float(end) for end in ends]
    assert (ks[0], ks[-1]) == (1, 1000)
    assert not lab.is_preview


def test_one_neighbor_tells_nothing_of_the_noise():
    """At high noise no two neighbors need agree on a class, but single labels are of both."""
    lab = RatesLab(shape="ramp", low=0.49, high=0.57, p0=0.95, p1=0.0, n=150, seed=161, neighbors=NEIGHBORS[1], k=1)
    read, (ks, low, high) = lab.readout(), lab.extremes
    assert (read["p0_hat"], read["p1_hat"], read["cut"]) == (0, 0, 0.5)
    assert (ks[0], low[0], high[0]) == (1, 0, 1)
    assert read["robust_risk"] == read["plain_risk"]


@pytest.mark.parametrize("n", [100, 1_000_000])
def test_the_true_frequency_goes_from_one_point_to_all(n):
    """The ball around 0.3 grows to both sides, and from a mass of 0.6 on to the right alone.

    It grows by whole cells, three of which have 0.0018 of eta_corr.
    """
    curve = RatesLab(shape="ramp", n=n, x1=0.3).population_layer
    assert (curve.x[0], curve.x[-1]) == (pytest.approx(1), pytest.approx(n))
    means = np.maximum(0.3, curve.x / n / 2)
    assert curve.y == pytest.approx(0.1 + 0.6 * means, abs=2e-3)


def test_the_line_shows_e_between_its_extremes_and_their_midrange(lab):
    drawn, read = {layer.name: layer for layer in lab.line_layers}, lab.readout()
    low, high, middle = (float(drawn[name].y[0]) for name in ("lowest", "highest", "theta_hat"))
    assert (low, 1 - high) == pytest.approx((read["p0_hat"], read["p1_hat"]), abs=1e-6)
    assert middle == pytest.approx((low + high) / 2)
    assert drawn["lowest"].label == "min, max of e"


def test_what_does_not_hold_is_said():
    lab = RatesLab(n=10_000)
    assert "note" not in lab.readout()
    assert lab.set(smoothness_constant=1.4).readout()["note"] == "L must be at least 1.50"
    lab.set(smoothness_constant=3.0, margin_exponent=1.0)
    assert lab.set(margin_constant=5.33).readout()["note"] == "M must be at least 5.34"
    assert "note" not in lab.set(margin_constant=5.34).readout()
    assert lab.set(**OWN, k=61).readout()["note"] == "the proof asks for k from 62 to 5000"
    assert "note" not in lab.set(k=62).readout()
    assert "no L is large enough" in lab.set(shape="two levels").readout()["note"]
    lab.shape = "plateau"
    assert "no M is large enough" in lab.set(margin_exponent=2.0, low=0.2).readout()["note"]
    lab.set(margin_exponent=0.0, low=0.0)
    assert "all smoothed labels are equal" in lab.set(k=10_000).readout()["note"]


def test_curves_are_those_of_plain_python(lab):
    rules = {"plain": Vote(), "known": Robust((0.1, 0.3)), "estimated": Robust(votes="order")}
    whole = risk.curve(
        plateau(0.1, 0.3), rules, over={"n": [250, 1000, 4000]}, k=[35, 90, 233], noise=RATES, repeats=3, progress=False
    )
    found = lab.set(curve=CURVES[1]).risk_curve
    assert found.names == whole.names
    assert found.mean == pytest.approx(whole.mean, abs=1e-9)
    assert lab.readout()["fitted_rate"] == pytest.approx(risk.fitted_rate(found, "estimated", 1000).exponent, abs=1e-6)
    assert f"{found.mean[2, -1]:.4f} at n = 4000" in lab.alt


def test_every_picture_has_words_of_its_own(lab):
    kinds = [{"bound_over": over, "curve": curve} for over in BOUNDS for curve in CURVES]
    told = [lab.set(**kind).background.wait_until_idle(lambda: lab.alt) for kind in kinds]
    assert len(set(told)) == len(told)
    promise = lab.promise
    assert f"vote term {promise.vote:.3f} and smoothness term {promise.smooth:.3f} at k = 90" in told[0]
    lab.set(delta=0.01, smoothness_constant=1.5)
    assert "0.0315 at n = 1e+12; below 1 from n = 7.5e+06 on" in lab.alt


def test_an_excess_stands_on_powers_of_ten(lab):
    curve, excess = lab.set(curve=CURVES[2]).risk_curve, lab.risk_curve.mean - lab.floor
    values, mean, error = lab.means
    assert values.tolist() == curve.values.tolist()
    assert 10**mean == pytest.approx(excess)
    assert error == pytest.approx(curve.standard_error / excess / np.log(10))
    assert lab.risk_range == (-5, 0)
    fitted = next(layer for layer in lab.rate_layers if layer.name == "fitted")
    slopes = np.diff(fitted.y) / np.diff(np.log10(fitted.x))
    assert slopes == pytest.approx(-lab.rate.exponent, abs=1e-3)


def test_a_risk_curve_at_a_k_of_ones_own(lab):
    """It stays when the theorem is told more, and leaves out samples that are too small."""
    found = lab.set(**OWN, k=70, curve=CURVES[1]).risk_curve
    assert lab.set(delta=0.2, smoothness=0.5, smoothness_constant=2.0).risk_curve is found
    assert lab.set(k=71).risk_curve is not found
    assert lab.set(k=300).risk_curve.values.tolist() == [1000, 4000]


def test_the_risks_of_every_sample_are_within_the_axis_of_n(lab):
    (low, high), (least, most) = lab.risk_limits, lab.slider_range("n", lab.values)
    assert {layer.x[0] for layer in lab.here_layers} == {1000}
    assert low < least < most < high


def test_at_k_n_both_terms_of_the_bound_fall_at_one_rate():
    """Their ratio is 2^(alpha + 1/2), whatever n: they do not balance."""
    for n in (10**6, 10**9, 10**12):
        k = reeve_kaban.k_n(n, 0.05, 1, 3)
        bound = reeve_kaban.theorem_4_3(n, k, 0.05, RATES, smoothness=1, smoothness_constant=3)
        assert bound.smooth / bound.vote == pytest.approx(2**1.5, rel=2 / k)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("delta", 0.2, VIEW | BOUND),
        ("margin_constant", 2.0, VIEW | BOUND),
        ("bound_over", BOUNDS[1], {"bound_layers", "whole_curves", "bound_words", "panels", "alt", "picture"}),
        ("x1", 0.3, VIEW | {"x_shares", "x_votes", "decision", "query_layers", "curve_layers", "population_layer"}),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, expected):
    lab.set(**OWN, k=90)
    assert ran(lab, **{name: value}) - STEADY == expected


def test_a_rate_leaves_the_order_of_the_points_alone_and_n_the_bound_over_it(lab):
    found = ran(lab, p1=0.35)
    assert {"m", "observed", "votes", "extremes", "robust", "limits_known"} <= found
    assert not found & {"windows", "drawn", "ks"}
    lab.set(bound_over=BOUNDS[1])
    assert ran(lab, n=2000) & {"whole_layers", "whole_curves"} == {"whole_layers"}


#: What the paper or its reference run says of each preset, and how close a sample comes.
PRESETS = {
    "Figure 1": {"m": (0.583333, 1e-6), "bayes_risk": (0.305556, 1e-5), "misled_mass": (0.444444, 1e-4), "k": (90, 0)},
    "Figure 1, mirrored": {"m": (0.416667, 1e-6), "bayes_risk": (0.305556, 1e-5), "limit": (0.37963, 2e-5)},
    "A million points": {"plain_risk": (0.3796, 0.006), "robust_risk": (0.3056, 2e-4), "k": (10306, 0)},
    "How fast the excess falls": {"promised_rate": (2 / 3, 1e-6), "robust_risk": (0.3059, 5e-4)},
    "When the bound wakes up": {"bound": (1.83, 5e-3), "tight_bound": (0.919, 5e-4)},
    "k for the noise": {"p1_hat": (0.290, 0.1), "k": (100, 0)},
    "Range assumption broken": {"cut": (0.46, 0.02), "robust_limit": (0.3, 1e-4)},
    "Two levels": {"limit": (0.3, 1e-9), "robust_risk": (0.3, 2e-3), "misled_mass": (0, 0)},
}


@pytest.mark.parametrize("preset", RatesLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(preset):
    read = RatesLab().show_preset(preset.name).set(curve=CURVES[0]).readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name


def test_what_does_not_go_together_is_refused(lab):
    refuses(lab, {"p0": 0.7, "p1": 0.4}, r"flip rates must satisfy p0 \+ p1 < 1, got 0\.70 \+ 0\.40")
    refuses(lab, {"p0": 0.2, "p1": 0.6}, r"the plateau needs flip rates of at most 0\.49, got 0\.60")
    refuses(lab, {"high": 0.55}, r"the plateau at m = 0\.5833 must lie in the range of eta, got 0 to 0\.55")
    refuses(lab.set(shape="ramp"), PLATEAU | {"high": 0.55}, "the plateau at m .*")
    refuses(lab, OWN | {"k": 2000}, "neighbors k must not exceed sample size n, got 2000 and 1000")


def test_what_comes_back_makes_room(drawn, lab):
    lab.face, room = Face(lab), ", to make room for a plateau."
    for before, changes, after, said in (
        ({"p1": 0.8}, PLATEAU, {"p0": 0.1, "p1": 0.49}, f"flip rate of class 1 p1 moved from 0.8 to 0.49{room}"),
        ({"low": 0.45, "high": 0.55}, PLATEAU, {"low": 0.45, "high": 0.59}, f"moved from 0.55 to 0.59{room}"),
        ({"k": 5000}, OWN, OWN | {"k": 1000}, "neighbors k moved from 5000 to 1000, the sample size."),
    ):
        lab.reset().set(shape="ramp", **before).set(**changes).readout()
        assert lab.values == lab.values | after
        assert said in lab.face.message.value


def test_every_place_between_the_ends_is_allowed():
    """Whatever one slider may reach while the others stay is taken."""
    rng, lab = np.random.default_rng(1), RatesLab(n=100)
    names = ("low", "high", "p0", "p1")
    for _ in range(300):
        lab.shape = str(rng.choice(SHAPES))
        name = str(rng.choice(names))
        low, high = lab.slider_range(name, lab.values)
        steps = np.arange(round(100 * low), round(100 * high) + 1) / 100
        lab.set(**{name: float(rng.choice([*steps[:1], *steps[-1:], rng.choice(steps)]))})


def test_controls_end_where_the_plateau_n_or_k_does(lab):
    assert lab.slider_range("k", lab.values) == (1, 1000)
    assert lab.slider_range("n", lab.values) == (100, 1_000_000)
    assert lab.set(**OWN, k=300).slider_range("n", lab.values) == (300, 1_000_000)
    lab.reset().set(n=100, low=0.45, high=0.6)
    for name in ("p0", "p1"):
        low, high = lab.slider_range(name, lab.values)
        for beyond in (round(low - 0.01, 2), round(high + 0.01, 2)):
            if 0 <= beyond <= lines.PLATEAU_RATE:
                with pytest.raises(ValueError, match="the plateau at m"):
                    lab.set(**{name: beyond})


def test_places_on_panels(lab):
    assert lab.pick("map", 0.2504, 0.3) == {"x1": 0.25}
    assert lab.pick("map", -0.2, 0.3) == {"x1": 0.0}
    assert lab.pick("votes", 96.0, 0.5) == OWN | {"k": 100}
    assert lab.pick("votes", 1e9, 0.5) == OWN | {"k": 1000}
    assert lab.pick("bound", 19.0, 0.5) == OWN | {"k": 20}
    assert lab.pick("risk", 6.1e4, 0.5) == {"n": 70_000}
    lab.bound_over = BOUNDS[1]
    assert lab.pick("bound", 1e10, 0.5) == {}


def test_a_ladder_and_a_step_beyond_it(drawn, lab):
    """A size set from Python is one of the slider's steps from then on."""
    ladder = LogInt(10, min=1, max=1000)
    assert ladder.rungs(1, 100) == (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
    assert ladder.rungs(4, 11) == (4, 5, 7, 10, 11)
    assert ladder.nearest(24.0, 1, 100) == 20
    assert ladder.nearest(25.0, 1, 100) == 30
    assert ladder.options(40, 30, 50) == (("30", 30), ("40", 40), ("50", 50))
    lab.face = Face(lab)
    control = lab.face.controls["n"]
    for n, there in ((1234, True), (2000, False)):
        lab.set(n=n).readout()
        assert (control.value, ("1,234", 1234) in control.options) == (n, there)
