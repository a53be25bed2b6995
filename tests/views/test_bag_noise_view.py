"""Curves over the noise of bags: what is known of them, where marks stand, and the words."""

import numpy as np
import pytest

from knnviz.labs.bag_noise import layers as view
from knnviz.labs.bag_noise.splits import NOISES


def mean(*values):
    """Values at the first nu, and nothing known at the others."""
    return np.append(values, np.full(len(NOISES) - len(values), np.nan))


MEANS = {name: mean(0.1, 0.2) for name in view.STYLES}


def test_what_is_not_known_is_not_drawn():
    for layer in view.curves(MEANS, labelled=True):
        known = 2 if layer.name != "best_marks" else 0
        assert layer.x == pytest.approx(NOISES[:known], abs=1e-7), layer.name
        assert layer.y == pytest.approx([0.1, 0.2][:known]), layer.name
    nothing = view.curves({"partial": mean()})
    assert [len(layer.x) for layer in nothing] == [0, 0]


def test_each_curve_has_one_entry_of_its_own_in_the_legend():
    layers = view.curves(MEANS, labelled=True)
    labels = [label for layer in layers for label in (*getattr(layer, "labels", ()), layer.label) if label]
    assert labels == [each.label for each in view.STYLES.values()]
    assert not [layer for layer in view.curves(MEANS) if layer.legend_key and layer.label]


def test_styles_differ_in_more_than_color():
    styles = view.STYLES.values()
    assert (
        len({each.color for each in styles}) == len({(each.marker, each.dash) for each in styles}) == len(view.STYLES)
    )


def test_bands_reach_two_standard_errors_and_have_one_name():
    both = mean(0.3, 0.4), mean(0.01)
    bands = view.bands({"partial": both, "vote": both})
    for band in bands:
        assert [*band.lower, *band.upper] == pytest.approx([0.28, 0.4, 0.32, 0.4])
    assert [bool(band.label) for band in bands] == [True, False]


@pytest.mark.parametrize(("highest", "top"), [(0.0, 0.25), (0.25, 0.25), (0.26, 0.5), (0.7, 0.75), (1.0, 1.0)])
def test_the_axis_of_errors_ends_on_a_step(highest, top):
    assert view.top([np.array([0.0, highest, np.nan])]) == top
    frame = view.axes("error", "Error", "error", top)
    assert frame.xlim[0] < 0 < 0.8 < frame.xlim[1]
    assert frame.ylim[1] == top


def test_marks_stand_at_their_noise():
    line, points = view.at_noise(0.2, 0.5, {"vote": mean(0, 0, 0.3), "best": mean(0, 0, 0.1), "partial": mean()})
    assert line.x == pytest.approx([0.2, 0.2])
    assert points.y == pytest.approx([0.3, 0.1])
    assert [points.palette[code] for code in points.codes] == [view.STYLES[name].color for name in ("vote", "best")]
    for noise, align in ((0.1, "left"), (0.7, "right")):
        handle = view.handle(noise, 0.5)
        assert (handle.texts, handle.handles, handle.align) == ((f"ν = {noise:g}",), ("bag noise",), align)
        assert view.nu_star_name(noise, 0.5).align == align
    assert view.nu_star(0.7, 0.5).x == pytest.approx([0.7, 0.7])
    for layer in (view.nu_star(0.81, 0.5), view.nu_star_name(0.81, 0.5)):
        assert not len(layer.x)


def test_words_hold_both_ends_of_what_is_known():
    words = view.describe({"partial": MEANS["partial"], "vote": mean()}, "Error")
    assert words == "Error over nu: PL A-kNN 0.1 at 0, 0.2 at 0.1; 10-NN not known yet."
