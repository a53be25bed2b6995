"""What is particular to ActiveLab: numbers beside trials of the library, stages, steps, flags, a pool."""

import time

import numpy as np
import pytest
from random_moves import all_by_name, page, press, ran, refuses, until

from knnviz import problems
from knnviz.active import LEARNERS, Scheme, trial
from knnviz.bounds.rittler import theorem_3
from knnviz.labs import ActiveLab
from knnviz.labs.active import layers as view
from knnviz.labs.active import learners
from knnviz.labs.active.learners import CURVES
from knnviz.labs.active.rounds import COINS, PROBLEMS, ROUND_ONE

#: A small lab of each kind.
LINE = {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1}
PLANE = {"problem": "wave2d", "n": 200, "m": 100, "k_hard": 60, "k_vote": 40}
POOL = {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29}
AT_H = {"step": ROUND_ONE}
KINDS = pytest.mark.parametrize("values", [LINE, PLANE, POOL], ids=["line", "plane", "pool"])


@pytest.fixture
def lab(small):
    return ActiveLab(**LINE)


def trial_of(lab, budget=None):
    names, make = PROBLEMS[lab.problem]
    source = make(*(lab.values[name] for name in names)).with_seed(lab.seed)
    scheme = Scheme(lab.k_hard, lab.passive_fraction, lab.delta, lab.c0, lab.c_plus, COINS[lab.coin])
    budget = max(lab.step - ROUND_ONE, 0) if budget is None else budget
    stream = np.random.SeedSequence(lab.seed)
    return trial(source, lab.n, lab.m, scheme, [lab.k_vote], stream, budgets=[budget])


def assert_as_in_trial(lab):
    read, (sample, rates) = lab.readout(), trial_of(lab)
    part = sample.head(max(lab.step - ROUND_ONE, 0))
    passive, active = rates[[0, LEARNERS.index(lab.voters)], 0, 0]
    expected = {"passive_disagreement": passive, "active_disagreement": active, "fallback": part.first.fallback}
    expected |= {name: getattr(part.first, name) for name in ("hard_mass", "augmented_mass", "width", "k_plus")}
    expected |= {"labels": len(part.y), "draws": part.n_draws}
    expected |= {"passive": (part.stage == 1).sum(), "targeted": (part.stage == 2).sum()}
    expected |= {
        "passive_label_fraction": part.passive_label_fraction,
        "expected_passive_fraction": part.expected_passive_fraction,
    }
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert {"region_voters", "margin", "flags"} <= read.keys()
    return read


@KINDS
@pytest.mark.parametrize(
    "changes", [{}, {"coin": "per sample", "voters": "inclusive", "seed": 3}, {"step": 54}], ids=str
)
def test_numbers_are_those_of_a_trial(small, values, changes):
    lab = ActiveLab(**values | changes)
    read = assert_as_in_trial(lab)
    assert ({"mass", "boundary_mass"} <= read.keys()) == (values is not POOL)
    assert not (lab.learners.cells.hard & ~lab.learners.augmented).any(), "H lies in H+"
    assert lab.risk.axes().title == ("Held-out error" if values is POOL else "Disagreement")


#: Presets by what the paper's scheme must show: how far the active learner gets on the lab's seed, and the masses of H
#: and H+ for a bump of width .022; none at 250 labels, all of it at c0 = 1.
BETTER, SAME, WORSE = "better", "same", "worse"
SHAPES = {
    "A: narrow bump": (BETTER, (0.09, 0.112), 0.015),
    "A2: one coin per label": (BETTER, (0.09, 0.112), 0.015),
    "B: noise everywhere": (WORSE, (1, 1), 0),
    "C: c0 = 1": (SAME, (1, 1), 0),
    "D: passive fraction .9": (SAME, (0.09, 0.112), 0.015),
    "E: first round of 250": (SAME, (0, 0), 0),
    "E2: c_plus = 1": (BETTER, (0.092, 0.182), 0.02),
    "E3: c_plus = 4": (SAME, (0.092, 0.466), 0.03),
}


