"""The parts of Theorem 5 as bars, tested on their layers."""

import numpy as np
import pytest
from refusals import refuses

from knnviz.views import parts, plot_parts


def row(n, entry, scale):
    each = dict(zip("abcd", (scale, 2 * scale, 3 * scale, 4 * scale), strict=True))
    return {"n": n, "entry": entry, **each, "error": scale / 2, "error_se": scale / 10, "bound": 10 * scale}


ROWS = [row(n, entry, scale) for n, scale in ((1000, 0.01), (1_000_000, 0.005)) for entry in ("tn", "tp")]
LIMITS = [row(each["n"], each["entry"], 20 * each["a"]) for each in ROWS]


def test_bars_hold_the_parts_one_on_top_of_the_other():
    seen, allowed = parts.picture(ROWS, LIMITS).panels
    for panel, scales in ((seen, (0.01, 0.005)), (allowed, (0.2, 0.1))):
        bars = panel.layers[0]
        for code, fraction in enumerate((1, 3, 6, 10)):
            assert bars.heights[bars.codes == code] == pytest.approx(fraction * np.array(scales))
        assert panel.axes.xnames == ("1,000", "1,000,000")
        assert panel.axes.ylim[1] > 10 * scales[0]
    _, whiskers, dot = seen.layers
    assert dot.y == pytest.approx([0.005, 0.0025])
    assert whiskers.y[:2] == pytest.approx([0.003, 0.007])
    assert allowed.layers[-1].y.tolist() == [1, 1]


def test_refusals():
    refuses("parts and bounds must have the same rows of entry 'fn'", plot_parts, ROWS, LIMITS, "fn")
    refuses("parts and bounds must have the same rows of entry 'tn'", plot_parts, ROWS, LIMITS[2:])
