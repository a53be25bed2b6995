"""The mathematics of LearnabilityLab: numbers beside plain Python, columns that sum to 1, worlds, samples."""

import numpy as np
import pytest
from refusals import refuses

from knnviz import learnability
from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability import COLUMNS, EDITED, ETA_NAMES, NAMED, SAME_BAGS, SWAPPED, draw_sample, other_world
from knnviz.learnability import EXAMPLES, MODELS, every_bag

#: A process without full rank, and one with, that nobody has named; bags of all labels, whichever is true.
SHORT = np.array([[0, 0.2, 0.3, 0.5, 0, 0, 0, 0], [0, 0.4, 0, 0.2, 0, 0.4, 0, 0], [0, 0.3, 0.15, 0.35, 0, 0.2, 0, 0]]).T
ODD = np.array([[0.1, 0.2], [0.6, 0.1], [0, 0.3], [0.3, 0.4]])
FULL = np.eye(8)[:, [7, 7, 7]]


@pytest.fixture
def lab():
    return LearnabilityLab()


def matrix(lab):
    names = [column[: 2**lab.n_classes] for column in COLUMNS[: lab.n_classes]]
    return np.array([[lab.values[name] for name in column] for column in names]).T


def eta(lab):
    return np.array([lab.values[name] for name in ETA_NAMES[: lab.n_classes]])


def edited(process, **values):
    """The lab at any process and a uniform eta."""
    n_classes = process.shape[1]
    names = [name for column in COLUMNS[:n_classes] for name in column[: 2**n_classes]]
    values |= dict.fromkeys(ETA_NAMES[:n_classes], 1 / n_classes) | dict(zip(names, process.T.ravel(), strict=True))
    return LearnabilityLab(model=EDITED, n_classes=n_classes, **values)


def largest(scores):
    return " or ".join(str(y) for y, score in enumerate(scores) if score >= max(scores) - 1e-9)


def assert_as_by_hand(lab):
    read, process, at = lab.readout(), matrix(lab), eta(lab)
    bags = ["".join(map(str, np.flatnonzero(bag))) for bag in every_bag(lab.n_classes)]
    distribution = dict(zip(bags, process @ at, strict=True))
    held = [sum(part for bag, part in distribution.items() if str(y) in bag) for y in range(lab.n_classes)]
    rank = int((np.linalg.svd(process, compute_uv=False) > 1e-10).sum())
    mine = {
        "rank of M": rank,
        "reconstructible": rank == lab.n_classes,
        "aligned at every eta": learnability.misaligned_eta(process) is None,
        "aligned at eta": largest(held) == largest(at),
        "best label": largest(at),
        "in most bags": largest(held),
        "by least squares": largest(at) if rank == lab.n_classes else None,
        "counting costs theta": max(at) - min(at[int(y)] for y in largest(held).split(" or ")),
        "counting errs on": learnability.misaligned_fraction(process),
        "labels in a bag": sum(part * len(bag) for bag, part in distribution.items()),
    }
    assert read.keys() - {"bags differ by"} == mine.keys()
    for name, value in mine.items():
        assert read[name] == (pytest.approx(value, abs=2e-6) if isinstance(value, float) else value), name
    assert [*process.sum(axis=0), at.sum()] == pytest.approx([1] * (lab.n_classes + 1), abs=1e-9)


@pytest.mark.parametrize("name", [*NAMED, *MODELS])
def test_numbers_are_those_of_plain_python(lab, name):
    assert_as_by_hand(lab.set(model=name))
    assert_as_by_hand(lab.set(eta0=1))
    for n_classes, seed in ((2, 4), (3, 0), (2, 2**32 - 1)) if name in MODELS else ():
        drawn, its_eta = MODELS[name].draw(n_classes, np.random.default_rng(seed))
        assert matrix(lab.set(model=name, n_classes=n_classes, seed=seed)) == pytest.approx(drawn, abs=1e-12)
        assert eta(lab) == pytest.approx(its_eta, abs=1e-12)


@pytest.mark.parametrize("process", [SHORT, ODD, FULL], ids=["short of rank", "two labels", "full bags"])
def test_any_process_is_shown(process):
    assert_as_by_hand(edited(process))


def test_moving_probabilities_scales_the_others_of_their_column(lab):
    before = matrix(lab.set(model="mostly right"))
    for changes, column in (
        ({"probability_1_1": 0.4}, [0, 0.3, 0.4, 0, 0.3, 0, 0, 0]),
        ({"probability_0_1": 1.0}, np.eye(8)[1]),
    ):
        assert matrix(lab.set(**changes))[:, 1] == pytest.approx(column)
        assert lab.model == EDITED
        assert np.array_equal(matrix(lab)[:, [0, 2]], before[:, [0, 2]])
    assert eta(lab.set(eta1=0.5)) == pytest.approx([0.5 * 0.5 / 0.7, 0.5, 0.5 * 0.2 / 0.7])
    assert lab.set(model="mostly right", probability_1_1=0.7).model == "mostly right", "it has this probability"


