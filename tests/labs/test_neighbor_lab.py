"""NeighborLab without a browser: numbers, stages, refusals, threads, and pages that Python drives."""

import json
import threading
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances
from random_moves import by_name, each_runs_once, page, press, refuses, settle
from reference_implementations import reference

from knnviz import (
    LabelNoise,
    NeighborTable,
    Threshold,
    Vote,
    VoteProfile,
    breast_cancer,
    checkerboard,
    from_data,
    regions,
    risk,
    wave2d,
)
from knnviz.labs import NeighborLab
from knnviz.labs import neighbors as module
from knnviz.labs.engine import axes_frames, display
from knnviz.labs.engine.large_values import release_large_values
from knnviz.labs.old_parts import sizes
from knnviz.labs.old_parts.risk_panel import RiskPanel
from knnviz.labs.old_parts.sources import SOURCES, problem_named
from knnviz.problems import moons
from knnviz.profiles import BallProfile

GAO = reference("gao")

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"decisions.at_x", "numbers", "map.drawn", "votes.drawn", "alt", "picture"}
DECIDED = {"decisions.on_map", "decisions.risks", "risk.drawn"}
COUNTED = {"noise.labels", "noise.flipped", "query.votes", "cells.votes"}
AFTER_K = VIEW | DECIDED
AFTER_NOISE = VIEW | DECIDED | COUNTED | {"noise.model", "decisions.limit"}
AFTER_X = VIEW | {"query.x", "query.table", "query.votes", "query.balls"}
AFTER_N = VIEW | DECIDED | COUNTED | {"data.sample", "data.index", "cells.tables", "query.table", "query.balls"}
AFTER_WEIGHT = VIEW | DECIDED | {"vote.threshold", "vote.thresholds", "vote.rule", "decisions.limit"}

#: Stages that draw the look of a lab; all others hold numbers.
LOOK = {"on_projector", "display_scale", "map.drawn", "votes.drawn", "picture", "alt"}

#: On few cells, and on all of them in the full run.
SIZES = pytest.mark.parametrize("size", ["few", pytest.param("all", marks=pytest.mark.full)])

#: All cells of a map.
MAP = sizes.MAP_CELLS[2]

pytestmark = pytest.mark.usefixtures("small_unless_full")


@pytest.fixture
def lab():
    return NeighborLab(n=400)


def votes_of(X, labels, points, k):
    return VoteProfile.count(NeighborTable.build(X, points, k), labels, 2)


@SIZES
@pytest.mark.parametrize("problem", [checkerboard(), moons()], ids=lambda each: each.name)
def test_numbers_are_those_of_plain_python(size, problem):
    lab = NeighborLab(problem=problem.name, n=500, seed=3, p0=0.1, p1=0.3, k=31, x1=0.7, x2=0.2)
    sample, cells = problem.sample(500, 3), problem.measure(sizes.MAP_CELLS[2])
    observed = LabelNoise(0.1, 0.3).flip(sample.y, sample.v)
    votes, at_x = (votes_of(sample.X, observed, points, 31) for points in (cells.points, np.array([[0.7, 0.2]])))
    assert lab.readout() == {
        "risk": round(risk.exact(Vote().predict(votes, 31), problem.eta(cells.points), cells.weights), 6),
        "bayes_risk": round(problem.bayes_risk(), 6),
        "limit": round(risk.vote_limit(problem, LabelNoise(0.1, 0.3)), 6),
        "votes": tuple(at_x.at(31)[0]),
        "decision": f"class {Vote().predict(at_x, 31)[0]}",
        "flipped": int((observed != sample.y).sum()),
    }


def test_real_data_are_judged_on_points_held_out():
    lab = NeighborLab(problem="breast cancer", seed=2, k=9)
    dataset, read = breast_cancer(seed=2), lab.readout()
    votes = votes_of(dataset.X_train, dataset.y_train, dataset.X_test, 9)
    assert lab.n == 398
    assert read["held_out_risk"] == round(risk.held_out(Vote().predict(votes, 9), dataset.y_test), 6)
    assert "risk" not in read
    assert read["decision"] in ("malignant", "benign")


