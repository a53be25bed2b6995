"""Runs of Errandonea et al., once more in plain code where they have mathematics of their own."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import sem
from sklearn.datasets import load_digits

from knnviz.bags import BagProcess
from knnviz.bounds.errandonea import largest_noise
from knnviz.learnability.comparison import BagSplit, best_votes, compare_rules
from knnviz.problems import from_bags
from knnviz.profiles import BallProfile
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz_papers.errandonea import line, linear, promises, rate
from knnviz_papers.errandonea.clusters import aligned_fraction
from knnviz_papers.errandonea.comparison import compare_on_bags
from knnviz_papers.errandonea.examples import stopping_k
from knnviz_papers.errandonea.linear_rivals import LINEAR_LOSSES, linear_rival
from knnviz_papers.paired_tests import mark


def test_rows_of_rules_on_bags_are_those_of_their_comparison():
    """Paired with PL A-kNN; the last class has no point, and a bag in ten lacks its label."""
    rng = np.random.default_rng(1)
    y = np.arange(140) % 3
    noises = (0.0, 0.4)
    X = rng.normal(size=(140, 5)) + 1.2 * np.eye(5)[y]
    S = rng.random((140, 4)) < 0.3
    S |= np.eye(4, dtype=bool)[y] & (rng.random((140, 1)) < 0.9)
    rules = {
        "PL A-kNN": PartialAdaptive(0.5, 0.1, 50),
        "A-kNN": Adaptive(0.5, 0.1, 50),
        "CLPL": linear_rival(LINEAR_LOSSES["CLPL"]),
    }
    options = {"splits": 3, "seed": 3, "k_max": 100, "bags": S, "preparation": "tabular"}
    *_, run = compare_rules(X, y, rules, noises, kind="removal", **options)

    clouds = from_bags(X, S, y, name="clouds")
    *_, last = compare_on_bags(clouds, 3, 3, noises=noises, rivals=("CLPL",))
    rows = {(row["rule"], row["nu"]): row for row in last}
    best_k, errors_of_best = best_votes(run.vote_errors)
    for j, nu in enumerate(noises):
        errors = dict(zip(rules, run.errors[:, j].T, strict=True))
        errors |= {"10-NN": run.vote_errors[:, j, 9], "best k": errors_of_best[:, j]}
        for rule, own in errors.items():
            gaps = own - errors["PL A-kNN"]
            row = rows[rule, nu]
            found = [row[name] for name in ("error", "error_se", "above", "above_se")]
            wanted = [own.mean(), sem(own), gaps.mean(), sem(gaps)]
            assert found == pytest.approx(wanted, abs=1e-12)
            if rule != "PL A-kNN":
                assert row["mark"] == mark(errors["PL A-kNN"], own)

        adaptive = rows["PL A-kNN", nu]
        ks = [rows[rule, nu]["k"] for rule in ("best k", "10-NN", "CLPL")]
        assert ks == [best_k[j], 10, None]
        assert adaptive["k"] == run.stop_k[:, j, 0].mean()
        assert adaptive["decided"] == run.decided[:, j, 0].mean()


def test_a_tuned_rival_is_that_of_a_plain_loop(monkeypatch):
    """CLPL on two splits of the digits, picked by the bags of the last fifth of the training
    points.
    """
    loss = LINEAR_LOSSES["CLPL"]
    monkeypatch.setattr(linear, "LINEAR_LOSSES", {"CLPL": loss})
    digits, y = load_digits(return_X_y=True)
    errors = []
    for stream in np.random.SeedSequence(0).spawn(2):
        split = BagSplit.draw(digits, y, stream)
        X = split.X
        bags = split.bags(0.3)
        fit, held_out = np.split(np.arange(len(X)), [len(X) - round(0.2 * len(X))])

        hits = {}
        for step, alpha in product((0.005, 0.05), (1e-4, 1e-2, 1e-1)):
            rule = linear_rival(loss, step, alpha)
            predicted = rule.fit(X[fit], bags[fit]).predict(X[held_out])
            hits[rule] = bags[held_out, predicted].sum()

        picked = max(hits, key=hits.get)
        wrong = picked.fit(X, bags).predict(split.X_test) != split.y_test
        errors.append(np.mean(wrong))

    (row,) = linear.errandonea_linear_tuned((0.3,), 2)["tuned"]
    assert row["value"] == pytest.approx(np.mean(errors))


def test_misaligned_bags_are_those_of_their_constants():
    problems = line.bag_problems()
    misaligned = problems["misaligned"]
    X = np.array([[0.1], [0.2999], [0.3001]])
    eta = np.array([[0.5, 0.4, 0.1]] * 3)
    expected = np.array([[0.55, 0.94, 0.19], [0.55, 0.94, 0.19], [0.7, 0.64, 0.46]])
    assert misaligned.process.frequency(X, eta) == pytest.approx(expected)
    assert misaligned.limit == pytest.approx(0.1 * 0.3)
    assert problems["aligned"].limit == 0


def test_what_is_wrong_on_a_sample():
    rule = promises.PartialAdaptive(0.5, 0.1, 30, vc_dimension=2)
    points = np.array([[0.1], [0.34], [0.9]])
    wrong = promises.wrong_points(rule, 60, points, np.random.default_rng([5]))
    table, bags = promises.neighbors_and_bags(60, points, np.random.default_rng([5]))
    labels = rule.scan(table, bags, 3).labels
    assert wrong.tolist() == (labels != [0, 1, 2]).tolist()


def test_the_kinked_line_has_the_smoothness_and_the_margin_of_its_constants():
    """In all balls around points of the line frequencies are off by L times the mass at most, and
    somewhere by it.
    """
    measure, eta = rate.kinked().cells(800)
    process = BagProcess.from_inclusion(2, rate.INCLUSION)
    frequency = process.frequency(measure.points, eta)
    masses = np.arange(1, 801) / 800
    around = BallProfile.build(measure, frequency, masses=masses.tolist())
    off = abs(around.frequency[1:] - around.frequency[0]).max(axis=2)
    steepest = (off / around.masses[1:, None]).max()
    assert 0.99 * rate.L < steepest <= rate.L * (1 + 1e-3)

    lead = abs(frequency[:, 0] - frequency[:, 1])
    held = max(np.mean(lead <= t) / t for t in np.linspace(0.05, 1, 200))
    assert 0.98 * rate.C2 < held <= rate.C2 * (1 + 1e-9)


@given(st.floats(0, 1), st.floats(0.1, 5))
def test_a_gap_stops_where_the_band_has_shrunk_to_it(gap, band_constant):
    ks = np.arange(1, 2001)
    bands = band_constant / np.sqrt(ks)
    # Where an inequality is one of rounding either side is right.
    assume((abs(gap - bands) > 1e-9).all())
    stops = ks[gap >= bands]

    found = stopping_k(gap, band_constant)
    if found <= 2000:
        assert found == stops[0]
    else:
        assert not len(stops)


@pytest.mark.parametrize("kind", ["confusion", "other", "removal"])
def test_fractions_of_aligned_clusters_by_sampling(kind):
    draws = np.random.default_rng(1).random((20_000, 5, 1))
    centers = np.arange(20_000.0)[:, None]
    noises = (0.1, 0.4, 0.6, 0.75, 0.85, 0.95, 1.0)
    for largest, nu in product((0.3, 0.8, 1.0), noises):
        inclusion = np.repeat(largest * draws, 5, axis=2)
        process = BagProcess(inclusion, nu, kind, centers)
        fraction = aligned_fraction(5, nu, largest, kind)
        limit = largest_noise(5, largest, kind)

        sampled = process.true_label_leads().mean()
        spread = sqrt(fraction * (1 - fraction) / 20_000)
        assert abs(sampled - fraction) <= 4 * spread + 1e-12
        assert (fraction == 1) == (nu < limit)
