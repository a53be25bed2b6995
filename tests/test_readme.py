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

README = (ROOT / "README.md").read_text("utf-8")
PAGES = {
    path.name: path.read_text("utf-8")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
}


@pytest.fixture
def own_table(tmp_path, monkeypatch):
    """The files that a page reads, in a folder that it may write to: with an id, classes 2 and 4,
    and "?".
    """
    rng = np.random.default_rng(0)
    kind = np.where(rng.random(300) < 0.35, 4, 2)
    counted = {name: rng.poisson(kind, 300) for name in ("my height", "my width")}
    rows = pd.DataFrame(
        {"my id": rng.integers(10**5, 10**7, 300), **counted, "my label": kind}
    ).astype(str)
    rows.loc[[3, 50], "my width"] = "?"
    rows.to_csv(tmp_path / "my-table.csv", index=False)
    np.savez(
        tmp_path / "my-bags.npz",
        X=rng.random((60, 2)),
        S=rng.random((60, 3)) < 0.5,
        y=rng.integers(3, size=60),
    )
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if "```python" in text])
def test_blocks_run_one_after_the_other_and_give_the_numbers_that_they_state(own_table, page):
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGES[page], re.DOTALL):
        body = ast.parse(block).body
        exec(compile(ast.Module(body[:-1], []), page, "exec"), names)
        value = eval(compile(ast.Expression(body[-1].value), page, "eval"), names)
        stated = re.search(r"# ([\d., ]+)$", block.strip())
        for text, number in (
            zip(stated[1].split(", "), np.ravel(value), strict=True) if stated else ()
        ):
            assert f"{number:.{len(text.partition('.')[2])}f}" == text


#: All that may name a command.
TEXTS = "\n".join(
    [*PAGES.values(), *(path.read_text("utf-8") for path in (ROOT / "docs" / "teach").glob("*.md"))]
)


def test_commands_and_their_options_are_there(capsys):
    commands = set(re.findall(r"python -m (knnviz\w*) (\w+)([^|&`\n]*)", TEXTS))
    assert {name for _, name, _ in commands} >= {"warm", *PROTOCOLS}
    for package, name, rest in commands:
        with pytest.raises(SystemExit, match="0"):
            {"knnviz": knnviz.__main__, "knnviz_papers": knnviz_papers.__main__}[package].main(
                [name, "--help"]
            )
        assert set(re.findall(r"--\w+", rest)) <= set(
            re.findall(r"--\w+", capsys.readouterr().out)
        ), name
    targets = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[
        1
    ].split()
    assert set(re.findall(r"(?:`|^)make ([\w-]+)", TEXTS, re.MULTILINE)) == set(targets)


def test_the_readme_leads_to_every_page_and_notebook():
    notebooks = [*lessons(), *close_readings(), NOTEBOOKS / "glossary.ipynb"]
    wanted = {f"(docs/{name})" for name in PAGES.keys() - {"README.md", "index.md"}}
    wanted |= {f"(notebooks/{path.relative_to(NOTEBOOKS).as_posix()})" for path in notebooks}
    assert {link for link in wanted if link not in README} == set()


def test_what_pages_repeat_of_lessons_is_theirs():
    assert [
        path for path, text in links.pages().items() if path.read_text("utf-8") != text
    ] == [], "run `make links`"


def test_binder_has_links_once_the_repository_has_an_owner():
    assert links.binder("00-start-here.ipynb", "OWNER/knnviz") == ""
    link = "https://mybinder.org/v2/gh/me/knnviz/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F00-start-here.ipynb"
    assert f"[Binder]({link})" in links.binder("00-start-here.ipynb", "me/knnviz")
