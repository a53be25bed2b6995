"""A small class at work on the server of ``make class``, over its websockets: nothing goes wrong or is lost."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import students

pytestmark = pytest.mark.full


def test_a_class_at_work_has_no_error_and_loses_no_move():
    found = {row.what.split(": ")[1]: row.ours for row in students.rows(3, 0.25)}
    assert found["steps"] > 100
    assert (found["errors"], found["lost moves"]) == (0, 0)
