"""LearnabilityLab without a front end: numbers beside plain Python and the paper's, columns, stages, presets, words."""

import numpy as np
import pytest
from hands import ran
from twins import reference

from knnviz import learnability
from knnviz.labs import LearnabilityLab
from knnviz.labs.engine.face import Face
from knnviz.labs.learnability import BESIDE
from knnviz.labs.processes import COLUMNS, EDITED, ETAS, MOST, NAMED, NAMES, chance_names
from knnviz.labs.simplex import share
from knnviz.learnability import EXAMPLES, MODELS, every_bag, misaligned_share

PAPER = reference("partial")

#: A process without full rank, and one with, that nobody has named.
SHORT = np.array(
    [[0, 0, 0], [0.2, 0.4, 0.3], [0.3, 0, 0.15], [0.5, 0.2, 0.35], [0, 0, 0], [0, 0.4, 0.2], *[[0] * 3] * 2]
)
ODD = np.array([[0.1, 0.2], [0.6, 0.1], [0, 0.3], [0.3, 0.4]])

#: Bags of all labels, whichever is true.
FULL = np.eye(8)[:, [7, 7, 7]]


@pytest.fixture
def lab():
    return LearnabilityLab()


def firsts(scores):
    """The labels with the largest score, as words."""
    return [str(y) for y, score in enumerate(scores) if score >= max(scores) - 1e-9]


def by_hand(lab):
    """The process, and the readout without a sample and without another world, loop by loop."""
    labels, values = range(lab.n_classes), lab.values
    names = ["none", "0", "1", "01", "2", "02", "12", "012"][: 2**lab.n_classes]
    eta = [values[f"eta{y}"] for y in labels]
    process = np.array([[values[f"chance_{bag}_{y}"] for y in labels] for bag in names])
    law = {bag: sum(process[row, y] * eta[y] for y in labels) for row, bag in enumerate(names)}
    held = [sum(share for bag, share in law.items() if str(y) in bag) for y in labels]
    rank = int((np.linalg.svd(process, compute_uv=False) > 1e-10).sum())
    whole = rank == lab.n_classes
    return process, {
        "rank": rank,
        "reconstructible": whole,
        "aligned_process": learnability.misaligned(process) is None,
        "aligned": firsts(held) == firsts(eta),
        "best_label": " or ".join(firsts(eta)),
        "counted_label": " or ".join(firsts(held)),
        "decoded_label": " or ".join(firsts(eta)) if whole else None,
        "decoded": tuple(eta) if whole else None,
        "frequency": tuple(held),
        "theta": max(eta) - min(eta[int(y)] for y in firsts(held)),
        "misaligned_share": misaligned_share(process),
        "mean_bag_size": sum(share * (bag != "none") * len(bag) for bag, share in law.items()),
    }


def assert_as_by_hand(lab):
    read, (process, mine) = lab.readout(), by_hand(lab)
    assert np.array_equal(lab.process, process)
    assert read.keys() - {"other_best", "law_gap", "sample_label"} == mine.keys()
    for name, value in mine.items():
        assert read[name] == (pytest.approx(value, abs=2e-6) if isinstance(value, float | tuple) else value), name
    return read


def assert_on_the_simplex(lab):
    """All chances and shares in range, columns and eta with sum 1."""
    assert all(0 <= lab.values[name] <= 1 for column in COLUMNS for name in column)
    assert lab.process.sum(axis=0) == pytest.approx(np.ones(lab.n_classes), abs=1e-9)
    assert lab.eta.sum() == pytest.approx(1, abs=1e-9)
    assert lab.process.shape == (2**lab.n_classes, lab.n_classes)


@pytest.mark.parametrize(
    "values",
    [
        *({"model": name} for name in NAMED),
        *({"model": name, "seed": 5, "n_classes": C} for name in MODELS for C in (2, 3)),
        {"chance_02_1": 0.35, "chance_1_1": 0.2, "eta2": 0.7},
    ],
    ids=str,
)
def test_numbers_are_those_of_plain_python(values):
    lab = LearnabilityLab(**values)
    assert_as_by_hand(lab)
    for eta in np.eye(lab.n_classes):
        assert_as_by_hand(lab.set(**dict(zip(ETAS, eta, strict=False))))


