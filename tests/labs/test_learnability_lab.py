"""LearnabilityLab without a front end: numbers beside plain Python, columns that sum to 1, worlds, samples, words."""

import re

import numpy as np
import pytest
from random_moves import page, press, ran
from refusals import refuses

from knnviz import learnability
from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability.process import COLUMNS, EDITED, ETA_NAMES, NAMED, OTHER_WORLDS, probability_names
from knnviz.learnability import EXAMPLES, MODELS, every_bag

#: A process without full rank, and one with, that nobody has named; bags of all labels, whichever is true.
SHORT = np.array([[0, 0.2, 0.3, 0.5, 0, 0, 0, 0], [0, 0.4, 0, 0.2, 0, 0.4, 0, 0], [0, 0.3, 0.15, 0.35, 0, 0.2, 0, 0]]).T
ODD = np.array([[0.1, 0.2], [0.6, 0.1], [0, 0.3], [0.3, 0.4]])
FULL = np.eye(8)[:, [7, 7, 7]]


@pytest.fixture
def lab():
    return LearnabilityLab()


def matrix(lab):
    return lab.bag_process.matrix


def eta(lab):
    return lab.bag_process.eta


def conclusion(lab, line):
    return lab.conclusions.lines[line][0]


def largest(scores, between=" or "):
    return between.join(str(y) for y, score in enumerate(scores) if score >= max(scores) - 1e-9)


def vector_text(values):
    return f"({', '.join(f'{value:.3g}' for value in np.round(values, 3) + 0.0)})"


def by_hand(lab):
    labels, values = range(lab.n_classes), lab.values
    names = ["none", "0", "1", "01", "2", "02", "12", "012"][: 2**lab.n_classes]
    eta = [values[f"eta{y}"] for y in labels]
    process = np.array([[values[f"probability_{bag}_{y}"] for y in labels] for bag in names])
    distribution = {bag: sum(process[row, y] * eta[y] for y in labels) for row, bag in enumerate(names)}
    frequency = [sum(part for bag, part in distribution.items() if str(y) in bag) for y in labels]
    rank = int((np.linalg.svd(process, compute_uv=False) > 1e-10).sum())
    full_rank = rank == lab.n_classes
    return process, {
        "rank": rank,
        "reconstructible": full_rank,
        "aligned_process": learnability.misaligned_eta(process) is None,
        "aligned": largest(frequency) == largest(eta),
        "best_label": largest(eta),
        "counted_label": largest(frequency),
        "decoded_label": largest(eta) if full_rank else None,
        "decoded": tuple(eta) if full_rank else None,
        "frequency": tuple(frequency),
        "theta": max(eta) - min(eta[int(y)] for y in largest(frequency, "")),
        "misaligned_fraction": learnability.misaligned_fraction(process),
        "mean_bag_size": sum(part * (bag != "none") * len(bag) for bag, part in distribution.items()),
    }


def assert_as_by_hand(lab):
    read, (process, mine), tick = lab.readout(), by_hand(lab), "✗✓"
    assert np.array_equal(matrix(lab), process)
    assert read.keys() - {"other_best", "bags_gap"} == mine.keys()
    assert read.keys() - {"decoded", "frequency", "other_best"} <= lab.number_names.keys()
    for name, value in mine.items():
        assert read[name] == (pytest.approx(value, abs=2e-6) if isinstance(value, float | tuple) else value), name
    full_rank, always = mine["reconstructible"], mine["aligned_process"]
    rank = f"rank {mine['rank']} of {lab.n_classes}: η {'' if full_rank else 'not '}identifiable"
    assert conclusion(lab, 0) == f"{tick[full_rank]} {rank}"
    wrong = (
        "aligned at every η" if always else f"not aligned at η = {vector_text(learnability.misaligned_eta(process))}"
    )
    assert conclusion(lab, 1) == f"{tick[always]} {wrong}"
    here = (
        f"{tick[mine['aligned']]} here: best {largest(eta(lab), '/')}, in most bags {largest(mine['frequency'], '/')}"
    )
    assert conclusion(lab, 2) == here + (f", costs {mine['theta']:.3g}" if mine["theta"] > 1e-9 else "")
    assert conclusion(lab, 3) == (
        f"✓ least squares gives {vector_text(eta(lab))}" if full_rank else "✗ least squares not unique"
    )
    assert all(0 <= lab.values[name] <= 1 for column in COLUMNS for name in column)
    assert [*process.sum(axis=0), eta(lab).sum()] == pytest.approx([1] * (lab.n_classes + 1), abs=1e-9)
    return read


