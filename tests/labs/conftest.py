"""What the tests of several labs need."""

import pytest
from random_moves import page


@pytest.fixture
def faced(lab):
    """A lab that a page shows."""
    page(lab)
    lab.readout()
    yield lab
    # Its background work would go on in the next test.
    lab.close()
