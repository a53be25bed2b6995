"""Lines, handles and points that mark a value, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import marks, style


@pytest.mark.parametrize(("x", "align"), [(0.002, "left"), (0.5, "right")])
def test_a_handle_can_be_dragged_and_read_aloud(x, align):
    line, mark = marks.handle(x, (0.001, 1), 1.05, "ε", f"epsilon = {x}")
    assert line.x.tolist() == pytest.approx([x, x])
    assert line.y.tolist() == [0, pytest.approx(1.05)]
    assert (mark.handles, mark.spoken, mark.texts, mark.align) == (("ε",), (f"epsilon = {x}",), ("ε",), align)
    assert mark.x.tolist() == pytest.approx([x])
    point = marks.dot(x, 0.3)
    assert (point.x[0], point.y[0]) == (pytest.approx(x), pytest.approx(0.3))


def test_a_dot_has_a_style_and_may_be_none_at_all():
    dot = marks.dot(2, 0.5, "far", "far away", style.class_color(1), 1, 9.0)
    assert (dot.name, dot.labels, dot.palette, dot.size) == ("far", ("far away",), (style.CLASS_COLORS[1],), 9)
    assert np.array_equal(dot.markers[0], style.MARKERS[1])
    assert (dot.x.dtype, dot.codes.tolist(), dot.ringed.tolist()) == (np.float32, [0], [False])
    nowhere = marks.dot(np.zeros(0), np.zeros(0))
    assert (len(nowhere.x), len(nowhere.codes), len(nowhere.ringed), nowhere.labels) == (0, 0, 0, ())


def test_a_vertical_line_goes_from_bottom_to_top():
    line = marks.vertical_line(3, 1.5, "best", "least bound", style.MUTED, (2, 3))
    assert (line.x.tolist(), line.y.tolist(), line.dash) == ([3, 3], [0, 1.5], (2, 3))
