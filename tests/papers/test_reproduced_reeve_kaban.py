"""Reeve & Kaban in simulation: beside the reference runs, and what the full ones say."""

import numpy as np
import pytest
from reference_implementations import reference
from refusals import refuses
from scipy.stats import beta, binom
from sklearn.neighbors import KNeighborsClassifier

from knnviz import NeighborTable
from knnviz.lessons import load, published
from knnviz.problems import plateau, ramp
from knnviz_papers.reeve_kaban import extremes, learners, limits, pointwise, risks
from knnviz_papers.reeve_kaban.comparison import COLUMNS, SIZES, NoisyProblem, compare, theorem_k
from knnviz_papers.simulate import means_and_errors, over_samples, quantile_and_error

PLATEAU = reference("reeve_kaban")["plateau"]["p0=0.1,p1=0.3"]
NOISY = NoisyProblem.of(plateau(0.1, 0.3))


def held(table):
    """Rows of the second program, by what they run over."""
    rows = published("reeve_section_5")[table]
    return {row["n" if table == "risks" else "k"]: row for row in rows}


@pytest.mark.parametrize("n", SIZES)
def test_risks_from_the_reference_s_own_draws(n):
    """Every number of its table, with the errors: the same samples, so the same up to the grid of the integral."""
    row, rng = held("risks")[n], np.random.default_rng(0)
    assert theorem_k(n) == row["k"]
    found = np.array([compare(NOISY, NOISY.problem.sample(n, rng), [row["k"]])[0] for _ in range(row["repeats"])])
    assert found.mean(axis=0) == pytest.approx([row[name] for name in COLUMNS], abs=1e-8)
    ours = means_and_errors(found, COLUMNS)
    for name in ("vote", "robust", "known"):
        assert ours[f"{name}_se"] == pytest.approx(row[f"{name}_se"], abs=1e-9)


def test_extremes_from_the_reference_s_own_draws(monkeypatch):
    """Every number of its second table, bounds too."""
    rng, rows = np.random.default_rng(0), held("maximum")
    found = np.array([extremes._estimates(NOISY, NOISY.problem.sample(2000, rng), list(rows)) for _ in range(200)])
    monkeypatch.setattr(extremes, "over_samples", lambda *given: found)
    for row, wanted in zip(extremes.reeve_maximum.__wrapped__()["estimates"], rows.values(), strict=True):
        assert {name: row[name] for name in wanted} == pytest.approx(wanted, abs=1e-9)


def eta_corr(x):
    """Of the plateau, whose level is 7/12, at p0 = 0.1 and p1 = 0.3."""
    return 0.1 + 0.6 * (1.5 * x if x < 7 / 18 else 7 / 12 if x < 13 / 18 else (3 * x - 1) / 2)


def test_errors_at_a_point_are_those_of_plain_python():
    sample = NOISY.problem.sample(60, seed=5)
    found = pointwise._errors(NOISY, sample, np.array([1, 7, 30]))
    labels = NOISY.noise.flip(sample.y, sample.v).tolist()
    xs = sample.X[:, 0].tolist()
    for j, x in enumerate((0.0, 0.55, xs[0])):
        nearest = sorted(range(60), key=lambda i, x=x: abs(xs[i] - x))
        for i, k in enumerate((1, 7, 30)):
            vote = sum(labels[q] for q in nearest[:k]) / k
            smooth, true = sum(eta_corr(xs[q]) for q in nearest[:k]) / k, eta_corr(x)
            farthest = max(abs(eta_corr(xs[q]) - true) for q in nearest[:k])
            expected = abs(vote - true), abs(vote - smooth), abs(smooth - true), farthest
            assert found[j, i] == pytest.approx(expected, abs=1e-12)


