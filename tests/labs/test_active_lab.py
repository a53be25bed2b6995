"""ActiveLab without a front end: numbers beside trials of the library, stages, steps, flags, a pool, Play, presets."""

import time

import ipywidgets as widgets
import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

from knnviz import BallProfile, problems, regions
from knnviz.active import Contest, Scheme, trial, two_stage_labels, two_stage_sample
from knnviz.active.trials import child
from knnviz.labs import ActiveLab, contests, player
from knnviz.labs.contests import CURVES, LEARNERS
from knnviz.labs.face import Face
from knnviz.labs.player import Player
from knnviz.labs.schemes import BEFORE, COINS, PROBLEMS
from knnviz.views import active as view

#: A small lab of each kind.
LINE = {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1}
PLANE = {"problem": "wave2d", "n": 200, "m": 100, "k_hard": 60, "k_vote": 40}
POOL = {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29}
KINDS = pytest.mark.parametrize("values", [LINE, PLANE, POOL], ids=["line", "plane", "pool"])

KEYS = {
    *("passive_disagreement", "active_disagreement", "labels", "draws", "hard_mass", "augmented_mass", "width"),
    *("k_plus", "plain_share_expected", "fallback", "region_voters", "margin", "plain", "targeted", "flags"),
}


@pytest.fixture
def lab():
    return ActiveLab(**LINE)


@pytest.fixture
def small(monkeypatch):
    """Labs on few cells, with short curves."""
    monkeypatch.setattr(contests, "BUDGETS", 3)
    for dimension, few in {1: 100, 2: 12}.items():
        monkeypatch.setitem(contests.CELLS, dimension, few)


def source(lab):
    """The distribution or the data of a lab, made from its parameters."""
    values = [lab.values[name] for name in PROBLEMS[lab.problem]]
    made = {"breast cancer": problems.breast_cancer}.get(lab.problem, getattr(problems, lab.problem, None))(*values)
    return made.with_seed(lab.seed) if lab.problem == "breast cancer" else made


def tried(lab, budget=None):
    """The same by the library: a trial at the step of the lab."""
    scheme = Scheme(lab.k_hard, lab.plain_share, lab.delta, lab.c0, lab.c_plus, COINS[lab.coin])
    budget = max(lab.step - BEFORE, 0) if budget is None else budget
    stream = np.random.SeedSequence(lab.seed)
    return trial(source(lab), lab.n, lab.m, scheme, [lab.k_vote], stream, budgets=[budget])


def assert_as_tried(lab):
    """The readout of a lab is what the trial gives."""
    read, (sample, rates) = lab.readout(), tried(lab)
    part = sample.head(max(lab.step - BEFORE, 0))
    both = [read["passive_disagreement"], read["active_disagreement"]]
    assert both == pytest.approx(rates[[0, LEARNERS.index(lab.voters)], 0, 0], abs=1e-6)
    masses = read["hard_mass"], read["augmented_mass"], read["width"]
    assert masses == pytest.approx((part.first.hard_mass, part.first.augmented_mass, part.first.width), abs=1e-6)
    assert (read["labels"], read["draws"], read["k_plus"]) == (len(part), part.draws, part.first.k_plus)
    assert (read["plain"], read["targeted"]) == ((part.stage == 1).sum(), (part.stage == 2).sum())
    assert read["fallback"] == part.fallback
    assert read["plain_share_realised"] == pytest.approx(part.plain_share, abs=1e-6)
    assert read["plain_share_expected"] == pytest.approx(part.expected_plain_share, abs=1e-6)
    return read


@KINDS
@pytest.mark.parametrize(
    "changes", [{}, {"coin": "per sample", "voters": "inclusive", "seed": 3}, {"step": 54}], ids=str
)
def test_numbers_are_those_of_a_trial(values, changes):
    read = assert_as_tried(ActiveLab(**values | changes))
    assert read.keys() >= KEYS
    assert ({"mass", "boundary_mass"} <= read.keys()) == (values is not POOL)


