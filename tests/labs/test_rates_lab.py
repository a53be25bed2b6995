"""What is particular to RatesLab: its numbers beside plain Python and the paper's, stages, refusals, presets."""

import numpy as np
import pytest
from random_moves import by_name, page, ran, refuses

from knnviz import LabelNoise, NeighborTable, Robust, Vote, VoteProfile, noise, risk
from knnviz.bounds import reeve_kaban
from knnviz.labs import RatesLab
from knnviz.labs.rates import layers
from knnviz.labs.rates.layers import BOUNDS, CURVES
from knnviz.labs.rates.line import FEW_KS, PLATEAU_RATE, SHAPES
from knnviz.labs.rates.theorem import SET_K
from knnviz.neighbors import Windows
from knnviz.noise import misled_points
from knnviz.problems import levels, plateau, ramp

RATES = LabelNoise(0.1, 0.3)

#: With this choice k is the one that is set.
K_AS_SET = {"neighbors": SET_K}


@pytest.fixture
def lab(monkeypatch):
    monkeypatch.setattr(layers, "RISK_SIZES", (250, 1000, 4000))
    monkeypatch.setattr(layers, "REPEATS", 3)
    return RatesLab(n=1000)


@pytest.mark.parametrize(("shape", "problem"), [(0, plateau(0.1, 0.3)), (1, ramp(0.0, 1.0)), (2, levels(0.0, 1.0))])
def test_numbers_are_those_of_plain_python(shape, problem):
    """The votes come from a table of neighbors here, from windows there; the sample is that of the problem."""
    lab = RatesLab(shape=SHAPES[shape], n=700, seed=3, **K_AS_SET, k=40, x1=0.35)
    sample, cells = problem.sample(700, 3), problem.measure(20_000)
    for name in ("X", "y", "u", "v"):
        assert np.array_equal(getattr(lab.line.sample, name), getattr(sample, name)), name
    assert np.array_equal(lab.points.windows.x, Windows.from_points(sample.X).x)
    observed = RATES.flip(sample.y, sample.v)
    votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 40), observed, 2)
    estimated = noise.estimate(NeighborTable.build(sample.X, None, 40), observed, 39, "order")
    at_x = VoteProfile.count(NeighborTable.build(sample.X, np.array([[0.35]]), 40), observed, 2).at(40)
    eta, read = problem.eta(cells.points), lab.readout()
    for name, rule in (("plain_risk", Vote()), ("robust_risk", Robust(estimated))):
        assert read[name] == pytest.approx(risk.exact(rule.predict(votes, 40), eta, cells.weights), abs=1e-4)
    ends = {"p0_hat": estimated.p0, "p1_hat": estimated.p1, "threshold": estimated.threshold}
    assert {name: read[name] for name in ends} == {name: round(float(value), 6) for name, value in ends.items()}
    assert read["votes"] == tuple(at_x[0])
    assert read["decision"] == f"class {int(at_x[0, 1] >= 40 * estimated.threshold)}"
    assert read["bayes_risk"] == pytest.approx(problem.bayes_risk(), abs=1e-6)
    assert read["limit"] == pytest.approx(risk.vote_limit(problem, RATES), abs=1e-6)
    disagree = misled_points(eta, RATES.corrupt(eta))
    assert read["misled_mass"] == pytest.approx(float(cells.weights @ disagree), abs=1e-6)


def test_symmetric_noise_misleads_no_points_and_a_symmetric_range_not_robust_knn(lab):
    read = lab.set(p0=0.2, p1=0.2).readout()
    assert (read["m"], read["misled_mass"]) == (0.5, 0)
    assert read["limit"] == read["bayes_risk"] == read["robust_limit"]
    read = lab.set(p1=0.3, shape="ramp", low=0.2, high=0.8).readout()
    assert read["robust_limit"] == pytest.approx(read["bayes_risk"])


def test_the_bound_is_the_theorem(lab):
    state = {"smoothness": 1.0, "smoothness_constant": 1.5, "margin_exponent": 1.0, "margin_constant": 6.0}
    read = lab.set(n=1_000_000, delta=0.01, **K_AS_SET, k=10_000, **state).readout()
    for name, tight in (("bound", False), ("tight_bound", True)):
        bound = reeve_kaban.theorem_4_3(1_000_000, 10_000, 0.01, RATES, tight=tight, **state)
        assert read[name] == pytest.approx(bound, abs=1e-6)
    here = lab.theorem.terms_at(10_000)
    assert f"vote term {here.vote:.3f} and smoothness term {here.bias:.3f} at k = 10000" in lab.alt


