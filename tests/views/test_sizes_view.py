"""Curves over the sample size, tested on their layers and words."""

import pytest
from refusals import refuses

from knnviz.views import plot_over_n, sizes
from knnviz.views.layers import Band, Lines

CURVES = {
    "errs": ([0.4, 0.2, 0.1], [0.02, 0.01, 0.005]),
    "excess": ([0.3, 0.1, 0.2], [0, 0, 0]),
    "bound": ([3, 2, 1], None),
}
ARGUMENTS = "Risk", (100, 1000, 10_000), CURVES, "probability", (0, 1)


def test_what_is_measured_has_a_band_and_a_bound_is_dashed():
    (panel,) = sizes.picture(*ARGUMENTS).panels
    layers = {layer.name: layer for layer in panel.layers}
    assert list(layers) == ["curve_0_band", "curve_0", "curve_1_band", "curve_1", "line_2"]
    band = layers["curve_0_band"]
    assert isinstance(band, Band)
    assert band.lower == pytest.approx([0.36, 0.18, 0.09])
    assert band.upper == pytest.approx([0.44, 0.22, 0.11])
    assert [layers[name].dash for name in ("curve_0", "curve_1", "line_2")] == [(), (), (5, 3)]
    assert [layer.label for layer in panel.layers] == ["± 2 s.e.", "errs", None, "excess", "bound"]
    assert len({layer.color for layer in panel.layers if isinstance(layer, Lines)}) == 3
    assert panel.axes.log
    assert panel.axes.xlim[0] < 100 < 10_000 < panel.axes.xlim[1]
    assert panel.axes.ylim == (0, 1)


def test_refusals():
    refuses("there are no curves to draw", plot_over_n, "a", (1, 2), {}, "y", (0, 1))
    words = "bound must have a value for each of 2 sizes, got shape \\(3,\\)"
    refuses(words, plot_over_n, "a", (1, 2), {"bound": ([1, 2, 3], None)}, "y", (0, 1))
