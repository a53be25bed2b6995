"""A lab under a finger: it scrolls the page, taps, pulls a mark, and reads what a control means."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from session import Session


@pytest.fixture
def touched(server, browser, tmp_path) -> Iterator[Session]:
    """A lab on a screen that is touched."""
    context = browser.new_context(viewport={"width": 1400, "height": 600}, has_touch=True)
    session = Session(server, context, tmp_path)
    session.write("touch.ipynb", "from knnviz.labs import NeighborLab\n\nlab = NeighborLab(n=200)\nlab")
    session.open("touch.ipynb")
    session.run_all()
    session.settle()
    yield session
    session.close()
    assert session.errors == []
    context.close()


def swipe(session: Session, *points: tuple[float, float]) -> None:
    """A finger that comes down on a point of the map in data coordinates, goes over others, and is lifted."""
    session.figure.scroll_into_view_if_needed()
    devtools, box = session.page.context.new_cdp_session(session.page), session.figure.bounding_box()
    places = [{"x": box["x"] + at["x"], "y": box["y"] + at["y"]} for at in session.on_canvas("map", *points)]
    for kind, at in [("touchStart", places[0]), *(("touchMove", at) for at in places[1:])]:
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.sync()


def test_a_finger_reads_scrolls_taps_and_pulls(touched):
    name, tip = touched.page.get_by_text("neighbors k", exact=True), touched.page.locator(".knnviz-tip:visible")
    name.tap()
    expect(tip).to_have_text(touched.slider("neighbors k").get_attribute("aria-description"))
    name.tap()
    expect(tip).to_have_count(0)
    began, top = touched.state, touched.figure.bounding_box()["y"]
    swipe(touched, (0.2, 0.1), (0.2, 0.2), (0.2, 0.4), (0.2, 0.9))
    touched.page.wait_for_function(f"document.querySelector('.knnviz-figure').getBoundingClientRect().y < {top} - 20")
    touched.settle()
    assert touched.state == began, "a finger that scrolls moves nothing"
    swipe(touched, (0.8, 0.3))
    touched.until_near("x1", 0.8, 0.01)
    swipe(touched, (0.8, 0.3), (0.8, 0.4), (0.8, 0.6), (0.8, 0.7))
    touched.until_near("x2", 0.7, 0.02)
    swipe(touched, (0.3, 0.2), (0.35, 0.2), (0.5, 0.2), (0.6, 0.25))
    touched.until_near("x1", 0.6, 0.01)
