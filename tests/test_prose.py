"""Prose for readers: spelled well, and every link leads somewhere."""

import json
import re
import subprocess
import sys
from urllib.parse import unquote, urlsplit

import mistune
import pytest
from bs4 import BeautifulSoup
from test_setup import ROOT, tracked

markdown = mistune.create_markdown(escape=False, plugins=["table"])


def prose(path):
    """The Markdown of a text or of a notebook, without code and outputs."""
    if path.suffix != ".ipynb":
        return path.read_text("utf-8")
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    return "\n\n".join(texts)


PAGES = [path for path in tracked() if path.suffix in (".md", ".ipynb")]
TEXTS = [*PAGES, *(path for path in tracked() if path.suffix in (".toml", ".csv", ".cff"))]
pytestmark = pytest.mark.skipif(not PAGES, reason="not a git checkout")


def name(path):
    return str(path.relative_to(ROOT))


def test_spelling(tmp_path):
    """The words that codespell lets pass stand in pyproject.toml."""
    (tmp_path / "probe.txt").write_text("wich neighbors", "utf-8")
    for path in TEXTS:
        flat = name(path).replace("/", " ")
        (tmp_path / f"{flat}.txt").write_text(prose(path), "utf-8")

    python = [sys.executable, "-W", "ignore"]
    command = [*python, "-m", "codespell_lib", "--toml", ROOT / "pyproject.toml", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert not run.stderr
    assert run.stdout.splitlines() == ["./probe.txt:1: wich ==> which"]


def links(text):
    """Where the links and pictures of a Markdown text lead."""
    page = BeautifulSoup(markdown(text), "html.parser")
    return [tag.get("href") or tag["src"] for tag in page.select("a[href], img[src]")]


def anchors(text):
    """Anchors of the headings of a Markdown text, as GitHub and as JupyterLab write them."""
    page = BeautifulSoup(markdown(text), "html.parser")
    headings = [heading.get_text() for heading in page.select("h1, h2, h3, h4, h5, h6")]
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {each.replace(" ", "-") for each in [*plain, *headings]}


def broken(link, text, folder, files):
    """Whether a link in a text that stands in a folder leads nowhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        is_host = re.fullmatch(r"([\w-]+\.)+[a-z]{2,}", parts.netloc)
        return parts.scheme != "https" or not is_host or " " in link

    if parts.path:
        target = (folder / unquote(parts.path)).resolve()
        if target not in files:
            return True
        text = prose(target) if target.suffix in (".md", ".ipynb") else ""
    return bool(parts.fragment) and unquote(parts.fragment) not in anchors(text)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_link_leads_somewhere(path):
    files = set(tracked())
    text = prose(path)
    dead = [link for link in links(text) if broken(link, text, path.parent, files)]
    assert dead == []