#: What the name of a preset says of M, the probability that a bag holds a label beside a true one, and sizes.
SAYS = {
    "Labels themselves": lambda M, C, sizes: np.array_equal(C, np.eye(3)),
    "Two never apart": lambda M, C, sizes: not M[[b for b in range(8) if b % 4 in (1, 2)]].any() and M[3, :2].all(),
    "A mixture of two": lambda M, C, sizes: np.allclose(M[:, 2], M[:, :2].mean(axis=1)),
    "All but one wrong label": lambda M, C, sizes: sizes == {2} and np.allclose(C, (1 + np.eye(3)) / 2),
    "Mostly right": lambda M, C, sizes: sizes == {1} and (np.diag(C) > 0.5).all() and (np.diag(C) < 1).all(),
    "Permutation": lambda M, C, sizes: sizes == {1} and set(C.ravel()) == {0, 1} and not np.diag(C).any(),
    "Never alone": lambda M, C, sizes: M[1, 0] == 0 and C[0, 0] == C[1, 0] == 1 and C[0, 1] == 0,
    "Always both": lambda M, C, sizes: sizes == {2},
    "First expert": lambda M, C, sizes: np.allclose(C, [[1, 0], [2 / 3, 1]]),
    "Second expert": lambda M, C, sizes: np.allclose(C, [[1, 1 / 2], [1 / 3, 1]]),
}
SAYS["Permutation, swapped"] = SAYS["Permutation"]


@pytest.mark.parametrize("preset", LearnabilityLab.presets, ids=lambda preset: preset.name)
def test_presets_do_what_they_are_called_and_read_what_plain_python_gives(preset):
    lab = LearnabilityLab(probability_0_0=0.3, column="label 2").show_preset(preset.name)
    assert lab.values == LearnabilityLab(**preset.values).values
    read, process = assert_as_by_hand(lab), matrix(lab)
    sizes = {int(size) for size in every_bag(lab.n_classes).sum(axis=1)[process.any(axis=1)]}
    if preset.name in MODELS:
        assert read["aligned"] or preset.name == "Lv et al., noisy"
    else:
        assert SAYS[preset.name](process, learnability.cooccurrence(process), sizes)
    if preset.values.get("beside"):
        assert read["bags_gap"] == 0
        assert read["other_best"] != read["best_label"]
    assert f"{preset.values['model']}, at P(y | x) = " in lab.alt
    for corner in np.eye(lab.n_classes):
        assert_as_by_hand(lab.set(**dict(zip(ETA_NAMES, corner, strict=False))))
        assert not re.search(r"None|True|False|-0[,)]", lab.alt)


def test_every_process_has_a_preset_or_is_in_the_menu_and_no_name_holds_an_answer():
    presets = LearnabilityLab.presets
    assert {preset.values["model"] for preset in presets} == {*NAMED, *MODELS} - {"even inclusion"}
    answers = "align|misled|learnable|reconstruct|rank|fail"
    assert not [preset.name for preset in presets if re.search(answers, preset.name.lower())]


@pytest.mark.parametrize("process", [SHORT, ODD, FULL], ids=["short of rank", "two labels", "full bags"])
def test_any_process_is_shown_and_nothing_else(lab, process):
    for other, its_eta in ((None, [0.5, 0.3, 0.2] if len(process) == 8 else [0.5, 0.5]), (FULL, np.eye(3)[1])):
        assert lab.show_process(*((process,) if other is None else (other, its_eta))) is lab
        shown = process if other is None else other
        assert (lab.model, lab.n_classes) == (EDITED, shown.shape[1])
        assert matrix(lab) == pytest.approx(shown, abs=1e-12)
        assert eta(lab) == pytest.approx(its_eta)
        assert_as_by_hand(lab)
    before = lab.values
    for arrays, message in (
        ((EXAMPLES["supersets without full rank"].process,), "the lab shows two or three labels, got 4"),
        ((np.ones((8, 3)),), "each column of process must sum to 1, got 8 for label 0"),
        ((ODD, np.array([[0.5, 0.5]])), "eta must be that of one point"),
    ):
        refuses(message, lab.show_process, *arrays)
        assert lab.values == before


