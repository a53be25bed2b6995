"""A lesson's first screen shows title, story, picture and question, before any cell runs."""

import pytest
from server import LESSONS
from session import PAGE


@pytest.mark.parametrize("name", LESSONS)
def test_the_first_screen(opened, name):
    opened.open(f"notebooks/{name}")
    cells = opened.page.locator(".jp-Notebook .jp-Cell")
    cells.nth(1).locator("img").wait_for()
    title, picture, question = (cells.nth(place).bounding_box() for place in range(3))
    opened.screenshot(f"first-screen-{name[:2]}")
    assert title["y"] > 0
    assert picture["height"] > 300
    assert question["y"] + question["height"] <= PAGE["height"] - 25, "above the status bar"
    heading = opened.page.locator("h2").first.bounding_box()
    assert heading is None or heading["y"] > PAGE["height"] - 40, "no section stands on it"