def test_in_full_errors_at_a_point_are_within_theorem_4_1_and_of_the_exact_distributions():
    """The mass of the ball around 0 is of a Beta distribution, the votes on the plateau of a binomial one."""
    rows = load("reeve_pointwise").results["errors"]
    for row in rows:
        n, k, chance = row["n"], row["k"], 3 * (0.05 * 0.95 / 20_000) ** 0.5
        assert row["vote_bound"] == pytest.approx((np.log(60) / (2 * k)) ** 0.5, rel=1e-5)
        assert row["smooth_bound"] == pytest.approx(0.9 * 2 * k / n, rel=1e-5)
        assert row["bound"] == pytest.approx(row["vote_bound"] + row["smooth_bound"], rel=1e-5)
        assert row["error"] < 2 / 3 * row["bound"]
        assert row["smooth"] <= row["farthest"] < row["smooth_bound"]
        assert row["vote"] < row["vote_bound"]
        if row["point"] == "x = 0":
            ends = (min(0.9 * beta.ppf(0.95 + by, k, n - k + 1), 0.35) for by in (-chance, chance))
            assert next(ends) * (1 - 1e-5) <= row["farthest"] <= next(ends) * (1 + 1e-5)
        if row["point"] == "x = 0.55" and k <= 400:
            votes = np.arange(k + 1)
            errors, probabilities = abs(votes / k - 0.45), binom.pmf(votes, k, 0.45)
            for name in ("error", "vote"):
                assert probabilities[errors > row[name] + 1e-6].sum() <= 0.05 + chance
                assert probabilities[errors > row[name] - 1e-6].sum() >= 0.05 - chance
    # At the end of the line one k is best for both.
    ends = [row for row in rows if row["point"] == "x = 0"]
    best = min(ends, key=lambda row: row["bound"])
    assert (best["k"], best["error"]) == (100, min(row["error"] for row in ends))


def test_in_full_risks_agree_with_the_reference_from_other_draws():
    """Forty-two means within three standard errors of both, the estimates of the noise by the errors of ours."""
    for row in load("reeve_risks").results["risks"]:
        wanted = held("risks")[row["n"]]
        assert row["k"] == wanted["k"]
        for name in COLUMNS:
            error = wanted.get(f"{name}_se", row[f"{name}_se"] * (40 / wanted["repeats"]) ** 0.5)
            assert abs(row[name] - wanted[name]) < 3 * np.hypot(row[f"{name}_se"], error), (row["n"], name)


def test_in_full_extremes_agree_with_the_reference_from_other_draws():
    rows = load("reeve_maximum").results["estimates"]
    assert [row["k"] for row in rows] == list(held("maximum"))
    for row in rows:
        wanted = held("maximum")[row["k"]]
        for name in ("p0_hat", "p1_hat", "p1_error"):
            assert abs(row[name] - wanted[name]) <= 3 * 2**0.5 * row[f"{name}_se"], (row["k"], name)
        assert (row["bound"], row["bound_sharp"]) == pytest.approx((wanted["bound"], wanted["bound_sharp"]), rel=1e-5)


def test_in_full_a_million_points_do_not_help_knn_and_algorithm_2_needs_no_telling():
    for row in load("reeve_risks").results["risks"]:
        assert row["vote_limit"] == pytest.approx(PLATEAU["knn_limit"], rel=1e-5)
        assert row["bayes_risk"] == pytest.approx(PLATEAU["bayes"], rel=1e-5)
        if row["n"] >= 16_000:
            assert row["vote"] == pytest.approx(PLATEAU["knn_limit"], abs=0.003)
        if row["n"] >= 64_000:
            assert PLATEAU["bayes"] < row["known"] < row["robust"] < 0.3062
            # Both estimates are too high; the threshold depends on their difference, and is off by less than either.
            assert row["p0_hat"] > 0.1 + 2 * row["p0_hat_se"]
            assert row["p1_hat"] > 0.3 + 2 * row["p1_hat_se"]
            assert abs(row["theta_hat"] - 0.4) < min(row["p0_hat"] - 0.1, row["p1_hat"] - 0.3)


