"""The guide for contributors and docstrings name what is there, and the smallest lab works."""

import re

import pytest
from test_setup import ROOT, tracked

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_files_that_it_and_docstrings_name_are_there():
    """Paths between backticks, and names of code in files."""
    texts = {
        path: path.read_text("utf-8")
        for path in tracked()
        if path.suffix in (".py", ".md", ".toml")
    }
    named = r"`((?:knnviz|knnviz_papers|tests|docs|notebooks)/[\w./-]*)`"
    found = {(path.name, each) for path, text in texts.items() for each in re.findall(named, text)}
    assert {name for name, _ in found} >= {"CONTRIBUTING.md", "named.py", "layers.py", "content.py"}
    assert [each for each in found if not (ROOT / each[1]).exists()] == []
    places = r"`(\w+)`+\s(?:of|in)\s`+((?:knnviz|tests|docs)/[\w/.]+)`"
    said = [each for text in texts.values() for each in re.findall(places, text)]
    assert [
        (name, path)
        for name, path in said
        if not re.search(rf"\b{name}\b", (ROOT / path).read_text("utf-8"))
    ] == []


def test_the_smallest_lab_works():
    """Its code is run as it is printed: a reader moves it, clicks into it, and sees what the
    formula gives.
    """
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    there = {"__name__": "smallest"}
    exec(code, there)
    computed = []
    formula = there["bdtrc"]
    there["bdtrc"] = lambda *given: computed.append(given) or formula(*given)
    lab = there["MajorityLab"]()
    assert lab.readout()["error"] == pytest.approx(
        10 * 0.3**3 * 0.7**2 + 5 * 0.3**4 * 0.7 + 0.3**5, abs=1e-6
    )
    assert lab.set(**lab.pick("error", 8.8, 0.2)).k == 9
    assert "k in use 0.0988 at 9" in lab.alt
    assert len(computed) == 1, "what k does not change is kept"
    assert lab.hidden(lab.set(wrong=0).values) == {"k"}