@pytest.mark.parametrize("process", [SHORT, ODD, FULL], ids=["short of rank", "two labels", "full bags"])
def test_any_process_is_shown(lab, process):
    shown = lab.show_process(process)
    assert shown is lab
    assert (lab.model, lab.n_classes) == (EDITED, process.shape[1])
    assert lab.process == pytest.approx(process, abs=1e-12)
    assert lab.eta == pytest.approx([0.5, 0.3, 0.2] if len(process) == 8 else [0.5, 0.5])
    assert_as_by_hand(lab)
    eta = np.linspace(0.1, 0.9, process.shape[1])
    lab.show_process(process, eta / eta.sum())
    assert lab.eta == pytest.approx(eta / eta.sum())
    assert_as_by_hand(lab)


def test_what_is_no_process_is_not_shown(lab):
    """The library tells what else is none."""
    before = lab.values
    for arrays, said in (
        ((EXAMPLES["supersets without full rank"].process,), "the lab shows two or three labels, got 4"),
        ((np.ones((8, 3)),), "each column of process must sum to 1, got 8 for label 0"),
        ((ODD, np.array([0.5, 0.3])), "eta must sum to 1 over the labels, got 0.8"),
        ((ODD, np.array([[0.5, 0.5]])), "eta must be that of one point"),
    ):
        with pytest.raises(ValueError, match=said):
            lab.show_process(*arrays)
        assert lab.values == before


#: What the name of a preset says of M, the chance that a bag holds a label together with another true one, and sizes.
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
    """Also after a column that was edited."""
    lab = LearnabilityLab(chance_0_0=0.3, column="label 2").show_preset(preset.name)
    assert lab.values == LearnabilityLab(**preset.values).values
    read, process = assert_as_by_hand(lab), lab.process
    sizes = {int(size) for size in every_bag(lab.n_classes).sum(axis=1)[process.any(axis=1)]}
    if preset.name in MODELS:
        drawn = MODELS[preset.name].draw(3, np.random.default_rng(0))
        assert (process, lab.eta) == (pytest.approx(drawn[0], abs=1e-12), pytest.approx(drawn[1], abs=1e-12))
        assert MODELS[preset.name].holds(*drawn)
        assert read["aligned"] or preset.name == "Lv et al., noisy"
    else:
        assert SAYS[preset.name](process, learnability.cooccurrence(process), sizes)
    if preset.values.get("beside"):
        assert read["law_gap"] == 0
        assert read["other_best"] != read["best_label"]
    assert f"{preset.values['model']}, at P(y | x) = " in lab.alt


def test_every_process_has_a_preset_or_is_in_the_menu_and_no_name_holds_an_answer():
    assert set(NAMED) == {name for name, example in EXAMPLES.items() if example.n_classes <= MOST}
    assert {preset.values["model"] for preset in LearnabilityLab.presets} == set(NAMES) - {"even inclusion"}
    words = {word for preset in LearnabilityLab.presets for word in preset.name.lower().replace(",", "").split()}
    assert not words & {
        "aligned",
        "misaligned",
        "misled",
        "unlearnable",
        "learnable",
        "reconstructible",
        "rank",
        "fails",
    }


@pytest.mark.parametrize("name", [name for name, row in PAPER["bag_processes"].items() if row["c"] <= MOST])
def test_rank_and_alignment_are_those_of_the_reference(name):
    lab, row = LearnabilityLab(model=name), PAPER["bag_processes"][name]
    read, tick = lab.readout(), "✓" if row["reconstructible"] else "✗"
    for key in ("rank", "reconstructible", "aligned_process"):
        assert read[key] == row[key]
    assert lab.said[0].startswith(f"{tick} rank {row['rank']} of {row['c']}: the bags")
    assert ("cannot" in lab.said[0]) == (not row["reconstructible"])
    if row["aligned_process"]:
        assert lab.said[1] == "✓ aligned at every η"
    else:
        assert lab.said[1] == f"✗ not aligned at η = ({', '.join(f'{q:g}' for q in row['misaligned_Q'])})"
    assert (lab.confused is None) == (row["confusable"] is None)


