"""What the tests of several labs need."""

from collections import OrderedDict

import pytest
from random_moves import page
from small import refine

from knnviz.labs.engine import chromes
from knnviz.views import static


@pytest.fixture
def drawn(monkeypatch):
    """Panels whose chrome is asked for, and none is drawn: matplotlib takes most of the time of a lab on show."""
    asked = []

    def chrome(panel, *_, **__):
        asked.append(panel.axes.name)
        return static.Chrome(b"", (0, 0, 1, 1))

    monkeypatch.setattr(static, "chrome", chrome)
    monkeypatch.setattr(chromes, "CHROMES", OrderedDict())
    return asked


@pytest.fixture
def faced(drawn, lab):
    page(lab)
    lab.readout()
    yield lab
    # Its background jobs would draw into the next test.
    lab.close()


@pytest.fixture
def fine(request, monkeypatch):
    if not request.node.get_closest_marker("full"):
        request.getfixturevalue("small")
        refine(monkeypatch)


@pytest.fixture
def small_unless_full(request):
    if not request.node.get_closest_marker("full"):
        request.getfixturevalue("small")
