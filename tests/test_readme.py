"""What the README and the pages of docs compute is what they say."""

import ast
import re
import sys

import numpy as np
import pytest
from test_setup import ROOT

sys.path.insert(0, str(ROOT / "tests/notebooks"))

from links import binder, entry, pages
from make import NOTEBOOKS, close_readings, lessons

README = (ROOT / "README.md").read_text()
PAGES = {path.name: path.read_text() for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]}

#: How many blocks of Python a page has, and how many state what they give.
BLOCKS = {"README.md": (1, 0), "python.md": (5, 4), "own-data.md": (3, 0), "figures.md": (2, 0), "gallery.md": (14, 0)}


@pytest.fixture
def own_table(tmp_path, monkeypatch):
    """The files that a page reads, in a folder that it may write to."""
    rng = np.random.default_rng(0)
    rows = [
        f"{height:.2f},red,{width:.2f},{'tall' if height > width else 'wide'}" for height, width in rng.random((60, 2))
    ]
    (tmp_path / "my-table.csv").write_text("\n".join(["height,colour,width,shape", *rows]))
    np.savez(tmp_path / "my-bags.npz", X=rng.random((60, 2)), S=rng.random((60, 3)) < 0.5, y=rng.integers(3, size=60))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", BLOCKS)
def test_blocks_run_one_after_the_other(own_table, page):
    names, stated = {}, 0
    blocks = re.findall(r"```python\n(.*?)```", PAGES[page], re.DOTALL)
    for block in blocks:
        body = ast.parse(block).body
        exec(compile(ast.Module(body[:-1], []), page, "exec"), names)
        value = eval(compile(ast.Expression(body[-1].value), page, "eval"), names)
        printed = re.search(r"# ([\d., ]+)$", block.strip())
        if printed:
            stated += 1
            for number, text in zip(np.ravel(value), printed[1].split(", "), strict=True):
                assert f"{number:.{len(text.partition('.')[2])}f}" == text
    assert (len(blocks), stated) == BLOCKS[page]


def test_every_page_with_python_is_run():
    assert {name for name, text in PAGES.items() if "```python" in text} == BLOCKS.keys()


def test_the_readme_leads_to_every_page_and_notebook():
    for name in PAGES.keys() - {"README.md", "index.md"}:
        assert f"(docs/{name})" in README
    for path in [*lessons(), *close_readings(), NOTEBOOKS / "glossary.ipynb"]:
        assert f"(notebooks/{path.relative_to(NOTEBOOKS).as_posix()})" in README


def test_what_pages_repeat_of_lessons_is_theirs():
    for path, text in pages().items():
        assert path.read_text() == text, "run `make links`"


def test_binder_has_links_once_the_repository_has_an_owner():
    assert "mybinder.org" not in README
    assert binder("00-start-here.ipynb", "OWNER/knnviz") == ""
    link = "https://mybinder.org/v2/gh/me/knnviz/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F00-start-here.ipynb"
    assert entry(lessons()[0], "me/knnviz")[0].endswith(f" · [Binder]({link})")