def test_the_permutation_is_undone_as_in_the_reference(lab):
    wanted, read = PAPER["permutation_decoding"], lab.readout()
    assert lab.eta.tolist() == [0.5, 0.3, 0.2]
    assert read["frequency"] == pytest.approx(wanted["P_S"], abs=1e-6)
    assert read["decoded"] == pytest.approx(wanted["recovered_Q"], abs=1e-6)
    assert (read["best_label"], read["counted_label"], read["decoded_label"]) == ("0", "1", "0")
    assert read["misaligned_share"] == 1


def test_two_experts_see_the_same_bags_and_name_different_labels():
    wanted, laws = PAPER["experts"], []
    for at, (model, best) in enumerate((("first expert", "0"), ("second expert", "1"))):
        lab = LearnabilityLab(model=model)
        read, law = lab.readout(), wanted[f"bag_law_{at + 1}"]
        laws.append(lab.world.law)
        assert laws[-1] == pytest.approx([0, law["1"], law["2"], law["12"]], abs=1e-6)
        assert read["frequency"] == pytest.approx(wanted["freq"], abs=1e-6)
        assert (read["aligned"], read["best_label"]) == (wanted["aligned"][at], best)
        assert read["reconstructible"] == wanted["reconstructible"][at]
    assert laws[0] == pytest.approx(laws[1], abs=1e-9)


def test_where_counting_errs_is_what_is_hatched(lab):
    """The share of the cells, which are a few thousand, is near the exact one."""
    for model in ("two never apart", "mostly right", "always both", "first expert", "Wen et al.", "Lv et al., noisy"):
        lab.set(model=model)
        regions, misled = lab.simplex_layers[:2]
        inside = regions.codes < lab.n_classes
        assert not misled.cells[~inside].any()
        assert misled.cells.sum() / inside.sum() == pytest.approx(lab.readout()["misaligned_share"], abs=0.02), model


def test_moving_one_chance_scales_the_others_of_its_column(lab):
    lab.set(model="mostly right")
    before = lab.process
    lab.chance_1_1 = 0.4
    assert lab.model == EDITED
    assert lab.process[:, 1] == pytest.approx(np.array([0, 0.3, 0.4, 0, 0.3, 0, 0, 0]))
    assert np.array_equal(lab.process[:, [0, 2]], before[:, [0, 2]])
    lab.chance_1_1 = 0.0
    assert lab.process[:, 1] == pytest.approx(np.array([0, 0.5, 0, 0, 0.5, 0, 0, 0]))
    lab.chance_0_1 = 1.0
    assert lab.process[:, 1].tolist() == np.eye(8)[1].tolist()
    lab.chance_0_1 = 0.3
    assert lab.process[:, 1] == pytest.approx(np.where(np.arange(8) == 1, 0.3, 0.1)), "even, since there is no ratio"
    assert_as_by_hand(lab)
    assert_on_the_simplex(lab)
    for at in (0.33, 0.66, 0.99, 0.66, 1 / 3, 0.02, 0.5):
        assert_on_the_simplex(lab.set(eta1=at, chance_01_2=at))
    assert lab.eta == pytest.approx([0.5 * 0.5 / 0.7, 0.5, 0.5 * 0.2 / 0.7])


@pytest.mark.parametrize(
    ("moved", "expected"),
    [
        ({"a": 0.6}, {"a": 0.6, "b": 0.24, "c": 0.16, "d": 0}),
        ({"a": 0.6, "d": 0.4}, {"a": 0.6, "b": 0, "c": 0, "d": 0.4}),
        ({"b": 0, "c": 0, "a": 0.2}, {"a": 0.2, "b": 0, "c": 0, "d": 0.8}),
        ({"a": 1 + 5e-10}, {"a": 1 + 5e-10, "b": 0, "c": 0, "d": 0}),
        ({"a": 0.7, "b": 0.7}, {"a": 0.7, "b": 0.7, "c": 0.2, "d": 0}),
        ({"a": -0.1}, {"a": -0.1, "b": 0.3, "c": 0.2, "d": 0}),
        ({"a": float("nan")}, {"a": float("nan"), "b": 0.3, "c": 0.2, "d": 0}),
    ],
    ids=str,
)
def test_what_is_left_is_shared_in_the_ratio_that_there_was(moved, expected):
    values = {"a": 0.5, "b": 0.3, "c": 0.2, "d": 0.0} | moved
    share(values, "abcd", list(moved))
    assert values == pytest.approx(expected, nan_ok=True)
    assert min(values[name] for name in "bcd") >= 0


