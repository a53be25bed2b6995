"""What the tests of several labs need."""

from collections import OrderedDict

import pytest

from knnviz.labs import canvas
from knnviz.labs.face import Face
from knnviz.views import static


@pytest.fixture
def drawn(monkeypatch):
    """Panels whose chrome is asked for, and none is drawn: matplotlib takes most of the time of a lab on show."""
    asked = []

    def chrome(panel, *_, **__):
        asked.append(panel.axes.name)
        return static.Chrome(b"", (0, 0, 1, 1))

    monkeypatch.setattr(static, "chrome", chrome)
    monkeypatch.setattr(canvas, "CHROMES", OrderedDict())
    return asked


@pytest.fixture
def faced(drawn, lab):
    """A lab with a face, as display gives it one, at rest."""
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.readout()
    return lab
