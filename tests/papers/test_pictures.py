"""Pictures of the close readings: accuracies, parts of an error, and values over n."""

import numpy as np
import pytest

from knnviz_papers.errandonea.over_n import plot_over_n
from knnviz_papers.gao import accuracies
from knnviz_papers.khim import part_bars


def accuracy(data, p1, p0, k, rknn, knn):
    return {
        "data": data,
        "p1": p1,
        "p0": p0,
        "n": 10 * k,
        "k": k,
        "rknn": rknn,
        "rknn_se": 0.01,
        "knn": knn,
    }


ACCURACIES = [
    accuracy("big_set", 0.1, 0.2, 5, 0.8, 0.75),
    accuracy("big_set", 0.1, 0.2, 40, 0.9, 0.7),
    accuracy("big_set", 0.1, 0.2, 95, 0.85, 0.65),
    accuracy("big_set", 0.3, 0.1, 5, 0.7, 0.725),
    accuracy("small", 0.1, 0.2, 5, 0.6, 0.625),
]


def test_a_panel_for_each_axis_and_set_holds_the_accuracies():
    panels = accuracies.picture({"k": ACCURACIES, "n": ACCURACIES}).panels
    assert len(panels) == 4
    for panel, values in ((panels[0], [5, 40, 95]), (panels[2], [50, 400, 950])):
        *lines, band, _ = panel.layers
        rknn, knn, *others = lines
        for line in (rknn, knn):
            assert line.x.tolist() == values
        for line in others:
            assert line.x.tolist() == values[:1]
        assert rknn.y == pytest.approx([0.8, 0.9, 0.85])
        assert knn.y == pytest.approx([0.75, 0.7, 0.65])
        assert band.lower == pytest.approx([0.78, 0.88, 0.83])


def parts_of_error(n, entry, scale):
    return {
        "n": n,
        "entry": entry,
        "a": scale,
        "b": 2 * scale,
        "c": 3 * scale,
        "d": 4 * scale,
        "error": scale / 2,
        "error_se": scale / 10,
        "bound": 10 * scale,
    }


#: Parts at two sizes, and bounds on them.
MEASURED = [
    parts_of_error(1000, "tn", 0.01),
    parts_of_error(1000, "tp", 0.01),
    parts_of_error(1_000_000, "tn", 0.005),
    parts_of_error(1_000_000, "tp", 0.005),
]
BOUNDED = [parts_of_error(row["n"], row["entry"], 20 * row["a"]) for row in MEASURED]


def test_bars_hold_the_parts_one_on_top_of_the_other():
    seen, allowed = part_bars.picture(MEASURED, BOUNDED).panels
    for panel, scales in ((seen, [0.01, 0.005]), (allowed, [0.2, 0.1])):
        bars = panel.layers[0]
        for code, fraction in enumerate((1, 3, 6, 10)):
            stacked = fraction * np.array(scales)
            assert bars.heights[bars.codes == code] == pytest.approx(stacked)

    _, whiskers, dot = seen.layers
    assert dot.y == pytest.approx([0.005, 0.0025])
    assert whiskers.y[:2] == pytest.approx([0.003, 0.007])


def test_over_n_what_is_measured_has_a_band_and_a_bound_has_none():
    curves = {
        "errs": ([0.4, 0.2, 0.1], [0.02, 0.01, 0.005]),
        "excess": ([0.3, 0.1, 0.2], [0, 0, 0]),
        "bound": ([3, 2, 1], None),
    }
    figure = plot_over_n("Risk", (100, 1000, 10_000), curves, "probability", (0, 1))
    (ax,) = figure.axes
    assert [line.get_ydata().tolist() for line in ax.lines] == [
        pytest.approx(values) for values, _ in curves.values()
    ]
    band, no_band = [area.get_paths()[0].vertices[:, 1] for area in ax.collections]
    assert (band.min(), band.max()) == pytest.approx((0.09, 0.44))
    assert (no_band.min(), no_band.max()) == pytest.approx((0.1, 0.3))