def test_moving_probabilities_scales_the_others_of_their_column(lab):
    before = matrix(lab.set(model="mostly right"))
    for changes, column in (
        ({"probability_1_1": 0.4}, [0, 0.3, 0.4, 0, 0.3, 0, 0, 0]),
        ({"probability_1_1": 0.0}, [0, 0.5, 0, 0, 0.5, 0, 0, 0]),
        ({"probability_0_1": 1.0}, np.eye(8)[1]),
        ({"probability_0_1": 0.3}, np.where(np.arange(8) == 1, 0.3, 0.1)),
        (
            {"model": "mostly right", "probability_1_1": 0.4, "probability_none_1": 0.1},
            [0.1, 0.25, 0.4, 0, 0.25, 0, 0, 0],
        ),
        ({"probability_0_1": 0.4, "probability_1_1": 0.6 + 5e-10}, [0, 0.4, 0.6, 0, 0, 0, 0, 0]),
    ):
        assert matrix(lab.set(**changes))[:, 1] == pytest.approx(column)
        assert lab.model == EDITED
        assert np.array_equal(matrix(lab)[:, [0, 2]], before[:, [0, 2]])
        assert_as_by_hand(lab)
    for at in (0.33, 0.66, 0.99, 0.66, 1 / 3, 0.02, 0.5):
        assert_as_by_hand(lab.set(eta1=at, probability_01_2=at))
    assert eta(lab) == pytest.approx([0.5 * 0.5 / 0.7, 0.5, 0.5 * 0.2 / 0.7])
    again = LearnabilityLab.from_scene(lab.set(column="label 2").scene())
    assert (again.values, again.readout()) == (lab.values, lab.readout())


def test_a_model_becomes_edited_and_comes_back(lab):
    start, permutation = lab.values, EXAMPLES["permutation"].process.tolist()
    lab.probability_1_0 = 0.9
    assert lab.model == EDITED
    lab.probability_1_0 = 1.0
    assert (lab.model, matrix(lab).tolist()) == (EDITED, permutation)
    read = lab.set(probability_0_1=0.5).readout()
    assert lab.set(seed=3).readout() == read, "nothing is drawn any more"
    assert lab.set(model="permutation", seed=0).values == start
    assert matrix(lab.set(model=EDITED)).tolist() == permutation
    assert eta(lab.set(eta0=0.1).set(model="always both").set(model="permutation")).tolist() == [0.5, 0.3, 0.2]
    assert eta(lab.set(eta0=0.1).set(model="two never apart"))[0] == 0.1, "it has no eta of its own"
    assert lab.set(model="mostly right", probability_1_1=0.7).model == "mostly right", "it has this probability"
    lab.set(model="two never apart", probability_2_2=0.75)
    assert (lab.model, matrix(lab)[:, 0].tolist()) == (EDITED, EXAMPLES["two never apart"].process[:, 0].tolist())
    assert matrix(lab)[:, 2] == pytest.approx(np.where(np.arange(8) == 4, 0.75, 0.25 / 7))
    assert matrix(LearnabilityLab(model="first expert", probability_0_0=0.5))[:, 0] == pytest.approx([0, 0.5, 0, 0.5])


def test_another_number_of_labels_brings_another_process(lab):
    lab.column = "label 2"
    for changes in ({"n_classes": 2}, {"model": "never alone", "probability_2_2": 0.4, "eta2": 0.3}):
        lab.set(**changes)
        assert (lab.model, lab.n_classes, lab.column) == ("never alone", 2, "label 0")
        assert eta(lab).tolist() == [0.6, 0.4]
        assert_as_by_hand(lab)
        lab.set(probability_0_0=0.5).n_classes = 3
        assert (lab.model, eta(lab).tolist()) == ("labels themselves", [0.5, 0.3, 0.2])
        assert_as_by_hand(lab)