def test_draws_and_votes_are_those_of_the_plain_functions(lab):
    """The scheme's sample from the seed, the passive one from its child, each vote by looking anew."""
    stream = np.random.SeedSequence(lab.seed)
    rng = np.random.default_rng(stream)
    sample = two_stage_sample(problems.bump(0.1, 0.98, 0.02), 200, 100, 60, 0.1, rng=rng)
    assert np.array_equal(lab.bought.X, sample.X)
    assert np.array_equal(lab.bought.stage, sample.stage)
    cells = sample.first.measure.points
    active = two_stage_labels(sample.X, sample.y, sample.stage, sample.stage == 2, cells, sample.first.hard, 40)
    assert np.array_equal(lab.active_decisions, active)
    X = problems.bump(0.1, 0.98, 0.02).points(300, child(stream, 0))
    assert np.array_equal(lab.plainly[0], X)


#: Presets by what the paper's scheme must show: how far the active learner gets on the lab's seed.
BETTER, SAME, WORSE = "better", "same", "worse"
SHAPES = {
    "A: narrow bump": BETTER,
    "A2: one coin per label": BETTER,
    "B: noise everywhere": WORSE,
    "C: c0 = 1": SAME,
    "D: plain share .9": SAME,
    "E: first round of 250": SAME,
    "E2: c_plus = 1": BETTER,
    "E3: c_plus = 4": SAME,
}