def test_several_chances_of_a_column_leave_the_rest_to_the_others(lab):
    lab.set(model="mostly right", chance_0_0=0.3, chance_none_0=0.1, chance_012_2=0.5)
    assert lab.process[:, 0] == pytest.approx([0.1, 0.3, 0.3, 0, 0.3, 0, 0, 0])
    assert lab.process[:, 2] == pytest.approx([0, 0.075, 0.075, 0, 0.35, 0, 0, 0.5])
    assert lab.process[:, 1] == pytest.approx(EXAMPLES["mostly right"].process[:, 1])
    lab.set(chance_0_0=0.4, chance_1_0=0.6)
    assert lab.process[:, 0].tolist() == [0, 0.4, 0.6, 0, 0, 0, 0, 0]
    assert lab.set(model="permutation", chance_1_0=0).process[:, 0] == pytest.approx(
        np.where(np.arange(8) == 2, 0, 1 / 7)
    )


def test_a_model_becomes_edited_and_comes_back(lab):
    start = lab.values
    lab.chance_1_0 = 0.9
    assert lab.model == EDITED
    lab.chance_1_0 = 1.0
    assert (lab.model, lab.process.tolist()) == (EDITED, EXAMPLES["permutation"].process.tolist())
    read = lab.set(chance_0_1=0.5).readout()
    assert lab.set(seed=3).readout() == read, "nothing is drawn any more"
    assert lab.set(model="permutation", seed=0).values == start
    read = lab.readout()
    assert lab.set(model=EDITED).readout() == read
    assert np.array_equal(lab.process, EXAMPLES["permutation"].process)
    assert lab.set(model="mostly right", chance_1_1=0.7).model == "mostly right", "it has this chance"


def test_a_model_and_a_chance_together_are_an_edited_one(lab):
    lab.set(model="two never apart", chance_2_2=0.75)
    assert lab.model == EDITED
    assert lab.process[:, :2].tolist() == EXAMPLES["two never apart"].process[:, :2].tolist()
    assert lab.process[:, 2] == pytest.approx(np.where(np.arange(8) == 4, 0.75, 0.25 / 7))
    assert LearnabilityLab(model="first expert", chance_0_0=0.5).process[:, 0] == pytest.approx([0, 0.5, 0, 0.5])


def test_another_number_of_labels_brings_another_process(lab):
    """Also while sliders of the third label move."""
    lab.column = "label 2"
    for changes in ({"n_classes": 2}, {"model": "never alone", "chance_2_2": 0.4, "eta2": 0.3}):
        lab.set(**changes)
        assert (lab.model, lab.n_classes, lab.column) == ("never alone", 2, "label 0")
        assert lab.eta.tolist() == [0.6, 0.4]
        assert_as_by_hand(lab)
        lab.chance_0_0 = 0.5
        lab.n_classes = 3
        assert (lab.model, lab.eta.tolist()) == ("labels themselves", [0.5, 0.3, 0.2])
        assert lab.process.tolist() == EXAMPLES["labels themselves"].process.tolist()
        assert_as_by_hand(lab)
        assert_on_the_simplex(lab)


def test_models_that_are_drawn_have_two_labels_or_three(lab):
    for name, model in MODELS.items():
        for n_classes, seed in ((2, 4), (3, 0), (2, 2**32 - 1)):
            lab.set(model=name, n_classes=n_classes, seed=seed)
            drawn, eta = model.draw(n_classes, np.random.default_rng(seed))
            assert lab.process == pytest.approx(drawn, abs=1e-12)
            assert lab.eta == pytest.approx(eta, abs=1e-12)
    lab.set(model="Feng et al.", n_classes=3, seed=1, eta0=0.25)
    drawn, eta = MODELS["Feng et al."].draw(3, np.random.default_rng(1))
    assert lab.eta == pytest.approx([0.25, *(0.75 * eta[1:] / eta[1:].sum())])
    assert lab.model == "Feng et al."


