"""The mathematics of LearnabilityLab: numbers beside plain Python, columns that sum to 1, worlds,
samples.
"""

import numpy as np
import pytest
from refusals import refuses

from knnviz import learnability
from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability import (
    COLUMNS,
    EDITED,
    ETA_NAMES,
    NAMED,
    SAME_BAGS,
    SWAPPED,
    draw_sample,
    other_world,
)
from knnviz.learnability import MODELS, every_bag

#: A process without full rank that nobody has named, by label.
SHORT = [
    [0, 0.2, 0.3, 0.5, 0, 0, 0, 0],
    [0, 0.4, 0, 0.2, 0, 0.4, 0, 0],
    [0, 0.3, 0.15, 0.35, 0, 0.2, 0, 0],
]


@pytest.fixture
def lab():
    return LearnabilityLab()


def matrix(lab):
    names = [column[: 2**lab.n_classes] for column in COLUMNS[: lab.n_classes]]
    return np.array([[lab.values[name] for name in column] for column in names]).T


def eta(lab):
    return np.array([lab.values[name] for name in ETA_NAMES[: lab.n_classes]])


def largest(scores):
    return " or ".join(str(y) for y, score in enumerate(scores) if score >= max(scores) - 1e-9)


def assert_as_by_hand(lab):
    read = lab.readout()
    process = matrix(lab)
    at = eta(lab)
    held = process @ at @ every_bag(lab.n_classes)
    rank = int((np.linalg.svd(process, compute_uv=False) > 1e-10).sum())
    mine = {
        "rank of M": rank,
        "aligned at eta": largest(held) == largest(at),
        "best label": largest(at),
        "in the most bags": largest(held),
        "by least squares": largest(at) if rank == lab.n_classes else None,
        "cost of counting, theta": max(at) - min(at[int(y)] for y in largest(held).split(" or ")),
        "labels in a bag": held.sum(),
    }
    for name, value in mine.items():
        assert read[name] == (
            pytest.approx(value, abs=2e-6) if isinstance(value, float) else value
        ), name
    assert [*process.sum(axis=0), at.sum()] == pytest.approx([1] * (lab.n_classes + 1), abs=1e-9)


@pytest.mark.parametrize("name", [*NAMED, *MODELS])
def test_numbers_are_those_of_plain_python(lab, name):
    assert_as_by_hand(lab.set(model=name))
    assert_as_by_hand(lab.set(eta0=1))
    for n_classes, seed in ((2, 4), (3, 0), (2, 2**32 - 1)) if name in MODELS else ():
        drawn, its_eta = MODELS[name].draw(n_classes, np.random.default_rng(seed))
        assert matrix(lab.set(model=name, n_classes=n_classes, seed=seed)) == pytest.approx(
            drawn, abs=1e-12
        )
        assert eta(lab) == pytest.approx(its_eta, abs=1e-12)


def test_moving_probabilities_scales_the_others_of_their_column(lab):
    before = matrix(lab.set(model="mostly right"))
    after = matrix(lab.set(probability_1_1=0.4))
    assert after[:, 1] == pytest.approx([0, 0.3, 0.4, 0, 0.3, 0, 0, 0])
    assert np.array_equal(after[:, [0, 2]], before[:, [0, 2]])
    assert lab.model == EDITED
    assert eta(lab.set(eta1=0.5)) == pytest.approx([0.5 * 0.5 / 0.7, 0.5, 0.5 * 0.2 / 0.7])
    assert lab.set(model="mostly right", probability_1_1=0.7).model == "mostly right", (
        "it has this probability"
    )


def test_another_number_of_labels_brings_another_process(lab):
    for changes in (
        {"n_classes": 2},
        {"model": "never alone", "probability_2_2": 0.4, "eta2": 0.3},
    ):
        lab.set(**changes)
        assert (lab.model, lab.n_classes, eta(lab).tolist()) == ("never alone", 2, [0.6, 0.4])
        lab.set(probability_0_0=0.5).n_classes = 3
        assert (lab.model, eta(lab).tolist()) == ("labels themselves", [0.5, 0.3, 0.2])
    refuses("permutation has 3 labels, got 2", lab.set, model="permutation", n_classes=2)


def test_a_process_short_of_rank_has_another_eta_with_the_same_bags():
    process = dict(zip(np.ravel(COLUMNS).tolist(), np.ravel(SHORT), strict=True))
    lab = LearnabilityLab(model=EDITED, beside=SAME_BAGS, **process)
    assert_as_by_hand(lab)
    assert lab.readout()["bags differ by"] == 0


def test_in_the_swapped_world_counting_is_right(lab):
    read = lab.set(beside=SWAPPED).readout()
    other = other_world(matrix(lab), eta(lab), SWAPPED)
    assert (read["bags differ by"], largest(other.eta)) == (0, read["in the most bags"])
    assert list(read["eta, other world"].values()) == pytest.approx(other.eta)
    assert lab.set(model="mostly right").readout()["bags differ by"] is None, (
        "it is right in this world"
    )


@pytest.mark.parametrize("values", [{}, {"model": "first expert"}, {"eta2": 1.0}])
def test_the_sample_follows_the_seed(lab, values):
    read = lab.set(**values, n=2000, seed=3).readout()
    stream = np.random.default_rng(3)
    process = matrix(lab)
    at = eta(lab)
    y = [
        next(c for c in range(len(at)) if u < at[: c + 1].sum() + 1e-15)
        for u in stream.random(2000)
    ]
    bags = learnability.draw_bags(process, np.array(y), stream)
    sample = draw_sample(process, at, 2000, 3).bags
    assert sample == pytest.approx(
        [np.mean((bags == bag).all(axis=1)) for bag in every_bag(len(at))]
    )
    assert read.pop("in the most bags drawn") == largest(bags.mean(axis=0))
    assert read["by least squares"] == largest(np.linalg.lstsq(process, sample, rcond=None)[0])
    solved = {name: read[name] for name in ("by least squares", "eta by least squares")}
    assert read == lab.set(n=0).readout() | solved, "all else is exact"
    assert list(solved["eta by least squares"].values()) == pytest.approx(
        np.linalg.lstsq(process, sample)[0], abs=1e-6
    )


def test_points_of_the_table_are_columns(lab):
    for x, label in ((0.5, 0), (1.99, 1), (2.01, 2), (-0.4, 0), (3.2, 2)):
        assert lab.pick("process", x, 4.0) == {"column": f"label {label}"}