def test_more_rows_than_a_lab_takes_are_refused():
    data = from_data(np.arange(2e6 + 2).reshape(-1, 2), np.arange(1_000_001) % 2)
    with pytest.raises(
        ValueError, match=r"^a lab takes at most 1,000,000 rows, got 1,000,001: give it a sample of them"
    ):
        NeighborLab(data)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("k", 7, AFTER_K),
        ("p0", 0.2, AFTER_NOISE),
        ("p1", 0.2, AFTER_NOISE),
        ("x1", 0.31, AFTER_X),
        ("n", 450, AFTER_N),
        ("seed", 1, (AFTER_N - {"query.balls"}) | {"data.source"}),
        ("q1", 0.7, AFTER_WEIGHT),
    ],
)
def test_a_control_runs_the_stages_that_depend_on_it_once_and_no_other(lab, name, value, expected):
    each_runs_once(lab, expected, **{name: value})


@pytest.mark.parametrize("problem", SOURCES)
def test_every_problem_with_all_its_sets(faced, problem):
    faced.set(problem=problem, k=1, seed=4, n=100)
    assert sum(faced.readout()["votes"]) == 1
    source = problem_named(problem)
    for overlay in module.SETS if source.eta is not None and source.n_classes == 2 else ():
        faced.overlay = overlay
        for name, bound in (("mass", 0.005), ("mass", 0.25), ("margin", 0), ("margin", 0.5), ("mass_cap", 0.005)):
            if name not in faced.hidden(faced.values):
                faced.set(**{name: bound})
                assert "cannot" not in page(faced).message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": 60, "k": 61}, "neighbors k must not exceed sample size n, got 61 and 60"),
        ({"p0": 0.7, "p1": 0.4}, r"flip rates must satisfy p0 \+ p1 < 1, got 0\.70 \+ 0\.40"),
        ({"problem": "breast cancer", "n": 2000}, "sample size n must be between 50 and 398, got 2000"),
        ({"problem": "waves", "p0": 0.1}, r"flip rate of .* p0 needs two classes; with more it stays at 0, got 0\.1"),
        ({"problem": "iris", "overlay": "advantage"}, "advantage needs a known distribution, but iris is data"),
        ({"problem": "waves", "overlay": "misled points"}, "misled points need two classes, got 3"),
    ],
)
def test_what_does_not_go_together_is_refused(lab, changes, message):
    refuses(lab, changes, message)


def test_a_bad_control_does_not_hold_up_another(faced):
    page(faced).step("move", {"x1": 3.0, "k": 9})
    assert (faced.x1, faced.k) == (0.3, 9)
    assert "must be between 0 and 1, got 3. The last good value stays." in page(faced).message


def test_a_change_of_problem_moves_n_and_k_and_says_so(faced):
    faced.set(n=8000, k=200)
    page(faced).move(problem="breast cancer")
    assert (faced.n, faced.k) == (398, 200)
    assert "sample size n moved from 8000 to 398, the nearest allowed." in page(faced).message
    assert page(faced).limits["n"] == [200, 398, 50]
    (x0, x1), _ = breast_cancer().box
    assert x0 < faced.x1 < x1
    page(faced).move(problem="checkerboard")
    assert page(faced).limits["n"] == [200, 8000, 50]
    assert faced.x1 == 0.3
    faced.set(problem="breast cancer", n=100)
    assert (faced.n, faced.k) == (100, 100)