def test_what_is_hidden_does_nothing(lab):
    assert lab.hidden(lab.values) == {"seed", *COLUMNS[1], *COLUMNS[2]}
    assert lab.hidden(lab.values | {"n": 10, "column": "label 2"}) == {*COLUMNS[0], *COLUMNS[1]}
    lab.set(model="first expert")
    shown = set(chance_names(2)[0]) | {"model", "n_classes", "eta0", "eta1", "beside", "n", "column"}
    assert lab.hidden(lab.values) == set(lab.parameters()) - shown
    read, words = lab.readout(), lab.alt
    for name in ("eta2", "chance_2_0", "chance_012_1", "chance_none_2", "seed"):
        lab.set(**{name: 1})
        assert (lab.readout(), lab.alt, lab.model) == (read, words, "first expert"), name
    assert_on_the_simplex(lab.set(model="permutation"))
    assert "seed" not in lab.hidden(LearnabilityLab(model="Wen et al.").values)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": "Wen et al.", "seed": 0.5}, "seed must be a whole number, got 0.5"),
        ({"model": "permutation", "n_classes": 2}, "permutation has 3 labels, got 2"),
        ({"model": "first expert", "n_classes": 3}, "first expert has 2 labels, got 3"),
        ({"model": "supersets without full rank"}, "bags must be one of labels themselves, .*, edited, got 'supersets"),
        ({"model": EDITED, "n_classes": 2}, "chances of bags must sum to 1 for each true label, got 0 for label 1"),
        ({"n_classes": 2, "column": "label 2"}, "edit must be one of label 0, label 1, got 'label 2'"),
        ({"chance_0_0": 0.7, "chance_2_0": 0.7}, "sum to 1 for each true label, got 2.4 for label 0"),
        ({"model": "mostly right", "chance_0_2": 0.9, "chance_2_2": 0.3}, "true label, got 1.35 for label 2"),
        ({"eta0": 0.7, "eta1": 0.7}, r"P\(y \| x\) must sum to 1, got 1.6"),
        ({"eta0": 0.5, "eta1": 0.5, "eta2": 0.5}, r"P\(y \| x\) must sum to 1, got 1.5"),
    ],
    ids=str,
)
def test_bad_values_are_refused_and_change_nothing(lab, changes, said):
    before = lab.values
    for refusing in (lab.set, LearnabilityLab):
        with pytest.raises(ValueError, match=said):
            refusing(**changes)
    assert lab.values == before


@pytest.mark.parametrize("seed", range(8))
def test_the_swapped_world_has_the_same_bags_and_there_counting_is_right(seed):
    lab = LearnabilityLab(model="Lv et al., noisy", seed=seed, eta0=0.36, eta1=0.34, beside=BESIDE[1])
    read = lab.readout()
    right = set(read["counted_label"].split(" or ")) & set(read["best_label"].split(" or "))
    assert ("other_best" in read) == (not right)
    if right:
        assert lab.said[-1] == "✓ nothing to swap here"
    else:
        assert read["law_gap"] == 0
        assert read["other_best"] == read["counted_label"]
        assert learnability.same_bags(lab.process, lab.eta, lab.other)
        assert lab.said[-1] == f"✗ same bags, other world: best {read['other_best']}"


def test_another_eta_with_the_same_bags_is_shown_wherever_there_is_one(lab):
    lab.show_process(SHORT).set(beside=BESIDE[2])
    assert lab.reconstructible is False
    assert lab.readout()["law_gap"] == 0
    assert lab.other.process is lab.process
    assert abs(lab.other.eta - lab.eta).max() > 0.1
    assert lab.set(model="mostly right").said[-1] == "✓ no other η has these bags"
    assert "law_gap" not in lab.readout()
    for eta in np.eye(3):
        read = lab.show_process(FULL, eta).readout()
        assert read["other_best"] != read["best_label"]
        assert read["law_gap"] == 0
    lab.set(model="two never apart", eta2=1)
    assert lab.other is None, "label 2 comes alone"
    lab.set(eta0=0.1, eta1=0.1, eta2=0.8)
    assert lab.said[-1] == "✓ same bags, other world: best 2", "the same best label is no bad news"
    assert lab.set(eta0=0.5, eta1=0.1).said[-1] == "✗ same bags, other world: best 1"


