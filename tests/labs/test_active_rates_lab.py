"""What is particular to ActiveRatesLab: its numbers beside plain Python and the reference run, stages, flags."""

import numpy as np
import pytest
from random_moves import ran, refuses
from reference_implementations import reference

from knnviz.bounds import rittler
from knnviz.labs import ActiveRatesLab
from knnviz.labs.active_rates import layers as view
from knnviz.labs.active_rates.boundary import LINE_CELLS, LOCALITY, PROBLEMS, SIDES
from knnviz.labs.active_rates.curves import ASSUMED, ROUGH
from knnviz.labs.old_engine.parameters import LogInt, step_name
from knnviz.problems import bump, jump, linear, power

ACTIVE = reference("active")

#: Width of the lab's cells; a boundary has two ends or four.
CELL = 1 / LINE_CELLS

#: Stages that run again when a parameter moves, besides those that compare values: ``COMPARED``.
AFTER_N = {"rates_at_n.at_n", "rates_at_n.numbers", "rates.drawn", "condition.drawn", "neighbors.drawn"}
AFTER_N |= {"numbers", "alt", "picture"}
AFTER_RATES = AFTER_N | {"rates_at_n.curves"}
AFTER_BOUND = {f"boundary.{name}" for name in ("balls", "inside", "note", "numbers")}
AFTER_BOUND |= {"map.drawn", "numbers", "alt", "picture"}
COMPARED = {"rates_at_n.usable", "rates_at_n.assumptions", "rates.floor"}
COMPARED |= {
    f"boundary.{name}" for name in ("mass", "margin", "boundary_mass", "bound", "closed_form", "mean_vote_error")
}


@pytest.fixture
def lab(small):
    return ActiveRatesLab()


@pytest.fixture
def fine():
    return ActiveRatesLab()


def test_numbers_of_the_rates_are_those_of_plain_python(lab):
    given = {"smoothness": 0.6, "margin_exponent": 1.2, "smoothness_constant": 2.5, "dimension": 3}
    read = lab.set(**given, delta=0.05, constant_power=-1.5, n=70_000).readout()
    k = rittler.active_neighbors(70_000, 0.6, 1.2, 0.05, 10**-1.5)
    ratios = [rittler.condition_ratio(70_000, each, 3, 0.05, 0.6, 2.5) for each in (read["passive_k"], k)]
    expected = {"active_k": k, "passive_ratio": ratios[0], "ratio": ratios[1], "E": 1.48}
    expected |= {"passive_exponent": 0.72 / 2.2, "passive_k_exponent": 1.2 / 2.2}
    expected |= {"active_exponent": 0.72 / 1.48, "active_k_exponent": 1.2 / 1.48}
    expected["passive_rate"] = (np.log(20) / 70_000) ** expected["passive_exponent"]
    expected["active_rate"] = (np.log(20) ** 0.4 / 70_000) ** expected["active_exponent"]
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "problem", "p", "margin"),
    [
        ({"problem": "bump", "width": 0.3, "height": 0.8, "low": 0.15}, bump(0.3, 0.8, 0.15), 0.15, 0.2),
        ({"problem": "jump", "a": 0.3}, jump(0.3), 0.2, 0.1),
        ({"problem": "linear", "s": 0.8}, linear(0.8), 0.1, 0.1),
        ({"problem": "power", "kappa": 2.0}, power(2.0), 0.1, 0.1),
    ],
)
def test_the_boundary_is_that_of_the_theorem(fine, changes, problem, p, margin):
    k = round(np.log(20) / margin**2)
    total = round(k / p)
    names = "p", "Delta", "boundary_mass", "bound"
    read = fine.set(total=10 * total, k=k, **changes).readout()
    bound = rittler.theorem_3(problem, 10 * total, k, 0.1, n_cells=LINE_CELLS)
    assert [read[name] for name in names] == pytest.approx(bound, abs=1e-6)
    read = fine.set(total=total, locality=LOCALITY[1]).readout()
    assert [read[name] for name in names[:2]] == pytest.approx([p, margin], rel=0.02)
    assert read["closed_form"] == pytest.approx(read["boundary_mass"], abs=4 * CELL)
    assert fine.boundary.inside.mean() == pytest.approx(read["boundary_mass"], abs=1e-6)
    assert fine.set(sides=SIDES[1]).readout()["boundary_mass"] == read["boundary_mass"], "atoms alone tell them apart"


def test_where_no_formula_holds_there_is_none(lab):
    for changes in ({"problem": "power", "kappa": 0.8}, {"problem": "bump", "width": 0.02}):
        assert lab.set(**changes).readout()["closed_form"] is None
    assert lab.shown_numbers()["closed form"] == "none"
    assert lab.set(problem="jump", a=0.1).readout()["closed_form"] == 1


