"""What is particular to EliminationLab: numbers beside plain Python and the paper's, stages, presets, words."""

import numpy as np
import pytest
from random_moves import by_name, page, ran, refuses
from reference_implementations import eliminated, reference, sorted_neighbors, stood_out

from knnviz import BagDraws, BagProcess
from knnviz.labs import EliminationLab
from knnviz.labs.elimination import layers
from knnviz.labs.elimination.bag_sample import BALL_CELLS, EXAMPLE, most_frequent
from knnviz.labs.elimination.panels import KNOWN_ONLY, OVERLAYS
from knnviz.labs.elimination.rules import CONSTANTS, TABLE_SIZES, VOTE_K
from knnviz.labs.old_parts import sizes
from knnviz.labs.old_parts.sources import field, problem_named

PAPER = reference("partial")

#: A small lab of each kind.
PLANE = {"n": 200, "max_neighbors": 60, "k": 60}
LINE = PLANE | {"problem": "thirds"}
DATA = {"problem": "iris", "n": 105, "max_neighbors": 60, "k": 60}
KINDS = pytest.mark.parametrize("values", [PLANE, LINE, DATA], ids=["plane", "line", "data"])


@pytest.fixture
def few(small, monkeypatch):
    for cells, sides in ((sizes.MAP_CELLS, {1: 60, 2: 8}), (sizes.COARSE_MAP_CELLS, {1: 60, 2: 5})):
        for dimension, side in sides.items():
            monkeypatch.setitem(cells, dimension, side)


@pytest.fixture
def lab(few):
    return EliminationLab(**PLANE)


def decided(lab, queries):
    """For each query what the three rules predict, step by step: label, k, survivors; label, k, by itself; label."""
    n_classes, most = lab.data.chosen_problem.n_classes, min(lab.max_neighbors, lab.n)
    c1 = lab.c1 if lab.constants == CONSTANTS[0] else PAPER["thresholds"]["c1_theory"]
    band = c1 * np.sqrt(np.log(lab.n) + np.log(n_classes / lab.delta))
    fallback = {"largest lead": "lead", "majority": "majority"}[lab.fallback]
    nearest, _ = sorted_neighbors(lab.data.sample.X, queries, max(most, VOTE_K))
    bags = [lab.bags.labels[row] for row in nearest]
    mine = [eliminated(each[:most], band, fallback) for each in bags]
    others = [stood_out(each[:most], band, 1 / n_classes) for each in bags]
    return band, mine, others, [int(each[:VOTE_K].sum(axis=0).argmax()) for each in bags]


def label_frequencies(lab, eta):
    """P(S_y | x) (m, C): a label may be another one, and others join it."""
    process, cells = lab.bags.process, lab.cells.field.grid.points
    assert lab.kind == "confusion"
    moved = (1 - lab.bag_noise) * eta + lab.bag_noise / eta.shape[1]
    return np.einsum("mi,mil->ml", moved, process.inclusion[process.parts(cells)])


def by_hand(lab):
    problem = lab.data.chosen_problem
    band, (mine,), (other,), (plain,) = decided(lab, lab.query.x[None])
    names, cells, is_known = problem.class_names, lab.cells.field, problem.eta is not None
    read = {
        "decision": names[mine[0]],
        "stop_k": mine[1],
        "decided": len(mine[2]) == 1,
        "survivors": " ".join(names[c] for c in sorted(mine[2])),
        "aknn_decision": names[other[0]],
        "aknn_stop_k": other[1],
        "vote_decision": names[plain],
        "mean_bag_size": lab.bags.labels.sum() / lab.n,
        "band_constant": band,
    }
    _, mine, others, plain = on_map = decided(lab, cells.grid.points)
    weights = cells.measure.weights if is_known else np.full(len(mine), 1 / len(mine))
    read["mean_stop_k"] = weights @ [k for _, k, _ in mine]
    read["undecided"] = weights @ [len(left) > 1 for _, _, left in mine]
    _, mine, others, plain = on_map if is_known else decided(lab, lab.data.source.X_test)
    labels = [each[0] for each in mine], [each[0] for each in others], plain
    for name, predicted in zip(("risk", "aknn_risk", "vote_risk"), labels, strict=True):
        right = cells.eta[range(len(predicted)), predicted] if is_known else predicted == lab.data.source.y_test
        read[name] = 1 - (weights @ right if is_known else right.mean())
    if is_known:
        eta, worked = cells.eta, lab.problem == EXAMPLE
        frequency = np.tile(lab.bags.labels[:12].mean(axis=0), (len(eta), 1)) if worked else label_frequencies(lab, eta)
        best, most = (np.isclose(each, each.max(axis=1, keepdims=True), atol=1e-9) for each in (eta, frequency))
        read["bayes_risk"] = problem.bayes_risk()
        excess = eta.max(axis=1) - eta[range(len(eta)), frequency.argmax(axis=1)]
        read["limit"] = read["bayes_risk"] + weights @ excess
        read["misaligned_mass"] = weights[(best != most).any(axis=1)].sum()
    return read