def test_in_full_every_error_of_the_maximum_is_within_the_bound_and_cancels_in_the_threshold():
    rows = load("reeve_maximum").results["estimates"]
    for row in rows:
        assert row["p1_error_95"] < row["bound_sharp"] < row["bound"]
        assert row["theta_error"] < row["p1_error"]
    low, right, high = (next(row for row in rows if row["k"] == k) for k in (10, 100, 800))
    assert low["p1_hat"] < 0.05 < 0.28 < right["p1_hat"] < 0.3 < 0.45 < high["p1_hat"]


def test_in_full_the_threshold_of_algorithm_2_is_the_middle_of_the_range():
    rows = load("reeve_range").results["ranges"]
    for row in rows:
        assert row["eta_threshold"] == pytest.approx(row["middle"], abs=0.02)
        assert row["robust"] == pytest.approx(row["robust_limit"], abs=0.005)
        wrong = abs(row["middle"] - 0.5) > 1e-9
        assert (row["robust"] > row["known"] + 0.005) == wrong == (row["robust_limit"] > row["bayes_risk"] + 1e-6)
    # On a ramp from a to b with its middle m as threshold the points between m and 1/2 are misclassified.
    excess = {row["problem"]: row["robust_limit"] - row["bayes_risk"] for row in rows}
    assert excess["ramp(low=0, high=0.8)"] == pytest.approx(0.1**2 / 0.8, abs=1e-5)
    assert excess["ramp(low=0.55, high=0.95)"] == pytest.approx(0.15, abs=1e-5)


def test_in_full_rates_are_slow_then_fast_then_those_of_the_theorem():
    """On the plateau: while the votes' noise hides it, while it is being resolved, and after; on a ramp throughout."""
    rows = load("reeve_rate").results["rates"]
    assert {(row["theorem_beta_0"], row["theorem_beta_1"]) for row in rows} == {(0.333333, 0.666667)}
    for rule in ("robust", "known"):
        early, middle, late = (
            row for row in rows if (row["problem"], row["rule"]) == ("plateau(p0=0.1, p1=0.3)", rule)
        )
        assert early["exponent"] < 2 / 3 - 2 * early["exponent_se"]
        assert middle["exponent"] > 1 > 2 / 3 + 2 * middle["exponent_se"]
        assert late["exponent"] == pytest.approx(2 / 3, abs=2 * late["exponent_se"])
        for row in rows:
            if row["rule"] == rule and row["problem"].startswith(("ramp", "terrace(m=0.8")):
                assert row["exponent"] == pytest.approx(2 / 3, abs=4 * row["exponent_se"])


def test_in_full_plain_knn_is_consistent_on_two_levels_that_noise_does_not_carry_across():
    """Gaps above and below w = 1/6; near it the limit is far away, and more neighbors lead there."""
    rows = [row for row in load("reeve_two_levels").results["levels"] if row["n"] == max(SIZES)]
    for row in rows:
        gap = 0.5 - row["bayes_risk"]
        assert row["vote_limit"] == pytest.approx(0.5 - gap if gap > 1 / 6 else 0.5, abs=1e-5)
        assert row["robust"] == pytest.approx(row["bayes_risk"], abs=5e-4)
    for low in (0.33, 0.34):
        far, near = (row for row in rows if row["problem"].startswith(f"levels(low={low},"))
        assert abs(near["vote"] - near["vote_limit"]) < abs(far["vote"] - far["vote_limit"]) - 0.02


def test_in_full_noisy_labels_prefer_the_rule_that_is_worse():
    results = load("reeve_validation").results
    limits = {row["rule"]: (row["risk"], row["noisy_risk"]) for row in results["limits"]}
    assert limits["vote"] == pytest.approx((0.37963, 0.372222), abs=1e-5)
    assert limits["robust"] == pytest.approx((0.305556, 0.416667), abs=5e-5)
    for row in results["validated"]:
        assert row["vote"] - row["robust"] > 0.04
        assert row["vote_noisy"] < row["robust_noisy"] - 0.02
        assert (row["clean_picks_vote"], row["noisy_picks_vote"] > 0.9) == (0, True)


