"""A lesson's first screen shows title, story, picture and question, before any cell runs; its quiz answers."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from session import PAGE, Session

ROOT = Path(__file__).parents[2]
LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.fixture(scope="module")
def opened(server, context):
    session = Session(server, context, ROOT / "screenshots")
    yield session
    session.close()
    assert session.errors == []


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


def test_a_quiz_marks_an_answer_and_gives_the_reason(opened):
    opened.open("notebooks/00-start-here.ipynb")
    opened.run("opening", "quiz")
    card = opened.page.locator(".knnviz-question").nth(1)
    card.scroll_into_view_if_needed()
    card.get_by_label("Ties become more frequent").check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_contain_text("Not quite. You said: Ties become more frequent")
    expect(card.get_by_role("status")).to_contain_text("they average over a large area")
    assert opened.violations(".knnviz-question") == ""
    other = opened.page.locator(".knnviz-question").nth(0)
    expect(other.get_by_role("status")).to_be_empty()
    opened.screenshot("quiz")
