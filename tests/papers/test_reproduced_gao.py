"""The figures of Gao et al.: beside the reference run, and the shapes that the full ones show."""

import numpy as np
import pytest
from agreement import FALSE_ALARM
from reference_implementations import reference
from refusals import refuses
from scipy.stats import norm

from knnviz import checkerboard, risk
from knnviz.lessons import load
from knnviz_papers.gao import figure_1, substitutes, validation
from knnviz_papers.gao.draws import draw_figure_1

FIGURE, WIDGETS = reference("gao_figure1"), reference("gao")["widgets"]
KS, NOISE_NEIGHBORS = FIGURE["k_grid"], FIGURE["kprime_grid"]


def setting(row):
    return FIGURE["settings"][f"p0={row['p0']},p1={row['p1']}"]


def is_kept(name, found):
    """Whether a full run is the one that is kept, up to its rounding."""
    for table, rows in load(name).results.items():
        for row, wanted in zip(found[table], rows, strict=True):
            values = [pytest.approx(each, rel=1e-5) if isinstance(each, float) else each for each in wanted.values()]
            assert (list(row), list(row.values())) == (list(wanted), values)


def test_figure_1_is_the_reference_run():
    """All rows to 1e-9, before they are rounded; deviations over the flips too."""
    found = figure_1.gao_figure_1.__wrapped__()
    is_kept("gao_figure_1", found)
    assert {table: len(rows) for table, rows in found.items()} == {
        "bayes": 3,
        "limits": 4,
        "vote": 81,
        "known": 36,
        "estimated": 216,
    }
    for table in ("vote", "known", "estimated"):
        for row in found[table]:
            held, j = setting(row), KS.index(row["k"])
            curves = {
                "vote": held["knn_exact_on_test_points"],
                "known": held["rknn_known_exact_on_test_points"],
                "estimated": held["rknn_estimated_exact_on_test_points"].get(str(row.get("k_noise"))),
            }
            assert row["risk"] == pytest.approx(curves[table][j], abs=1e-9)
            assert row["reference"] == pytest.approx(curves[table][j], abs=5.1e-5)
            if table == "vote":
                # The reference divides by the number of flips, an error by one less.
                assert row["risk_se"] * 19**0.5 == pytest.approx(held["knn_exact_sd_over_flips"][j], abs=1e-9)
    for row in found["limits"]:
        assert row["risk"] == pytest.approx(setting(row)["knn_limit"], abs=1e-6)
        assert row["reference"] == pytest.approx(row["risk"], abs=6e-5)
    levels = [FIGURE[f"bayes_{name}"] for name in ("population", "on_test_points", "on_test_labels")]
    assert [row["risk"] for row in found["bayes"]] == pytest.approx(levels, abs=5e-6)


def test_figure_1_with_the_threshold_is_the_reference_run():
    for row in figure_1.gao_figure_1_threshold.__wrapped__(noise_neighbors=(5,))["known"]:
        wanted = setting(row)["threshold_rule_known_exact_on_test_points"][KS.index(row["k"])]
        assert row["risk"] == pytest.approx(wanted, abs=1e-9)
        assert row["reference"] == pytest.approx(wanted, abs=5.1e-5)


def test_one_neighbor_on_one_training_set_is_the_reference_run():
    for row in figure_1.gao_figure_1_one_nn.__wrapped__(repeats=2)["fixed"]:
        wanted = FIGURE["one_nn"][f"tau={row['tau']}"][FIGURE["c_sizes"].index(row["n"])]
        assert row["risk"] == pytest.approx(wanted, abs=1e-9)
        assert row["limit"] == pytest.approx(0.375 + row["tau"] / 4)


def test_in_full_one_neighbor_on_fresh_training_sets_agrees_with_the_reference():
    """Thirty means, of which none is to be apart by more than their number allows."""
    rows = load("gao_figure_1_one_nn").results["fresh"]
    for row in rows:
        (held,) = (each for each in FIGURE["one_nn_fresh"][f"tau={row['tau']}"] if each["n"] == row["n"])
        errors = np.hypot(row["risk_se"], held["se"])
        assert abs(row["risk"] - held["risk"]) < norm.isf(FALSE_ALARM / len(rows) / 2) * errors
        assert (row["reference"], row["reference_se"]) == pytest.approx((held["risk"], held["se"]), abs=5.1e-5)


def test_rates_are_those_of_the_reference_run():
    found = substitutes.gao_rates.__wrapped__()
    is_kept("gao_rates", found)
    rows = found["rates"]
    assert len(rows) == 54
    for row in rows:
        wanted = setting(row)["estimated_p0_p1"][str(row["k_noise"])]
        assert (row["p0_hat"], row["p1_hat"]) == pytest.approx(wanted, abs=1e-9)
        assert (row["reference_p0"], row["reference_p1"]) == pytest.approx(wanted, abs=5.1e-5)