@pytest.mark.parametrize("name", MODELS)
def test_models_that_are_drawn_have_two_labels_or_three(lab, name):
    for n_classes, seed in ((2, 4), (3, 0), (2, 2**32 - 1)):
        assert lab.set(model=name, n_classes=n_classes, seed=seed).model == name
        drawn, its_eta = MODELS[name].draw(n_classes, np.random.default_rng(seed))
        assert matrix(lab) == pytest.approx(drawn, abs=1e-12)
        assert eta(lab) == pytest.approx(its_eta, abs=1e-12)
        assert_as_by_hand(lab)
    assert lab.set(n_classes=3).model == name
    others = MODELS[name].draw(3, np.random.default_rng(1))[1][1:]
    ratio = others / others.sum() if others.any() else [0.5, 0.5]
    assert eta(lab.set(seed=1, eta0=0.25)) == pytest.approx([0.25, *(0.75 * np.array(ratio))])
    assert lab.model == name


def test_what_is_hidden_does_nothing(lab):
    assert lab.hidden(lab.values) == {"seed", *COLUMNS[1], *COLUMNS[2]}
    assert lab.hidden(lab.values | {"n": 10, "column": "label 2"}) == {*COLUMNS[0], *COLUMNS[1]}
    assert "seed" not in lab.hidden(LearnabilityLab(model="Wen et al.").values)
    lab.set(model="first expert")
    shown = set(probability_names(2)[0]) | {"model", "n_classes", "eta0", "eta1", "beside", "n", "column"}
    assert lab.hidden(lab.values) == set(lab.parameters) - shown
    lab.set(**dict.fromkeys(("eta2", "probability_2_0", "probability_012_1", "probability_none_2", "seed"), 1))
    assert_as_by_hand(lab)
    assert lab.model == "first expert"
    assert_as_by_hand(lab.set(model="permutation"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "Wen et al.", "seed": 0.5}, "seed must be a whole number, got 0.5"),
        ({"model": "permutation", "n_classes": 2}, "permutation has 3 labels, got 2"),
        ({"model": "supersets without full rank"}, "bags must be one of labels themselves, .*, edited, got 'supersets"),
        (
            {"model": EDITED, "n_classes": 2},
            "probabilities of bags must sum to 1 for each true label, got 0 for label 1",
        ),
        ({"n_classes": 2, "column": "label 2"}, "edit must be one of label 0, label 1, got 'label 2'"),
        ({"probability_0_0": 0.7, "probability_2_0": 0.7}, "sum to 1 for each true label, got 2.4 for label 0"),
        ({"model": "mostly right", "probability_0_2": 0.9, "probability_2_2": 0.3}, "true label, got 1.35 for label 2"),
        ({"eta0": 0.7, "eta1": 0.7}, r"P\(y \| x\) must sum to 1, got 1.6"),
    ],
    ids=str,
)
def test_bad_values_are_refused_and_change_nothing(lab, changes, message):
    before = lab.values
    for refusing in (lab.set, LearnabilityLab):
        refuses(message, refusing, **changes)
    assert lab.values == before


@pytest.mark.parametrize("seed", range(8))
def test_the_swapped_world_has_the_same_bags_and_there_counting_is_right(seed):
    lab = LearnabilityLab(model="Lv et al., noisy", seed=seed, eta0=0.36, eta1=0.34, beside=OTHER_WORLDS[1])
    read = lab.readout()
    if set(read["counted_label"].split(" or ")) & set(read["best_label"].split(" or ")):
        assert "other_best" not in read
        assert conclusion(lab, -1) == "✓ nothing to swap here"
    else:
        assert (read["bags_gap"], read["other_best"]) == (0, read["counted_label"])
        assert learnability.same_bags(matrix(lab), eta(lab), lab.findings.other[:2])
        assert conclusion(lab, -1) == f"✗ same bags, other world: best {read['other_best']}"