@pytest.mark.parametrize("preset", ActiveLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_trial_gives(preset):
    lab = ActiveLab()
    lab.set(**lab.preset_values(preset.name))
    read = assert_as_tried(lab)
    assert lab.step == BEFORE + lab.m
    passive, active = read["passive_disagreement"], read["active_disagreement"]
    shape = SHAPES.get(preset.name)
    if shape == BETTER:
        assert active < passive / 5
    elif shape is not None:
        assert active >= passive if shape == WORSE else active == pytest.approx(passive, abs=0.005)
    assert read["hard_mass"] <= read["augmented_mass"]


def test_masses_of_the_presets_are_those_of_the_experiments():
    """A bump of width .022: H near .09, H+ from .11 to .47 of the mass; none at 250 labels; all of it at c0 = 1."""
    masses = {}
    for name in SHAPES:
        lab = ActiveLab(m=0, k_vote=50)
        values = lab.preset_values(name) | {"m": 0, "step": BEFORE}
        read = lab.set(**values).readout()
        masses[name[:2].strip(":")] = read["hard_mass"], read["augmented_mass"]
    assert masses["A"] == masses["D"] == pytest.approx((0.09, 0.112), abs=0.015)
    assert masses["E2"] == pytest.approx((0.092, 0.182), abs=0.02)
    assert masses["E3"] == pytest.approx((0.092, 0.466), abs=0.03)
    assert masses["B"] == masses["C"] == (1, 1)
    assert masses["E"] == (0, 0)
    assert len({masses[name][0] for name in ("A", "A2", "D", "E2", "E3")}) == 1


#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "panels", "alt", "picture"}
STEP = VIEW | {
    *("part", "second", "rejects", "chosen", "said", "story_layers", "counts", "draw_panel", "label_layers"),
    *("upper_layers", "active_decisions", "passive_decisions", "wrong", "error_layers", "disagreements", "here_layers"),
    *("conditions", "balls_within", "flag_panel", "reached", "error_limits"),
}
#: What may or may not follow, by what came out.
MAYBE = {"axes", "error_limits", "curve_layers", "label_limits", "curve_words", "flag_panel"}
SAMPLE = {"bought", "arena", "plainly", "contest"}
DRAWN = {"bought", "arena", "contest", "own_curve", "first_shares", "augmented"}


def ran(lab, **changes):
    """Stages that ran for a change."""
    _ = lab.picture, lab.readout()
    before = lab.runs()
    _ = lab.set(**changes).picture, lab.readout()
    return {name for name, runs in lab.runs().items() if runs != before.get(name)}


@KINDS
def test_a_step_draws_no_labels_anew(values):
    lab = ActiveLab(**values)
    for step in (BEFORE + 50, BEFORE + 51, BEFORE + 1, BEFORE, 3, 2, 1, 0, BEFORE + values["m"]):
        assert ran(lab, step=step) <= STEP | MAYBE | {"set_layers", "first_vote", "ball", "ball_layers"}, step
    assert ran(lab, step=BEFORE + 50) >= {"part", "active_decisions", "label_layers", "alt"}


@pytest.mark.parametrize(
    ("changes", "must", "may_not"),
    [
        ({"k_vote": 30}, {"own_curve", "active_decisions", "boundary", "numbers"}, SAMPLE | {"part"}),
        ({"voters": "inclusive"}, {"chosen", "active_decisions"}, SAMPLE | {"own_curve", "passive_decisions"}),
        ({"x1": 0.51}, {"x", "ball", "ball_layers", "alt"}, SAMPLE | {"own_curve", "numbers", "label_layers"}),
        ({"plain_share": 0.5}, DRAWN, {"plane", "plainly", "boundary"}),
        ({"c_plus": 1.0}, DRAWN, {"plane", "plainly", "boundary"}),
        ({"coin": "per sample"}, DRAWN, {"plane", "plainly", "boundary"}),
        ({"delta": 0.2}, DRAWN | {"boundary"}, {"plane", "plainly"}),
        ({"seed": 1}, DRAWN | SAMPLE, {"plane"}),
        ({"width": 0.2}, DRAWN | SAMPLE | {"plane", "eta_layers"}, set()),
        ({"curve": CURVES[1], "repeats": 2}, {"mean_curve", "curve_layers", "alt"}, SAMPLE | {"numbers", "part"}),
        ({"repeats": 9}, set(), {"picture", "alt"}),
        ({"kappa": 3.0}, set(), {"picture", "alt"}),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it(lab, changes, must, may_not):
    found = ran(lab, **changes)
    assert must <= found
    assert not found & may_not


def shown(lab):
    """What the picture has on show: names of sets, numbers of points by row, and the text of the story."""
    layers = {layer.name: layer for panel in lab.picture.panels for layer in panel.layers}
    sets = {name for name in ("H", "H+", "passive errs", "active errs") if layers[name].cells.any()}
    points = {name: len(layers[name].x) for name in ("round one", "plain", "targeted", "rejected")}
    return sets, points, layers["caption"].texts[0], bool(np.isfinite(layers["votes1"].y).any())


def test_nothing_is_drawn_before_its_step(lab):
    told = []
    for step in range(BEFORE + 2):
        sets, points, story, voted = shown(lab.set(step=step))
        told.append(story)
        assert sets - {"passive errs", "active errs"} == {"H", "H+"} & {*["H"] * (step > 2), *["H+"] * (step > 3)}
        assert points["round one"] == (200 if step else 0)
        assert points["plain"] + points["targeted"] == max(step - BEFORE, 0)
        assert voted == (step > 1)
        assert len(next(layer for layer in lab.first_vote if layer.name == "band").x) == (2 if step > 1 else 0)
        assert (lab.ball is not None) == (step > 3)
        assert lab.readout()["labels"] == (200 + max(step - BEFORE, 0) if step else 0)
        assert "nan" not in lab.alt
    first = lab.bought.first
    assert told == [
        "Nothing is labeled yet.",
        "Round one: 200 plain labels.",
        f"Their votes among k = 60: contentious within {first.width:.3f} of 1/2.",
        f"H is where they are: mass {first.hard_mass:.3f}.",
        f"Balls of k+ = {first.k_plus} neighbors fatten it: H+ has mass {first.augmented_mass:.3f}.",
        told[-1],
    ]
    assert told[-1].startswith("Label 1 of 100: ")


def test_a_label_at_each_further_step_and_the_last_one_wears_a_ring(lab):
    sample = lab.bought
    for second in (1, 2, 37, 99, 100):
        lab.set(step=BEFORE + second)
        row, before = sample.second.accepted[second - 1], sample.second.accepted[second - 2] if second > 1 else -1
        kind = ("plain", "targeted")[sample.stage[200 + second - 1] - 1]
        assert lab.said == f"Label {second} of 100: {row - before - 1} draws rejected, then a {kind} one bought."
        rings = [(layer, at) for layer in lab.label_layers for at in np.flatnonzero(layer.ringed)]
        ((layer, at),) = rings
        assert layer.name == kind
        assert layer.x[at] == np.float32(sample.X[200 + second - 1, 0])
        drawn = sample.second.accepted[second - 1] + 1
        assert lab.counts == (200, *np.bincount(sample.stage[200 : 200 + second], minlength=3)[1:], drawn - second)
        assert len(lab.label_layers[-1].x) == drawn - second


@pytest.mark.parametrize("values", [PLANE, POOL], ids=["plane", "pool"])
def test_the_last_label_wears_a_ring_on_the_map(values):
    lab = ActiveLab(**values)
    for second in (0, 1, 60):
        points, classes = lab.set(step=BEFORE + second).label_layers
        assert classes.labels == lab.plane.class_names
        rings = np.flatnonzero(points.ringed)
        assert len(rings) == min(second, 1)
        assert len(points.x) == min(values["n"], 200) + second
        for at in rings:
            assert (points.x[at], points.y[at]) == pytest.approx(lab.bought.X[values["n"] + second - 1], abs=1e-6)
            assert points.codes[at] % 3 == lab.bought.stage[values["n"] + second - 1]
    assert len(lab.set(step=0).label_layers[0].x) == 0


def test_the_last_step_follows_m_and_another_one_stays(lab):
    assert lab.set(m=50).step == BEFORE + 50
    assert lab.set(m=300).step == BEFORE + 300
    assert lab.set(step=40, m=200).step == 40
    assert lab.set(m=100).step == 40
    assert lab.set(m=20).step == BEFORE + 20
    with pytest.raises(ValueError, match=r"step must be .*24, got 25"):
        lab.set(step=25)
    assert lab.set(m=0).step == BEFORE
    assert lab.readout()["labels"] == 200
    assert "plain_share_realised" not in lab.readout()


def test_without_a_hard_region_all_labels_are_plain():
    lab = ActiveLab(**LINE | {"n": 50, "k_hard": 50, "width": 0.002, "low": 0.0})
    read = assert_as_tried(lab)
    assert read["fallback"]
    assert read["targeted"] == 0
    assert lab.said == "Label 100 of 100: nothing is hard, so all of them are plain."
    assert read["flags"]["voting balls stay in H+"] == "open"


#: Each condition: settings under which it holds, fails, and where it is open, if it can be.
FLAGS = {
    "k_vote > 4 log(2/delta)": ({"k_vote": 12}, {"k_vote": 11}, None),
    "2 Delta + Delta~ < 1/2": ({"k_hard": 48}, {"k_hard": 47}, None),
    "0 < pi < 1": ({"plain_share": 0.5}, {"plain_share": 0.0}, None),
    "eta is smooth": ({"problem": "power"}, {"problem": "jump"}, POOL),
    "Delta reaches (*)": (
        {"problem": "linear", "slope": 0.1, "n": 2000, "k_vote": 15},
        {"problem": "power", "kappa": 2.0},
        {"problem": "bump"},
    ),
    "voting balls stay in H+": ({"c_plus": 4.0, "k_vote": 5}, {"k_vote": 200, "plain_share": 0.0}, {"step": BEFORE}),
}


@pytest.mark.parametrize("name", FLAGS)
def test_each_condition_holds_fails_and_is_open(name):
    signs = dict(zip(("holds", "fails", "open"), view.SIGNS.values(), strict=True))
    for said, changes in zip(("holds", "fails", "open"), FLAGS[name], strict=True):
        if changes is None:
            continue
        lab = ActiveLab(**LINE | changes)
        assert lab.readout()["flags"][name] == said
        assert f"{name}: {said}" in lab.alt
        (line,) = (mark for mark in lab.flag_panel[1] if name in mark.texts[0])
        assert (line.texts[0], line.color) == (f"{signs[said][0]} {name}", signs[said][1])


def test_a_share_of_one_fails_too():
    assert ActiveLab(**LINE, plain_share=1.0).readout()["flags"]["0 < pi < 1"] == "fails"


def test_balls_stay_in_the_region_if_no_cell_beyond_is_reached(lab):
    """One cell after the other."""
    for changes in ({}, {"c_plus": 1.0}, {"k_vote": 5}, {"step": 24}):
        lab.set(**changes)
        voters, cells = lab.part.X[lab.chosen][:, 0], lab.shown.points[:, 0]
        within = True
        for x in cells[lab.shown.hard]:
            reach = np.sort(abs(voters - x))[: lab.k_vote][-1]
            within &= bool(lab.augmented[abs(cells - x) <= reach].all())
        assert lab.balls_within == within, changes


def test_the_ball_is_that_of_the_first_round(lab):
    lab.set(x1=0.5)
    first = lab.bought.first
    assert lab.ball == pytest.approx(np.sort(abs(first.X[:, 0] - 0.5))[first.k_plus - 1])
    reach = next(layer for layer in lab.picture.panels[2].layers if layer.name == "reach")
    assert reach.x[:2] == pytest.approx([0.5 - lab.ball, 0.5 + lab.ball])
    assert f"around [0.5] reaches {lab.ball:.4f}" in lab.alt
    assert lab.set(x1=0.01).ball is None, "not hard"
    assert "The ball" not in lab.alt


def test_the_boundary_is_that_of_theorem_3(lab):
    read = lab.readout()
    cells = problems.bump(0.1, 0.98, 0.02).measure(1000)
    balls = BallProfile.integrate(cells, problems.bump(0.1, 0.98, 0.02).eta(cells.points), masses=[read["mass"]])
    inside = regions.effective_boundary(balls, read["mass"], read["margin"])
    assert read["boundary_mass"] == pytest.approx(inside.mean(), abs=1e-5)
    strip = next(layer for layer in lab.set_layers if layer.name == "boundary")
    assert np.array_equal(strip.cells[0], lab.boundary[2])
    assert "boundary_mass" not in lab.set(k_vote=11).readout(), "too few for the theorem"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"n": 200, "m": 200}, r"a pool of 398 points cannot sell 200 \+ 200 labels"),
        ({"n": 60, "m": 40, "k_vote": 200}, r"neighbors that vote must not exceed the 100 labels, got 200"),
        ({"k_hard": 120}, r"k for H must not exceed the 119 labels of the first round, got 120"),
        ({"problem": "moons"}, r"problem .*moons"),
        ({"step": 200}, r"step"),
        ({"x1": 99.0}, r"center x1"),
        ({"plain_share": 1.2}, r"plain share pi"),
        ({"voters": "nobody"}, r"voters in H"),
    ],
    ids=str,
)
def test_refusals_are_sentences(changes, said):
    lab = ActiveLab(**POOL)
    before = lab.values
    with pytest.raises(ValueError, match=said):
        lab.set(**changes)
    assert lab.values == before


