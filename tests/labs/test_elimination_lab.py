"""What is particular to EliminationLab: numbers beside plain Python and the paper's, stages, presets, words."""

import numpy as np
import pytest
from hands import ran, refuses, settle
from twins import eliminated, reference, sorted_neighbors, stood_out

from knnviz import BagDraws, BagProcess
from knnviz.labs import EliminationLab, bagged
from knnviz.labs.bagged import EXAMPLE, PROBLEMS
from knnviz.labs.elimination import FEW, KNOWN_ONLY, SHOWN
from knnviz.labs.engine.face import Face
from knnviz.labs.parts import sizes
from knnviz.labs.parts.sources import field, known
from knnviz.labs.stopping import CONSTANTS, LOOKED_UP, VOTERS
from knnviz.views import elimination as view

PAPER = reference("partial")

#: A small lab of each kind.
PLANE = {"n": 200, "max_neighbors": 60, "k": 60}
LINE = PLANE | {"problem": "thirds"}
DATA = {"problem": "iris", "n": 105, "max_neighbors": 60, "k": 60}
KINDS = pytest.mark.parametrize("values", [PLANE, LINE, DATA], ids=["plane", "line", "data"])


@pytest.fixture
def few(small, monkeypatch):
    """Cells few enough to be gone through one after the other."""
    for cells, sides in ((sizes.FULL, {1: 60, 2: 8}), (sizes.COARSE, {1: 60, 2: 5})):
        for dimension, side in sides.items():
            monkeypatch.setitem(cells, dimension, side)


@pytest.fixture
def lab(few):
    return EliminationLab(**PLANE)


def decided(lab, queries):
    """For each query what the three rules say, step by step: label, k, survivors; label, k, by itself; label."""
    n_classes, most = lab.plane.n_classes, min(lab.max_neighbors, lab.n)
    c1 = lab.c1 if lab.constants == CONSTANTS[0] else PAPER["thresholds"]["c1_theory"]
    band = c1 * np.sqrt(np.log(lab.n) + np.log(n_classes / lab.delta))
    fallback = {"largest lead": "lead", "majority": "majority"}[lab.fallback]
    nearest, _ = sorted_neighbors(lab.sample.X, queries, max(most, VOTERS))
    bags = [lab.bags[row] for row in nearest]
    mine = [eliminated(each[:most], band, fallback) for each in bags]
    others = [stood_out(each[:most], band, 1 / n_classes) for each in bags]
    return band, mine, others, [int(each[:VOTERS].sum(axis=0).argmax()) for each in bags]


def held(lab, eta):
    """P(S_y | x) (m, C): a label may be another one, and others join it."""
    process, cells = lab.process, lab.field.grid.points
    assert lab.kind == "confusion"
    moved = (1 - lab.bag_noise) * eta + lab.bag_noise / eta.shape[1]
    return np.einsum("mi,mil->ml", moved, process.inclusion[process.parts(cells)])


