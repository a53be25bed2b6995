"""Blocks of a lesson: Markdown for readers, plain text for everything else."""

import re

from refusals import refuses

from knnviz.labs import NeighborLab
from knnviz.lessons import notation, table, theorem
from knnviz.lessons.blocks import notation_table


def test_a_theorem_is_a_block_with_source_and_conditions(shown):
    (data,) = shown(theorem, "Theorem 9", "\n$$a = b$$\n", source="A & B 2000", conditions=["$k > 1$", "no ties"])
    assert data["text/markdown"] == (
        "> **Theorem 9** (A & B 2000)\n>\n> $$a = b$$\n>\n> **Conditions:**\n>\n> - $k > 1$\n> - no ties"
    )
    assert data["text/plain"].startswith("Theorem 9 (A & B 2000)")


def test_a_formula_of_a_theorem_stands_in_one_line(shown):
    (data,) = shown(theorem, "Lemma", "With $a$ we\nhave\n$$a\n= b,\n$$\nfor $b\n= c$.", source="A")
    assert data["text/markdown"].splitlines()[2:] == ["> With $a$ we", "> have", "> $$a = b, $$", "> for $b = c$."]


def test_a_theorem_without_conditions(shown):
    (data,) = shown(theorem, "Lemma", "text", source="A")
    assert data["text/markdown"] == "> **Lemma** (A)\n>\n> text"


def test_a_table_sets_numbers_side_by_side(shown):
    (data,) = shown(table, "Risk", {"n = 10": (0.123456, 1 / 3, None), "all": (2, "many", 0.5)})
    assert data["text/markdown"] == (
        "**Risk**\n\n|  | here | full run | published |\n|---|---|---|---|\n"
        "| n = 10 | 0.1235 | 0.3333 | – |\n| all | 2 | many | 0.5 |"
    )
    assert data["text/plain"].splitlines()[2].split() == ["n", "=", "10", "0.1235", "0.3333", "–"]


def test_a_bar_in_a_cell_does_not_end_it(shown):
    (data,) = shown(table, "Leads", {"d|d|/k": (1,)}, ["|x|"])
    assert data["text/markdown"].splitlines()[2:] == ["|  | \\|x\\| |", "|---|---|", "| d\\|d\\|/k | 1 |"]


def test_a_row_of_another_length_is_refused():
    refuses(r"row 'a' must have 3 entries \(here, full run, published\), got 1", table, "Risk", {"a": (1.0,)})


def test_notation_has_a_row_for_each_symbol_and_a_column_for_each_paper(shown):
    (data,) = shown(notation)
    head, _, *rows = data["text/markdown"].splitlines()
    assert head.startswith("| symbol | meaning | in code | on a control | Gao |")
    assert len(rows) == len(notation_table())


def test_no_entry_of_the_notation_breaks_its_table():
    for row in notation_table():
        assert None not in row
        assert all(row.values()), row
        assert "|" not in "".join(row.values()), "a bar would end the cell"


def test_controls_are_labelled_as_the_notation_says():
    labels = {row["in code"].split("`")[1]: row["on a control"] for row in notation_table()}
    for name in ("k", "mass", "margin", "mass_cap"):
        assert NeighborLab.parameters[name].title == labels[name]
    for name in ("p0", "p1"):
        assert NeighborLab.parameters[name].names[0] == f"flip rate of class {re.sub('p', '', name)}"