def test_another_number_of_labels_brings_another_process(lab):
    lab.column = "label 2"
    for changes in ({"n_classes": 2}, {"model": "never alone", "probability_2_2": 0.4, "eta2": 0.3}):
        lab.set(**changes)
        assert (lab.model, lab.n_classes, lab.column, eta(lab).tolist()) == ("never alone", 2, "label 0", [0.6, 0.4])
        lab.set(probability_0_0=0.5).n_classes = 3
        assert (lab.model, eta(lab).tolist()) == ("labels themselves", [0.5, 0.3, 0.2])


def test_values_that_do_not_go_together_are_refused(lab):
    for changes, message in (
        ({"model": "permutation", "n_classes": 2}, "permutation has 3 labels, got 2"),
        ({"model": EDITED, "n_classes": 2}, "must sum to 1, got 0"),
        ({"probability_0_0": 0.7, "probability_2_0": 0.7}, "if label 0 is true must sum to 1, got 2.4"),
        ({"eta0": 0.7, "eta1": 0.7}, r"P\(y \| x\) must sum to 1, got 1.6"),
    ):
        refuses(message, lab.set, **changes)
    refuses("nothing is drawn here", next(act for text, _, act in lab.actions() if text == "New sample"))


@pytest.mark.parametrize("seed", range(8))
def test_the_swapped_world_has_the_same_bags_and_there_counting_is_right(seed):
    lab = LearnabilityLab(model="Lv et al., noisy", seed=seed, eta0=0.36, eta1=0.34, beside=SWAPPED)
    read, other = lab.readout(), other_world(matrix(lab), eta(lab), SWAPPED)
    if set(read["in most bags"].split(" or ")) & set(read["best label"].split(" or ")):
        assert other is None
        assert "✓ nothing to swap here" in lab.alt
    else:
        assert (read["bags differ by"], largest(other.eta)) == (0, read["in most bags"])
        assert f"✗ same bags, other world: best {read['in most bags']}" in lab.alt


def test_another_eta_with_the_same_bags_is_shown_wherever_there_is_one(lab):
    assert edited(SHORT, beside=SAME_BAGS).readout()["bags differ by"] == 0
    assert "✓ no other η has these bags" in lab.set(model="mostly right", beside=SAME_BAGS).alt
    for corner in np.eye(3):
        assert largest(other_world(FULL, corner, SAME_BAGS).eta) != largest(corner)
    assert other_world(EXAMPLES["two never apart"].process, np.eye(3)[2], SAME_BAGS) is None, "label 2 comes alone"


@pytest.mark.parametrize("values", [{}, {"model": "first expert"}, {"eta1": 1.0}, {"eta2": 1.0}])
def test_the_sample_follows_the_seed_and_its_distribution(values):
    lab = LearnabilityLab(**values, n=2000, seed=3)
    process, at, stream = matrix(lab), eta(lab), np.random.default_rng(3)
    y = [next(c for c in range(len(at)) if u < at[: c + 1].sum() + 1e-15) for u in stream.random(2000)]
    bags = learnability.draw_bags(process, np.array(y), stream)
    sample, distribution = draw_sample(process, at, 2000, 3), process @ at
    assert sample.bags == pytest.approx([np.mean((bags == bag).all(axis=1)) for bag in every_bag(len(at))])
    assert (abs(sample.bags - distribution) <= 4 * np.sqrt(distribution * (1 - distribution) / 2000)).all()
    read = lab.readout()
    assert read.pop("in most bags drawn") == largest(bags.mean(axis=0))
    assert read["by least squares"] == largest(np.linalg.lstsq(process, sample.bags, rcond=None)[0])
    assert read == lab.set(n=0).readout() | {"by least squares": read["by least squares"]}, "all else is exact"


def test_points_of_the_simplex_are_eta_and_points_of_the_table_columns(lab):
    for x, y, wanted in ((0, 0, (1, 0, 0)), (0.5, 1, (0, 0, 1)), (0.5, -0.3, (0.5, 0.5, 0))):
        assert list(lab.pick("simplex", x, y).values()) == pytest.approx(wanted)
    for x, label in ((0.5, 0), (1.99, 1), (2.01, 2), (-0.4, 0), (3.2, 2)):
        assert lab.pick("process", x, 4.0) == {"column": f"label {label}"}
    assert lab.set(model="first expert").pick("simplex", -0.2, 0.4) == {"eta0": 0, "eta1": 1}