def test_each_frame_is_drawn_once(drawn, faced):
    axes_frames.AXES_FRAMES.clear()
    faced.set(p0=0.1)
    del drawn[:]
    for name, value in (("k", 60), ("p0", 0.2), ("x1", 0.5), ("n", 350), ("n", 500)):
        page(faced).move(**{name: value})
    faced.readout()
    assert drawn == []
    page(faced).move(problem="breast cancer")
    faced.readout()
    assert len(drawn) == 3, "one axes frame for each panel"
    page(faced).move(problem="checkerboard")
    faced.readout()
    assert len(drawn) == 3, "axes frames are cached"
    faced.set(p0=0.0)
    assert len(drawn) == 4, "where no label is flipped the legend of the map names none"


def test_the_projector_follows_page_and_python_and_runs_no_numbers(faced):
    for turn, on in (
        (lambda: setattr(faced, "projector", True), True),
        (lambda: page(faced).step("project", False), False),
        (lambda: page(faced).step("project", True), True),
        (lambda: setattr(faced, "projector", False), False),
    ):
        before = Counter(faced.runs())
        turn()
        state = page(faced).state
        assert (faced.projector, state["projector"], faced.picture.scale > 1) == (on, on, on)
        assert state["sheet"]["size"] == list(faced.picture.size)
        assert set(Counter(faced.runs()) - before) == LOOK
    faced.projector = True
    press(faced, "New sample")
    assert page(faced).state["projector"]


def test_the_projector_works_while_a_risk_curve_streams(faced):
    page(faced).move(curve="over k")
    settle(faced)
    stream = faced.risk.cache[RiskPanel.means]
    reads = stream.reads
    for on in (True, False, True):
        page(faced).step("project", on)
        assert page(faced).state["sheet"]["size"] == list(faced.picture.size)
    assert faced.readout() == NeighborLab(**faced.values).readout()
    assert "2 of 2 pieces done" in faced.alt
    assert stream.reads is reads, "it went on"


def test_only_layers_that_changed_are_sent(faced):
    page(faced).frames.clear()
    faced.x1 = 0.35
    on_map = ("ball", "query", "voters")
    beside = ("population0", "population1", "curve0", "curve1", "value_label")
    assert page(faced).sent == {f"layer_map_{name}" for name in on_map} | {f"layer_votes_{name}" for name in beside}
    assert len(page(faced).frames) == 1, "a frame is one message"


def test_the_bayes_boundary_is_sent_once(faced):
    release_large_values(faced)
    faced.x1 = 0.35
    assert "layer_map_bayes" not in page(faced).sent
    assert faced.runs()["data.bayes_boundary"] == 2, "on few cells, then on all"


def test_a_click_moves_x_k_or_n(faced):
    pick = page(faced).pick
    pick("map", 0.61234, 0.4)
    assert (faced.x1, faced.x2) == (0.612, 0.4)
    pick("votes", 33.4, 0.4)
    assert faced.k == 33
    pick("votes", -5.0, 0.4)
    assert faced.k == 1
    pick("risk", 61.2, 0.3)
    assert faced.k == 61
    faced.curve = "over n"
    pick("risk", 1234.0, 0.3)
    assert faced.n == 1250
    faced.set(problem="jump", x2=0.6)
    pick("map", 0.77, 0.1, "query")
    assert (faced.x1, faced.x2) == (0.77, 0.6)


def test_two_threads_hammer_one_lab(faced):
    """At the end the lab and its picture show the last value of every control."""
    last = {"k": 91, "p1": 0.4}

    def hammer(name, values):
        for value in values:
            page(faced).move(**{name: value})
        page(faced).move(**{name: last[name]})

    rng = np.random.default_rng(0)
    threads = [
        threading.Thread(target=hammer, args=("k", rng.integers(1, 200, 150).tolist())),
        threading.Thread(target=hammer, args=("p1", np.round(rng.uniform(0, 0.9, 150), 2).tolist())),
    ]
    for thread in threads:
        thread.start()
    for _ in range(20):
        faced.x1 = float(np.round(rng.uniform(), 2))
        faced.readout()
    for thread in threads:
        thread.join()
    assert {name: faced.values[name] for name in last} == last
    assert page(faced).drawn == faced.values
    assert faced.readout() == NeighborLab(**faced.values).readout()


