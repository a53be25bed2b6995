"""Pictures of the close readings hold the numbers of the stored tables."""

from itertools import product

import numpy as np
import pytest

from knnviz.lessons import load
from knnviz_papers.errandonea.over_n import plot_over_n
from knnviz_papers.gao import accuracies
from knnviz_papers.khim import part_bars
from knnviz_papers.rittler import slopes


def layers_of(panel):
    return {layer.name: layer for layer in panel.layers}


def columns(rows, *names, **wanted):
    """Columns of the rows that have some values."""
    chosen = [row for row in rows if wanted.items() <= row.items()]
    return [np.array([row[name] for row in chosen]) for name in names]


def test_a_panel_for_each_axis_and_set_holds_the_accuracies():
    rows = {"k": load("gao_figure_2"), "n": load("gao_figure_4")}
    rows = {over: run.results["accuracy"] for over, run in rows.items()}
    data = dict.fromkeys(row["data"] for row in rows["k"])
    panels = accuracies.picture(rows).panels
    for panel, (over, name) in zip(panels, product(rows, data), strict=True):
        layers = layers_of(panel)
        for code, p1 in enumerate((0.1, 0.3, 0.4)):
            names = (over, "rknn", "rknn_se", "knn")
            x, robust, error, plain = columns(rows[over], *names, data=name, p1=p1)
            assert layers[f"rknn_{code}"].x == pytest.approx(x)
            assert layers[f"rknn_{code}"].y == pytest.approx(robust)
            assert layers[f"knn_{code}"].y == pytest.approx(plain)
            assert layers[f"rknn_{code}_band"].lower == pytest.approx(robust - 2 * error)


def test_bars_hold_the_parts_one_on_top_of_the_other():
    tables = load("khim_theorem_5").results
    panels = part_bars.picture(tables["parts"], tables["bounds"]).panels
    for panel, name in zip(panels, ("parts", "bounds"), strict=True):
        bars = panel.layers[0]
        parts = columns(tables[name], *"abcd", entry="tn")
        for code, tops in enumerate(np.cumsum(parts, axis=0)):
            assert bars.heights[bars.codes == code] == pytest.approx(tops)

    _, whiskers, dot = panels[0].layers
    error, spread = columns(tables["parts"], "error", "error_se", entry="tn")
    assert dot.y == pytest.approx(error)
    assert whiskers.y[::3] == pytest.approx(error - 2 * spread)
    assert whiskers.y[1::3] == pytest.approx(error + 2 * spread)


def test_disagreements_their_errors_and_promised_powers():
    tables = load("rittler_rates").results
    # With errors beyond the means, which no band shows on logarithmic axes.
    rows = [row | {"strict_se": row["strict"]} for row in tables["disagreement"]]
    rows = [row for row in rows if row["constant"] == 1]
    chosen = [row for row in tables["slopes"] if row["constant"] == 1]
    problem = rows[0]["problem"]
    layers = layers_of(slopes.picture(rows, chosen).panels[0])
    for learner, rule in product(("passive", "strict"), ("passive", "active")):
        n, mean, error = columns(rows, "n", learner, f"{learner}_se", problem=problem, rule=rule)
        name = f"{learner}_{rule}"
        band = layers[f"{name}_band"]
        lowest = np.maximum(mean - 2 * error, mean / 10)
        assert 10 ** layers[name].y == pytest.approx(mean, rel=1e-5)
        assert 10**band.upper == pytest.approx(mean + 2 * error, rel=1e-5)
        assert 10**band.lower == pytest.approx(lowest, rel=1e-5)
        # Each rule is that of one learner's theorem, at whose curve its power begins.
        if name in ("passive_passive", "strict_active"):
            ((power, *_),) = columns(chosen, "promised", problem=problem, rule=rule)
            promised = mean[0] * (n / n[0]) ** -power
            assert 10 ** layers[f"promised_{rule}"].y == pytest.approx(promised, rel=1e-5)


def test_over_n_what_is_measured_has_a_band_and_a_bound_has_none():
    values = [0.4, 0.2, 0.1]
    curves = {"errs": (values, [0.02, 0.01, 0.005]), "bound": ([3, 2, 1], None)}
    figure = plot_over_n("Risk", (100, 1000, 10_000), curves, "probability", (0, 1))
    (ax,) = figure.axes
    assert [line.get_ydata().tolist() for line in ax.lines] == [pytest.approx(values), [3, 2, 1]]
    (band,) = (area.get_paths()[0].vertices[:, 1] for area in ax.collections)
    assert (band.min(), band.max()) == pytest.approx((0.09, 0.44))
