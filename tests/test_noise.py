"""Label noise, and its rates from smoothed labels: hand cases, reference runs, plain twins."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import generators, reference, sorted_neighbors, tables
from refusals import refuses

from knnviz import LabelNoise, NeighborTable, VoteProfile, checkerboard, noise
from knnviz.neighbors import Windows
from knnviz.noise import estimate, misled_points, smoothed
from knnviz.problems import jump

GAO = reference("gao")
SAMPLE = checkerboard().sample(4000, 0)
NOISE = LabelNoise(0.1, 0.3)
LINE = NeighborTable.build(np.arange(5.0)[:, None], None, 5)
LABELS = np.array([0, 0, 1, 1, 0])
ONES = np.linspace(0, 1, 1001)
ETA = np.stack([1 - ONES, ONES], axis=1)


@given(st.floats(0, 0.49), st.floats(0, 0.49))
def test_a_label_flips_where_its_number_is_below_the_rate_of_its_class(p0, p1):
    """So higher rates only ever flip more."""
    flipped = LabelNoise(p0, p1).flip(SAMPLE.y, SAMPLE.v) != SAMPLE.y
    assert np.array_equal(flipped, SAMPLE.v < np.array([p0, p1])[SAMPLE.y])


def test_a_seed_draws_the_flips_of_texts():
    """The first text in sorted order is class 0, wherever it stands."""
    texts = np.array(["wide", "tall"])[1 - SAMPLE.y]
    v = np.random.default_rng(3).random(len(SAMPLE.y))
    for seed in (3, np.random.default_rng(3)):
        flipped = LabelNoise(0.0, 0.4).flip(list(texts), seed=seed)
        assert np.array_equal(flipped != texts, (texts == "wide") & (v < 0.4))


@pytest.mark.parametrize(
    "pair",
    [(0, 1), (2, 4), (0.0, 1.0), (3.0, 4.0), (False, True), ("no", "yes"), (b"no", b"yes")],
)
@pytest.mark.parametrize("kind", [None, object])
def test_labels_come_back_in_their_own_type(pair, kind):
    """As without noise, and flipped where those of codes 0 and 1 are."""
    pair = np.array(pair, kind)
    flipped = NOISE.flip(pair[SAMPLE.y], SAMPLE.v)
    assert flipped.dtype == pair.dtype
    assert {type(label) for label in flipped.tolist()} == {type(pair.tolist()[0])}
    assert np.array_equal(flipped, pair[NOISE.flip(SAMPLE.y, SAMPLE.v)])
    unflipped = LabelNoise().flip(pair[SAMPLE.y])
    assert unflipped.dtype == pair.dtype
    assert np.array_equal(unflipped, pair[SAMPLE.y])


def test_codes_are_codes_also_where_one_does_not_occur():
    v = np.array([0.1, 0.2, 0.6, 0.7])
    for kind in (int, float, bool, object):
        ones = np.ones(4, kind)
        flipped = LabelNoise(0.0, 0.5).flip(ones, v)
        assert flipped.tolist() == [0, 0, 1, 1]
        assert flipped.dtype == ones.dtype
    refuses("needs two classes, got '2'", NOISE.flip, [2, 2])


def test_bad_rates_and_labels_are_refused():
    refuses(r"0.70 \+ 0.40", LabelNoise, 0.7, 0.4)
    refuses("sum to 1", NOISE.corrupt, np.full((2, 2), 0.6))
    refuses("'0', '1', '2'", NOISE.flip, np.array([0, 1, 2]), np.full(3, 0.5))
    refuses("988 more", NOISE.flip, np.arange(1000))
    refuses("missing labels in row 0", NOISE.flip, [None, 1])
    refuses("got 5", estimate, LINE, LABELS, 5)
    refuses("2 rows for 5", estimate, NeighborTable.build(np.eye(5), np.eye(5)[:2], 4), LABELS, 3)
    refuses("other labels", estimate, VoteProfile.build(LINE, 1 - LABELS, 2), LABELS, 2)


@pytest.mark.parametrize("margin", [0, 0.0505])
def test_misled_points_do_not_pass_the_threshold_by_the_margin(margin):
    """A_Delta by its definition, and with the moved threshold A'_Delta = {0 < |eta - 1/2| < Delta /
    (1 - p0 - p1)}.
    """
    noisy = NOISE.corrupt(ETA)
    distance = abs(ONES - 0.5)
    undecided = distance <= 1e-9
    clear_ones = (ONES > 0.5) & (noisy[:, 1] >= 0.5 + margin)
    clear_zeros = (ONES < 0.5) & (noisy[:, 1] <= 0.5 - margin)
    misled = misled_points(ETA, noisy, margin=margin)
    assert np.array_equal(misled, ~clear_ones & ~clear_zeros & ~undecided)

    moved = misled_points(ETA, noisy, 0.4, margin)
    assert np.array_equal(moved, (distance < margin / NOISE.contrast) & ~undecided)


def test_decimal_rates_tie_as_decimals():
    """eta_corr is exactly 1/2 on half of the line, whatever doubles make of the rates: votes there
    are fair coins.
    """
    _, eta = jump(0.3).cells(100)
    for p0, p1 in ((0.3, 0.45), (0.1, 0.4)):
        noisy = LabelNoise(p0, p1).corrupt(eta)
        assert not misled_points(eta, noisy).any()


def test_smoothed_labels_of_the_hand_cases():
    """Five points on a line, and points that coincide, which push one out of its own list."""
    hand = GAO["hand_cases"]
    coinciding = NeighborTable.build(np.array([[0.0], [0.0], [0.0], [1.0]]), None, 4)
    cases = [
        (LINE, LABELS, 2, "own", "line5_gao_votes_kp2"),
        (LINE, LABELS, 2, "order", "line5_reeve_votes_k3"),
        (LINE, LABELS, 1, "order", "line5_reeve_votes_k2"),
        (coinciding, LABELS[:4], 1, "own", "dup_gao_votes_kp1"),
        (coinciding, LABELS[:4], 1, "order", "dup_reeve_votes_k2"),
    ]
    for *case, name in cases:
        assert smoothed(*case).tolist() == hand[name]
    assert estimate(LINE, LABELS, 2) == (Fraction(1, 3), Fraction(1, 3))
    low, high = estimate(LINE, LABELS, 1, "order")
    assert (low, 1 - high) == (hand["line5_min_k2"], hand["line5_max_k2"])


@given(tables())
def test_rates_are_those_of_a_search_among_the_others(case):
    """The threshold is the midrange of the smoothed labels; votes that are counted already give the
    same rates.
    """
    X, _, k_noise, rng = case
    assume(k_noise < len(X))
    observed = rng.integers(0, 2, len(X))
    train = NeighborTable.build(X, None, k_noise + 1)
    others, _ = sorted_neighbors(X, X, k_noise, left_out=np.arange(len(X)))
    everyone, _ = sorted_neighbors(X, X, k_noise + 1)
    counts = {
        "own": observed + observed[others].sum(axis=1),
        "order": observed[everyone].sum(axis=1),
    }
    for votes, ones in counts.items():
        assert np.array_equal(smoothed(train, observed, k_noise, votes), ones)
        rates = estimate(train, observed, k_noise, votes)
        low, high = (Fraction(int(each), k_noise + 1) for each in (ones.min(), ones.max()))
        assert rates == (low, 1 - high)
        assert rates.degenerate == (low == high)
        known = (Fraction(1, 2), (0, 0))
        if low < high:
            known = ((low + high) / 2, (float(low), float(1 - high)))
        assert (rates.threshold, rates.as_flip_rates) == known

        counted = VoteProfile.build(train, observed, 2)
        assert estimate(counted, observed, k_noise, votes) == rates
        assert estimate(train, 1 - observed, k_noise, votes) == (rates.p1, rates.p0)


@given(st.integers(2, 60), generators)
def test_windows_on_a_line_give_the_same_rates(n, rng):
    X = rng.random((n, 1))
    observed = rng.integers(0, 2, n)
    k_noise = int(rng.integers(1, n))
    windows = Windows.from_points(X)
    train = NeighborTable.build(X, None, k_noise + 1)
    for votes in noise.SMOOTHINGS:
        rates = estimate(windows, observed, k_noise, votes)
        assert rates == estimate(train, observed, k_noise, votes)