def test_another_eta_with_the_same_bags_is_shown_wherever_there_is_one(lab):
    lab.show_process(SHORT).set(beside=OTHER_WORLDS[2])
    assert lab.readout()["bags_gap"] == 0
    assert lab.findings.other.process is matrix(lab)
    assert abs(lab.findings.other.eta - eta(lab)).max() > 0.1
    assert conclusion(lab.set(model="mostly right"), -1) == "✓ no other η has these bags"
    assert "bags_gap" not in lab.readout()
    for corner in np.eye(3):
        read = lab.show_process(FULL, corner).readout()
        assert read["other_best"] != read["best_label"]
    assert lab.set(model="two never apart", eta2=1).findings.other is None, "label 2 comes alone"
    lab.set(eta0=0.1, eta1=0.1, eta2=0.8)
    assert conclusion(lab, -1) == "✓ same bags, other world: best 2", "the same best label is no bad news"
    assert conclusion(lab.set(eta0=0.5, eta1=0.1), -1) == "✗ same bags, other world: best 1"


@pytest.mark.parametrize(
    ("n", "values"),
    [
        *((2000, values) for values in ({}, {"model": "first expert"}, {"eta1": 1.0}, {"eta2": 1.0})),
        (100, {"model": "Lv et al., noisy", "eta0": 0.34, "eta1": 0.33}),
    ],
)
def test_the_sample_follows_the_seed_and_its_distribution(n, values):
    """A small one misleads, and the verdict says so."""
    lab = LearnabilityLab(**values, n=n, seed=3)
    stream, distribution = np.random.default_rng(3), lab.bag_process.world.bag_distribution
    y = [next(c for c in range(lab.n_classes) if u < eta(lab)[: c + 1].sum() + 1e-15) for u in stream.random(n)]
    bags = learnability.draw_bags(matrix(lab), np.array(y), stream)
    assert lab.sample.bag_fractions == pytest.approx(
        [np.mean((bags == bag).all(axis=1)) for bag in every_bag(lab.n_classes)]
    )
    assert lab.sample.frequency == pytest.approx(bags.mean(axis=0))
    assert (abs(lab.sample.bag_fractions - distribution) <= 4 * np.sqrt(distribution * (1 - distribution) / n)).all()
    least, *_ = np.linalg.lstsq(matrix(lab), lab.sample.bag_fractions, rcond=None)
    assert conclusion(lab, 3) == f"{'✓' if n == 2000 else '✗'} the sample gives {vector_text(least)}"
    read, same = lab.readout(), {"decoded": 0, "decoded_label": 0}
    assert read.pop("sample_label") == largest(bags.mean(axis=0))
    assert (read["decoded"], read["decoded_label"]) == (pytest.approx(least, abs=1e-6), largest(least))
    assert read | same == lab.set(n=0).readout() | same, "all else is exact"


def test_a_new_sample_is_drawn_where_anything_is(lab):
    refuses("nothing is drawn here", press, lab, "New sample")
    assert lab.seed == 0
    for changes in ({"n": 100}, {"n": 0, "model": "Wen et al."}):
        before = lab.set(**changes).readout()
        press(lab, "New sample")
        assert lab.readout() != before
    assert lab.seed == 2


WORDS = {"picture", "numbers", "alt", "conclusions.lines", "conclusions.drawn"}
BARS = {"fractions.drawn", "bags.drawn"}
SAMPLED = WORDS | BARS | {"sample.bag_fractions", "sample.frequency", "findings.decoded"}
WORLD = {"bag_process.world", "findings.theta", "findings.decoded", "findings.other", "simplex.drawn"} | WORDS | BARS
OF_M = WORLD | {"bag_process.matrix", "process.drawn"}
OF_M |= {f"findings.{name}" for name in ("rank", "misaligned_eta", "misaligned_fraction")}


