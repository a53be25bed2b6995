"""The guide for contributors names what is there, and its smallest lab works."""

import re

import pytest
from test_setup import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

#: What is only there after a command.
MADE = {".venv", ".venv/bin/pytest", "build/book", "screenshots/", "my-notebooks/"}


def test_files_and_commands_that_it_names_are_there():
    """What stands between backticks and looks like a path, the words of commands included; names of code in files."""
    words = {word for span in re.findall(r"`([^`\n]+)`", GUIDE) for word in re.split(r"[ =]", span)} - MADE
    suffixes = (".py", ".md", ".yml", ".toml", ".js", ".csv", ".lock", ".ipynb")
    paths = [word for word in words if "/" in word or word.endswith(suffixes)]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    places = re.findall(r"`([A-Za-z_]+)`(?: of| in) `((?:knnviz|tests)/[\w/.]+)`", GUIDE.replace("\n", " "))
    assert [
        (name, path) for name, path in places if not re.search(rf"\b{name}\b", (ROOT / path).read_text("utf-8"))
    ] == []
    commands = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1].split()
    assert set(re.findall(r"`make ([\w-]+)", GUIDE)) == set(commands)


def test_the_smallest_lab_works():
    """Its code is run as it is printed: a reader moves it, clicks into it, and sees what the formula gives."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    there = {"__name__": "smallest"}
    exec(code, there)
    computed, formula = [], there["bdtrc"]
    there["bdtrc"] = lambda *given: computed.append(given) or formula(*given)
    lab = there["MajorityLab"]()
    assert lab.readout()["error"] == pytest.approx(10 * 0.3**3 * 0.7**2 + 5 * 0.3**4 * 0.7 + 0.3**5, abs=1e-6)
    assert lab.set(**lab.pick("error", 8.8, 0.2)).k == 9
    assert "k in use 0.0988 at 9" in lab.alt
    assert len(computed) == 1, "what k does not change is kept"
    assert lab.hidden(lab.set(wrong=0).values) == {"k"}