@pytest.mark.parametrize("preset", ActiveLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_trial_gives(small, preset):
    lab = ActiveLab().show_preset(preset.name)
    read = assert_as_in_trial(lab)
    assert lab.step == ROUND_ONE + lab.m
    assert read["hard_mass"] <= read["augmented_mass"]
    if preset.name not in SHAPES:
        return
    shape, masses, tolerance = SHAPES[preset.name]
    assert (read["hard_mass"], read["augmented_mass"]) == pytest.approx(masses, abs=tolerance)
    passive, active = read["passive_disagreement"], read["active_disagreement"]
    if shape == BETTER:
        assert active < passive / 5
    else:
        assert active >= passive if shape == WORSE else active == pytest.approx(passive, abs=0.005)


def test_at_the_ends_of_pi_one_of_both_votes_never_improves(small):
    """The preset on Theorem 7: what it shows needs k beyond the labels of round one, and pi inside (0, 1) mends it."""
    lab = ActiveLab().show_preset("pi = 0, outside Theorem 7")
    assert lab.k_vote == round((lab.n + lab.m) ** (2 / 3)) > lab.n
    read = lab.readout()
    outside = 1 - read["hard_mass"]
    assert (read["passive"], read["flags"]["0 < pi < 1"]) == (0, "fails")
    assert abs(read["active_disagreement"] - outside / 2) < 0.03, "one class is predicted outside H"
    cells = lab.learners.cells
    predicted = np.where(lab.learners.error_cells[1], 1 - cells.correct, cells.correct)
    assert len(set(predicted[~cells.hard].tolist())) == 1
    read = lab.set(passive_fraction=0.1).readout()
    assert (read["active_disagreement"] < 0.005, read["flags"]["0 < pi < 1"]) == (True, "holds")
    read = lab.set(passive_fraction=1.0).readout()
    assert (read["targeted"], read["region_voters"]) == (0, 0)
    assert abs(read["active_disagreement"] - read["hard_mass"] / 2) < 0.03, "class 1 is predicted on all of H"
    assert lab.set(voters="inclusive").readout()["active_disagreement"] < 0.005


#: Stages that draw labels, and those that look for neighbors of cells.
SAMPLE = {"rounds.bought", "rounds.passive_sample", "learners.comparison", "learners.comparison_on_cells"}
BOUGHT = SAMPLE - {"rounds.passive_sample"} | {"learners.augmented", "learners.error_cells"}


@KINDS
def test_a_step_draws_no_labels_anew(small, values):
    lab = ActiveLab(**values)
    others = SAMPLE | {"curves.on_line", "curves.on_plane", "theory.boundary", "learners.augmented", "center.x"}
    for step in (ROUND_ONE + 50, ROUND_ONE + 51, ROUND_ONE + 1, ROUND_ONE, 3, 2, 1, 0, ROUND_ONE + values["m"]):
        assert not ran(lab, step=step) & others, step
    assert ran(lab, step=ROUND_ONE + 50) >= {"rounds.bought_so_far", "learners.error_cells", "alt", "numbers"}


@pytest.mark.parametrize(
    ("changes", "must", "may_not"),
    [
        (
            {"k_vote": 30},
            {"curves.on_line", "learners.error_cells", "theory.boundary"},
            SAMPLE | {"rounds.bought_so_far"},
        ),
        ({"voters": "inclusive"}, {"learners.used_in_H", "learners.error_cells"}, SAMPLE | {"curves.on_line"}),
        ({"x1": 0.51}, {"center.ball", "rows.drawn", "alt"}, SAMPLE | {"curves.on_line", "numbers", "line.drawn"}),
        ({"passive_fraction": 0.5}, BOUGHT, {"rounds.chosen_problem", "rounds.passive_sample", "theory.boundary"}),
        ({"delta": 0.2}, BOUGHT | {"theory.boundary"}, {"rounds.chosen_problem", "rounds.passive_sample"}),
        ({"seed": 1}, BOUGHT | SAMPLE, {"rounds.chosen_problem", "theory.boundary"}),
        ({"width": 0.2}, BOUGHT | SAMPLE | {"rounds.chosen_problem", "theory.boundary"}, set()),
        ({"curve": CURVES[1], "repeats": 2}, {"curves.mean", "risk.drawn"}, SAMPLE | {"numbers", "rows.drawn"}),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it(lab, changes, must, may_not):
    found = ran(lab, **changes)
    assert must <= found
    assert not found & may_not


def test_on_a_line_the_first_frame_is_the_picture_on_a_plane_the_curve_follows(faced):
    faced.readout()
    for changes in ({"k_vote": 39}, {"m": 90}, {"seed": 4}, {"width": 0.12}):
        faced.set(**changes)
        assert not faced.is_preview, changes
        assert not faced.background.unfinished(), changes
    faced.set(problem="wave2d")
    assert faced.is_preview
    faced.readout()
    assert not faced.is_preview


def test_the_axis_of_labels_stands_still_while_m_moves_a_little(small):
    lab = ActiveLab(**LINE)
    limits = [lab.set(m=m).risk.axes().xlim for m in (110, 150, 160, 1010, 1250)]
    assert limits[0] == limits[1] != limits[2]
    assert limits[3] == limits[4] == (200 - 37.5, 200 + 1287.5)
    assert lab.set(m=0).risk.axes().xlim == pytest.approx((198.5, 251.5))


def test_nothing_is_drawn_before_its_step(lab):
    captions = []
    for step in range(ROUND_ONE + 2):
        layers = all_by_name(lab.set(step=step))
        captions.append(layers["caption"].texts[0])
        assert {name for name in ("H", "H+") if layers[name].cells.any()} == {*["H"] * (step > 2), *["H+"] * (step > 3)}
        assert layers["passive errs"].cells.any() == (step > ROUND_ONE)
        assert len(layers["round one labels"].x) == (200 if step else 0)
        assert len(layers["passive labels"].x) + len(layers["targeted labels"].x) == max(step - ROUND_ONE, 0)
        assert np.isfinite(layers["votes1"].y).any() == (step > 1)
        assert len(layers["band"].x) == (2 if step > 1 else 0)
        assert (lab.center.ball is not None) == (step > 3)
        assert "nan" not in lab.alt
    first = lab.rounds.bought.first
    assert captions[:-1] == [
        "Nothing is labeled yet.",
        "Round one: 200 passive labels.",
        f"Their votes among k = 60: contentious within {first.width:.3f} of 1/2.",
        f"H is where they are: mass {first.hard_mass:.3f}.",
        f"Balls of k+ = {first.k_plus} neighbors fatten it: H+ has mass {first.augmented_mass:.3f}.",
    ]
    assert captions[-1].startswith("Label 1 of 100: ")


@KINDS
def test_a_label_at_each_further_step_and_the_last_one_is_ringed(small, values):
    lab = ActiveLab(**values)
    sample, n, m = lab.rounds.bought, lab.n, lab.m
    accepted = [-1, *sample.second.accepted]
    for second in (0, 1, 2, 37, m):
        layers, stage = all_by_name(lab.set(step=ROUND_ONE + second)), sample.stage[n + second - 1]
        rings = [(layer, at) for layer in layers.values() for at in np.flatnonzero(getattr(layer, "ringed", ()))]
        assert len(rings) == min(second, 1)
        for layer, at in rings:
            between, kind = accepted[second] - accepted[second - 1] - 1, ("passive", "targeted")[stage - 1]
            caption = f"Label {second} of {m}: {between} draws rejected, then a {kind} one bought."
            assert layers["caption"].texts == (caption,)
            assert layer.x[at] == np.float32(sample.X[n + second - 1, 0])
            assert layer.name == f"{kind} labels" if values is LINE else layer.codes[at] % 3 == stage
        rejected = accepted[second] + 1 - second
        assert lab.rounds.counts == (n, *np.bincount(sample.stage[n : n + second], minlength=3)[1:], rejected)
        if values is LINE:
            assert len(layers["rejected"].x) == rejected
    name = "round one labels" if values is LINE else "points"
    assert len(all_by_name(lab.set(step=0))[name].x) == 0


def test_the_last_step_follows_m_and_another_one_stays(lab):
    assert lab.set(m=50).step == ROUND_ONE + 50
    assert lab.set(m=300).step == ROUND_ONE + 300
    assert lab.set(step=40, m=200).step == 40
    assert lab.set(m=100).step == 40
    assert lab.set(m=20).step == ROUND_ONE + 20
    refuses(lab, {"step": 25}, "step must be .*24, got 25")
    assert lab.set(m=0).step == ROUND_ONE
    assert lab.readout()["labels"] == 200
    assert "passive_label_fraction" not in lab.readout()


def test_without_a_hard_region_all_labels_are_passive(small):
    lab = ActiveLab(**LINE | {"n": 50, "k_hard": 50, "width": 0.002, "low": 0.0})
    read = assert_as_in_trial(lab)
    assert read["fallback"]
    assert read["targeted"] == 0
    assert lab.rounds.status == "Label 100 of 100: nothing is hard, so all of them are passive."
    assert read["flags"]["voting balls stay in H+"] == "open"


#: Each condition: settings under which it holds, fails, and is open.
FLAGS = {
    "k_vote > 4 log(2/delta)": ([{"k_vote": 12}], [{"k_vote": 11}], []),
    "2 Delta + Delta~ < 1/2": ([{"k_hard": 48}], [{"k_hard": 47}], []),
    "0 < pi < 1": ([{"passive_fraction": 0.5}], [{"passive_fraction": 0.0}, {"passive_fraction": 1.0}], []),
    "eta is smooth": (
        [
            {"problem": "power"},
            {"problem": "linear", "slope": 0.0, "k_hard": 200, "delta": 0.5},
            {"problem": "wave2d", "high": 0.5},
        ],
        [{"problem": "jump"}],
        [POOL],
    ),
    "Delta satisfies (*)": (
        [{"problem": "linear", "slope": 0.1, "n": 2000, "k_vote": 15}],
        [{"problem": "power", "kappa": 2.0}],
        [{"problem": "bump"}],
    ),
    "voting balls stay in H+": ([{"c_plus": 4.0, "k_vote": 5}], [{"k_vote": 200, "passive_fraction": 0.0}], [AT_H]),
    "labels used in H": ([{}, AT_H | {"voters": "inclusive"}], [AT_H], []),
}


@pytest.mark.parametrize("name", FLAGS)
def test_each_condition_holds_fails_and_is_open(small, name):
    for said, (sign, color), cases in zip(("holds", "fails", "open"), view.SIGNS.values(), FLAGS[name], strict=True):
        for changes in cases:
            lab = ActiveLab(**LINE | changes)
            assert lab.readout()["flags"][name] == said
            assert f"{name}: {said}" in lab.alt
            (line,) = (mark for mark in lab.flags.drawn.layers if name in mark.texts[0])
            assert (line.texts[0], line.color) == (f"{sign} {name}", color)


def test_balls_stay_in_the_region_if_no_cell_beyond_is_reached(lab):
    for changes in ({}, {"c_plus": 1.0}, {"k_vote": 5}, {"step": 24}):
        lab.set(**changes)
        voters, cells = lab.rounds.bought_so_far.X[lab.learners.used_in_H][:, 0], lab.learners.cells.points[:, 0]
        reaches = {x: np.sort(abs(voters - x))[: lab.k_vote][-1] for x in cells[lab.learners.cells.hard]}
        within = [lab.learners.augmented[abs(cells - x) <= reach].all() for x, reach in reaches.items()]
        assert lab.theory.balls_within == all(within), changes


def test_the_ball_is_that_of_the_first_round(lab):
    first, ball = lab.rounds.bought.first, lab.center.ball
    assert ball == pytest.approx(np.sort(abs(first.X[:, 0] - 0.5))[first.k_plus - 1])
    assert all_by_name(lab)["reach"].x[:2] == pytest.approx([0.5 - ball, 0.5 + ball])
    assert f"around [0.5] reaches {ball:.4f}" in lab.alt
    assert lab.set(x1=0.01).center.ball is None, "not hard"
    assert "The ball" not in lab.alt


def test_the_boundary_is_that_of_theorem_3(lab):
    read, bound = lab.readout(), theorem_3(problems.bump(0.1, 0.98, 0.02), 300, 40, 0.1, n_cells=learners.CELLS[1])
    assert (read["mass"], read["margin"]) == pytest.approx((bound.mass, bound.margin), abs=1e-6)
    assert read["boundary_mass"] == pytest.approx(bound.boundary_mass, abs=1e-5)
    assert all_by_name(lab)["boundary"].cells.mean() == pytest.approx(bound.boundary_mass)
    assert "boundary_mass" not in lab.set(k_vote=11).readout(), "too few for the theorem"


def test_what_does_not_go_together_is_refused(small):
    lab = ActiveLab(**POOL)
    refuses(lab, {"n": 200, "m": 200}, r"a pool of 398 points cannot sell 200 \+ 200 labels")
    refuses(lab, {"n": 60, "m": 40, "k_vote": 200}, "neighbors that vote must not exceed the 100 labels, got 200")
    refuses(lab, {"k_hard": 120}, "k for H k_hard must not exceed first round n, got 120 and 119")


def test_a_pool_moves_what_it_does_not_have(faced):
    faced.set(n=1000, m=2000, k_hard=100, k_vote=100, x1=0.9)
    page(faced).move(problem="breast cancer")
    faced.readout()
    assert [faced.values[name] for name in ("n", "m", "k_hard", "k_vote")] == [119, 119, 59, 29]
    assert faced.step == ROUND_ONE + 119, "it stays at the end"
    assert "first round n moved from 1000 to 119. second round m moved from 2000 to 119." in page(faced).message
    assert "k for H k_hard moved from 100 to 59. neighbors k_vote moved from 100 to 29." in page(faced).message
    limits = page(faced).limits
    assert [limits[name][1] for name in ("n", "m", "step")] == [279, 279, ROUND_ONE + 119]
    assert (limits["n"][0], limits["k_hard"][1], limits["k_vote"][1]) == (60, 119, 238)
    assert [faced.x1, faced.x2] == pytest.approx([sum(side) / 2 for side in faced.rounds.chosen_problem.box], abs=1e-3)
    assert "x2" not in faced.hidden(faced.values)
    page(faced).move(problem="bump")
    faced.readout()
    assert (faced.x1, faced.n, faced.step) == (0.5, 119, ROUND_ONE + 119)
    assert "x2" in faced.hidden(faced.values)


def test_controls_end_before_what_would_be_refused_and_others_hide(lab):
    assert lab.hidden(lab.values) == {"a", "kappa", "slope", "amplitude", "waves", "high", "x2", "repeats"}
    assert "repeats" not in lab.hidden(lab.values | {"curve": CURVES[1]})
    lab.set(k_hard=60, k_vote=260)
    ranges = {name: lab.slider_range(name, lab.values) for name in ("n", "m", "k_hard", "k_vote")}
    assert ranges == {"n": (160, 6000), "m": (60, 6000), "k_hard": (1, 200), "k_vote": (1, 300)}
    for name in ("n", "m"):
        assert lab.set(**{name: ranges[name][0]}).reset().values == lab.start
        lab.set(k_hard=60, k_vote=260)


#: From which step on a number is shown.
SINCE = {"labels": 0, "passive_disagreement": 1, "active_disagreement": 1, "width": 2, "hard_mass": 3}
SINCE |= {"k_plus": ROUND_ONE, "augmented_mass": ROUND_ONE, "expected_passive_fraction": ROUND_ONE + 1}


@KINDS
def test_alt_texts_differ_and_hold_no_more_than_the_step_reached(small, values):
    lab, alts = ActiveLab(**values), []
    states = [{"step": step} for step in (0, 1, 2, 3, 4, 5, 30, ROUND_ONE + lab.m)]
    states += [{"voters": "inclusive"}, {"k_vote": 20}, {"coin": "per sample"}, {"m": 0, "step": 3}, AT_H]
    for changes in [*states, {"x1": 0.45}, {"curve": CURVES[1], "repeats": 2}]:
        read = lab.set(**changes).readout()
        alts.append(lab.alt)
        assert lab.numbers_text() in lab.alt
        for name, at in SINCE.items():
            is_shown = lab.step >= at and (lab.m > 0 or name != "expected_passive_fraction")
            assert (name in read) == (f"{lab.number_names[name]} " in lab.alt) == is_shown, name
        here = lab.n + max(lab.step - ROUND_ONE, 0) if lab.step else np.nan
        assert all_by_name(lab)["here_passive"].x[0] == pytest.approx(here, nan_ok=True)
        assert lab.rounds.reached[-1] == (lab.step >= min(ROUND_ONE + 1, ROUND_ONE + lab.m))
    assert len(set(alts)) == len(alts)
    assert "  " not in " ".join(alts)
    assert "2 of 2 samples done" in alts[-1]


@pytest.mark.parametrize(
    ("values", "panel", "point", "picked"),
    [
        (LINE, "line", (0.4567, 0.9), {"x1": 0.457}),
        (LINE, "rows", (-0.4, 7.0), {"x1": 0}),
        (LINE, "risk", (10, 0.1), {"step": ROUND_ONE}),
        (LINE, "risk", (1e4, 0.1), {"step": ROUND_ONE + 100}),
        (PLANE, "map", (0.2, 0.7), {"x1": 0.2, "x2": 0.7}),
        (PLANE, "errors", (0.25, 1.4), {"x1": 0.25, "x2": 1}),
        (POOL, "map", (1.0, -1.5), {"x1": 1.0, "x2": -1.5}),
        *((LINE, panel, (0.5, 0.5), {}) for panel in ("story", "draws", "flags")),
    ],
)
def test_a_click_on_each_panel(small, values, panel, point, picked):
    lab = ActiveLab(**values)
    assert lab.pick(panel, *point, None, 0) == picked
    assert panel in {each.axes.name for each in lab.set(**picked).picture.panels}


def test_the_curve_of_this_sample_is_that_of_a_trial_as_far_as_it_has_gone(lab):
    read, curve = lab.readout(), lab.curves.chosen_curve
    assert curve.label_counts.tolist() == [200, 250, 300]
    for at, budget in enumerate((0, 50, 100)):
        assert curve.disagreements[0, :, at] == pytest.approx(trial_of(lab, budget).disagreement[:, 0, 0])
    assert lab.curves.means[0, -1] == pytest.approx(read["passive_disagreement"], abs=1e-6)
    assert lab.curves.means[1, -1] == pytest.approx(read["active_disagreement"], abs=1e-6)
    for voters, learner in (("strict", 1), ("inclusive", 2)):
        assert all_by_name(lab.set(voters=voters))["active"].y == pytest.approx(
            curve.disagreements[0, learner], abs=1e-6
        )
    for step, done in ((0, 0), (1, 1), (ROUND_ONE, 1), (ROUND_ONE + 49, 1), (ROUND_ONE + 50, 2), (ROUND_ONE + 100, 3)):
        lines = all_by_name(lab.set(step=step))
        assert len(lines["passive"].x) == len(lines["active"].x) == done


def test_the_mean_curve_is_that_of_fresh_trials(lab):
    lab.set(curve=CURVES[1], repeats=3).readout()
    given = problems.bump(0.1, 0.98, 0.02), 200, 100, Scheme(60, 0.1), [40]
    streams = np.random.SeedSequence(0).spawn(3)
    rates = [trial(*given, stream, budgets=[0, 50, 100]).disagreement[:, :, 0] for stream in streams]
    assert lab.curves.chosen_curve.disagreements == pytest.approx(np.array(rates))
    assert lab.curves.chosen_curve.done == 3
    passive, active = np.mean(rates, axis=0)[:2]
    assert all_by_name(lab)["passive"].y == pytest.approx(passive, abs=1e-6)
    band, error = all_by_name(lab)["active_band"], np.std(rates, axis=0, ddof=1)[1] / 3**0.5
    assert band.upper == pytest.approx(active + 2 * error, abs=1e-6)
    assert lab.risk.heights[1] >= max(passive.max(), active[-1])


def test_the_mean_curve_fills_in_and_can_be_stopped(faced, monkeypatch):
    monkeypatch.setattr(learners, "trial", lambda *args, **options: time.sleep(0.02) or trial(*args, **options))
    faced.set(curve=CURVES[1], repeats=100)
    until(lambda: faced.curves.mean.done)
    faced.set(step=20, x1=0.4)
    press(faced, "Stop")
    faced.readout()
    done = faced.curves.mean.done
    assert 0 < done < 100
    faced.set(step=50)
    faced.readout()
    assert faced.curves.mean.done == done, "it does not begin again"
    assert f"{done} of 100 samples done" in faced.alt
    assert all_by_name(faced)["progress"].texts == (f"{done} of 100 done",)
    faced.set(k_vote=39, repeats=2)
    faced.readout()
    assert faced.curves.mean.done == 2


def test_the_page_is_told_how_to_play(faced):
    """The first steps stay, further ones may be passed over, and Stop pauses Play."""
    assert [faced.pace(step)[1] for step in (0, ROUND_ONE, ROUND_ONE + 1, 900)] == [False, False, True, True]
    faced.set(step=2)
    assert page(faced).state["pace"] == {"step": (1500, False)}
    page(faced).move(step=30)
    assert page(faced).state["pace"] == {"step": (100, True)}
    stops = page(faced).state["stops"]
    faced.stop()
    assert page(faced).state["stops"] == stops + 1
