"""The book that `make book` has built, page by page in Chromium, from its folder and without a network."""

import base64
import json
import re
import sys
import zlib
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from playwright.sync_api import expect

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))

from server import offline_pages, opened_browser

BOOK = Path(__file__).parents[2] / "build" / "book"
PAGES = sorted(path for path in BOOK.rglob("*.html") if "_static" not in path.parts)
LESSONS = [path for path in PAGES if re.match(r"0\d-", path.name) and path.parent.name == "notebooks"]

pytestmark = pytest.mark.full


def name(path):
    return str(path.relative_to(BOOK))


def test_the_book_has_been_built():
    assert len(LESSONS) == 9, "run `make book` first"
    assert {"index.html", "search.html", "docs/gallery.html", "api/fit-scikit-learn-classifiers.html"} <= set(
        map(name, PAGES)
    )


@pytest.fixture(scope="module")
def pages():
    return {path: BeautifulSoup(path.read_text(), "html.parser") for path in PAGES}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere_and_nothing_comes_from_elsewhere(pages, path):
    for tag, attribute in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
        for each in pages[path].find_all(tag, **{attribute: True}):
            address = urlsplit(each[attribute])
            if address.scheme in ("http", "https", "mailto"):
                assert tag == "a", "nothing is loaded from elsewhere"
                continue
            if address.scheme == "data":
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            assert target.exists(), each[attribute]
            if address.fragment and target.suffix == ".html":
                assert pages[target].find(id=unquote(address.fragment)), each[attribute]


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_a_lesson_weighs_little(pages, path):
    soup = pages[path]
    addresses = [each["src"] for each in soup.find_all(["script", "img"], src=True)]
    addresses += [each["href"] for each in soup.find_all("link", rel="stylesheet")]
    addresses += [f"../_static/{each['data-source']}" for each in soup.find_all(attrs={"data-source": True})]
    files = {(path.parent / urlsplit(each).path).resolve() for each in addresses if not each.startswith("data:")}
    assert path.stat().st_size + sum(file.stat().st_size for file in files) <= 8_000_000


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


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_page_opens_without_a_network_and_can_be_used_by_all(opened, path):
    walk(opened, path)
    assert (
        opened.evaluate("() => [...document.images].filter((each) => each.complete && !each.naturalWidth).length") == 0
    )
    # Without a server a page cannot read its own style sheets.
    found = Axe().run(opened, options={"preload": False})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("path", [*LESSONS, BOOK / "docs" / "gallery.html"], ids=name)
def test_every_recorded_control_moves_its_lab(opened, path):
    walk(opened, path)
    for place in opened.locator("[data-recording]").all():
        figure = place.locator(".knnviz-figure")
        live = place.locator("[data-live] > :is(input, select):enabled").filter(visible=True).all()
        assert live, "a lab that does not move is a picture"
        for control in live:
            before = figure.get_attribute("data-frame")
            if control.evaluate("(each) => each.tagName") == "SELECT":
                at, names = control.evaluate("(each) => [each.selectedIndex, each.length]")
                control.select_option(index=(at + 1) % names)
            else:
                control.press("Home" if control.input_value() != control.get_attribute("min") else "End")
            opened.wait_for_function(
                "([each, frame]) => each.dataset.frame !== frame", arg=[figure.element_handle(), before]
            )
            place.get_by_role("button", name="Reset").click()


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_predictions_and_quizzes_reveal_their_answers(opened, path):
    walk(opened, path)
    forms = opened.locator(".knnviz-question").all()
    assert len(forms) >= 5
    for form in forms:
        if form.locator("input[type=radio]").count() == 0:
            # The prediction before it has opened it.
            assert len(form.locator(".knnviz-verdict p").all()) >= 4
            continue
        assert form.locator(".knnviz-verdict").inner_text() == ""
        form.locator("input[type=radio]").first.check()
        form.locator("button[type=submit]").click()
        recorded = form.get_by_text("Recorded. Now try it below.").count()
        assert recorded or len(form.locator(".knnviz-verdict p").all()) == 3
    opened.reload()
    expect(opened.locator(".knnviz-verdict").filter(has_text=re.compile("."))).to_have_count(len(forms))


#: Where a text sends the reader: "drag *c* to 0, to 0.5, then to 2,000", "set *lowest eta* to 0.1".
SENT = re.compile(
    r"\b(?:[Dd]rag|[Ss]et|Move)\b[^.:;]*?\bto ((?:(?:, |,? and |,? then |,? ?to |back to )*\d[\d,.]*\b)+)"
)


@pytest.mark.parametrize("path", LESSONS, ids=name)
def test_labs_go_where_the_text_sends_the_reader(pages, path):
    """Numbers that a text names beside a verb are among the values of the lab before it or after it."""
    parts = pages[path].select("[data-source], .bd-article li, .bd-article p")
    labs = [at for at, each in enumerate(parts) if "data-source" in each.attrs]
    recorded = {at: recorded_numbers(BOOK / "_static" / parts[at]["data-source"]) for at in labs}
    for at, each in enumerate(parts):
        near = [
            max([lab for lab in labs if lab < at], default=None),
            min([lab for lab in labs if lab > at], default=None),
        ]
        values = set().union(*[recorded.get(lab, ()) for lab in near])
        text = each.get_text(" ", strip=True)
        if not text.endswith("(needs Python)"):
            wanted = {
                float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\b", " ".join(SENT.findall(text)))
            }
            assert wanted <= values, text


def recorded_numbers(path):
    """All values that the axes of a recording have."""
    sizes, data = re.search(r'(\[[\d,]*\]),"(.*)"', path.read_text()).groups()
    index = json.loads(zlib.decompress(base64.b64decode(data)[: json.loads(sizes)[0]]))
    return {each for _, values in index["axes"] for each in values if not isinstance(each, str)}


def test_search_finds_a_term(opened):
    opened.goto(f"{(BOOK / 'search.html').as_uri()}?q=neighbors")
    opened.locator("#search-results li").first.wait_for()
