"""Steps of a lab in a live notebook: by hand, with one click, with keys, and what is heard of them."""

import pytest
from session import Session

CELL = """from knnviz.labs import NeighborLab
from knnviz.labs.engine import Step

steps = [
    Step("Drag *neighbors k* to 1.", "Islands everywhere.", {"k": 1}),
    Step("Take 200 votes.", "A wide circle.", {"k": 200}, ghost=True),
    Step("Take 200 votes from 2000 points.", "A small circle.", {"k": 200, "n": 2000}),
]
lab = NeighborLab(n=500, controls=["k", "n"], panels=["map", "votes"], numbers=["risk"], steps=steps)
lab
"""

#: Notes each k of which a picture is drawn.
WATCH = """() => {
  window.seen = [];
  const figure = document.querySelector('.knnviz-figure');
  const note = () => window.seen.push(JSON.parse(figure.dataset.state).k);
  new MutationObserver(note).observe(figure, { attributes: true });
}"""


@pytest.fixture
def stepped(session: Session) -> Session:
    session.write("steps.ipynb", CELL)
    session.open("steps.ipynb")
    session.run_all()
    session.settle()
    return session


def row(session, i):
    return session.page.locator(".knnviz-steps li").nth(i)


def found(session, i, text):
    row(session, i).get_by_role("status").filter(has_text=text).first.wait_for()
    row(session, i).get_by_role("img", name="done").wait_for()


def test_a_step_goes_the_way_of_a_hand_and_a_hand_stops_it(stepped):
    page = stepped.page
    page.evaluate(WATCH)
    assert row(stepped, 0).get_by_role("status").first.inner_text() == ""
    row(stepped, 0).get_by_role("button").press("Enter")
    stepped.until(k=1)
    found(stepped, 0, "Islands everywhere.")
    seen = page.evaluate("window.seen")
    assert len(set(seen)) > 4, "frames between"
    assert seen == sorted(seen, reverse=True)
    row(stepped, 1).get_by_role("button").click()
    stepped.until_true("state => state.k > 10")
    stepped.slider("neighbors k").press("Home")
    stepped.until(k=1)
    page.wait_for_timeout(1200)
    stepped.until(k=1)
    assert row(stepped, 1).get_by_role("status").first.inner_text() == ""


def test_by_hand_and_all_at_once(stepped):
    stepped.drag("neighbors k", 1)
    found(stepped, 1, "A wide circle.")
    assert row(stepped, 1).get_attribute("aria-current") == "step"
    stepped.press("neighbors k", "ArrowLeft")
    stepped.until(k=199)
    assert row(stepped, 1).get_attribute("aria-current") is None
    assert row(stepped, 0).get_by_role("status").first.inner_text() == ""
    stepped.page.get_by_role("button", name="Show all").press("Space")
    assert row(stepped, 0).get_by_role("status").first.inner_text() == "Islands everywhere."
    assert not row(stepped, 0).get_by_role("img", name="done").is_visible()
    row(stepped, 2).get_by_role("button").click()
    stepped.until(k=200, n=2000)
    found(stepped, 2, "A small circle.")
    assert stepped.violations(".knnviz-steps") == ""