def test_a_pool_moves_what_it_does_not_have(faced):
    faced.set(n=1000, m=2000, k_hard=100, k_vote=100, x1=0.9).readout()
    faced.face.controls["problem"].value = "breast cancer"
    faced.readout()
    assert [faced.values[name] for name in ("n", "m", "k_hard", "k_vote")] == [119, 119, 59, 29]
    assert faced.step == BEFORE + 119, "it stays at the end"
    message = faced.face.message.value
    for told in ("first round n moved from 1000 to 119.", "second round m moved from 2000 to 119."):
        assert told in message
    assert "k for H k_hard moved from 100 to 59. neighbors k_vote moved from 100 to 29." in message
    controls = faced.face.controls
    assert (controls["n"].max, controls["m"].max, controls["step"].max) == (279, 279, BEFORE + 119)
    assert (controls["n"].min, controls["k_hard"].max, controls["k_vote"].max) == (60, 119, 238)
    box = faced.plane.box
    assert [faced.x1, faced.x2] == pytest.approx([sum(side) / 2 for side in box], abs=1e-3)
    assert "x2" not in faced.hidden(faced.values)
    faced.face.controls["problem"].value = "bump"
    faced.readout()
    assert (faced.x1, faced.n, faced.step) == (0.5, 119, BEFORE + 119)
    assert "x2" in faced.hidden(faced.values)