def assert_as_by_hand(lab):
    read = lab.readout()
    assert read == pytest.approx(by_hand(lab), abs=2e-6)
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
    "Q1: three fractions": lambda read: read["stop_k"] > 10 * read["aknn_stop_k"],
    "Q2: three fractions": lambda read: read["stop_k"] < read["aknn_stop_k"],
    "A crowded third": lambda read: read["misaligned_mass"] == 0.3 and read["risk"] > read["bayes_risk"] + 0.03,
    "Proof constants": lambda read: read["undecided"] == 1 and read["mean_stop_k"] == 100,
}


@pytest.mark.parametrize("preset", EliminationLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_plain_python_gives(few, preset):
    read = assert_as_by_hand(EliminationLab().show_preset(preset.name))
    assert SHAPES.get(preset.name, bool)(read)
    answers = {"wrong", "wins", "never", "close", "clear", "far", "better", "worse", "misled"}
    assert not answers & set(preset.name.lower().split())


def test_the_worked_walk_is_the_reference_s(few):
    lab = EliminationLab().show_preset("Worked walk")
    known_walk, read = PAPER["trace"], lab.readout()
    assert read["band_constant"] == pytest.approx(known_walk["A"], abs=1e-6)
    assert (read["stop_k"], read["decision"]) == (known_walk["k"], f"class {known_walk['label'] - 1}")
    for k, counts, *_, eliminated_now in known_walk["steps"]:
        held_by = ", ".join(f"class {c} in {count}" for c, count in enumerate(counts))
        assert f"Of the {k} nearest bags {held_by}; " in lab.set(k=k).alt
        for label in eliminated_now:
            assert f"class {label - 1} eliminated at k = {k}" in lab.alt


def test_labels_that_differ_by_rounding_alone_tie():
    assert most_frequent(np.array([[0.5, 0.5 - 1e-12, 0.4]])).tolist() == [[True, True, False]]


def test_bags_are_those_of_the_seed(few):
    """The labels' own uniforms from the sample's seed, the bags' from its child."""
    lab = EliminationLab(**PLANE, seed=5, kind="removal", bag_noise=0.3)
    sample = problem_named(lab.problem).sample(200, 5)
    draws = BagDraws.draw(200, 3, np.random.SeedSequence(5).spawn(1)[0])
    process = BagProcess.even_inclusion(3, 0.4, 0.3, "removal")
    assert np.array_equal(lab.bags.labels, process.draw(sample.X, sample.y, draws))


def test_probabilities_by_cluster_scale_with_the_largest(few):
    lab = EliminationLab(**LINE, spread="by cluster", inclusion=0.8)
    wide = lab.bags.process
    assert wide.inclusion.shape == (5, 3, 3)
    lab.inclusion = 0.2
    off = ~np.eye(3, dtype=bool)
    assert lab.bags.process.inclusion[:, off] == pytest.approx(wide.inclusion[:, off] / 4)
    assert np.array_equal(lab.bags.process.centers, wide.centers)


def test_the_second_label_crowds_the_left(few):
    lab = EliminationLab(problem="contested line", n=4000, bag_noise=0.0, spread="crowded left")
    left, y, bags = lab.data.sample.X[:, 0] < 0.3, lab.data.sample.y, lab.bags.labels
    assert bags[left & (y != 1), 1].mean() == pytest.approx(0.9, abs=0.03)
    assert bags[left & (y != 2), 2].mean() == pytest.approx(0.1, abs=0.03)
    assert bags[~left & (y != 1), 1].mean() == pytest.approx(lab.inclusion, abs=0.03)
    assert lab.readout()["limit"] - lab.readout()["bayes_risk"] == pytest.approx(0.03, abs=1e-6)


def test_the_advantage_on_the_line_is_the_paper_s():
    wanted = PAPER["advantage_line"]
    lab = EliminationLab(**LINE | {"overlay": "advantage", "bag_noise": 0.0, "inclusion": 0.4})
    for x, tenth, all_of_it in zip(wanted["x"], wanted["adv0p1"], wanted["adv1"], strict=True):
        assert lab.set(x1=x, mass_cap=0.1).readout()["advantage"] == pytest.approx(tenth, rel=0.02)
        assert tenth <= lab.set(mass_cap=0.25).readout()["advantage"] <= all_of_it * 1.02


SEARCHES = {"data.index", "cells.tables", "query.table"}
DRAWS = {"data.sample", "bags.draws", "bags.noiseless_process", "bags.process", "bags.labels"}
RULES = {"rules.partial", "rules.adaptive", "decisions.scan", "decisions.partial_risk", "decisions.adaptive_risk"}
VOTES = {"decisions.vote_risk", "walk.vote"}
FREQUENCIES = {
    "frequencies.at_cells",
    "frequencies.misaligned_cells",
    "decisions.limits_of_risks",
    "frequencies.around_x",
}
WALKS = {"walk.partial", "walk.adaptive"}
OTHERS = {"rules.adaptive", "decisions.adaptive_risk", "walk.adaptive", "walk.adaptive_thresholds"}
SAMPLED = {"data.sample", "bags.draws", "rules.partial", "rules.adaptive", "walk.adaptive_thresholds"}

#: Changes, and the stages that stay.
STAYS = [
    ([{"k": 20}], SEARCHES | DRAWS | RULES | VOTES | FREQUENCIES | WALKS),
    ([{"x1": 0.2}, {"x2": 0.2}], DRAWS | RULES | {"cells.tables", "decisions.vote_risk", "frequencies.at_cells"}),
    (
        [{"c1": 0.8}, {"delta": 0.2}, {"max_neighbors": 40}, {"constants": CONSTANTS[1]}],
        SEARCHES | DRAWS | VOTES | FREQUENCIES,
    ),
    ([{"fallback": "majority"}], SEARCHES | DRAWS | VOTES | FREQUENCIES | OTHERS),
    ([{"inclusion": 0.2}, {"spread": "by cluster"}], SEARCHES | SAMPLED),
    ([{"bag_noise": 0.5}, {"kind": "removal"}], SEARCHES | SAMPLED | {"bags.noiseless_process"}),
    ([{"overlay": shown} for shown in OVERLAYS[1:]], SEARCHES | DRAWS | RULES | VOTES | WALKS),
    ([{"mass_cap": 0.1}], {"picture", "alt"}),
    ([{"seed": 1}, {"n": 250}], {"rules.partial", "cells.field"}),
]


@pytest.mark.parametrize(
    ("changes", "stays"),
    [(each, stays) for changes, stays in STAYS for each in changes],
    ids=lambda each: ", ".join(sorted(map(str, each))),
)
def test_a_control_runs_no_stage_that_does_not_depend_on_it(lab, changes, stays):
    assert not ran(lab, **changes) & stays
    assert stays <= lab.runs().keys(), "names are right"


def test_clusters_are_found_once_and_neighbors_looked_up_in_steps_of_t(lab):
    lab.spread = "by cluster"
    assert not ran(lab, inclusion=0.2) & {"bags.clustered_process", *SEARCHES}
    assert not ran(lab, bag_noise=0.4) & {"bags.clustered_process", "bags.noiseless_process", *SEARCHES}
    lab.reset().set(n=1000)
    for most, anew in ((TABLE_SIZES[0], False), (TABLE_SIZES[0] + 1, True), (TABLE_SIZES[1], False)):
        assert ("cells.tables" in ran(lab, max_neighbors=most)) == anew
    assert lab.k == TABLE_SIZES[1]
    assert not ran(lab.set(**DATA), c1=1.5) & {"held_out.table", "decisions.vote_risk", "cells.tables"}


def test_k_stays_at_the_end_or_where_it_is_and_t_within_the_problem(drawn, lab):
    page(lab)
    for changes, k in (
        ({"max_neighbors": 80}, 80),
        ({"max_neighbors": 300}, 200),
        ({"n": 250}, 250),
        ({"k": 30, "max_neighbors": 50}, 30),
        ({"max_neighbors": 100}, 30),
        ({"max_neighbors": 20}, 20),
        ({"problem": "thirds", "max_neighbors": 5000, "n": 6000}, 5000),
        ({"problem": "moons"}, 400),
        ({"problem": "thirds", "max_neighbors": 5000}, 5000),
        ({"problem": "iris"}, 105),
    ):
        assert lab.set(**changes).k == k, changes
    assert "largest k T moved from 5000 to 400" in page(lab).message
    assert (lab.n, lab.max_neighbors, page(lab).limits["k"][1]) == (105, 400, 105)


def test_what_does_not_go_together_is_refused_and_what_data_do_not_have_goes(lab):
    refuses(lab, {"k": 61}, "ball k must not exceed largest k T, got 61 and 60")
    refuses(lab, {"k": 250, "max_neighbors": 300}, "neighbors k must not exceed sample size n, got 250 and 200")
    refuses(lab, {"problem": EXAMPLE, "n": 200}, "sample size n must be .*100.*, got 200")
    for shown in KNOWN_ONLY:
        refuses(lab, {"problem": "iris", "overlay": shown}, f"{shown} needs a known distribution, but iris is data")
        assert lab.set(problem="moons", overlay=shown).set(problem="wine").overlay == OVERLAYS[0]


def test_which_controls_are_hidden(lab):
    assert lab.hidden(lab.values) == {"mass_cap"}
    assert lab.hidden(lab.values | {"overlay": "advantage", "constants": CONSTANTS[1]}) == {"c1"}
    own = {"bag_noise", "kind", "inclusion", "spread", "n"}
    assert lab.hidden(lab.preset_values("Worked walk")) == {"mass_cap", "x2"} | own


@KINDS
def test_predictions_go_as_far_as_the_ball(few, values):
    lab = EliminationLab(**values)
    read, eliminated_at = lab.readout(), lab.walk.partial.eliminated_at
    for k in (1, 2, 5, 9, 10, 11, 20, 60):
        lab.k = k
        mine, others, plain = lab.predictions.predicted
        assert mine.endswith(f"labels left at k = {k}") == (k < read["stop_k"])
        assert (others == "A-kNN: not stopped yet") == (k < read["aknn_stop_k"])
        assert plain == ("10-NN: needs k = 10" if k < VOTE_K else f"10-NN: {read['vote_decision']}")
        by_now = [c for c in np.argsort(eliminated_at, kind="stable") if 0 < eliminated_at[c] <= k]
        assert [c for c, _ in lab.predictions.eliminated] == by_now
        shown = [layer for layer in lab.ball.drawn.layers if layer.name in layers.STOP_STYLES and len(layer.x)]
        assert [layer.x[0] for layer in shown] == [at for at in lab.walk.stops if at is not None and at <= k]
    end = lab.rules.last_k
    assert f"decided at k = {read['stop_k']}" in mine if read["decided"] else f"undecided at T = {end}" in mine


def test_promises_are_those_of_plain_python(few):
    """Near the jump of the thirds: no promise for the label beyond it, one for the other; none on a projector."""
    lab = EliminationLab(problem="thirds", n=1000, max_neighbors=500, k=500, x1=0.3, bag_noise=0.0, inclusion=0.4)
    cells = field("thirds", sizes.QUERY_CELLS[1])
    frequency = cells.eta + 0.4 * (1 - cells.eta)
    distance, band = abs(cells.grid.points[:, 0] - lab.query.x[0]).round(12), lab.readout()["band_constant"]
    order = np.argsort(distance, kind="stable")
    in_balls, promised = np.cumsum(frequency[order], axis=0), [np.inf] * 3
    for k in np.unique(np.geomspace(1, 1000, 60).round()):
        if k > 500:
            break
        reach = distance[order[int(np.ceil(k / 1000 * len(order) - 1e-9)) - 1]]
        size = np.sum(distance <= reach)
        lead = (in_balls[size - 1, 0] - in_balls[size - 1]) / size
        for c in (1, 2):
            if lead[c] >= 2 * band / np.sqrt(k):
                promised[c] = min(promised[c], k)
    assert np.isinf(promised).tolist() == [True, True, False]
    assert lab.predictions.promised == pytest.approx(promised)
    assert f" eliminated at k = {lab.walk.partial.eliminated_at[2]}, promised by {promised[2]:.0f}" in lab.alt
    assert [text for text, _ in lab.predictions.lines].count(layers.PROMISED_IF) == 1
    assert len(lab.predictions.lines) == 6
    lab.set(x1=0.333)
    assert "no promise" in lab.alt
    assert layers.PROMISED_IF not in lab.alt
    assert any("no promise" in text for text, _ in lab.predictions.lines)
    lab.projector = True
    assert "no promise" in lab.alt
    assert not any("promise" in text for text, _ in lab.predictions.lines)
    assert "promise" not in EliminationLab(**DATA).alt


def test_rules_that_never_stop_or_look_beyond_t_say_so(lab):
    lab.constants = CONSTANTS[1]
    assert [text.split(", ")[-1] for text in lab.predictions.predicted[:2]] == ["undecided at T = 60"] * 2
    assert lab.walk.stops == (VOTE_K, None, None)
    lab.reset().set(max_neighbors=8)
    assert lab.predictions.predicted[2] == "10-NN: exceeds T"
    assert lab.walk.stops[0] is None
    assert lab.readout()["vote_decision"] == by_hand(lab)["vote_decision"]


def test_bags_in_the_ball_are_larger_while_they_are_few(lab):
    for k in (1, layers.MAX_LARGE_PIES, layers.MAX_LARGE_PIES + 1, 60):
        drawn = by_name(lab.set(k=k).map)
        pies, voters = drawn["bags"], drawn["voters"]
        assert len(voters.x) == k
        assert (voters.size > pies.size) == (k <= layers.MAX_LARGE_PIES)
        nearest, _ = sorted_neighbors(lab.data.sample.X, lab.query.x[None], k)
        assert np.array_equal(voters.bags, lab.bags.labels[nearest[0]])
        assert np.array_equal(pies.bags, lab.bags.labels)


def test_sets_on_show_are_those_of_plain_python(lab):
    _, mine, _, _ = decided(lab, field(lab.problem, sizes.MAP_CELLS[2]).grid.points)
    first, over = (next(lab.set(overlay=shown).map.below_bags()) for shown in ("stopping k", "decisions"))
    assert first.codes.ravel().tolist() == [np.searchsorted(layers.STOP_K_STEPS, k, "right") for _, k, _ in mine]
    assert over.codes.ravel().tolist() == [label for label, _, _ in mine]
    _, undecided = lab.set(overlay="undecided").map.below_bags()
    assert lab.map.alt_text().endswith("Shown: undecided.")
    assert undecided.cells.ravel().tolist() == [len(left) > 1 for _, _, left in mine]
    _, misaligned = lab.set(overlay="misaligned", spread="crowded left", inclusion=0.1).map.below_bags()
    eta = lab.cells.field.eta
    assert (
        misaligned.cells.ravel().tolist() == (label_frequencies(lab, eta).argmax(axis=1) != eta.argmax(axis=1)).tolist()
    )
    assert misaligned.cells.any()


def test_the_advantage_comes_coarse_first(drawn, lab):
    page(lab)
    with lab.lock:
        lab.set(overlay="advantage")
        assert (lab.frequencies.balls[0] < BALL_CELLS[2]) == lab.is_preview
    lab.readout()
    assert (lab.frequencies.balls[0], lab.is_preview) == (BALL_CELLS[2], False)


def test_panels_stay_where_they_are_while_the_ball_grows(lab):
    """Entries of the legend come where rules stop; there is room for them from the start."""
    positions = [[panel.axes.rectangle for panel in lab.set(k=k).picture.panels] for k in (1, 7, 12, 60)]
    assert positions.count(positions[0]) == len(positions)
