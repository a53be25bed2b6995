"""Bags: the process behind them, common random numbers, and P(S_y | x)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses

from knnviz.bags import BagDraws, BagProcess
from knnviz.bounds.errandonea import largest_noise
from knnviz.problems import constant, contested, segments

DRAWS = BagDraws.draw(20_000, 4, 0)
X = np.random.default_rng(1).random((20_000, 2))
Y = np.random.default_rng(2).integers(0, 4, 20_000)

#: Enough of them where one bag out of place would do.
FEW = slice(0, 500)
FEWER = BagDraws(DRAWS.noise[FEW], DRAWS.replacement[FEW], DRAWS.joins[FEW])

kinds = st.sampled_from(["confusion", "other", "removal"])


def test_every_part_and_label_has_its_fraction_of_bags():
    for kind in ("confusion", "other", "removal"):
        process = BagProcess.clustered(X, 4, 3, bag_noise=0.3, kind=kind)
        bags, parts = process.draw(X, Y, DRAWS), process.parts(X)
        expected = process.cooccurrence()
        for part in range(5):
            for i in range(4):
                rows = (parts == part) & (i == Y)
                fraction, spread = bags[rows].mean(axis=0), expected[part, :, i]
                assert (abs(fraction - spread) <= 4.5 * np.sqrt(spread * (1 - spread) / rows.sum()) + 1e-12).all()


def test_the_fraction_of_bags_follows_eta():
    eta = np.random.default_rng(4).dirichlet(np.ones(4), 7)
    process = BagProcess.even_inclusion(4, 0.4, 0.2)
    # Its own label, w.p. 1 - nu or by chance; another one, by chance or by joining.
    own, other = 0.8 + 0.2 * (1 + 3 * 0.4) / 4, 0.8 * 0.4 + 0.2 * (1 + 3 * 0.4) / 4
    assert process.frequency(X[:7], eta) == pytest.approx(other + (own - other) * eta)
    assert process.frequency(X[:7], eta).sum(axis=1) == pytest.approx(np.full(7, 1 + 0.4 * 3))


@given(st.floats(0, 0.9), st.floats(0, 0.1), kinds)
def test_more_noise_only_ever_moves_more_bags(nu, more, kind):
    process = BagProcess.even_inclusion(4, 0.3, kind=kind)
    clean = process.draw(X[FEW], Y[FEW], FEWER)
    before, after = (replace(process, bag_noise=rate).draw(X[FEW], Y[FEW], FEWER) for rate in (nu, nu + more))
    changed = (before != clean).any(axis=1)
    assert (before[changed] == after[changed]).all()


@given(st.floats(0, 0.9), st.floats(0, 0.1))
def test_more_inclusion_only_ever_adds_labels(probability, more):
    processes = [BagProcess.even_inclusion(4, each) for each in (probability, probability + more)]
    before, after = (each.draw(X[FEW], Y[FEW], FEWER) for each in processes)
    assert (before <= after).all()
    assert before[np.arange(500), Y[FEW]].all()


def test_clusters_scale_with_their_largest_probability():
    half, whole = (BagProcess.clustered(X, 4, 7, largest=largest).inclusion for largest in (0.4, 0.8))
    wrong = ~np.eye(4, dtype=bool)
    assert half[:, wrong] == pytest.approx(whole[:, wrong] / 2)
    assert whole[:, wrong].max() <= 0.8
    assert (whole[:, ~wrong] == 1).all()
    assert np.ptp(np.where(wrong, whole, np.nan)[0, 0][1:]) == 0


def test_confusion_may_keep_the_label_and_the_others_may_not():
    alone = BagProcess.even_inclusion(4, 0, 1.0)
    assert alone.draw(X, Y, DRAWS)[np.arange(len(Y)), Y].mean() == pytest.approx(0.25, abs=0.02)
    assert not replace(alone, kind="other").draw(X, Y, DRAWS)[np.arange(len(Y)), Y].any()
    assert not replace(alone, kind="removal").draw(X, Y, DRAWS).any()


def test_parts_are_those_of_the_nearest_center():
    process = BagProcess(np.zeros((2, 2, 2)), centers=[[0.15], [0.45]])
    assert process.parts(np.array([[0.0], [0.29], [0.31], [1.0]])).tolist() == [0, 0, 1, 1]


def test_of_equally_near_centers_the_first_counts():
    centers, points = (np.random.default_rng(6).integers(0, 8, (size, 2)) for size in (40, 500))
    squares = ((points[:, None] - centers) ** 2).sum(axis=2)
    assert (np.sort(squares, axis=1)[:, 0] == np.sort(squares, axis=1)[:, 1]).any()
    assert (BagProcess(np.zeros((40, 2, 2)), centers=centers).parts(points) == squares.argmin(axis=1)).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda process: process.draw(X, Y, BagDraws.draw(20_000, 5, 0)),
            r"draws must be for 20000 points of 4 classes",
        ),
        (lambda process: process.draw(X[:9], Y, DRAWS), r"draws must be for 9 points of 4 classes, got \(20000, 4\)"),
        (
            lambda process: process.frequency(X[:2], np.full((3, 4), 0.25)),
            r"eta must be of shape .*, got \(3, 4\)",
        ),
        (
            lambda process: process.frequency(X[:2], np.full((2, 2), 0.5)),
            r"eta must be of shape .*, got \(2, 2\)",
        ),
        (lambda process: process.clustered(X, 1, 0), "n_classes must be between 2 and 255, got 1"),
        (lambda process: process.clustered(X[:4], 4, 0), "n_clusters must be between 1 and 4, got 5"),
    ],
)
def test_what_does_not_fit_is_refused(call, sentence):
    refuses(sentence, call, BagProcess.even_inclusion(4, 0.4))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"inclusion": np.zeros(3)}, r"inclusion must be of shape \(C, C\)"),
        ({"inclusion": np.full((2, 2), 1.5)}, "probabilities between 0 and 1"),
        ({"inclusion": np.zeros((2, 2)), "bag_noise": 1.2}, "bag noise nu must be between 0 and 1"),
        ({"inclusion": np.zeros((2, 2)), "kind": "noise"}, "kind must be"),
        ({"inclusion": np.zeros((2, 3, 3))}, "2 parts need as many centers"),
        ({"inclusion": np.zeros((2, 3, 3)), "centers": [[0.0]]}, "2 parts need as many centers"),
    ],
)
def test_what_is_refused(arguments, sentence):
    refuses(sentence, BagProcess, **arguments)


def test_the_line_in_pieces():
    x = np.array([[0.1], [0.3], [0.32], [0.5], [0.9], [1.0]])
    assert segments().eta(x).argmax(axis=1).tolist() == [0, 0, 0, 1, 2, 2]
    assert segments().eta(x).max(axis=1) == pytest.approx(5 / 7)
    assert contested().eta(x)[0] == pytest.approx([0.5, 0.4, 0.1])
    assert contested().eta(x)[1:] == pytest.approx(segments().eta(x)[1:])
    assert constant().eta(x) == pytest.approx(np.tile([0.5, 0.49, 0.01], (6, 1)))
    refuses("top must be between", segments, 3, 0.2)
    refuses("sum to 1", contested, fractions=(0.5, 0.2))


@given(st.floats(0, 1), st.floats(0.05, 0.9), kinds, st.integers(0, 10**6))
def test_parts_are_aligned_as_in_plain_code_and_always_below_nu_star(noise, largest, kind, seed):
    probabilities = np.repeat(largest * np.random.default_rng(seed).random((3, 4, 1)), 4, axis=2)
    process = BagProcess(probabilities, noise, kind, centers=[[0], [1], [2]])
    C = process.cooccurrence()
    expected = [all(C[p, i, i] > C[p, y, i] for i in range(4) for y in range(4) if y != i) for p in range(3)]
    assert process.aligned().tolist() == expected
    if noise < largest_noise(4, largest, kind):
        assert all(expected)
