"""The guide for contributors names what is there: packages, commands, files."""

import re

import pytest
from test_setup import FLOORS, ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()

#: What is only there after a command.
MADE = {".venv", ".venv/bin/pytest", "build/book", "screenshots/", "my-notebooks/"}


def test_the_layout_has_the_floors_that_imports_follow():
    picture = re.search(r"```\n(notebooks/.*?)```", GUIDE, re.DOTALL)[1].splitlines()
    top, *floors = (re.split(r"\s{2,}", line)[0].split(", ") for line in picture)
    assert top == ["notebooks/"]
    assert all((ROOT / "knnviz" / name).exists() for names in floors for name in names)
    assert [{re.sub(r"/|\.py$", "", name) for name in names} for names in reversed(floors)] == list(map(set, FLOORS))


def test_every_command_is_listed():
    wanted = re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[1].split()
    assert re.findall(r"^\| `make ([\w-]+)` ", GUIDE, re.MULTILINE) == wanted


def named_paths():
    """What stands between backticks and looks like a path, the words of commands included."""
    words = {word for span in re.findall(r"`([^`\n]+)`", GUIDE) for word in re.split(r"[ =]", span)}
    suffixes = (".py", ".md", ".yml", ".toml", ".js", ".csv", ".lock", ".ipynb")
    return sorted(word for word in words if "/" in word or word.endswith(suffixes))


@pytest.mark.parametrize("name", [name for name in named_paths() if name not in MADE])
def test_every_path_exists(name):
    assert (ROOT / name).exists()


#: Names of code, each with the file that is said to hold it.
PLACES = sorted(set(re.findall(r"`([A-Za-z_]+)`(?: of| in) `((?:knnviz|tests)/[\w/.]+)`", GUIDE.replace("\n", " "))))


@pytest.mark.parametrize(("name", "path"), PLACES)
def test_what_is_said_to_stand_in_a_file_stands_there(name, path):
    assert re.search(rf"\b{name}\b", (ROOT / path).read_text())


def test_the_smallest_lab_works():
    """Its code is run as it is printed: a reader moves it, clicks into it, and sees what the formula gives."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert len(code.splitlines()) <= 40
    there = {"__name__": "smallest"}
    exec(code, there)
    computed, formula = [], there["bdtrc"]
    there["bdtrc"] = lambda *given: computed.append(given) or formula(*given)
    lab = there["MajorityLab"]()
    assert lab.readout()["error"] == pytest.approx(10 * 0.3**3 * 0.7**2 + 5 * 0.3**4 * 0.7 + 0.3**5, abs=1e-6)
    assert lab.set(**lab.pick("error", 8.8, 0.2)).k == 9
    assert "k in use 0.0988 at 9" in lab.alt
    assert len(computed) == 1, "what k does not change is kept"
    assert lab.scene() == there["MajorityLab"].from_scene(lab.scene()).scene()
    assert lab.figure().axes[0].get_title(loc="left") == "Errors of a majority"
    assert lab.hidden(lab.values) == set()
    assert lab.hidden(lab.set(wrong=0).values) == {"k"}