@pytest.mark.parametrize("values", [{}, {"model": "Lv et al., noisy", "eta0": 0.4}, {"model": "first expert"}], ids=str)
def test_the_sample_follows_the_seed_and_its_law(values):
    lab = LearnabilityLab(**values, n=2000, seed=7)
    stream = np.random.default_rng(7)
    y = [next(c for c in range(lab.n_classes) if u < lab.eta[: c + 1].sum() + 1e-15) for u in stream.random(2000)]
    bags = learnability.draw_bags(lab.process, np.array(y), stream)
    assert lab.sample == pytest.approx([np.mean((bags == bag).all(axis=1)) for bag in every_bag(lab.n_classes)])
    assert lab.sample.sum() == pytest.approx(1)
    assert lab.sample_held == pytest.approx(bags.mean(axis=0))
    law = lab.world.law
    assert (abs(lab.sample - law) <= 4 * np.sqrt(law * (1 - law) / 2000)).all()
    least, *_ = np.linalg.lstsq(lab.process, lab.sample, rcond=None)
    read = lab.readout()
    assert read.pop("sample_label") == " or ".join(firsts(bags.mean(axis=0)))
    assert read["decoded"] == pytest.approx(least, abs=1e-6)
    assert read | {"decoded": 0, "decoded_label": 0} == lab.set(n=0).readout() | {"decoded": 0, "decoded_label": 0}, (
        "all else is exact"
    )


def test_a_small_sample_may_mislead_and_says_so(lab):
    lab.set(model="Lv et al., noisy", eta0=0.34, eta1=0.33, n=100)
    decoded = lab.readout()["decoded"]
    assert np.argmax(decoded) != 0
    assert lab.said[3] == f"✗ the sample gives ({', '.join(f'{share:.3g}' for share in np.round(decoded, 3))})"
    assert lab.set(n=0).said[3] == "✓ least squares gives (0.34, 0.33, 0.33)"
    lab.set(model="labels themselves", n=2000)
    for label, eta in enumerate(np.eye(3)):
        lab.set(**dict(zip(ETAS, eta, strict=True)))
        assert lab.sample.tolist() == np.eye(8)[1 << label].tolist(), "one that is certain is drawn alone"


VIEW = {"panels", "picture"}
WORDS = VIEW | {"numbers", "said", "alt"}
AT_ETA = WORDS | {"eta", "world", "held", "theta", "decoded", "eta_layers", "share_layers", "bag_layers"}
OF_M = {
    *("process", "together", "reconstructible", "counterexample", "confused", "wrong_share"),
    *("simplex_layers", "table_layers"),
}
SAMPLED = WORDS | {"sample", "sample_held", "decoded", "share_layers", "bag_layers"}
#: Stages that only pass on what may or may not have changed.
STEADY = {"top", "axes", "counted"}