def test_in_full_consistent_learners_have_the_limits_of_knn():
    results = load("reeve_inconsistency").results
    (limit,) = results["limits"]
    assert limit == pytest.approx({"risk": 0.37963, "noisy_risk": 0.372222, "robust_risk": 0.305556}, abs=2e-6)
    names = {row["learner"] for row in results["risks"]}
    assert names == {"kNN", *learners.LEARNERS}
    for name in names:
        rows = [row for row in results["risks"] if row["learner"] == name]
        assert (np.diff([row["noisy_risk"] for row in rows]) < 0).all()
        assert (np.diff([row["robust_risk"] for row in rows]) < 0).all()
        assert rows[-1]["noisy_risk"] == pytest.approx(limit["noisy_risk"], abs=2e-4)
        assert rows[-1]["risk"] == pytest.approx(limit["risk"], abs=0.003)
        assert rows[-1]["robust_risk"] == pytest.approx(limit["robust_risk"], abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_windows_and_scikit_learn_agree_on_a_sample(seed):
    """Three risks of kNN with either search, up to the cells of one of them."""
    sample = NOISY.problem.sample(500, seed)
    from_cells = learners._learner_risks(NOISY, lambda n: KNeighborsClassifier(theorem_k(n)), sample)
    assert learners._knn_risks(NOISY, sample) == pytest.approx(from_cells, abs=1e-4)


def test_the_histogram_rule_is_the_fraction_of_labels_in_a_bin():
    rng, bins = np.random.default_rng(0), 1000 // theorem_k(1000)
    X, y = rng.random((1000, 1)), rng.integers(0, 2, 1000)
    fractions = learners.LEARNERS["histogram"](1000).fit(X, y).predict_proba(X)[:, 1]
    bin_of = ((X[:, 0] - X.min()) / np.ptp(X) * bins).astype(int).clip(max=bins - 1)
    assert fractions == pytest.approx((np.bincount(bin_of, y) / np.bincount(bin_of))[bin_of], abs=1e-9)


def test_validation_points_are_those_after_the_sample():
    """Fractions of errors of both rules, by a search of all neighbors; exact risks are near those of many points."""
    n, m, k = 300, 100, 41
    for seed in range(20):
        sample = NOISY.problem.sample(n + m, seed)
        *_, clean, noisy = limits._validated(NOISY, sample, m, k)
        observed = NOISY.noise.flip(sample.y, sample.v)
        ones = observed[:n][NeighborTable.build(sample.X[:n], sample.X, k).indices].sum(axis=1)
        vote, robust = 2 * ones[n:] >= k, 2 * ones[n:] >= ones[:n].min() + ones[:n].max()
        for wins, labels in ((clean, sample.y[n:]), (noisy, observed[n:])):
            assert wins == (np.sum(vote != labels) < np.sum(robust != labels))


def test_runs_do_not_depend_on_their_number_or_on_each_other():
    noisy_problem = NoisyProblem.of(ramp())
    many, few = (
        over_samples(lambda sample: compare(noisy_problem, sample, [20])[0], noisy_problem.problem, 100, runs, 3)
        for runs in (5, 2)
    )
    assert np.array_equal(many[:2], few)
    alone = compare(noisy_problem, noisy_problem.problem.sample(100, np.random.default_rng([3, 100, 4])), [9, 20])[1]
    assert many[4].tolist() == alone
    assert len(np.unique(many[:, 0])) > 1


def test_a_quantile_and_its_error():
    values = np.arange(401) / 400
    found = quantile_and_error("x", values, 0.95)
    assert found["x"] == pytest.approx(0.95)
    assert found["x_se"] == pytest.approx((0.95 * 0.05 / 401) ** 0.5)


def test_refusals():
    too_few = "a rate needs at least two sizes, but from 250 to 999 there are fewer"
    refuses(too_few, risks.reeve_rate, ranges=((250, 999),))
    refuses("low must be below high", extremes.reeve_range, ranges=((0.5, 0.5),))
    refuses("fraction must be", limits.reeve_two_levels, fraction=0)
    refuses("m must be at least 1, got 0", limits.reeve_validation, m=0)
