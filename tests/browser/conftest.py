"""A real JupyterLab and a real Chromium for the tests in this folder."""

import os
import re
import shutil
from functools import cache

import pytest
from playwright.sync_api import expect
from server import ROOT, chromium, offline_pages, opened_browser, running
from session import AS_IT_BEGAN, PAGE, Session

from knnviz import labs

#: A busy machine takes its time.
expect.set_options(timeout=60_000)

HINT = "no Chromium found; install one, for example: apt-get install chromium"


def pytest_collection_modifyitems(items):
    """Skip all, or fail if a browser is required, where there is none."""
    if chromium() is None:
        if os.environ.get("KNNVIZ_BROWSER") == "required":
            pytest.exit(HINT, returncode=1)
        for item in items:
            item.add_marker(pytest.mark.skip(reason=HINT))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address of a JupyterLab over a copy of the notebooks."""
    home = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    with running(home) as address:
        yield address
    assert not re.search(r'File ".*/knnviz/\w', (home / "server.log").read_text("utf-8")), (
        "a traceback through the library"
    )


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium."""
    with opened_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def context(browser):
    """What all pages share: JupyterLab's own files are loaded once."""
    return browser.new_context()


@pytest.fixture
def session(server, context):
    """A page of 1400 x 900 that fails the test on any error in its console."""
    opened = Session(server, context)
    yield opened
    opened.close()
    assert opened.errors == []


@pytest.fixture(scope="session")
def standing(server, context):
    """One page, one notebook of one cell and one kernel for the labs of all tests."""
    session = Session(server, context)
    session.write("labs.ipynb", "")
    session.open("labs.ipynb")
    yield session
    session.close()


@cache
def as_made(name):
    """A lab as it begins, without a page; tests leave it so."""
    return getattr(labs, name)()


def begun(standing, name):
    """A lab as it begins, in place of the one that stood there."""
    page = standing.page
    page.bring_to_front()
    page.set_viewport_size(PAGE)
    page.evaluate("document.body.classList.remove('knnviz-hall')")
    if standing.standing == name:
        standing.sync()
        standing.evaluate(AS_IT_BEGAN)
    standing.stand(name)
    standing.settle()
    standing.until(**as_made(name).values)
    standing.figure.scroll_into_view_if_needed()
    return standing


def of(name):
    """The lab of a test, in place of NeighborLab."""
    return pytest.mark.parametrize("name", [name], scope="session")


@pytest.fixture
def name():
    """The lab of a test that names no other."""
    return "NeighborLab"


@pytest.fixture
def lab(standing, name):
    """The lab of a test as it begins."""
    yield begun(standing, name)
    errors = standing.errors
    standing.errors = []
    assert errors == []


@pytest.fixture
def finger(standing):
    """The page has a screen that is touched; a finger comes down, is moved, or is lifted at a place
    of the page.
    """
    devtools = standing.page.context.new_cdp_session(standing.page)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def act(kind, *places):
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(places)})

    yield act
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    devtools.detach()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page without a network."""
    with offline_pages(browser) as new_page:

        def open_page(text):
            (tmp_path / "page.html").write_text(text, "utf-8")
            page = new_page()
            page.goto((tmp_path / "page.html").as_uri())
            page.locator(".knnviz-figure[data-state], form").first.wait_for()
            return page

        yield open_page
