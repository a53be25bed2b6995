"""What the tests of several labs need."""

from collections import OrderedDict

import pytest
from random_moves import page

from knnviz.labs.engine import axes_frames
from knnviz.views import static


@pytest.fixture
def drawn(monkeypatch):
    """Names of the panels whose axes frame is requested; none is drawn, since matplotlib takes most of the time."""
    asked = []

    def axes_frame(panel, *_, **__):
        asked.append(panel.axes.name)
        return static.AxesFrame(b"", (0, 0, 1, 1))

    monkeypatch.setattr(static, "axes_frame", axes_frame)
    monkeypatch.setattr(axes_frames, "AXES_FRAMES", OrderedDict())
    return asked


@pytest.fixture
def faced(drawn, lab):
    """A lab that a page shows."""
    page(lab)
    lab.readout()
    yield lab
    # Its background jobs would draw into the next test.
    lab.close()
