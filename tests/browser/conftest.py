"""A real JupyterLab and a real Chromium for the tests in this folder."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser
from server import chromium, opened_browser, running
from session import NOTEBOOK, PAGE, Session

ROOT = Path(__file__).parents[2]
HINT = "no Chromium found; install one, for example: apt-get install chromium"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip all, or fail if a browser is required, where there is none."""
    if chromium() is None:
        if os.environ.get("KNNVIZ_BROWSER") == "required":
            pytest.exit(HINT, returncode=1)
        for item in items:
            item.add_marker(pytest.mark.skip(reason=HINT))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line that says how to get what is missing."""
    if chromium() is None:
        terminalreporter.write_line(f"browser tests skipped: {HINT}")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a JupyterLab over a copy of the notebooks."""
    home = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    with running(home) as address:
        yield address
    assert not re.search(r'File ".*/knnviz/\w', (home / "server.log").read_text()), "a traceback through the library"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    with opened_browser() as browser:
        yield browser


@pytest.fixture
def session(server: str, browser: Browser) -> Iterator[Session]:
    """A page of 1400 x 900 that fails the test on any error in its console."""
    opened = Session(server, browser, ROOT / "screenshots")
    yield opened
    opened.close()
    assert opened.errors == []


@pytest.fixture(scope="module")
def opened(server: str, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Session]:
    """One page for all tests of a file: the lab that it names as LAB, as it opens."""
    name, session = request.module.LAB, Session(server, browser, ROOT / "screenshots")
    session.write(f"{name}.ipynb", f"from knnviz.labs import {name}\n\nlab = {name}()\nlab")
    session.open(f"{name}.ipynb")
    session.run_all()
    yield session
    session.close()


@pytest.fixture
def copy(server: str) -> str:
    """A copy of the first notebook, with a kernel of its own: saved, it is no longer as it was committed."""
    wish = json.dumps({"copy_from": NOTEBOOK}).encode()
    with urlopen(Request(f"{server}/api/contents/notebooks?token=test", wish)) as answer:
        return json.load(answer)["path"]


def run_to_its_end(session: Session, notebook: str) -> None:
    """Open the first notebook or a copy and run it, with its lab in view."""
    session.open(notebook)
    session.run_all()
    session.until(k=25, p1=0)
    session.idle()
    session.figure.scroll_into_view_if_needed()


@pytest.fixture
def fresh(session: Session, copy: str) -> Session:
    """The first notebook on a page and with a kernel of its own."""
    run_to_its_end(session, copy)
    return session


@pytest.fixture(scope="module")
def first(server: str, browser: Browser) -> Iterator[Session]:
    """One page of the first notebook for all tests of a file."""
    session = Session(server, browser, ROOT / "screenshots")
    run_to_its_end(session, NOTEBOOK)
    yield session
    session.close()


@pytest.fixture
def lab(first: Session) -> Iterator[Session]:
    """The lab of the first notebook as it began."""
    first.page.set_viewport_size(PAGE)
    first.evaluate("lab.projector = False; lab.reset()")
    first.until(problem="checkerboard", n=2000, k=25, x1=0.3, x2=0.6, p0=0, p1=0, curve="off")
    first.settle()
    first.figure.scroll_into_view_if_needed()
    yield first
    assert first.errors == []
