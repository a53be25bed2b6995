"""The glossary leads each term to the section that defines it."""

import re
from urllib.parse import unquote

import nbformat
import pytest
from make import NOTEBOOKS

GLOSSARY = NOTEBOOKS / "glossary.ipynb"
TEXT = "\n".join(cell.source for cell in nbformat.read(GLOSSARY, as_version=4).cells if cell.cell_type == "markdown")
ENTRIES = re.findall(r"^- \*\*(.+?)\*\*: (.+?) \[\d\d, section \d\]\((\S+?)#(\S+?)\)$", TEXT, re.MULTILINE)
MUST = "Voronoi cell|curse of dimensionality|overfitting|identifiability|anchor point|uncertainty sampling|consistency"


def section(notebook, anchor):
    """Markdown of the cells below a heading, up to the next."""
    cells = nbformat.read(NOTEBOOKS / notebook, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    heading = unquote(anchor).replace("-", " ")
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        if part.splitlines()[0].replace("-", " ") == heading:
            return " ".join(part.split())
    raise ValueError(f"{notebook} has no section {heading}")


def test_every_line_is_an_entry():
    assert len(ENTRIES) == len(re.findall(r"^- ", TEXT, re.MULTILINE)) >= 50


def test_terms_are_sorted_and_said_once():
    terms = [term.lower() for term, *_ in ENTRIES]
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("word", MUST.split("|"))
def test_standard_terms_are_there(word):
    assert any(word.lower() in term.lower() for term, *_ in ENTRIES)


@pytest.mark.parametrize(("term", "_", "notebook", "anchor"), ENTRIES, ids=[entry[0] for entry in ENTRIES])
def test_a_term_stands_in_bold_where_its_link_leads(term, _, notebook, anchor):
    assert f"**{term.lower()}**" in section(notebook, anchor).lower().replace("***", "**")
