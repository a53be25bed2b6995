"""What the tests of several labs need."""

import pytest
from small import forget, shrink

from knnviz.labs.face import Face


@pytest.fixture
def faced(lab):
    """A lab with a face, as display gives it one, at rest."""
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.readout()
    return lab


@pytest.fixture
def small(monkeypatch):
    """Labs that are quick: few cells, few weights, short curves."""
    shrink(monkeypatch)
    forget()
    yield
    forget()