def test_controls_end_before_what_would_be_refused(lab):
    lab.set(k_hard=60, k_vote=260)
    assert lab.ends("n", lab.values)[0] == 160
    assert lab.ends("m", lab.values)[0] == 60
    assert lab.ends("k_hard", lab.values) == (1, 200)
    assert lab.ends("k_vote", lab.values) == (1, 300)
    for name in ("n", "m"):
        least = lab.ends(name, lab.values)[0]
        assert lab.set(**{name: least}).reset().values == lab.start
        lab.set(k_hard=60, k_vote=260)


def test_hidden_controls_do_nothing(lab):
    hidden = lab.hidden(lab.values)
    assert hidden == {"a", "kappa", "slope", "amplitude", "waves", "high", "x2", "repeats"}
    assert "repeats" not in lab.hidden(lab.values | {"curve": CURVES[1]})


def test_scenes_come_back():
    for values in (LINE | {"step": 30, "coin": "per sample"}, POOL | {"voters": "inclusive", "x1": 1.25}):
        lab = ActiveLab(**values)
        again = ActiveLab.from_scene(lab.scene())
        assert again.values == lab.values
        assert again.readout() == lab.readout()


@KINDS
def test_words_differ_and_hold_the_numbers_of_each_state(values):
    lab = ActiveLab(**values)
    states = [{"step": step} for step in (0, 1, 2, 3, 4, 5, 30)]
    states += [{"step": BEFORE + lab.m}, {"voters": "inclusive"}, {"k_vote": 20}, {"coin": "per sample"}]
    states += [{"x1": 0.45}, {"curve": CURVES[1], "repeats": 2}]
    told = []
    for changes in states:
        read = lab.set(**changes).readout()
        told.append(lab.alt)
        for who in ("passive", "active"):
            error = read.get(f"{who}_disagreement")
            assert (f"{who} errs on" in lab.alt) == (error is not None) == (lab.step > 0)
            assert error is None or f"{who} errs on {error:.4f}" in lab.alt
        assert f"labels bought {read['labels']}" in lab.alt
        assert ("mass of H+" in lab.alt) == (lab.step >= BEFORE)
        assert lab.step < BEFORE or f"mass of H+ {read['augmented_mass']:.4f}" in lab.alt
    assert len(set(told)) == len(states)
    assert "  " not in " ".join(told)
    assert "2 of 2 samples done" in told[-1]


