"""What the README computes is what it says."""

import ast
import re
import sys

import numpy as np
import pytest
from test_setup import ROOT

sys.path.insert(0, str(ROOT / "tests/notebooks"))

from links import on_binder, written
from make import NOTEBOOKS, every

TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def own_table(tmp_path, monkeypatch):
    """The file that the README reads."""
    rng = np.random.default_rng(0)
    rows = [
        f"{height:.2f},red,{width:.2f},{'tall' if height > width else 'wide'}" for height, width in rng.random((60, 2))
    ]
    (tmp_path / "my-table.csv").write_text("\n".join(["height,colour,width,shape", *rows]))
    monkeypatch.chdir(tmp_path)


def test_its_blocks_run_one_after_the_other(own_table):
    names, stated = {}, 0
    for block in BLOCKS:
        body = ast.parse(block).body
        exec(compile(ast.Module(body[:-1], []), "README", "exec"), names)
        value = eval(compile(ast.Expression(body[-1].value), "README", "eval"), names)
        printed = re.search(r"# ([\d., ]+)$", block.strip())
        if printed:
            stated += 1
            for number, text in zip(np.ravel(value), printed[1].split(", "), strict=True):
                assert f"{number:.{len(text.partition('.')[2])}f}" == text
    assert len(BLOCKS) == 9
    assert stated == 4


def test_what_it_says_of_the_notebooks_is_theirs():
    assert written(TEXT) == TEXT, "run `make links`"
    assert on_binder("00-start-here.ipynb").endswith("/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F00-start-here.ipynb")
    assert all(on_binder(path.relative_to(NOTEBOOKS).as_posix()) in TEXT for path in every())
