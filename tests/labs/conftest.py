"""What the tests of several labs need."""

import pytest

from knnviz.labs.face import Face


@pytest.fixture
def faced(lab):
    """A lab with a face, as display gives it one, at rest."""
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.readout()
    return lab
