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


def test_one_version():
    assert knnviz.__version__ == PROJECT["version"]
    assert CITATION["version"] == PROJECT["version"]


def test_one_license_and_one_holder():
    assert PROJECT["license"] == CITATION["license"] == "BSD-3-Clause"
    assert PROJECT["license-files"] == ["LICENSE"]
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("BSD 3-Clause License\n")
    assert re.search(r"Copyright \(c\) \d{4}, the knnviz authors\n", text)
    assert PROJECT["authors"] == CITATION["authors"] == [{"name": "The knnviz authors"}]


def test_the_citation_is_of_the_project():
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["title"] == PROJECT["name"]
    assert CITATION["abstract"] == PROJECT["description"]
    assert CITATION["message"]


def test_the_citation_names_the_papers_in_their_order():
    assert [paper["authors"][0]["family-names"] for paper in CITATION["references"]] == list(PAPERS)


@pytest.mark.parametrize("paper", CITATION["references"], ids=PAPERS)
def test_a_paper_has_a_title_and_authors(paper):
    assert paper["type"] == "article"
    assert paper["title"]
    assert all(author["family-names"] for author in paper["authors"])
    for identifier in paper.get("identifiers", []):
        assert identifier["type"] == "other"
        assert re.fullmatch(r"arXiv:\d{4}\.\d{5}", identifier["value"])


def test_changes_begin_with_what_is_not_released_and_keep_their_headings():
    headings = re.findall(r"^## (.+)$", CHANGES, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    for released in headings[1:]:
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", released)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", CHANGES, re.MULTILINE)) <= kinds


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
