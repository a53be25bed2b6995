"""What the README and the pages of docs compute is what they say."""

import ast
import re
import sys

import numpy as np
import pandas as pd
import pytest
from test_setup import ROOT

sys.path.insert(0, str(ROOT / "tests/notebooks"))

import links
from make import NOTEBOOKS, close_readings, lessons

import knnviz.__main__
import knnviz_papers.__main__
from knnviz_papers.protocols import PROTOCOLS

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text("utf-8")
PAGES = {"README.md": README}
PAGES |= {path.name: path.read_text("utf-8") for path in sorted(DOCS.glob("*.md"))}
TEACH = [path.read_text("utf-8") for path in (DOCS / "teach").glob("*.md")]

#: All that may name a command.
TEXTS = "\n".join([*PAGES.values(), *TEACH])

PACKAGES = {"knnviz": knnviz.__main__, "knnviz_papers": knnviz_papers.__main__}


@pytest.fixture
def own_table(tmp_path, monkeypatch):
    """The files that a page reads, in a folder that it may write to: with an id, classes 2 and 4,
    and "?".
    """
    rng = np.random.default_rng(0)
    kind = np.where(rng.random(300) < 0.35, 4, 2)
    height = rng.poisson(kind, 300)
    width = rng.poisson(kind, 300)
    codes = rng.integers(10**5, 10**7, 300)
    columns = {"my id": codes, "my height": height, "my width": width, "my label": kind}
    rows = pd.DataFrame(columns).astype(str)
    rows.loc[[3, 50], "my width"] = "?"
    rows.to_csv(tmp_path / "my-table.csv", index=False)

    X = rng.random((60, 2))
    S = rng.random((60, 3)) < 0.5
    y = rng.integers(3, size=60)
    np.savez(tmp_path / "my-bags.npz", X=X, S=S, y=y)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if "```python" in text])
def test_blocks_run_one_after_the_other_and_give_the_numbers_that_they_state(own_table, page):
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGES[page], re.DOTALL):
        *before, last = ast.parse(block).body
        exec(compile(ast.Module(before, []), page, "exec"), names)
        value = eval(compile(ast.Expression(last.value), page, "eval"), names)

        stated = re.search(r"# ([\d., ]+)$", block.strip())
        if stated:
            for text, number in zip(stated[1].split(", "), np.ravel(value), strict=True):
                decimals = len(text.partition(".")[2])
                assert f"{number:.{decimals}f}" == text


def test_commands_and_their_options_are_there(capsys):
    commands = set(re.findall(r"python -m (knnviz\w*) (\w+)([^|&`\n]*)", TEXTS))
    assert {name for _, name, _ in commands} >= {"warm", *PROTOCOLS}
    for package, name, rest in commands:
        with pytest.raises(SystemExit, match="0"):
            PACKAGES[package].main([name, "--help"])
        options = re.findall(r"--\w+", capsys.readouterr().out)
        assert set(re.findall(r"--\w+", rest)) <= set(options), name

    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)[1]
    named = re.findall(r"(?:`|^)make ([\w-]+)", TEXTS, re.MULTILINE)
    assert set(named) == set(targets.split())


def test_the_readme_leads_to_every_page_and_notebook():
    notebooks = [*lessons(), *close_readings(), NOTEBOOKS / "glossary.ipynb"]
    wanted = {f"(docs/{name})" for name in PAGES.keys() - {"README.md", "index.md"}}
    wanted |= {f"({path.relative_to(ROOT).as_posix()})" for path in notebooks}
    missing = {link for link in wanted if link not in README}
    assert missing == set()


def test_what_pages_repeat_of_lessons_is_theirs():
    for path, text in links.pages().items():
        assert path.read_text("utf-8") == text, "run `make links`"


def test_the_first_line_leads_to_book_and_binder_once_the_repository_has_an_owner():
    assert links.way_in("OWNER/knnviz") == ""
    line = links.way_in("me/knnviz")
    assert "(https://me.github.io/knnviz/)" in line
    place = "lab%2Ftree%2Fnotebooks%2F00-start-here.ipynb"
    assert f"[Binder](https://mybinder.org/v2/gh/me/knnviz/HEAD?urlpath={place})" in line
