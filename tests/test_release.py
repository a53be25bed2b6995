"""Version, license and citation are the same wherever they stand."""

import re
from pkgutil import resolve_name

import pytest
import yaml
from test_setup import PROJECT, ROOT

import knnviz

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
CHANGES = (ROOT / "CHANGELOG.md").read_text()

#: First authors of the papers that the library follows.
PAPERS = ("Gao", "Reeve", "Khim", "Rittler", "Errandonea", "Balsubramani")


def test_one_version_and_one_name():
    assert knnviz.__version__ == PROJECT["version"] == CITATION["version"]
    assert (CITATION["title"], CITATION["abstract"]) == (PROJECT["name"], PROJECT["description"])


def test_one_license_and_one_holder():
    assert PROJECT["license"] == CITATION["license"] == "BSD-3-Clause"
    assert re.search(r"Copyright \(c\) \d{4}, the knnviz authors\n", (ROOT / "LICENSE").read_text())
    assert PROJECT["authors"] == CITATION["authors"] == [{"name": "The knnviz authors"}]


def test_the_citation_names_the_papers_in_their_order():
    assert [paper["authors"][0]["family-names"] for paper in CITATION["references"]] == list(PAPERS)


def test_changes_begin_with_what_is_not_released():
    first, *released = re.findall(r"^## (.+)$", CHANGES, re.MULTILINE)
    assert first == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", each) for each in released)


#: Names of code in the changes, dotted ones included; the rest are files and commands.
NAMES = sorted(set(re.findall(r"`([A-Za-z_]+(?:\.[a-z_]+)?)(?:\(.*?\))?`", CHANGES)) - {"postBuild", "start"})


@pytest.mark.parametrize("name", [name for name in NAMES if not (ROOT / name).exists()])
def test_names_of_the_library_in_the_changes_are_there(name):
    assert any(resolves(f"{place}.{name}") for place in ("knnviz", "knnviz.labs", "knnviz.estimators"))


def resolves(name):
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True