def by_hand(lab):
    """The readout, in plain Python."""
    names, known_law = lab.plane.class_names, lab.plane.eta is not None
    band, mine, others, plain = decided(lab, lab.x[None])
    read = {
        "decision": names[mine[0][0]],
        "stop_k": mine[0][1],
        "decided": len(mine[0][2]) == 1,
        "survivors": " ".join(names[c] for c in sorted(mine[0][2])),
        "aknn_decision": names[others[0][0]],
        "aknn_stop_k": others[0][1],
        "vote_decision": names[plain[0]],
        "mean_bag_size": lab.bags.sum() / lab.n,
        "threshold": band,
    }
    cells = lab.field
    _, mine, others, plain = on_map = decided(lab, cells.grid.points)
    weights = cells.measure.weights if known_law else np.full(len(mine), 1 / len(mine))
    read["mean_stop_k"] = sum(w * k for w, (_, k, _) in zip(weights, mine, strict=True))
    read["undecided"] = sum(w * (len(left) > 1) for w, (_, _, left) in zip(weights, mine, strict=True))
    judged = on_map if known_law else decided(lab, lab.source.X_test)
    labels = [each[0] for each in judged[1]], [each[0] for each in judged[2]], judged[3]
    for name, said in zip(("risk", "aknn_risk", "vote_risk"), labels, strict=True):
        right = cells.eta[range(len(said)), said] if known_law else np.array(said) == lab.source.y_test
        read[name] = 1 - (weights @ right if known_law else right.mean())
    if known_law:
        eta, frequency = cells.eta, np.tile(lab.bags[:12].mean(axis=0), (len(cells.eta), 1))
        frequency = frequency if lab.problem == EXAMPLE else held(lab, eta)
        best, most = (np.isclose(each, each.max(axis=1, keepdims=True), atol=1e-9) for each in (eta, frequency))
        read["bayes_risk"] = lab.plane.bayes_risk()
        excess = eta.max(axis=1) - eta[range(len(eta)), frequency.argmax(axis=1)]
        read["limit"] = read["bayes_risk"] + weights @ excess
        read["misaligned_mass"] = weights[(best != most).any(axis=1)].sum()
    return read


def assert_as_by_hand(lab):
    read, mine = lab.readout(), by_hand(lab)
    assert read.keys() == mine.keys()
    assert {name: value for name, value in read.items() if not isinstance(value, float)} == {
        name: value for name, value in mine.items() if not isinstance(read[name], float)
    }
    for name, value in read.items():
        if isinstance(value, float):
            assert value == pytest.approx(mine[name], abs=2e-6), name
    return read


@KINDS
@pytest.mark.parametrize(
    "changes",
    [{}, {"c1": 1.2, "fallback": "majority", "spread": "by cluster", "seed": 3}, {"spread": "crowded left", "k": 1}],
    ids=["at the start", "wide band", "crowded"],
)
def test_numbers_are_those_of_plain_python(few, values, changes):
    assert_as_by_hand(EliminationLab(**values | changes))


#: What presets must show.
SHAPES = {
    "Worked walk": lambda read: (read["stop_k"], read["aknn_stop_k"], read["decision"]) == (11, 8, "class 0"),
    "Q1: three shares": lambda read: read["stop_k"] > 10 * read["aknn_stop_k"],
    "Q2: three shares": lambda read: read["stop_k"] < read["aknn_stop_k"],
    "A crowded third": lambda read: read["misaligned_mass"] == 0.3 and read["risk"] > read["bayes_risk"] + 0.03,
    "Proof constants": lambda read: read["undecided"] == 1 and read["mean_stop_k"] == 100,
}