def test_atoms_tell_the_printed_boundary_from_the_other(lab):
    known = ACTIVE["atoms"]
    read = lab.show_preset("two atoms, as printed").readout()
    assert (read["p"], read["Delta"]) == (pytest.approx(known["p"], abs=1e-6), pytest.approx(known["Delta"], abs=1e-6))
    assert (read["boundary_mass"], read["bound"]) == (known["literal_boundary_mass"], known["literal_bound"])
    assert read["mean_vote_error"] == known["true_disagreement"]
    assert "as printed it is false for atoms" in read["theorem_note"]
    read = lab.set(sides=SIDES[0]).readout()
    assert read["boundary_mass"] == known["sign_consistent_boundary_mass"]
    assert read["bound"] == pytest.approx(known["sign_consistent_bound"])
    assert "theorem_note" not in read


def test_the_power_family_ties_alpha_beta_and_l(lab):
    lab.set(assumed=ASSUMED[1], kappa=2.0)
    assert lab.rates_at_n.assumptions == (1.0, 0.5, 2.0)
    assert lab.set(kappa=0.8).rates_at_n.assumptions == (0.8, 1.25, 1.0)
    assert {"smoothness", "margin_exponent", "smoothness_constant"} <= lab.hidden(lab.values)
    assert "kappa" not in lab.hidden(lab.values)
    assert lab.hidden(lab.set(assumed=ASSUMED[0]).values) == {"kappa", "a", "width", "height", "low"}


@pytest.mark.parametrize("kappa", [0.6, 1.0, 2.0, 4.0])
def test_smoothness_and_margin_are_those_of_the_family(lab, kappa):
    """L is the least one, and the margin is at most t on a mass of (2 t)^beta."""
    alpha, beta, L = lab.set(assumed=ASSUMED[1], kappa=kappa).rates_at_n.assumptions
    x = np.linspace(0, 1, 401)
    eta, apart = power(kappa).eta(x[:, None])[:, 1], abs(x[:, None] - x) + np.eye(401)
    masses = np.minimum(x[:, None] + apart, 1) - np.maximum(x[:, None] - apart, 0)
    assert (abs(eta[:, None] - eta) / masses**alpha).max() == pytest.approx(L, rel=0.02)
    assert (2 * abs(eta - 0.5)) ** beta == pytest.approx(abs(2 * x - 1))


def test_where_the_corollary_may_be_used(lab):
    assert lab.readout()["usable"] == "none"
    lab.constant_power = -3.0
    curves = lab.rates_at_n.curves
    good = curves.sizes[curves.holds & curves.possible]
    assert (
        lab.readout()["usable"]
        == f"{view.short_number(good[0])} to {view.short_number(good[-1])}"
        == "5.3·10³ to 1.6·10¹¹"
    )
    assert lab.set(assumed=ASSUMED[1]).readout()["usable"].endswith("10¹⁶ or more")
    for n, holds in ((5000, False), (6000, True), (10**11, True), (2 * 10**11, False)):
        assert lab.set(assumed=ASSUMED[0], n=n).readout()["condition_holds"] == holds


def test_every_flag_in_both_states(lab):
    read = lab.readout()
    assert (read["k_within"], read["vacuous"]) == (True, False)
    assert not {"rates_note", "theorem_note"} & set(read)
    read = lab.set(margin_exponent=1.0).readout()
    assert read["rates_note"] == "alpha beta = 1.00 reaches 1, so k is of order n or more, up to logarithms"
    read = lab.set(margin_exponent=1.5).readout()
    assert "alpha (2 - beta) = 0.50 is below 1" in read["rates_note"]
    assert "the active k would be 1.3·10⁷, not from 1 to n" in read["rates_note"]
    assert (read["k_within"], read["condition_holds"]) == (False, False)
    assert lab.set(margin_exponent=0.9, constant_power=-6.0).readout()["k_within"] is False, "k below 1"
    read = lab.set(k=11).readout()
    assert read["theorem_note"] == "k must exceed 11.98"
    assert [read[name] for name in ("p", "boundary_mass", "bound", "closed_form")] == [None] * 4
    assert read["vacuous"] is True
    assert not lab.boundary.inside.any()
    read = lab.set(locality=LOCALITY[1]).readout()
    assert read["theorem_note"] == "with c_delta = 1 it is no theorem"
    assert read["p"] == 0.011
    read = lab.set(locality=LOCALITY[0], k=900).readout()
    assert read["theorem_note"] == "no ball has a mass p above 1"
    assert (read["p"] > 1, read["boundary_mass"], read["vacuous"]) == (True, 1, True)
    assert lab.boundary.inside.all()
    for name in PROBLEMS:
        read = lab.set(k=60, problem=name, constant_power=0.0).readout()
        assert ("no alpha fits" in read.get("rates_note", "")) == (name in ROUGH), name


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("n", 10**9, AFTER_N),
        ("constant_power", -3.0, AFTER_RATES),
        ("k", 100, AFTER_BOUND),
        ("sides", SIDES[1], {"boundary.inside", "map.drawn", "picture"}),
        ("delta", 0.2, AFTER_RATES | AFTER_BOUND),
        ("s", 0.6, AFTER_BOUND | {"boundary.chosen_problem", "boundary.cells"}),
        ("kappa", 3.0, set()),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(lab, name, value, expected):
    assert ran(lab, **{name: value}) - COMPARED == expected


