"""The book that `make book` has built, page by page in Chromium, from its folder and without a
network.
"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from playwright.sync_api import expect

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from questions import EXAM
from server import offline_pages, opened_browser

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "build" / "book"
PAGES = sorted(path for path in BOOK.rglob("*.html") if "_static" not in path.parts)
LESSONS = [path for path in PAGES if re.search(r"/notebooks/0\d-[^/]*$", path.as_posix())]

pytestmark = pytest.mark.full


def name(path):
    return str(path.relative_to(BOOK))


def test_the_book_has_been_built():
    assert len(LESSONS) == 9, "run `make book` first"


def test_the_students_book_has_no_run_sheets():
    assert not any("teach" in page.parts for page in PAGES)
    sheets = [path.read_text("utf-8") for path in (ROOT / "docs" / "teach").glob("0*.md")]
    keys = [key for sheet in sheets for _, _, key in EXAM.findall(sheet)]
    assert len(keys) > 20
    for page in PAGES:
        text = page.read_text("utf-8")
        assert not [key for key in keys if key in text]


@pytest.fixture(scope="module")
def pages():
    return {path: BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in PAGES}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere_and_nothing_comes_from_elsewhere(pages, path):
    for tag, attribute in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
        for each in pages[path].find_all(tag, **{attribute: True}):
            address = urlsplit(each[attribute])
            if address.scheme:
                allowed = ("data", "http", "https", "mailto") if tag == "a" else ("data",)
                assert address.scheme in allowed, "nothing is loaded from elsewhere"
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            assert target.exists(), each[attribute]
            if address.fragment and target.suffix == ".html":
                assert pages[target].find(id=unquote(address.fragment)), each[attribute]
    if path in LESSONS:
        assert pages[path].find(download=True)["href"].endswith(f"/{path.stem}.ipynb")


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as browser:
        yield browser


@pytest.fixture
def opened(browser):
    """A page of the book without a network."""
    with offline_pages(browser) as new_page:
        yield new_page()


def walk(page, path):
    """Open a page and go down to its end, until each recorded lab stands in its place."""
    page.goto(path.as_uri())
    for place in page.locator("[data-recording]").all():
        place.scroll_into_view_if_needed()
        place.locator(".knnviz-figure[data-frame]").wait_for()


#: How many pictures have come and cannot be shown.
BROKEN_IMAGES = """() => [...document.images]
  .filter((each) => each.complete && !each.naturalWidth).length"""


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_page_opens_without_a_network_and_can_be_used_by_all(opened, path):
    walk(opened, path)
    assert opened.evaluate(BROKEN_IMAGES) == 0
    # Without a server a page cannot read its own style sheets.
    found = Axe().run(opened, options={"preload": False})
    assert found.violations_count == 0, found.generate_report()
    # A phone shows all of it, without scrolling sideways.
    opened.set_viewport_size({"width": 390, "height": 844})
    assert opened.evaluate("() => document.documentElement.scrollWidth") == 390


def test_the_lab_of_the_first_page_moves_by_itself_until_somebody_takes_over(opened):
    opened.goto((BOOK / "index.html").as_uri())
    slider = opened.locator(".knnviz-lab input[type=range]:enabled")
    slider.wait_for()
    opened.wait_for_function("(each) => each.value > 1", arg=slider.element_handle())
    slider.press("Home")
    opened.wait_for_timeout(1200)
    assert slider.input_value() == "0"


@pytest.mark.parametrize("path", [*LESSONS, BOOK / "docs" / "gallery.html"], ids=name)
def test_every_recorded_control_moves_its_lab(opened, path):
    walk(opened, path)
    for place in opened.locator("[data-recording]").all():
        figure = place.locator(".knnviz-figure")
        live = place.locator("[data-live] > :is(input, select):enabled").filter(visible=True).all()
        live = live or place.get_by_role("button", name="Do it for me").all()[:1]
        assert live, "a lab that does not move is a picture"
        for control in live:
            before = figure.get_attribute("data-frame")
            if control.evaluate("(each) => each.tagName") == "BUTTON":
                control.click()
            elif control.evaluate("(each) => each.tagName") == "SELECT":
                at, names = control.evaluate("(each) => [each.selectedIndex, each.length]")
                control.select_option(index=(at + 1) % names)
            else:
                at_start = control.input_value() == control.get_attribute("min")
                control.press("End" if at_start else "Home")
            opened.wait_for_function(
                "([each, frame]) => each.dataset.frame !== frame",
                arg=[figure.element_handle(), before],
            )
            place.get_by_role("button", name="Reset").click()


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_every_step_of_a_recorded_lab_can_be_done(opened, path):
    opened.emulate_media(reduced_motion="reduce")
    walk(opened, path)
    for place in opened.locator("[data-recording]").all():
        steps = place.locator(".knnviz-strip li").count()
        for at in range(1, steps + 1):
            place.get_by_role("button", name=f"Step {at}", exact=True).click()
            place.get_by_role("button", name="Do it for me").click()
        expect(place.get_by_role("button", name="done")).to_have_count(steps)
    for width, height in ((1400, 900), (1280, 720)):
        opened.set_viewport_size({"width": width, "height": height})
        assert opened.evaluate(HIGHER) == []


#: The labs that are higher than the window once they have its size, or wider than their place.
HIGHER = """async () => {
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll('.knnviz-lab')].filter((each) =>
    each.offsetHeight > innerHeight || each.scrollWidth > each.clientWidth)
    .map((each) => `${each.dataset.way} ${each.offsetHeight}`);
}"""


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_predictions_and_quizzes_reveal_their_answers(opened, path):
    walk(opened, path)
    forms = opened.locator(".knnviz-question").all()
    assert len(forms) >= 5
    for form in forms:
        skip = form.get_by_role("button", name="Skip to the answer")
        if form.locator("input[type=radio]").count() == 0:
            # Without steps between, the prediction before it has opened it.
            if skip.is_visible():
                skip.click()
            assert len(form.locator(".knnviz-verdict p").all()) >= 4
            continue
        assert form.locator(".knnviz-verdict").inner_text() == ""
        form.locator("input[type=radio]").first.check()
        form.locator("button[type=submit]").click()
        if form.get_by_text("Try again.").count():
            form.get_by_role("button", name="Show the answer").click()
        recorded = form.get_by_text("Recorded. Now try it below.").count()
        assert recorded or len(form.locator(".knnviz-verdict p").all()) == 3
    opened.reload()
    answered = opened.locator(".knnviz-verdict").filter(has_text=re.compile("."))
    expect(answered).to_have_count(len(forms))


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_all_can_be_read_in_the_dark(opened, path):
    opened.emulate_media(color_scheme="dark")
    walk(opened, path)
    found = Axe().run(opened, options={"preload": False, "runOnly": ["color-contrast"]})
    assert found.violations_count == 0, found.generate_report()


def test_paper_and_a_phone_cut_nothing(opened):
    walk(opened, LESSONS[4])
    opened.emulate_media(media="print")
    assert opened.evaluate(f"() => {CUT}") == []
    assert opened.get_by_role("button").count() == 0
    opened.emulate_media(media="screen")
    opened.set_viewport_size({"width": 390, "height": 844})
    assert opened.locator("#pst-back-to-top").count() == 0
    figures = opened.locator(".knnviz-figure")
    widths = figures.evaluate_all("all => all.map((each) => each.clientWidth)")
    assert min(widths) > 300, "a figure is as wide as the page"


#: The code that is wider than its box.
CUT = """[...document.querySelectorAll('.highlight pre')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent.slice(0, 80))"""