@KINDS
def test_errors_are_told_as_soon_as_there_are_labels(values):
    """In the readout and on the curve from the first round on, in the picture with the second, or at its absence."""
    lab = ActiveLab(**values)
    for m, seen in ((lab.m, BEFORE + 1), (0, BEFORE)):
        lab.set(m=m, step=0)
        assert "active_disagreement" not in lab.readout()
        assert np.isnan([layer.x[0] for layer in lab.here_layers]).all()
        for step in range(1, seen + 1):
            lab.step = step
            assert "active_disagreement" in lab.readout()
            assert lab.here_layers[0].x[0] == lab.n + max(step - BEFORE, 0)
            assert lab.reached[-1] == (step == seen)


def test_every_preset_can_follow_every_problem():
    for values in (POOL, PLANE):
        lab = ActiveLab(**values)
        for preset in ActiveLab.presets:
            lab.set(**values)
            assert lab.show_preset(preset.name).values == lab.preset_values(preset.name)


@pytest.mark.parametrize(
    ("values", "panel", "place", "picked"),
    [
        (LINE, "line", (0.4567, 0.9), {"x1": 0.457}),
        (LINE, "rows", (0.31, 7.0), {"x1": 0.31}),
        (LINE, "rows", (-0.4, 7.0), {"x1": 0}),
        (LINE, "risk", (240, 0.1), {"step": BEFORE + 40}),
        (LINE, "risk", (10, 0.1), {"step": BEFORE}),
        (LINE, "risk", (1e4, 0.1), {"step": BEFORE + 100}),
        (PLANE, "map", (0.2, 0.7), {"x1": 0.2, "x2": 0.7}),
        (PLANE, "errors", (0.25, 1.4), {"x1": 0.25, "x2": 1}),
        (POOL, "map", (1.0, -1.5), {"x1": 1.0, "x2": -1.5}),
        *((LINE, panel, (0.5, 0.5), {}) for panel in ("story", "draws", "flags")),
    ],
)
def test_a_place_on_each_panel(values, panel, place, picked):
    lab = ActiveLab(**values)
    assert lab.pick(panel, *place) == picked
    lab.set(**picked)
    assert panel in {each.axes.name for each in lab.picture.panels}


def test_the_curve_of_this_sample_is_that_of_a_trial(lab):
    lab.readout()
    curve, budgets = lab.own_curve, lab.budgets
    assert (budgets[0], budgets[-1], len(budgets)) == (0, 100, 11)
    assert curve.labels.tolist() == [200 + budget for budget in budgets]
    for at in (0, 4, 10):
        assert curve.rates[0, :, at] == pytest.approx(tried(lab, budgets[at]).disagreement[:, 0, 0])
    read = lab.readout()
    assert curve.rates[0, lab.on_show, -1] == pytest.approx(
        [read["passive_disagreement"], read["active_disagreement"]], abs=1e-6
    )
    lines = {layer.name: layer for layer in lab.curve_layers}
    assert lines["active"].y == pytest.approx(curve.rates[0, 1], abs=1e-6)
    inclusive = {layer.name: layer for layer in lab.set(voters="inclusive").curve_layers}
    assert inclusive["active"].y == pytest.approx(curve.rates[0, 2], abs=1e-6)