def test_an_error_leaves_the_last_picture_and_a_free_lock(faced, monkeypatch):
    before = page(faced).drawn
    with monkeypatch.context() as broken:
        broken.setattr(Threshold, "predict", lambda *_: 1 / 0)
        page(faced).move(k=50)
        assert "This setting cannot be shown: division by zero." in page(faced).message
        assert page(faced).drawn == before
        assert page(faced).values["k"] == 50
        with pytest.raises(ZeroDivisionError):
            faced.readout()
    page(faced).move(k=51)
    assert page(faced).drawn["k"] == 51
    assert "cannot" not in page(faced).message


@pytest.fixture
def cells(drawn, monkeypatch):
    monkeypatch.setattr(display, "publish_live", lambda *_: None)
    monkeypatch.setattr(display.static, "png", lambda *_, **__: b"")

    def show(lab, cell, run):
        with monkeypatch.context() as running:
            running.setattr(display, "running_cell", lambda: (cell, run))
            display.display(lab)

    return show


def test_one_cell_keeps_one_lab(cells):
    labs = [NeighborLab(n=100) for _ in range(6)]
    for number, each in enumerate(labs):
        cells(each, "a", number)
        if number == 1:
            widgets = len(_instances)
    assert len(_instances) == widgets, "closed labs leave widgets behind"
    assert [each.view is None for each in labs] == [True] * 5 + [False]
    assert sum(len(each.cache) > 0 for each in labs) == 1
    cells(labs[-1], "a", 6)
    assert labs[-1].view is not None


def test_a_lab_that_cannot_be_shown_says_so_and_recovers(monkeypatch, lab):
    published = []
    monkeypatch.setattr(display, "publish_live", lambda _, words: published.append(words))
    with monkeypatch.context() as broken:
        broken.setattr(Threshold, "predict", lambda *_: 1 / 0)
        display.display(lab)
    assert published == ["NeighborLab: run this cell to move it."]
    assert "This setting cannot be shown: division by zero." in page(lab).message
    page(lab).move(k=9)
    assert page(lab).drawn["k"] == 9


def test_labs_of_one_run_and_labs_shown_elsewhere_stay(cells):
    first, second, third, fourth = labs = [NeighborLab(n=100) for _ in range(4)]
    for cell, run, shown in (("a", 1, first), ("a", 1, second), ("a", 1, third), ("b", 2, third), ("a", 3, fourth)):
        cells(shown, cell, run)
    assert [lab.view is None for lab in labs] == [True, True, False, False]


def test_regions_and_axes_agree_whatever_the_seed():
    for problem in ("breast cancer", "wave2d"):
        lab = NeighborLab(problem=problem, n=60)
        for seed in (0, 3, 8):
            panel = lab.set(seed=seed).picture.panels[0]
            assert panel.layers[0].extent == (*panel.axes.xlim, *panel.axes.ylim)
            (low, high), y = panel.axes.ylim, panel.layers[1].y
            assert low < y.min() <= y.max() < high


def test_an_observer_that_fails_leaves_lab_control_and_picture_together(faced):
    def fail(_):
        raise RuntimeError("mine")

    faced.observe(fail, "k")
    with pytest.raises(RuntimeError, match="mine"):
        faced.k = 9
    assert faced.k == page(faced).values["k"] == page(faced).drawn["k"] == 9
    page(faced).move(k=10)
    assert faced.k == page(faced).drawn["k"] == 10
    assert "Something went wrong: mine." in page(faced).message


def test_figure_is_the_whole_picture(lab):
    drawn = lab.figure()
    assert [ax.get_title(loc="left") for ax in drawn.axes] == ["Map", "Votes around x", "Risk"]
    assert drawn._repr_png_().startswith(b"\x89PNG")