def test_substitutes_are_those_of_the_reference_run():
    held = FIGURE["settings"]["p0=0.1,p1=0.3"]["rknn_estimated_exact_on_test_points"]
    for row in substitutes.gao_noise_neighbors.__wrapped__(noise_neighbors=NOISE_NEIGHBORS)["risks"]:
        assert row["risk"] == pytest.approx(held[str(row["k_noise"])][KS.index(200)], abs=1e-9)
    found = substitutes.gao_sample_size.__wrapped__()
    is_kept("gao_sample_size", found)
    for row, wanted in zip(found["risks"], FIGURE["sample_size"], strict=True):
        assert (row["n"], row["k"]) == (wanted["n"], wanted["k"])
        assert row["robust"] == pytest.approx(wanted["rknn_exact_on_test_points"], abs=1e-9)
        assert row["vote"] == pytest.approx(wanted["knn_exact_on_test_points"], abs=1e-9)
        assert (row["reference_robust"], row["reference_vote"]) == pytest.approx((row["robust"], row["vote"]), abs=6e-5)


def curves(name, table, **where):
    """Risks by k, in order, of the rows of a kept table that are so."""
    rows = load(name).results[table]
    return {row["k"]: row["risk"] for row in rows if all(row[key] == value for key, value in where.items())}


def test_in_full_one_neighbor_is_flat_at_its_limit():
    rows = load("gao_figure_1_one_nn").results["fresh"]
    for row in rows:
        assert row["risk"] == pytest.approx(row["limit"], abs=norm.isf(FALSE_ALARM / len(rows) / 2) * row["risk_se"])
        assert row["risk"] > 0.07 + checkerboard().bayes_risk()
    last = [row["risk"] for row in rows if row["n"] == 8000]
    assert np.diff(last) == pytest.approx(np.full(4, 0.025), abs=2e-3)


def test_in_full_the_best_k_grows_with_the_sample():
    for p0, p1 in ((0.2, 0.1), (0.1, 0.3), (0.4, 0.4)):
        best = []
        for n in (500, 2000, 8000):
            curve = curves("gao_neighbors", "risks", p0=p0, p1=p1, n=n)
            best.append(min(curve, key=curve.get))
        assert best[0] < best[1] < best[2]


def test_risks_of_limits_on_noisy_labels():
    rows = load("gao_validation").results["exact"]
    names = {"plateau": "plateau noisy-label validation p0=.1 p1=.3"}
    for row in rows:
        held = WIDGETS[names.get(row["problem"], f"sine p0={row['p0']} p1={row['p1']}")]
        true, noisy = ("knn_limit", "knn_limit") if row["rule"] == "kNN" else ("bayes", "clean_bayes")
        for value, wanted in (
            (row["risk"], held[true]),
            (row["noisy_risk"], held[f"noisy_label_risk_of_{noisy}"]),
            (row["reference"], held[true]),
            (row["reference_noisy"], held[f"noisy_label_risk_of_{noisy}"]),
        ):
            assert value == pytest.approx(wanted, abs=6e-5)
    for vote, best in zip(rows[::2], rows[1::2], strict=True):
        assert vote["risk"] >= best["risk"]
        assert vote["noisy_risk"] <= best["noisy_risk"]


def test_in_full_noisy_labels_switch_the_correction_off():
    """They pick the smallest k' nearly always, at a cost of 0.02 to 0.04; a fixed k' = k - 1 does better."""
    results = load("gao_validation").results
    noisy, clean, fixed = results["picked"]
    assert noisy["smallest_k_noise"] > 0.9
    assert clean["smallest_k_noise"] == 0
    assert 0.02 < noisy["risk"] - clean["risk"] < 0.04
    assert clean["risk"] < fixed["risk"] < noisy["risk"]
    for row in results["scores"]:
        if row["k_noise"] == 5:
            same_k = [each for each in results["scores"] if each["k"] == row["k"]]
            assert row["noisy_error"] == min(each["noisy_error"] for each in same_k)
            assert row["clean_error"] == max(each["clean_error"] for each in same_k)


def test_the_clean_scorer_sees_true_classes():
    sample = checkerboard().sample(60, 0)

    class Ones:
        def predict(self, X):
            return np.ones(len(X), int)

    rows = np.random.default_rng(0).permutation(60)[:20]
    scored = validation._clean_scorer(sample)(Ones(), sample.X[rows], np.zeros(20))
    assert scored == pytest.approx(sample.y[rows].mean())


def test_the_draws_of_fewer_flips_are_the_first_of_more():
    few, many = draw_figure_1(50, 10, 2, 3), draw_figure_1(50, 10, 5, 3)
    assert all(np.array_equal(*pair) for pair in zip(few, many._replace(v=many.v[:2]), strict=True))
    assert np.array_equal(many.flipped(0.1, 0.3)[1], few.flipped(0.1, 0.3)[1])
    large = draw_figure_1(20_000, 1, 2)
    flips = np.mean([labels != large.y for labels in large.flipped(0.1, 0.3)])
    assert flips == pytest.approx(0.2, abs=0.01)
    assert risk.held_out(many.y, (checkerboard().eta(many.X)[:, 1] > 0.5).astype(int)) < 0.5


def test_refusals():
    refuses("n must be between 1 and 100, got 250", figure_1.gao_figure_1_one_nn, n=100, m=10)
    refuses("largest k' must be between 1 and 99, got 400", substitutes.gao_rates, n=100)
    known = "errandonea_digits, errandonea_images, gao_comparison, gao_figures, gao_tables, khim, khim_comparison"
    refuses(f"no published values are named 'dice'; there are {known}", reproduce.published, "dice")
