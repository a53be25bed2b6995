"""Accuracies of RkNN and kNN on data sets, tested on their layers and as a notebook keeps them."""

from io import BytesIO

import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure
from PIL import Image
from refusals import refuses

from knnviz.views import accuracy, plot_accuracies, style
from knnviz.views.layers import Band, Lines


def row(data, p1, p0, k, rknn, knn):
    return {"data": data, "p1": p1, "p0": p0, "n": 10 * k, "k": k, "rknn": rknn, "rknn_se": 0.01, "knn": knn}


ROWS = [
    row("big_set", 0.1, 0.2, 5, 0.8, 0.75),
    row("big_set", 0.1, 0.2, 40, 0.9, 0.7),
    row("big_set", 0.1, 0.2, 95, 0.85, 0.65),
    row("big_set", 0.3, 0.1, 5, 0.7, 0.725),
    row("small", 0.1, 0.2, 5, 0.6, 0.625),
]


def test_a_panel_for_each_axis_and_set_holds_the_rows():
    panels = accuracy.picture({"k": ROWS, "n": ROWS}).panels
    assert [panel.axes.name for panel in panels] == ["k_big_set", "k_small", "n_big_set", "n_small"]
    assert [panel.axes.title for panel in panels] == ["big set", "small", "", ""]
    assert [panel.axes.ylabel for panel in panels] == ["accuracy", "", "accuracy", ""]
    for panel, factor in ((panels[0], 1), (panels[2], 10)):
        *lines, band, other = panel.layers
        assert [line.name for line in lines] == ["rknn_0", "knn_0", "rknn_1", "knn_1"]
        assert [line.x.tolist() for line in lines] == [[5 * factor, 40 * factor, 95 * factor]] * 2 + [[5 * factor]] * 2
        assert lines[0].y == pytest.approx([0.8, 0.9, 0.85])
        assert lines[1].y == pytest.approx([0.75, 0.7, 0.65])
        assert (lines[0].dash, lines[1].dash) == ((), (4, 3))
        assert [line.color for line in lines] == [style.class_color(code) for code in (0, 0, 1, 1)]
        assert band.lower == pytest.approx([0.78, 0.88, 0.83])
        assert isinstance(other, Band)
        assert all(isinstance(line, Lines) for line in lines)


def test_a_notebook_keeps_it_small_and_with_its_words():
    drawn, expected = plot_accuracies({"k": ROWS}), accuracy.picture({"k": ROWS})
    data, metadata = DisplayFormatter().format(drawn)
    image = Image.open(BytesIO(data["image/png"]))
    assert isinstance(drawn, Figure)
    assert image.size == tuple(2 * side for side in expected.size)
    assert len(image.getcolors()) <= 64
    width, height = expected.size
    assert metadata["image/png"] == {"width": width, "height": height, "alt": expected.alt}


def test_refusals():
    refuses("axes must be some of k, k_noise, n, got p1", plot_accuracies, {"p1": ROWS})
    refuses("axes must be some of k, k_noise, n, got none", plot_accuracies, {})
    refuses("there are no rows to draw", plot_accuracies, {"k": []})