def test_terms_add_up_to_the_bound_which_is_1_at_the_height_drawn(lab):
    drawn = by_name(lab.bound)
    at = int(np.flatnonzero(drawn["sum"].x == 1000)[0])
    terms = reeve_kaban.largest_error(1000, 1000, 0.05, smoothness=1, smoothness_constant=3)
    assert drawn["sum"].y[at] == pytest.approx(sum(terms))
    assert "k_n" not in drawn, "one line would hide the other"
    drawn = by_name(lab.set(**K_AS_SET, k=70, margin_exponent=1.0, margin_constant=5.0).bound)
    assert (drawn["k_n"].x[0], drawn["at_k"].x[0], drawn["at_k"].label) == (90, 70, "k")
    assert 5 * (8 / 0.6 * drawn["useful"].y[0]) ** 2 + 0.05 == pytest.approx(1)


def test_the_bound_over_n_is_that_along_k_n(lab):
    drawn = by_name(lab.set(delta=0.01, smoothness_constant=1.5, bound_over=BOUNDS[1]).bound)
    for n, value, sharper in ((1e6, 1.83, 0.919), (1e12, 0.0315, 0.0207)):
        at = int(abs(drawn["printed"].x / n - 1).argmin())
        assert (drawn["printed"].y[at], drawn["tight"].y[at]) == pytest.approx((value, sharper), rel=3e-3)
    assert "0.0315 at n = 1e+12; below 1 from n = 7.5e+06 on" in lab.alt


@pytest.mark.parametrize("shape", SHAPES)
def test_the_error_at_x_is_that_of_plain_python_below_theorem_4_1(shape):
    """The neighbors come from a sort here; their largest difference from x is over all of them, not over two ends."""
    lab = RatesLab(n=1000, shape=shape, low=0.0, x1=0.31, smoothness_constant=1.5, bound_over=BOUNDS[2])
    sample, drawn = lab.line.sample, by_name(lab.bound)
    observed, order = RATES.flip(sample.y, sample.v), np.argsort(abs(sample.X[:, 0] - 0.31), kind="stable")
    f, true = (0.1 + 0.6 * lab.line.chosen_problem.eta(X)[:, 1] for X in (sample.X[order], np.array([[0.31]])))
    for k, error, worst in zip(drawn["error"].x.astype(int), drawn["error"].y, drawn["worst"].y, strict=True):
        assert error == pytest.approx(abs(observed[order[:k]].mean() - true[0]), abs=1e-6)
        assert worst == pytest.approx(abs(f[:k] - true).max(), abs=1e-6)
    ks = drawn["sum"].x
    assert (ks[0], ks[-1]) == (18, 500), "what Theorem 4.1 is about"
    assert drawn["smoothness"].upper == pytest.approx(0.6 * 1.5 * 2 * ks / 1000, rel=1e-6)
    assert drawn["sum"].y - drawn["smoothness"].upper == pytest.approx(np.sqrt(np.log(60) / (2 * ks)), rel=1e-5)
    k = lab.theorem.k_in_use
    error, worst = abs(observed[order[:k]].mean() - true[0]), abs(f[:k] - true).max()
    assert f"The error is {error:.3f}, and eta_corr of the neighbors differs from that at x by at most {worst:.3f}" in (
        lab.alt
    )
    assert "for k from 18 to 500: vote term" in lab.alt
    assert lab.pick("bound", 19.0, 0.5, None, 0) == K_AS_SET | {"k": 20}


@pytest.mark.parametrize("seed", range(3))
def test_theorem_4_1_holds_at_both_ends_and_on_the_plateau(seed):
    """It may fail with probability 1/20; on the plateau its constants leave much room."""
    for x1 in (0.0, 0.55, 1.0):
        drawn = by_name(RatesLab(n=2000, seed=seed, x1=x1, smoothness_constant=1.5, bound_over=BOUNDS[2]).bound)
        for name, bound in (("error", drawn["sum"].y), ("worst", drawn["smoothness"].upper)):
            assert (np.interp(drawn["sum"].x, drawn[name].x, drawn[name].y) < bound).all()