#: What presets read out, with the source of each number and how close the lab's cells come to it.
PRESETS = {
    "Jump: boundary": ("boundary_mass", 0.2 * 0.1 / 0.3, 2e-3),
    "Slope: boundary": ("boundary_mass", 2 * 0.1 / 0.8, 2e-3),
    "Bump: the bound at work": ("boundary_mass", 2 * 0.108479 * 0.223448 / 0.4, 2e-3),
    "Jump: advantage": ("advantage", 0.1 * 0.6**2, 1e-6),
    "Wave: boundary": ("bayes_risk", 0.02, 1e-9),
    "Wave: advantage": ("bayes_risk", 0.02, 1e-9),
    "One neighbor never learns": ("risk", 0.375, 0.01),
    "Symmetric noise, many votes": ("limit", GAO["bayes_population"], 1e-4),
    "Asymmetric noise misleads": ("limit", 0.3869, 1e-4),
    "Three classes": ("bayes_risk", 0.36253, 1e-4),
}


@SIZES
@pytest.mark.parametrize("preset", NeighborLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_their_sources_say(fine, size, preset):
    name, value, tolerance = PRESETS[preset.name]
    assert NeighborLab().show_preset(preset.name).readout()[name] == pytest.approx(value, abs=tolerance)


def test_misled_mass_of_asymmetric_noise(monkeypatch):
    """P(A_0) of the checkerboard (Gao et al., as computed in a reference run); it is read off all cells."""
    monkeypatch.setitem(sizes.MAP_CELLS, 2, MAP)
    lab = NeighborLab(overlay="misled points", p0=0.1, n=50, k=1)
    for p1, mass in ((0.1, 0.0), (0.3, 0.2365), (0.4, 0.3572)):
        assert lab.set(p1=p1).readout()["misled_mass"] == pytest.approx(mass, abs=2e-3)
    assert lab.set(q1=0.65).readout()["misled_mass"] == 0, "the threshold that undoes the noise"


def test_a_risk_curve_is_over_samples_as_noisy_as_the_one_in_hand():
    lab = NeighborLab(problem="jump", n=100, p0=0.1, p1=0.4, curve="over k")
    over = {"k": [k for k in module.KS if k <= 100]}
    noisy = {"noise": LabelNoise(0.1, 0.4), "n": 100, "repeats": module.REPEATS, "progress": False}
    expected = risk.curve(problem_named("jump"), {"kNN": lab.vote.rule}, over=over, **noisy)
    assert lab.risk.means.mean == pytest.approx(expected.mean)


@SIZES
def test_the_curve_of_one_neighbor_is_flat_at_its_limit(size):
    lab = NeighborLab().show_preset("One neighbor never learns")
    curve = lab.risk.means
    late = curve.values >= 800
    off = abs(curve.mean[0] - 0.375) / curve.standard_error[0]
    assert (off[late] < 4).all()
    pieces = 9 * module.REPEATS
    assert f"{pieces} of {pieces} pieces done" in lab.alt


@SIZES
def test_sets_are_those_of_plain_python(size):
    lab = NeighborLab(problem="wave2d", overlay="effective boundary", mass=0.1, margin=0.2, p0=0.1, p1=0.2, q1=0.6)
    problem, noise, side = lab.data.chosen_problem, LabelNoise(0.1, 0.2), sizes.MAP_CELLS[2]
    measure = problem.measure(side)
    balls = BallProfile.integrate(measure, noise.corrupt(problem.eta(measure.points)), masses=[0.1], q=[0.4, 0.6])
    boundary = regions.effective_boundary(balls, 0.1, 0.2)
    assert (lab.point_set.boundary != boundary).mean() < 1e-3
    assert np.array_equal(lab.point_set.layers[0].cells, lab.point_set.boundary.reshape(side, side))
    lab.set(overlay="advantage", p0=0, p1=0, q1=0.5, mass_cap=0.1)
    clean = BallProfile.integrate(measure, problem.eta(measure.points), masses=[0.1])
    assert lab.point_set.advantages == pytest.approx(regions.advantage(clean, 0.1), abs=1e-6)
    cell = int(0.3 * side) + side * int(0.6 * side)
    assert lab.readout()["advantage"] == pytest.approx(float(lab.point_set.advantages[cell]), abs=1e-6)


def test_a_ball_mass_between_the_steps_of_its_slider_is_read_exactly():
    lab = NeighborLab(problem="jump", overlay="effective boundary", margin=0.1)
    masses, _ = lab.set(mass=0.2).cells.ball_masses, lab.readout()
    runs = lab.runs()["cells.balls"]
    lab.mass = 0.05
    assert lab.readout()["boundary_mass"] > 0
    assert lab.runs()["cells.balls"] == runs, "steps of the slider are all kept"
    lab.mass = 0.1234
    assert lab.cells.ball_masses == tuple(sorted({*masses, 0.1234}))


def test_the_population_curve_is_what_the_votes_tend_to():
    lab = NeighborLab(n=8000, k=200, p0=0.1, p1=0.2, x1=0.31, x2=0.62)
    truth = by_name(lab.votes)["population1"]
    votes = lab.query.votes.counts[0, :, 1] / np.arange(1, 201)
    expected = np.interp(np.arange(50, 201), truth.x, truth.y)
    assert abs(votes[49:] - expected).max() < 4 * 0.5 / np.sqrt(50)
    cell = (np.floor(np.array([[0.31, 0.62]]) * sizes.QUERY_CELLS[2]) + 0.5) / sizes.QUERY_CELLS[2]
    assert truth.y[0] == pytest.approx(0.1 + 0.7 * checkerboard().eta(cell)[0, 1], abs=1e-6)


def test_controls_that_do_nothing_hide(faced):
    def visible():
        return faced.parameters.keys() - page(faced).state["hidden"]

    always = {"problem", "n", "seed", "k", "curve", "x1"}
    assert visible() == always | {"p0", "p1", "q1", "overlay", "x2"}
    faced.problem = "waves"
    assert visible() == always | {"overlay"}
    faced.set(problem="jump", overlay="effective boundary")
    assert visible() == always | {"p0", "p1", "q1", "overlay", "mass", "margin"}
    faced.problem = "breast cancer"
    assert visible() == always | {"p0", "p1", "q1", "x2"}


def test_more_classes_take_noise_and_weights_away_and_say_so(faced):
    faced.set(p0=0.1, p1=0.2, q1=0.7, overlay="misled points")
    faced.problem = "waves"
    assert (faced.p0, faced.p1, faced.q1, faced.overlay) == (0, 0, 0.5, "regions only")
    moved = [f"{title} moved from" for title in ("flip rate of class 0 p0", "flip rate of class 1 p1", "class 1 q1")]
    assert all(part in page(faced).message for part in (*moved, "waves shows regions only."))


def test_all_voters_are_drawn(lab):
    lab.set(n=8000, k=200)
    voters = by_name(lab.map)["voters"]
    away = np.hypot(voters.x - lab.x1, voters.y - lab.x2)
    assert len(voters.x) == 200
    assert away.max() == pytest.approx(lab.query.table.distances[0, 199], abs=1e-6)
    assert np.bincount(voters.codes).tolist() == list(lab.readout()["votes"])


def test_risks_on_show_lie_within_their_axis(lab):
    for values in ({"problem": "wave2d", "p0": 0.95}, {"problem": "iris", "n": 50, "k": 50}, {"k": 1, "p0": 0}):
        panel = lab.set(**values).picture.panels[2]
        low, high = panel.axes.ylim
        for layer in panel.layers:
            heights = getattr(layer, "y", np.empty(0))
            assert ((heights >= low) & (heights <= high)).all(), (values, layer.name)


def test_a_weight_moves_the_threshold(lab):
    lab.q1 = 0.8
    assert lab.vote.threshold == Fraction(1, 5)
    ones = lab.cells.votes.at(lab.k)[:, 1].astype(int)
    assert np.array_equal(lab.decisions.on_map, 5 * ones >= lab.k)


def own_data(shift=0.0):
    rng = np.random.default_rng(0)
    X = rng.random((90, 3)) + shift
    labels = np.where(X[:, 0] > X[:, 1], "<b>left</b>", "right")
    return from_data(X, labels, (0, 1), name="my own", feature_names=["a", "b", "c"])


def test_a_readers_own_data():
    lab = NeighborLab(own_data(), k=9)
    assert (lab.problem, lab.n) == ("my own", 63)
    assert lab.readout()["held_out_risk"] < 0.3
    assert lab.picture.panels[0].axes.xlabel == "a (standardized)"
    assert page(lab).limits["problem"][-1] == "my own"
    assert lab.set(x1=1, x2=-1).readout()["decision"] == "<b>left</b>"
    assert ["decision at x", "<b>left</b>"] in page(lab).state["numbers"]
    lab.set(problem="moons").set(problem="my own")
    with pytest.raises(ValueError, match="problem must be one of"):
        NeighborLab(problem="my own")


def test_a_scene_on_own_data_needs_the_same_data():
    scene = NeighborLab(own_data(), k=9, seed=3).scene()
    again = NeighborLab.from_scene(scene, own_data())
    assert again.readout() == NeighborLab(own_data(), k=9, seed=3).readout()
    with pytest.raises(ValueError, match="'my own' is data of your own"):
        NeighborLab.from_scene(scene)
    with pytest.raises(ValueError, match=r"this scene is on 'my own' with .* but data is 'my own'"):
        NeighborLab.from_scene(scene, own_data(shift=1))
    assert "data" not in json.loads(NeighborLab(own_data(), problem="moons").scene())


def test_own_problems_of_one_name_are_told_apart():
    labs = [NeighborLab(wave2d(high=high), n=100, k=5) for high in (0.9, 0.8, 0.9)]
    assert [lab.problem for lab in labs] == ["wave2d (2)", "wave2d (3)", "wave2d (2)"]
    assert [lab.readout()["bayes_risk"] for lab in labs] == pytest.approx([0.1, 0.2, 0.1])
    again = NeighborLab.from_scene(labs[1].scene())
    assert again.readout() == labs[1].readout(), "a named problem needs no data"


def test_a_point_at_the_edge_of_a_map_of_data_is_valid():
    """The edge has more decimals than a parameter keeps."""
    lab = NeighborLab(problem="wine", n=100)
    for far in (-99, 99):
        lab.set(**lab.pick("map", far, far, None, 0))
        assert lab.set(k=5 if far < 0 else 6).scene() == NeighborLab.from_scene(lab.scene()).scene()


def test_a_small_table_of_ones_own():
    """All of its training rows at first; the slider goes down to half of them."""
    rng = np.random.default_rng(0)
    lab = NeighborLab(from_data(rng.random((60, 2)), rng.integers(2, size=60)))
    assert (lab.n, lab.k) == (42, 25)
    assert lab.limits("n", lab.values) == (21, 42)
    assert lab.set(n=21, k=3).readout()["votes"] in {(0, 3), (1, 2), (2, 1), (3, 0)}
    with pytest.raises(ValueError, match="sample size n must be between 21 and 42, got 20"):
        lab.n = 20


def test_numbers_of_a_coarse_map_are_marked(lab):
    with lab.lock:
        page(lab)
        lab.set(problem="wave2d", overlay="effective boundary", n=300)
        assert page(lab).state["preview"]
    lab.readout()
    assert not page(lab).state["preview"]
    assert not lab.is_preview


def test_sliders_of_n_and_k_end_where_the_other_would_be_refused(faced):
    limits = page(faced).state
    for changes, n, k in (({"n": 400, "k": 101}, 150, 200), ({"n": 120}, 120, 120), ({"n": 400, "k": 1}, 50, 200)):
        faced.set(**changes)
        assert (limits["limits"]["n"][:2], limits["limits"]["k"][1]) == ([n, 8000], k)
