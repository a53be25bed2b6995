"""A real JupyterLab and a real Chromium for the tests in this folder."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from server import chromium, opened_browser, running
from session import Session

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
def lab(session: Session) -> Session:
    """The first notebook, run to its end, with its lab in view."""
    session.open("notebooks/00-start-here.ipynb")
    session.run_all()
    session.until(k=25, p1=0)
    session.idle()
    session.figure.scroll_into_view_if_needed()
    return session