def test_the_readout_states_the_price_of_theorem_5_1_where_points_are_misled(lab):
    """In the limit a consistent learner makes the Bayes decision of noisy labels, which is wrong on A_0."""
    said = lab.readout()["consistent"]
    assert said == "has a limit risk on true labels of at least 0.3796 (after Theorem 5.1)"
    assert f"any learner consistent on noisy labels {said};" in lab.alt
    assert lab.noise.least_excess == pytest.approx(reeve_kaban.theorem_5_1(plateau(0.1, 0.3), RATES), abs=1e-4)
    assert "consistent" not in lab.set(p0=0.2, p1=0.2).readout()
    assert "consistent" not in lab.set(p0=0.1, p1=0.3, shape="two levels", low=0.3, high=0.7).readout()
    # Just beyond w = 1/6 of one half, noise carries the upper level across.
    assert "at least 0.5000" in lab.set(low=0.34, high=0.66).readout()["consistent"]


def test_extremes_are_those_of_the_training_points(lab):
    (ks, low, high), sample = lab.rules.extremes, lab.line.sample
    observed, table = RATES.flip(sample.y, sample.v), NeighborTable.build(sample.X, None, 1000)
    for j in (0, len(ks) // 2, -1):
        p0, p1 = noise.estimate(table, observed, int(ks[j]) - 1, "order")
        assert [low[j], high[j]] == [float(p0), float(1 - p1)]
    assert (ks[0], ks[-1], lab.is_preview) == (1, 1000, False)
    assert "rules.more_extremes" not in lab.runs(), "in a small sample they are there at once"


def test_extremes_of_a_large_sample_come_at_a_few_k_first(monkeypatch):
    lab, later = RatesLab(n=30_000), []
    monkeypatch.setattr(lab.background, "start", lambda entry, values: later.extend(values))
    assert len(lab.set(seed=1).rules.extremes[0]) == FEW_KS
    assert lab.is_preview
    assert [len(ks) for ks, *_ in later] == [29], "1 and 2 twice"


@pytest.mark.parametrize("n", [100, 1_000_000])
def test_the_true_frequency_goes_from_one_point_to_all(n):
    """The ball around 0.3 grows to both sides, and from a mass of 0.6 on to the right alone.

    It grows by whole cells, three of which have 0.0018 of eta_corr.
    """
    curve = by_name(RatesLab(shape="ramp", n=n, x1=0.3).votes)["population1"]
    assert (curve.x[0], curve.x[-1]) == (pytest.approx(1), pytest.approx(n))
    assert curve.y == pytest.approx(0.1 + 0.6 * np.maximum(0.3, curve.x / n / 2), abs=2e-3)


def test_the_line_shows_e_between_its_extremes_and_their_midrange(lab):
    drawn, read = by_name(lab.map), lab.readout()
    low, high, middle = (float(drawn[name].y[0]) for name in ("lowest", "highest", "theta_hat"))
    assert (low, 1 - high) == pytest.approx((read["p0_hat"], read["p1_hat"]), abs=1e-6)
    assert middle == pytest.approx((low + high) / 2)


def test_a_note_names_the_unmet_assumptions():
    lab = RatesLab(n=10_000)
    for changes, note in (
        ({}, None),
        ({"smoothness_constant": 1.4}, "L must be at least 1.50"),
        ({"smoothness_constant": 3.0, "margin_exponent": 1.0, "margin_constant": 5.33}, "M must be at least 5.34"),
        ({"margin_constant": 5.34}, None),
        (K_AS_SET | {"k": 61}, "the proof needs k from 62 to 5000"),
        ({"k": 62}, None),
        ({"shape": "two levels"}, "no L is large enough"),
        ({"shape": "plateau", "margin_exponent": 2.0, "low": 0.2}, "eta does not reach 0 and 1; no M is large enough"),
    ):
        assert lab.set(**changes).readout().get("note") == note
    lab.set(margin_exponent=0.0, low=0.0, k=10_000)
    assert lab.readout()["note"].startswith("all smoothed labels are equal, so the estimated threshold stays at 1/2; ")


def test_curves_are_those_of_plain_python(lab):
    rules = {"plain": Vote(), "known": Robust((0.1, 0.3)), "estimated": Robust(votes="order")}
    sizes = {"over": {"n": [250, 1000, 4000]}, "k": [35, 90, 233]}
    whole = risk.curve(plateau(0.1, 0.3), rules, **sizes, noise=RATES, repeats=3, progress=False)
    read, found = lab.set(curve=CURVES[1], margin_exponent=1.0).readout(), lab.risk.means
    assert found.names == whole.names
    assert found.mean == pytest.approx(whole.mean, abs=1e-9)
    assert read["fitted_rate"] == pytest.approx(risk.fitted_rate(found, "estimated", 1000).exponent, abs=1e-6)
    assert read["promised_rate"] == pytest.approx(2 / 3, abs=1e-6)
    assert {"fitted", "promised", "bayes"} <= by_name(lab.risk).keys()
    assert f"{found.mean[2, -1]:.4f} at n = 4000" in lab.alt
    assert "promised_rate" not in lab.set(**K_AS_SET, k=90).readout()
    assert not {"promised"} & by_name(lab.risk).keys(), "a rate is promised of k_n alone"


def test_an_excess_is_drawn_as_its_log10(lab):
    curve, floor = lab.set(curve=CURVES[2]).risk.means, lab.noise.bayes_risk
    drawn, excess = by_name(lab.risk), curve.mean - floor
    assert 10.0 ** drawn["mean estimated"].y == pytest.approx(excess[2], rel=1e-5)
    error = 2 * curve.standard_error[2] / excess[2] / np.log(10)
    assert drawn["mean estimated_band"].upper == pytest.approx(np.log10(excess[2]) + error, rel=1e-5)
    assert 10 ** float(drawn["here_plain"].y[0]) == pytest.approx(lab.readout()["plain_risk"] - floor, rel=1e-4)
    assert (lab.risk.axes().ylim, "bayes" in drawn) == ((-5, 0), False)
    assert "Risks are drawn as powers of ten" in lab.alt
    assert "limit" not in by_name(lab.set(p0=0.2, p1=0.2).risk), "it is the Bayes risk"


def test_a_risk_curve_at_a_k_that_is_set(lab):
    """It stays when constants of the theorem change, and leaves out samples that are too small."""
    found = lab.set(**K_AS_SET, k=70, curve=CURVES[1]).risk.means
    assert lab.set(delta=0.2, smoothness=0.5, smoothness_constant=2.0).risk.means is found
    assert lab.set(k=71).risk.means is not found
    assert lab.set(k=300).risk.means.values.tolist() == [1000, 4000]


def test_a_control_runs_what_depends_on_it_and_no_other(lab):
    """The order of the points depends on seed and n alone; the terms of the bound on no noise and no points."""
    lab.set(**K_AS_SET, k=90)
    state = {
        "theorem.numbers",
        "theorem.unmet_assumptions",
        "theorem.vacuous_from",
        "bound.drawn",
    }
    assert {name for name in ran(lab, margin_constant=2.0) if "." in name} == state
    moved = ran(lab, p1=0.35)
    assert {"line.m", "noise.labels", "rules.extremes", "noise.known_risks"} <= moved
    assert not moved & {"points.windows", "points.sample", "theorem.terms"}
    components = {name.split(".")[0] for name in ran(lab, x1=0.3) if "." in name}
    assert components == {"query", "map", "votes"}
    lab.set(bound_over=BOUNDS[1])
    assert [text for text, *_ in lab.actions()] == ["New sample", "Stop", "Reset"]
    assert not ran(lab, seed=1) & {"theorem.along_n", "theorem.terms", "bound.drawn"}


#: Numbers of each preset in the paper or its reference run, with tolerances.
PRESETS = {
    "Figure 1": {"m": (0.583333, 1e-6), "bayes_risk": (0.305556, 1e-5), "misled_mass": (0.444444, 1e-4), "k": (90, 0)},
    "Figure 1, mirrored": {"m": (0.416667, 1e-6), "robust_limit": (0.305556, 1e-5), "limit": (0.37963, 2e-5)},
    "A million points": {"plain_risk": (0.3796, 0.006), "robust_risk": (0.3056, 2e-4), "k": (10306, 0)},
    "How fast the excess falls": {"promised_rate": (2 / 3, 1e-6), "robust_risk": (0.3059, 5e-4)},
    "When the bound wakes up": {"bound": (1.83, 5e-3), "tight_bound": (0.919, 5e-4)},
    "One point": {"k": (229, 0), "limit": (0.37963, 2e-5)},
    "k for the noise": {"p1_hat": (0.290, 0.1), "k": (100, 0)},
    "Range assumption broken": {"threshold": (0.46, 0.02), "robust_limit": (0.3, 1e-4)},
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
    refuses(lab.set(shape="ramp"), {"shape": "plateau", "high": 0.55}, "the plateau at m .*")
    refuses(lab, K_AS_SET | {"k": 2000}, "neighbors k must not exceed sample size n, got 2000 and 1000")


def test_flip_rates_and_the_range_of_eta_make_room_for_a_plateau(drawn, lab):
    room, back = ", to make room for a plateau.", {"shape": "plateau"}
    for before, changes, after, said in (
        ({"p1": 0.8}, back, {"p0": 0.1, "p1": 0.49}, f"flip rate of class 1 p1 moved from 0.8 to 0.49{room}"),
        ({"low": 0.45, "high": 0.55}, back, {"low": 0.45, "high": 0.59}, f"moved from 0.55 to 0.59{room}"),
        ({"k": 5000}, K_AS_SET, K_AS_SET | {"k": 1000}, "neighbors k moved from 5000 to 1000, the sample size."),
    ):
        lab.reset().set(shape="ramp", **before).set(**changes).readout()
        assert lab.values == lab.values | after
        assert said in lab.message


def test_each_step_of_a_slider_is_accepted_and_with_a_plateau_none_beyond(lab):
    """While the other sliders stay."""
    rng = np.random.default_rng(1)
    for _ in range(300):
        lab.set(n=100, shape=str(rng.choice(SHAPES)))
        name = str(rng.choice(["low", "high", "p0", "p1"]))
        low, high = lab.slider_range(name, lab.values)
        steps = np.arange(round(100 * low), round(100 * high) + 1) / 100
        lab.set(**{name: float(rng.choice([*steps[:1], *steps[-1:], rng.choice(steps)]))})
    lab.reset().set(n=100, low=0.45, high=0.6)
    for name in ("p0", "p1"):
        low, high = lab.slider_range(name, lab.values)
        for beyond in (round(low - 0.01, 2), round(high + 0.01, 2)):
            if 0 <= beyond <= PLATEAU_RATE:
                with pytest.raises(ValueError, match="the plateau at m"):
                    lab.set(**{name: beyond})


def test_clicks_on_panels_and_the_ends_of_n_and_k(lab):
    """Axes of k stay the same while n moves between two powers of ten."""
    picks = {("map", 0.2504): {"x1": 0.25}, ("map", -0.2): {"x1": 0.0}, ("risk", 6.1e4): {"n": 70_000}}
    picks |= {("votes", 96.0): {"k": 100}, ("votes", 1e9): {"k": 1000}, ("bound", 19.0): {"k": 20}}
    for (panel, x), picked in picks.items():
        assert lab.pick(panel, x, 0.5, None, 0) == picked | (K_AS_SET if "k" in picked else {})
    assert (lab.slider_range("n", lab.values), lab.hidden(lab.values)) == ((100, 1_000_000), {"k"})
    lab.set(**K_AS_SET, k=300, bound_over=BOUNDS[1])
    assert (lab.slider_range("k", lab.values), lab.slider_range("n", lab.values)) == ((1, 1000), (300, 1_000_000))
    assert lab.pick("risk", 100.0, 0.5, None, 0) == {"n": 300}
    assert lab.pick("bound", 1e10, 0.5, None, 0) == {}
    ends = [lab.set(n=n).votes.axes().xlim for n in (1000, 1500, 10_000, 15_000)]
    assert [round(high / 1.15) for _, high in ends] == [1000, 10_000, 10_000, 100_000]


def test_a_size_beside_the_steps_is_one_of_them_while_it_is_set(drawn, lab):
    for n, there in ((1234, True), (2000, False)):
        lab.set(n=n).readout()
        assert (page(lab).values["n"], ["1,234", 1234] in page(lab).limits["n"]) == (n, there)
