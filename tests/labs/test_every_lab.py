"""What holds for every lab."""

import pytest
from hands import move_at_random
from small import STARTS, forget, shrink

from knnviz import labs
from knnviz.labs.lab import Lab
from knnviz.views import static

EVERY = pytest.mark.parametrize("lab_class", STARTS, ids=lambda each: each.__name__)


@pytest.fixture
def lab(monkeypatch, lab_class):
    """A quick lab."""
    shrink(monkeypatch)
    forget()
    yield lab_class(**STARTS[lab_class])
    forget()


def test_no_lab_is_left_out():
    found = {each for each in vars(labs).values() if isinstance(each, type) and issubclass(each, Lab)}
    assert found - {Lab} == set(STARTS)


@EVERY
def test_random_settings(faced, monkeypatch):
    """How the chromes of all these frames look is left to the full run."""
    monkeypatch.setattr(static, "chrome", lambda *_, **__: static.Chrome(b"", (0, 0, 1, 1)))
    assert move_at_random(faced, times=60) < 30


@EVERY
@pytest.mark.full
def test_five_hundred_random_settings(faced):
    assert move_at_random(faced, times=500) < 250