@pytest.mark.parametrize(
    ("start", "changes", "expected"),
    [
        ({}, {"eta0": 0.6}, WORLD | {"bag_process.eta"}),
        ({}, {"probability_0_0": 0.4}, OF_M),
        ({"model": "Wen et al."}, {"seed": 2}, OF_M | {"bag_process.eta"}),
        ({}, {"model": EDITED}, {"alt", "picture"}),
        ({}, {"column": "label 1"}, {"picture", "process.drawn"}),
        ({}, {"beside": OTHER_WORLDS[1]}, WORDS | BARS | {"findings.other", "simplex.drawn"}),
        ({}, {"n": 100}, SAMPLED),
        ({"n": 100}, {"seed": 2}, SAMPLED),
        ({}, {"seed": 2}, set()),
        (
            {"model": "first expert", "eta0": 0.4},
            {"probability_2_0": 1, "probability_012_1": 1, "eta2": 0.3, "seed": 1},
            set(),
        ),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(start, changes, expected):
    assert ran(LearnabilityLab(**start), **changes) == expected


def test_points_of_the_triangle_or_the_segment_are_eta(lab):
    corners, inside = ((0, 0, (1, 0, 0)), (1, 0, (0, 1, 0)), (0.5, 1, (0, 0, 1))), (0.4, 0.2, (0.5, 0.3, 0.2))
    segment = (1, 0.4, (1, 0)), (0.348, 0.4, (0.35, 0.65)), (-0.2, 0.4, (0, 1))
    for model, points in (
        ("permutation", (*corners, inside, (0.5, -0.3, (0.5, 0.5, 0)))),
        ("first expert", segment),
    ):
        lab.model = model
        for x, y, wanted in points:
            assert eta(lab.set(**lab.pick("simplex", x, y, None, 0))) == pytest.approx(wanted)
            assert lab.model == model
            *_, mark = lab.simplex.drawn.layers
            picked = lab.pick("simplex", float(mark.x[0]), float(mark.y[0]), "eta", 0)
            assert list(picked.values()) == pytest.approx(wanted)


@pytest.mark.parametrize("model", ["permutation", "first expert"])
def test_one_key_press_moves_eta(lab, model):
    """By a hundredth of the width."""
    (*_, mark), (left, right) = lab.set(model=model).simplex.drawn.layers, lab.simplex.axes().xlim
    for step in (0.01 * (right - left), 0.01 * (left - right)):
        assert lab.pick("simplex", float(mark.x[0]) + step, float(mark.y[0]), "eta", 0)["eta0"] != lab.eta0


def test_points_of_the_table_are_columns(lab):
    for x, label in ((0.5, 0), (1.99, 1), (2.01, 2), (-0.4, 0), (3.2, 2)):
        assert lab.set(**lab.pick("process", x, 4.0, None, 0)).column == f"label {label}"
    assert lab.set(model="first expert").pick("process", 2.4, 1.0, None, 0) == {"column": "label 1"}
    assert all(lab.pick(panel, 0.5, 0.1, None, 0) == {} for panel in ("conclusions", "bags", "fractions"))


def test_controls_follow_what_they_move(drawn):
    """A menu of columns that was made for two; a slider that moves others is drawn once; a hand moves in hundredths."""
    lab = LearnabilityLab(model="first expert")
    hand = page(lab)
    hand.move(model="permutation")
    hand.pick("process", 2.5, 1.5)
    assert lab.column == hand.values["column"] == "label 2"
    assert {"probability_0_2", "probability_0_0"} & set(hand.state["hidden"]) == {"probability_0_0"}
    for name, value, taken in (
        ("eta0", 0.364, 0.36),
        ("probability_1_0", 0.25, 0.25),
        ("probability_0_2", 0.123, 0.12),
    ):
        before = hand.number
        hand.move(**{name: value})
        assert (hand.number, hand.values[name], lab.values[name]) == (before + 1, taken, taken)
    assert (hand.values["model"], hand.values["probability_2_0"]) == (EDITED, pytest.approx(0.75 / 7))
    lab.set_from_page({"eta0": 1 / 3, "eta1": 2 / 3})
    assert eta(lab) == pytest.approx([1 / 3, 2 / 3, 0])
    hand.move(model="Wen et al.", seed=2**32 - 1)
    refuses("seed must be between", press, lab, "New sample")
    assert "cannot be shown" not in page(lab).message
    lab.close()