#: What the paper or its reference run says of each preset, and how close the lab's cells come.
PRESETS = {
    "Corollary 1 at alpha 1, beta .9": {"active_exponent": (0.428571, 1e-6), "ratio": (0.004405, 1e-6)},
    "constant .001": {"ratio": (3.0173, 1e-4)},
    "power family, kappa 2": {"active_exponent": (0.2, 1e-6), "passive_exponent": (0.166667, 1e-6)},
    "k beyond n": {"active_k_exponent": (4 / 3, 1e-6)},
    "Theorem 3's bump": {name: (ACTIVE["theorem3_bump"][name], 1e-6) for name in ("p", "Delta")}
    | {"closed_form": (0.121196, 1e-6), "boundary_mass": (0.121196, 4 * CELL), "bound": (0.221196, 4 * CELL)},
    "Theorem 3 on a jump": {"closed_form": (0.125 * 0.0999 / 0.3, 2e-5), "boundary_mass": (0.0416, 4 * CELL)},
    "Theorem 3 on a slope": {"closed_form": (2 * 0.0999 / 0.8, 1e-4), "boundary_mass": (0.2498, 2 * CELL)},
    "two atoms, as printed": {"bound": (0.01, 0), "mean_vote_error": (0.2, 0)},
}


@pytest.mark.parametrize("preset", ActiveRatesLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(preset):
    read = ActiveRatesLab().show_preset(preset.name).readout()
    for name, (value, tolerance) in PRESETS[preset.name].items():
        assert read[name] == pytest.approx(value, abs=tolerance), name


def test_k_is_at_most_all_labels_and_no_button_asks_for_a_sample(lab):
    refuses(lab, {"k": 2000}, "neighbors k must not exceed all labels N, got 2000 and 1000")
    assert lab.slider_range("k", lab.values) == (1, 1000)
    assert lab.set(k=300).slider_range("total", lab.values) == (300, 1_000_000)
    assert [name for name, *_ in lab.actions()] == ["Reset"]
    assert not lab.is_preview


def test_a_click_over_n_is_a_size_of_two_digits(lab):
    picked = [lab.pick("rates", x, 0.5, "n", 0)["n"] for x in (1.234e7, 1.0, 1e17)]
    assert picked == [12_000_000, 100, 10**16]


def test_every_picture_has_an_alt_text_of_its_own(lab):
    changes = ({}, {"n": 10**8}, {"constant_power": -3.0}, {"k": 100}, {"k": 11}, {"problem": "bump"})
    alts = [lab.reset().set(**each).alt for each in changes]
    assert len(set(alts)) == len(alts)
    assert "at n = 10⁶ the passive one is 0.0204 with k = 1.3·10⁴, the active one 3.3·10⁻³ with k = 2.5·10⁵" in alts[0]
    assert "the ratio 4.4·10⁻³, which must reach 1. Sizes at which Corollary 1 may be used: none." in alts[0]
    assert "Corollary 1 may be used: 5.3·10³ to 1.6·10¹¹." in alts[2]
    assert "with no p and Delta = 0.5000, nothing is shaded" in alts[4]
    assert "with p = 0.1085 and Delta = 0.2234, the shaded boundary has mass" in alts[5]
    shown = lab.reset().shown_numbers()
    assert (shown["(*) holds"], shown["k from 1 to n"], shown["vacuous"]) == ("no", "yes", "no")
    assert shown["active k at n"] == "2.5·10⁵"
    assert lab.set(k=11).shown_numbers()["boundary mass"] == "none"


def test_large_steps_have_short_names():
    named = {9_999_999: "9,999,999", 10**7: "10⁷", 15 * 10**8: "1.5·10⁹", 1_010_000_000: "1.01·10⁹", 10**16: "10¹⁶"}
    assert {step: step_name(step) for step in named} == named
    parameter = LogInt(100, min=100, max=10**16)
    names = [name for name, _ in parameter.positions(123_456_789, (100, 10**16))]
    assert len(set(names)) == len(names)
