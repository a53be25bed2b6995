"""LearnabilityLab: numbers beside plain Python, columns that sum to 1, worlds, samples."""

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
    SIZES,
    SWAPPED,
    draw_sample,
    swapped_world,
)
from knnviz.learnability import every_bag


@pytest.fixture
def lab():
    return LearnabilityLab()


def matrix(lab):
    n_classes = SIZES[lab.model]
    columns = []
    for column in COLUMNS[:n_classes]:
        names = column[: 2**n_classes]
        columns.append([lab.values[name] for name in names])
    return np.array(columns).T


def eta(lab):
    return np.array([lab.values[name] for name in ETA_NAMES[: SIZES[lab.model]]])


def largest(scores):
    threshold = max(scores) - 1e-9
    return " or ".join(str(y) for y, score in enumerate(scores) if score >= threshold)


def assert_as_by_hand(lab):
    read = lab.readout()
    process = matrix(lab)
    at = eta(lab)
    n_classes = len(at)
    held = process @ at @ every_bag(n_classes)
    rank = int((np.linalg.svd(process, compute_uv=False) > 1e-10).sum())
    counted = [at[int(y)] for y in largest(held).split(" or ")]

    expected = {
        "rank of M": rank,
        "aligned at eta": largest(held) == largest(at),
        "best label": largest(at),
        "in the most bags": largest(held),
        "by least squares": largest(at) if rank == n_classes else "none",
    }
    assert {name: read[name] for name in expected} == expected
    cost = max(at) - min(counted)
    assert read["cost of counting"] == pytest.approx(cost, abs=2e-6)

    sums = [*process.sum(axis=0), at.sum()]
    assert sums == pytest.approx([1] * (n_classes + 1), abs=1e-9)


@pytest.mark.parametrize("name", NAMED)
def test_numbers_are_those_of_plain_python(lab, name):
    assert_as_by_hand(lab.set(model=name))
    assert_as_by_hand(lab.set(eta0=1))


def test_moving_probabilities_scales_the_others_of_their_column(lab):
    before = matrix(lab.set(model="mostly right"))
    after = matrix(lab.set(probability_1_1=0.4))
    assert after[:, 1] == pytest.approx([0, 0.3, 0.4, 0, 0.3, 0, 0, 0])
    assert np.array_equal(after[:, [0, 2]], before[:, [0, 2]])
    assert lab.model == EDITED[3]
    assert_as_by_hand(lab)

    lab.set(eta1=0.5)
    assert eta(lab) == pytest.approx([0.5 * 0.5 / 0.7, 0.5, 0.5 * 0.2 / 0.7])

    lab.set(model="mostly right", probability_1_1=0.7)
    assert lab.model == "mostly right", "it has this probability"


def test_a_process_brings_its_number_of_labels(lab):
    never_alone = {"model": "never alone", "probability_2_2": 0.4, "eta2": 0.3}
    for changes in ({"model": "never alone"}, never_alone):
        lab.set(**changes)
        assert lab.model == "never alone"
        assert eta(lab).tolist() == [0.6, 0.4]

        assert lab.set(probability_0_0=0.5).model == EDITED[2]
        lab.model = "labels themselves"
        assert eta(lab).tolist() == [0.5, 0.3, 0.2]
    sentence = "^probabilities of bags if label 1 is true must sum to 1, got 0$"
    refuses(sentence, lab.set, model=EDITED[2], probability_1_1=0.0)


def test_in_the_swapped_world_counting_is_right(lab):
    read = lab.set(beside=SWAPPED).readout()
    other = swapped_world(matrix(lab), eta(lab))
    assert read["bags differ by"] == 0
    assert largest(other.eta) == read["in the most bags"]
    assert list(read["eta, other world"].values()) == pytest.approx(other.eta)

    read = lab.set(model="mostly right").readout()
    assert read["bags differ by"] == "none", "it is right in this world"


def test_a_slider_ends_before_the_proportions_of_other_bags_are_lost():
    lab = LearnabilityLab(model="even inclusion", eta0=0.5, probability_01_0=0.5)
    area = lab.readout()["counting errs on (part of area)"]
    end = lab.setting.ends["probability_01_0"][1]
    read = lab.set(probability_01_0=end).set(probability_01_0=0.5).readout()
    assert read["counting errs on (part of area)"] == pytest.approx(area)


@pytest.mark.parametrize("values", [{}, {"model": "first expert"}, {"eta2": 1.0}])
def test_the_sample_follows_the_seed(lab, values):
    read = lab.set(**values, n=2000, seed=3).readout()
    process = matrix(lab)
    at = eta(lab)
    stream = np.random.default_rng(3)
    y = np.searchsorted(at.cumsum() + 1e-15, stream.random(2000), side="right")
    bags = learnability.draw_bags(process, y, stream)

    sample = draw_sample(process, at, 2000, 3).bags
    fractions = [np.mean((bags == bag).all(axis=1)) for bag in every_bag(len(at))]
    assert sample == pytest.approx(fractions)

    solution = np.linalg.lstsq(process, sample)[0]
    assert read.pop("in the most bags") == largest(sample @ every_bag(len(at)))
    assert read.pop("by least squares") == largest(solution)
    assert [*read.pop("eta by least squares").values()] == pytest.approx(solution, abs=1e-6)
    del read["samples that are right"]
    assert read.items() <= lab.set(n=0).readout().items(), "all else is exact"


def test_samples_are_right_as_often_as_one_by_one():
    lab = LearnabilityLab(model="always both", probability_0_0=0.1, n=100)
    right = 0
    for seed in range(100):
        right += lab.set(seed=seed).readout()["by least squares"] == "0"
    assert lab.readout()["samples that are right"] == f"{right} of 100"