def test_the_mean_curve_is_that_of_fresh_trials(lab):
    lab.set(curve=CURVES[1], repeats=3).readout()
    scheme = Scheme(60, 0.1)
    rates = [
        trial(problems.bump(0.1, 0.98, 0.02), 200, 100, scheme, [40], stream, budgets=lab.budgets).disagreement[:, :, 0]
        for stream in np.random.SeedSequence(0).spawn(3)
    ]
    assert lab.mean_curve.rates == pytest.approx(np.array(rates))
    assert lab.mean_curve.done == 3
    lines = {layer.name: layer for layer in lab.curve_layers}
    assert lines["passive"].y == pytest.approx(np.mean(rates, axis=0)[0], abs=1e-6)
    passive, active = np.mean(rates, axis=0)[:2]
    assert lab.error_limits[1] >= max(passive.max(), active[-1])


def until(there, seconds=20):
    """Wait for something to be there."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_mean_curve_fills_in_and_can_be_stopped(faced):
    faced.set(curve=CURVES[1], repeats=100)
    until(lambda: faced.mean_curve.done > 0)
    faced.set(step=20, x1=0.4)
    faced.stop()
    faced.readout()
    done = faced.mean_curve.done
    assert 0 < done < 100
    faced.set(step=50)
    faced.readout()
    assert faced.mean_curve.done == done, "it does not begin again"
    assert f"{done} of 100 samples done" in faced.alt
    (progress,) = (layer for layer in faced.curve_layers if layer.name == "progress")
    assert progress.texts == (f"{done} of 100 done",)
    faced.set(k_vote=39, repeats=2)
    faced.readout()
    assert faced.mean_curve.done == 2


def test_the_first_steps_stay_and_further_ones_may_be_passed_over(lab):
    assert [lab.pace(step)[1] for step in (0, BEFORE, BEFORE + 1, 900)] == [False, False, True, True]
    assert lab.pace(BEFORE)[0] > 5 * lab.pace(BEFORE + 1)[0]


@pytest.fixture
def played():
    """A player beside a slider: slow up to 4."""
    slider = widgets.IntSlider(value=104, min=0, max=104)
    return Player(slider, lambda step: (1500, False) if step <= 4 else (100, True)), slider


def test_buttons_take_single_steps_within_the_ends(played):
    held, slider = played
    buttons = {button.description: button for button in (held.back, held.on)}
    buttons["Step"].click()
    assert slider.value == 104
    buttons["Back"].click()
    assert slider.value == 103
    slider.value = 0
    buttons["Back"].click()
    assert slider.value == 0
    held.play.playing = True
    buttons["Step"].click()
    assert (slider.value, held.play.playing) == (1, False), "a step by hand ends Play"


def test_speed_holds_where_steps_may_be_passed_over(played):
    held, slider = played
    for value, name, step, interval in (
        (4, "20 at a time", 1, 1500),
        (10, "20 at a time", 14, 100),
        (10, "1 at a time", 1, 100),
        (104 - 25, "20 at a time", 5, 100),
        (104 - 20, "20 at a time", 20, 100),
        (100, "20 at a time", 4, 100),
        (104, "20 at a time", 1, 1500),
    ):
        slider.value, held.speed.value = value, name
        held.follow(value)
        assert (held.play.step, held.play.interval) == (step, interval), (value, name)
    slider.value = 10
    held.follow(10)
    held.speed.value = "100 at a time"
    assert held.play.step == 94, "a new speed counts at once, and ends at the end"
    assert list(player.SPEEDS) == list(held.speed.options)


def test_play_and_pause_are_the_page_s_own(played):
    """It moves the slider, and from its end begins anew, by itself."""
    held, slider = played
    for value in (104, 50):
        slider.value = value
        for playing in (True, False):
            held.play.playing = playing
            assert (held.play.playing, slider.value) == (playing, value)


def test_a_page_that_stops_less_than_a_step_before_the_end_goes_on(played):
    """It may not have heard yet that the last step is shorter."""
    held, _ = played
    play, held.speed.value = held.play, "20 at a time"
    for value, goes_on, step in ((95, True, 9), (84, False, 20), (104, False, 1)):
        held.follow(value)
        play.value, play.playing = value, True
        play.playing = False
        assert (play.playing, play.step) == (goes_on, step), value
    play.value, play.playing = 95, True
    held.pause()
    assert not play.playing, "whoever stops it from here stops it"


def test_the_page_moves_slider_and_player_together(played):
    held, slider = played
    linked = {(link.source[1], link.target[1], link.target[0] is slider) for link in held.links}
    assert linked == {("value", "value", True), ("max", "max", True)}


def test_a_hand_on_the_lab_leads_the_player(faced):
    held = faced.face.players["step"]
    faced.set(step=2)
    assert (held.play.interval, held.play.step) == (1500, 1)
    faced.readout()
    faced.face.controls["step"].value = 30
    faced.readout()
    assert (faced.step, held.play.interval) == (30, 100)


def test_a_step_draws_nothing_with_matplotlib(faced, monkeypatch):
    drawn = []
    faced.set(step=BEFORE + 100)
    monkeypatch.setattr("knnviz.views.static.chrome", lambda *args, **options: drawn.append(args[0].axes.name))
    for step in (80, 79, 60, 104, 90):
        faced.set(step=step)
        assert faced.face.canvas.frame["state"] == faced.values
    assert not drawn


def test_the_projector_stands_on_its_own_sheet(lab):
    large = ActiveLab(**LINE, projector=True)
    assert large.picture.size != lab.picture.size
    assert large.readout() == lab.readout()


def test_learners_of_a_pool_are_compared_on_points_held_out():
    lab = ActiveLab(**POOL)
    data = source(lab)
    assert np.array_equal(lab.arena.points, data.X_test)
    contest = Contest(lab.arena, lab.bought, *lab.plainly)
    wrong = [(contest.labels(learner, 119, 29) != data.y_test).mean() for learner in ("passive", "strict")]
    assert list(lab.disagreements) == pytest.approx(wrong)
    assert lab.picture.panels[3].axes.title == "Held-out error"


def test_stop_pauses_play():
    lab = ActiveLab(**LINE)
    lab.face = Face(lab)
    play = lab.face.players["step"].play
    play.playing = True
    lab.stop()
    assert not play.playing


def test_a_picture_holds_no_more_than_its_step(lab):
    """Neither the curve nor the readout tells what is to come."""
    for step, done in ((0, 0), (1, 1), (BEFORE, 1), (BEFORE + 50, 6), (BEFORE + 100, 11)):
        layers = {layer.name: layer for layer in lab.set(step=step).curve_layers}
        assert len(layers["passive"].x) == len(layers["active"].x) == done
    told = [set(lab.set(step=step).readout()) for step in range(BEFORE + 2)]
    for step, name in (
        (1, "active_disagreement"),
        (2, "width"),
        (3, "hard_mass"),
        (4, "k_plus"),
        (4, "augmented_mass"),
    ):
        assert [name in read for read in told] == [at >= step for at in range(BEFORE + 2)]
    assert "plain_share_expected" in told[-1] - told[-2]


def test_where_nobody_votes_a_flag_says_so():
    name = "somebody votes in H"
    lab = ActiveLab(**LINE)
    assert lab.readout()["flags"][name] == "holds"
    assert lab.set(step=BEFORE).readout()["flags"][name] == "fails"
    assert lab.set(voters="inclusive").readout()["flags"][name] == "holds"
    assert lab.set(problem="linear", slope=0.0, k_hard=200, delta=0.5).readout()["flags"]["eta is smooth"] == "holds"


def test_h_lies_in_the_augmented_region_of_a_pool_as_well():
    lab = ActiveLab(**POOL)
    assert not (lab.shown.hard & ~lab.augmented).any()


def test_a_closed_lab_leaves_no_widget_behind():
    lab = ActiveLab(**LINE)
    before = len(_instances)
    lab.face = Face(lab)
    lab.close()
    assert len(_instances) == before