@pytest.mark.parametrize(
    ("start", "changes", "expected"),
    [
        ({}, {"eta0": 0.6}, AT_ETA),
        ({}, {"chance_0_0": 0.4}, (AT_ETA | OF_M) - {"eta", "eta_layers"}),
        ({}, {"model": "mostly right"}, (AT_ETA | OF_M) - {"eta", "eta_layers"}),
        ({"model": "Feng et al."}, {"seed": 2}, AT_ETA),
        ({"model": "Wen et al."}, {"seed": 2}, AT_ETA | OF_M),
        ({}, {"n_classes": 2}, AT_ETA | OF_M),
        ({}, {"model": EDITED}, {"alt", "picture"}),
        ({}, {"column": "label 1"}, VIEW | {"table_layers"}),
        ({}, {"beside": BESIDE[1]}, WORDS | {"other", "eta_layers", "share_layers", "bag_layers"}),
        ({}, {"n": 100}, SAMPLED),
        ({"n": 100}, {"seed": 2}, SAMPLED),
        ({}, {"seed": 2}, set()),
        ({"model": "first expert"}, {"chance_2_2": 0.3}, set()),
        ({"model": "first expert"}, {"eta2": 0.3}, set()),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(start, changes, expected):
    assert ran(LearnabilityLab(**start), **changes) - STEADY == expected


@pytest.mark.parametrize(
    ("x", "y", "eta"),
    [
        *((0, 0, (1, 0, 0)), (1, 0, (0, 1, 0)), (0.5, 1, (0, 0, 1)), (0.4, 0.2, (0.5, 0.3, 0.2))),
        *((0.5, -0.3, (0.5, 0.5, 0)), (0, 0.4, (0, 1)), (1, 0.4, (1, 0)), (0.348, 0.4, (0.35, 0.65))),
        *((-0.2, 0.4, (0, 1)), (1.7, 0.4, (1, 0))),
    ],
)
def test_places_on_the_triangle_or_the_segment_are_shares(x, y, eta):
    lab = LearnabilityLab(model="permutation" if len(eta) == 3 else "first expert")
    start = lab.model
    assert lab.set(**lab.pick("simplex", x, y)).eta == pytest.approx(eta)
    assert lab.model == start


def test_places_in_the_table_are_columns_and_the_handle_stands_at_eta(lab):
    for x, label in ((0.5, 0), (1.99, 1), (2.01, 2), (-0.4, 0), (3.2, 2)):
        assert lab.set(**lab.pick("process", x, 4.0)).column == f"label {label}"
    for values in ({}, {"eta2": 1.0}, {"model": "first expert"}, {"eta0": 0.0}):
        *_, mark = lab.set(**values).panels[0].layers
        picked = lab.pick("simplex", float(mark.x[0]), float(mark.y[0]))
        assert list(picked.values()) == pytest.approx(lab.eta.tolist(), abs=0.005)
    assert mark.spoken == ("label 0 0, label 1 1",)
    assert lab.set(**lab.pick("process", 2.4, 1.0)).column == "label 1"
    assert lab.pick("told", 0.5, 0.5) == lab.pick("bags", 2, 0.1) == lab.pick("shares", 1, 0.1) == {}


def test_drags_and_clicks_on_the_canvas(faced):
    def at(number, panel, x, y, mark=None):
        faced.face.canvas.picked = {"panel": panel, "x": x, "y": y, "number": number, "mark": mark, "index": 0}
        faced.readout()

    at(1, "simplex", 0.5, 1.0, "eta")
    assert [faced.face.controls[name].value for name in ETAS] == [0, 0, 1]
    at(2, "process", 2.5, 1.5)
    assert faced.face.controls["column"].value == "label 2"
    assert faced.face.controls["chance_0_2"].layout.display is None
    assert faced.face.controls["chance_0_0"].layout.display == "none"
    faced.face.controls["model"].value = "second expert"
    assert (faced.column, faced.face.controls["column"].value) == ("label 0", "label 0")
    at(3, "simplex", 0.25, 0.1, "eta")
    assert faced.eta.tolist() == [0.25, 0.75]
    assert faced.model == "second expert"


def test_a_lab_that_opens_with_two_labels_shows_the_third_column_later():
    """Its menu of columns was made while there were two."""
    lab = LearnabilityLab(model="first expert")
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.face.controls["column"].value = "label 2"
    assert "edit must be one of label 0, label 1, got &#x27;label 2&#x27;" in lab.face.message.value
    assert lab.face.controls["column"].value == "label 0"
    lab.face.controls["model"].value = "permutation"
    lab.face.canvas.picked = {"panel": "process", "x": 2.5, "y": 1.5, "number": 1, "mark": None, "index": 0}
    assert lab.column == lab.face.controls["column"].value == "label 2"
    assert "cannot be shown" not in lab.face.message.value
    lab.close()


def test_a_typed_seed_that_is_none_goes_back(faced):
    """And a hand moves shares in hundredths."""
    controls = faced.face.controls
    controls["model"].value = "Wen et al."
    for bad in (-3, 2**40):
        controls["seed"].value = bad
        assert "The last good value stays" in faced.face.message.value
        assert (faced.seed, controls["seed"].value) == (0, 0)
    controls["seed"].value = 2**32 - 1
    assert faced.seed == 2**32 - 1
    with pytest.raises(ValueError, match="seed must be between"):
        faced.new_sample()
    faced.set(model="first expert")._take({"eta0": 0.412345})
    assert faced.eta == pytest.approx([0.41, 0.59])
    faced._take({"chance_0_1": 0.123})
    assert faced.chance_0_1 == 0.12
    faced._take({"eta0": 1 / 3, "eta1": 2 / 3})
    assert faced.eta == pytest.approx([1 / 3, 2 / 3])


def test_a_new_sample_is_drawn_where_anything_is(lab):
    with pytest.raises(ValueError, match="nothing is drawn here"):
        lab.new_sample()
    assert lab.seed == 0
    for changes, drawn in (({"n": 100}, "sample"), ({"n": 0, "model": "Wen et al."}, "process")):
        before = getattr(lab.set(**changes), drawn)
        assert not np.array_equal(getattr(lab.new_sample(), drawn), before)
    assert lab.seed == 2


def test_edited_from_the_menu_and_another_model_after_it(faced):
    """A slider that moves others is drawn once."""
    controls = faced.face.controls
    for name, value in (("eta0", 0.36), ("chance_1_0", 0.25)):
        before = faced.face.canvas.frame["number"]
        controls[name].value = value
        assert faced.face.canvas.frame["number"] == before + 1
    assert controls["model"].value == EDITED
    assert controls["chance_2_0"].value == pytest.approx(0.75 / 7)
    for model in ("mostly right", EDITED):
        controls["model"].value = model
        assert [controls[name].value for name in COLUMNS[0]] == [0, 0.7, 0.15, 0, 0.15, 0, 0, 0]
    controls["n_classes"].value = 2
    assert (controls["model"].value, controls["eta0"].value) == ("never alone", 0.6)


def test_words_differ_and_hold_the_numbers_of_each_state(lab):
    states = [{}, {"eta0": 0.1}, {"chance_012_1": 0.2}, {"chance_none_0": 0.5}, {"beside": BESIDE[1]}, {"n": 50}]
    states += [{"seed": 1}, {"beside": BESIDE[2]}, {"model": "two never apart"}, {"n": 0}, {"n_classes": 2}]
    states += [{"model": EDITED}, {"model": "always both"}, {"model": "Cabannes et al."}, {"seed": 2}]
    told = []
    for changes in states:
        read = lab.set(**changes).readout()
        told.append(lab.alt)
        assert lab.numbers_text() in lab.alt
        assert all(line in lab.alt for line in lab.said)
        assert read.keys() - {"decoded", "frequency", "other_best"} <= lab.number_names.keys()
        for y in range(lab.n_classes):
            assert f"label {y}: {lab.eta[y]:.3g} and {lab.held[y]:.3g}" in lab.alt
    assert len(set(told)) == len(states)
    for word in ("nan", "None", "True", "False", "  ", "-0)", "(-0,"):
        assert word not in " ".join(told), word
    assert (
        "Bags if label 0 is true: {0} 0.6, {01} 0.4; if label 1 is true: {1} 0.6, {01} 0.4; "
        "if label 2 is true: {0} 0.3, {1} 0.3, {01} 0.4." in lab.set(model="a mixture of two").alt
    )


def test_scenes_come_back():
    for values in (
        {"chance_02_1": 0.35, "column": "label 2", "n": 30, "seed": 9},
        {"model": "Wen et al.", "seed": 4, "n_classes": 2, "beside": BESIDE[1]},
        {"model": "first expert", "chance_01_1": 0.21, "column": "label 1", "eta0": 1 / 3},
    ):
        lab = LearnabilityLab(**values)
        again = LearnabilityLab.from_scene(lab.scene())
        assert again.values == lab.values
        assert again.readout() == lab.readout()
        lab.set(n_classes=5 - lab.n_classes, n=0)
        assert lab.reset().values == again.values
