"""The guide for contributors and docstrings name what is there, and the smallest lab works."""

import re

import pytest
from test_setup import ROOT, tracked

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_files_that_it_and_docstrings_name_are_there():
    """Paths between backticks, and names of code in files."""
    named = r"`((?:knnviz|knnviz_papers|tests|docs|notebooks)/[\w./-]*)`"
    places = r"`(\w+)`+\s(?:of|in)\s`+((?:knnviz|tests|docs)/[\w/.]+)`"
    texts = [path.read_text("utf-8") for path in tracked() if path.suffix in (".py", ".md")]
    text = "\n".join(texts)
    missing = [path for path in set(re.findall(named, text)) if not (ROOT / path).exists()]
    assert missing == []
    for name, path in re.findall(places, text):
        code = (ROOT / path).read_text("utf-8")
        assert re.search(rf"\b{name}\b", code), f"{name} in {path}"


def test_the_smallest_lab_works():
    """Its code is run as it is printed: a reader moves it, clicks into it, and sees what the
    formula gives.
    """
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    there = {"__name__": "smallest"}
    exec(code, there)
    lab = there["MajorityLab"]()
    three_or_more = 10 * 0.3**3 * 0.7**2 + 5 * 0.3**4 * 0.7 + 0.3**5
    assert lab.readout()["error"] == pytest.approx(three_or_more, abs=1e-6)

    assert lab.set(**lab.pick("error", 8.8, 0.2)).k == 9
    assert "k in use 0.0988 at 9" in lab.alt
    assert lab.set(wrong=0).setting.hidden == {"k"}