@pytest.mark.parametrize("preset", EliminationLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_plain_python_gives(few, preset):
    read = assert_as_by_hand(EliminationLab().show_preset(preset.name))
    assert SHAPES.get(preset.name, bool)(read)


def test_the_worked_walk_is_the_reference_s(few):
    """All of its steps, told step by step; a million points would only widen the band."""
    lab = EliminationLab().show_preset("Worked walk")
    known_walk, read = PAPER["trace"], lab.readout()
    assert read["threshold"] == pytest.approx(known_walk["A"], abs=1e-6)
    assert (read["stop_k"], read["decision"]) == (known_walk["k"], f"class {known_walk['label'] - 1}")
    for k, counts, band, *_, gone in known_walk["steps"]:
        lab.k = k
        held_by = ", ".join(f"class {c} in {count}" for c, count in enumerate(counts))
        assert f"Of the {k} nearest bags {held_by}; " in lab.alt
        lines = {layer.name: layer for layer in lab.walk_layers}
        leader = max(counts) / k
        cut = lines["asked"].y[-1]
        assert cut == pytest.approx(leader - band, abs=1e-6) if leader - band > -0.03 else np.isnan(cut)
        for label in gone:
            assert f"class {label - 1} falls at k = {k}" in lab.alt


def test_means_of_q1_and_q2_are_ordered_as_those_of_fresh_samples(few):
    """Cells of one line instead of a hundred samples: the same rule of the two goes farther."""
    for name in ("Q1", "Q2"):
        lab, wanted = EliminationLab().show_preset(f"{name}: three shares"), PAPER["examples"][f"{name} c1=0.5"]
        own, other = lab.scan, lab._scan(lab.other, lab.mapped[1])
        ahead = np.log(own.stop_k.mean() / other.stop_k.mean())
        assert ahead * np.log(wanted["mean_k_pl"] / wanted["mean_k_aknn"]) > 0


def test_bags_are_those_of_the_seed(few):
    """The labels' own uniforms from the sample's seed, the bags' from its child."""
    lab = EliminationLab(**PLANE, seed=5, kind="removal", bag_noise=0.3)
    sample = known(lab.problem).sample(200, 5)
    draws = BagDraws.of(200, 3, np.random.SeedSequence(5).spawn(1)[0])
    assert np.array_equal(lab.bags, BagProcess.even(3, 0.4, 0.3, "removal").draw(sample.X, sample.y, draws))


def test_chances_by_cluster_scale_with_the_largest(few):
    lab = EliminationLab(**LINE, spread="by cluster", inclusion=0.8)
    wide, parts = lab.process, lab.process.parts(lab.sample.X)
    assert wide.inclusion.shape == (5, 3, 3)
    lab.inclusion = 0.2
    off = ~np.eye(3, dtype=bool)
    assert lab.process.inclusion[:, off] == pytest.approx(wide.inclusion[:, off] / 4)
    assert np.array_equal(lab.process.parts(lab.sample.X), parts)


def test_the_second_label_crowds_the_left(few):
    lab = EliminationLab(problem="contested line", n=4000, bag_noise=0.0, spread="crowded left")
    left, others = lab.sample.X[:, 0] < 0.3, lab.sample.y != 1
    assert lab.bags[left & others, 1].mean() == pytest.approx(0.9, abs=0.03)
    assert lab.bags[left & (lab.sample.y != 2), 2].mean() == pytest.approx(0.1, abs=0.03)
    assert lab.bags[~left & others, 1].mean() == pytest.approx(lab.inclusion, abs=0.03)
    assert lab.readout()["limit"] - lab.readout()["bayes_risk"] == pytest.approx(0.03, abs=1e-6)


def test_the_advantage_on_the_line_is_the_paper_s():
    wanted = PAPER["advantage_line"]
    lab = EliminationLab(**LINE | {"overlay": "advantage", "bag_noise": 0.0, "inclusion": 0.4})
    for x, tenth, all_of_it in zip(wanted["x"], wanted["adv0p1"], wanted["adv1"], strict=True):
        assert lab.set(x1=x, mass_cap=0.1).readout()["advantage"] == pytest.approx(tenth, rel=0.02)
        assert tenth <= lab.set(mass_cap=0.25).readout()["advantage"] <= all_of_it * 1.02


#: Stages by what they do.
SEARCHES = {"places", "mapped", "x_table", "test_table"}
DRAWS = {"sample", "draws", "joining", "clusters", "process", "bags"}
RULES = {"rule", "other", "scan", "own_risk", "other_risk"}
VOTES = {"vote_risk", "x_vote"}
LAW = {"frequency", "misaligned", "limits_of_risks", "x_ball"}
AT_X = {"walk", "other_walk", "x_vote", "x_ball"}
BAGS = {"process", "bags", "scan", "own_risk", "other_risk", "walk"} | VOTES | LAW
KEPT = SEARCHES | {"sample", "draws", "rule", "other", "asks"}

#: Stages that must run, those that may not, and the changes for which this holds.
STAGES = [
    (
        {"walk_layers", "bag_layers", "query_layers", "said", "alt"},
        SEARCHES | DRAWS | RULES | VOTES | LAW | {"walk", "other_walk", "region_layer", "numbers", "stops", "asks"},
        [{"k": 20}],
    ),
    (
        {"x", "x_table"} | AT_X,
        DRAWS | RULES | {"mapped", "region_layer", "vote_risk", "frequency"},
        [{"x1": 0.2}, {"x2": 0.2}],
    ),
    (
        RULES | {"walk", "other_walk", "asks"},
        SEARCHES | DRAWS | VOTES | LAW,
        [{"c1": 0.8}, {"delta": 0.2}, {"max_neighbors": 40}, {"constants": CONSTANTS[1]}],
    ),
    (
        {"rule", "scan", "own_risk", "walk"},
        SEARCHES | DRAWS | VOTES | LAW | {"other", "other_risk", "other_walk", "asks"},
        [{"fallback": "majority"}],
    ),
    (BAGS, KEPT, [{"inclusion": 0.2}, {"spread": "by cluster"}]),
    (BAGS, KEPT | {"joining"}, [{"bag_noise": 0.5}, {"kind": "removal"}]),
    ({"alt"}, SEARCHES | DRAWS | RULES | VOTES | AT_X, [{"overlay": shown} for shown in SHOWN[1:]]),
    (set(), {"picture", "alt"}, [{"mass_cap": 0.1}]),
    ((SEARCHES - {"test_table"}) | {"draws", "bags", "scan", "walk"}, {"plane", "rule", "field"}, [{"seed": 1}]),
    ((SEARCHES - {"test_table"}) | {"draws", "bags", "scan", "asks"}, {"plane", "rule", "field"}, [{"n": 250}]),
]


@pytest.mark.parametrize(
    ("changes", "must", "may_not"),
    [(changes, must, may_not) for must, may_not, cases in STAGES for changes in cases],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it(lab, changes, must, may_not):
    found = ran(lab, **changes)
    assert must <= found
    assert not found & may_not


def test_clusters_are_found_once_and_neighbors_looked_up_in_steps_of_t(lab):
    lab.spread = "by cluster"
    assert not ran(lab, inclusion=0.2) & {"clusters", *SEARCHES}
    assert not ran(lab, bag_noise=0.4) & {"clusters", "joining", *SEARCHES}
    lab.reset().set(n=1000)
    assert "mapped" not in ran(lab, max_neighbors=LOOKED_UP[0])
    assert "mapped" in ran(lab, max_neighbors=LOOKED_UP[0] + 1)
    assert "mapped" not in ran(lab, max_neighbors=LOOKED_UP[1])
    assert lab.k == LOOKED_UP[1]


def test_data_are_judged_on_points_held_out(few):
    lab = EliminationLab(**DATA)
    assert {"own_risk", "other_risk"} <= ran(lab, c1=1.0)
    assert not ran(lab, c1=1.5) & {"test_table", "vote_risk", "mapped"}
    assert not lab.readout().keys() & {"limit", "bayes_risk", "misaligned_mass"}


def test_k_stays_at_the_end_or_where_it_is(lab):
    assert lab.set(max_neighbors=80).k == 80
    assert lab.set(max_neighbors=300).k == 200, "n is less than T"
    assert lab.set(n=250).k == 250
    assert lab.set(k=30, max_neighbors=50).k == 30
    assert lab.set(max_neighbors=100).k == 30
    assert lab.set(max_neighbors=20).k == 20
    assert lab.set(problem="thirds", max_neighbors=5000, n=6000).k == 5000
    assert lab.set(problem="moons").values["max_neighbors"] == lab.k == 400


def test_limits_follow_the_problem(drawn, lab):
    lab.face = Face(lab)
    lab.set(problem="thirds", n=6000, max_neighbors=5000).set(problem="iris")
    assert "largest k T moved from 5000 to 400" in lab.face.message.value
    assert (lab.n, lab.k) == (105, 105)
    assert lab.face.controls["k"].max == 105
    lab.set(problem="thirds").readout()
    assert lab.limits("max_neighbors", lab.values) == (5, 5000)


def test_what_does_not_go_together_is_refused_and_what_data_do_not_have_goes(lab):
    refuses(lab, {"k": 61}, "ball k must not exceed largest k T, got 61 and 60")
    refuses(lab, {"k": 30, "max_neighbors": 20}, "ball k must not exceed largest k T, got 30 and 20")
    refuses(lab, {"k": 250, "max_neighbors": 300}, "neighbors k must not exceed sample size n, got 250 and 200")
    refuses(lab, {"problem": EXAMPLE, "n": 200}, "sample size n must be .*100.*, got 200")
    for shown in KNOWN_ONLY:
        refuses(lab, {"problem": "iris", "overlay": shown}, f"{shown} needs a known distribution, but iris is data")
        assert lab.set(problem="moons", overlay=shown).set(problem="wine").overlay == SHOWN[0]


def test_which_controls_hide(lab):
    assert lab.hidden(lab.values) == {"mass_cap"}
    assert lab.hidden(lab.values | {"overlay": "advantage"}) == set()
    assert lab.hidden(lab.values | {"problem": "thirds"}) == {"mass_cap", "x2"}
    assert lab.hidden(lab.set(constants=CONSTANTS[1]).values) == {"mass_cap", "c1"}
    assert lab.readout() == lab.set(c1=2.0).readout()
    own = {"bag_noise", "kind", "inclusion", "spread", "n"}
    assert lab.hidden(lab.preset_values("Worked walk")) == {"mass_cap", "x2"} | own


@KINDS
def test_what_is_said_goes_as_far_as_the_ball(few, values):
    lab = EliminationLab(**values)
    read, fell = lab.readout(), lab.walk.fell
    for k in (1, 2, 5, 9, 10, 11, 20, 60):
        lab.k = k
        mine, others, plain = lab.said
        assert mine.endswith(f"labels alive at k = {k}") == (k < read["stop_k"])
        assert (others == "A-kNN: goes on") == (k < read["aknn_stop_k"])
        assert plain == ("10-NN: not there yet" if k < VOTERS else f"10-NN: {read['vote_decision']}")
        assert [c for c, _ in lab.fallen] == [c for c in np.argsort(fell, kind="stable") if 0 < fell[c] <= k]
        texts = [mark.texts[0] for mark in lab.panels[2].layers if mark.texts[0]]
        assert texts == [*lab.said, *(text for _, text in lab.fallen)]
        shown = [layer.name for layer in lab.walk_layers if layer.name in view.STOPS and len(layer.x)]
        assert shown == [name for name, at in lab.stops.items() if at is not None and at <= k]
        assert max(layer.x.max() for layer in lab.walk_layers if len(layer.x) and "fall" not in layer.name) == k
    assert f"alone from k = {read['stop_k']}" in mine if read["decided"] else f"undecided at T = {lab.most}" in mine


def test_rules_that_never_stop_or_look_beyond_t_say_so(lab):
    lab.constants = CONSTANTS[1]
    assert [text.split(", ")[-1] for text in lab.said[:2]] == [f"undecided at T = {lab.most}"] * 2
    assert lab.stops["A-kNN stops"] is lab.stops["PL A-kNN stops"] is None
    lab.reset().set(max_neighbors=8)
    assert lab.said[2] == "10-NN: looks beyond T"
    assert lab.stops["10-NN"] is None
    assert lab.readout()["vote_decision"] == by_hand(lab)["vote_decision"]


def test_names_of_presets_and_headings_hold_no_answers():
    words = " ".join([*(preset.name for preset in EliminationLab.presets), *SHOWN]).lower()
    for answer in ("wrong", "wins", "never", "close", "clear", "far", "better", "worse", "misled"):
        assert answer not in words.split()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_is_shown_and_told(lab, problem):
    shown = [{"overlay": each} for each in (SHOWN[:3] if known(problem).eta is None else SHOWN)]
    for changes in [*shown, {"constants": CONSTANTS[1]}, {"k": 1}, {"x1": known(problem).box[0][0]}]:
        read = lab.set(problem=problem, **changes).readout()
        assert read.keys() - {"decided"} <= lab.number_names.keys()
        assert ("advantage" in read) == (lab.overlay == "advantage")
        assert f"Shown: {lab.overlay}." in lab.picture.alt
        assert lab.numbers_text() in lab.alt
        assert not [each for each in ("nan", "  ") if each in lab.alt]
    assert not lab.is_preview


@pytest.mark.parametrize(
    ("values", "panel", "place", "picked"),
    [
        (PLANE, "map", (0.2, 0.7), {"x1": 0.2, "x2": 0.7}),
        (LINE, "map", (0.2345, 0.7), {"x1": 0.234}),
        (LINE, "map", (-3.0, 0.7), {"x1": 0.0}),
        (PLANE, "ball", (17.6, 0.5), {"k": 18}),
        (PLANE, "ball", (0.2, 0.5), {"k": 1}),
        (PLANE, "ball", (500.0, 0.5), {"k": 60}),
        (PLANE, "told", (0.5, 0.5), {}),
    ],
)
def test_a_place_on_each_panel(few, values, panel, place, picked):
    lab = EliminationLab(**values)
    assert lab.pick(panel, *place) == picked
    lab.set(**picked)
    assert panel in {each.axes.name for each in lab.picture.panels}


def test_the_handle_drags_the_ball(faced):
    for number, (x, k) in enumerate([(30.2, 30), (0.0, 1), (1e3, 60)], 1):
        faced.face.canvas.picked = {"panel": "ball", "x": x, "y": 0.3, "number": number, "mark": "k", "index": 0}
        settle(faced)
        assert faced.k == faced.face.controls["k"].value == k
    assert (faced.face.controls["k"].min, faced.face.controls["k"].max) == (1, 60)


def test_bags_in_the_ball_are_larger_while_they_are_few(lab):
    for k in (1, FEW, FEW + 1, 60):
        pies, voters, _ = lab.set(k=k).bag_layers
        assert len(voters.x) == k
        assert (voters.size > pies.size) == (k <= FEW)
        nearest, _ = sorted_neighbors(lab.sample.X, lab.x[None], k)
        assert np.array_equal(voters.bags, lab.bags[nearest[0]])
        assert np.array_equal(pies.bags, lab.bags)


def test_sets_on_show_are_those_of_plain_python(lab):
    cells = field(lab.problem, sizes.FULL[2]).grid.points
    _, mine, _, _ = decided(lab, cells)
    lab.overlay = "undecided"
    assert lab.set_layers[0].cells.ravel().tolist() == [len(left) > 1 for _, _, left in mine]
    lab.overlay = "stopping k"
    assert lab.region_layer.codes.ravel().tolist() == [np.searchsorted(view.STEPS, k, "right") for _, k, _ in mine]
    lab.set(overlay="misaligned", spread="crowded left", inclusion=0.1)
    eta = lab.field.eta
    assert lab.set_layers[0].cells.ravel().tolist() == (held(lab, eta).argmax(axis=1) != eta.argmax(axis=1)).tolist()
    assert lab.set_layers[0].cells.any()


def test_the_advantage_comes_coarse_first(drawn, lab):
    lab.face = Face(lab)
    with lab.updates.lock():
        lab.set(overlay="advantage")
        assert (lab.bag_balls[0] < bagged.BALLS[2]) == lab.is_preview
    lab.readout()
    assert (lab.bag_balls[0], lab.is_preview) == (bagged.BALLS[2], False)


def test_a_step_needs_no_new_frame(lab):
    """Of a walk whose legend stays: an entry comes where a rule stops."""
    last = max(lab.stops.values())
    assert last < 59
    frames = [[panel.frame for panel in lab.set(k=k).picture.panels] for k in (last, last + 1, 60, 59)]
    assert frames.count(frames[0]) == len(frames)
