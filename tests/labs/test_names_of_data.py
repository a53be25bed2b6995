"""Names of readers' own data, whatever is in them, are shown as they are, and fit."""

import numpy as np
import pytest
from random_moves import page

from knnviz import from_data
from knnviz.labs import NeighborLab, WeightLab
from knnviz.labs.parts.sources import named
from knnviz.views import static

X = np.random.default_rng(0).normal(size=(60, 2))

NAMES = [
    r"$\frac{",
    "from $5 to $10",
    r"\alpha $\notacommand$",
    "<img src=x onerror=alert(1)>",
    "_hidden",
    "{0} %s",
    "x" * 5000,
    "two\nlines\x00\x07",
]


def own(name, n_classes=2):
    labels = np.array([name, *"bc"[: n_classes - 1]])[np.arange(len(X)) % n_classes]
    return from_data(X, labels, feature_names=(name, "other"), name="mine")


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_is_shown_whole(small, name):
    data = own(name)
    lab = NeighborLab(data, n=40, k=5)
    client = page(lab)
    client.move(k=3)
    client.step("project", True)
    assert client.message == ""
    figure = static.figure(lab.picture)
    figure.draw_without_rendering()
    sheet, first = figure.bbox, figure.axes[0]
    texts = [text for ax in figure.axes for text in ax.get_legend().get_texts()]
    assert all(sheet.contains(*corner) for text in texts for corner in text.get_window_extent().get_points())
    assert len(first.get_legend().get_texts()) >= 2
    if len(name) < 17 and name.isprintable():
        assert name.strip() in [text.get_text().strip() for text in texts]
        assert first.get_xlabel().strip().startswith(name)
    assert data.class_names[-1 if name > "b" else 0] == name, "the data keep them"
    again = NeighborLab.from_scene(lab.scene(), data)
    assert again.values == lab.values
    lab.close()


def test_names_of_three_classes_fit_as_well(small):
    lab = WeightLab(own("x" * 5000, 3), n=40, k=5)
    assert "cannot" not in page(lab).message
    assert max(map(len, named(lab.problem).class_names)) == 16
    lab.close()
