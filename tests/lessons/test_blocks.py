"""Blocks of a lesson: Markdown for readers, plain text for everything else."""

import csv

from refusals import refuses

from knnviz.lessons import blocks, notation, table, theorem
from knnviz.lessons.blocks import NOTATION
from knnviz.lessons.content import TheoremText


def test_a_theorem_is_a_block_with_source_and_conditions_and_each_formula_in_one_line(
    shown, monkeypatch
):
    told = TheoremText("Theorem 9", "$$a\n= b$$\n", "A & B 2000", ["$k > 1$", "no ties"])
    monkeypatch.setattr(blocks, "theorems", lambda: {"nine": told})
    (data,) = shown(theorem, "nine")
    assert data["text/markdown"] == (
        "> **Theorem 9** (A & B 2000)\n>\n> $$a = b$$\n>\n> **Conditions:**\n>\n> - $k > 1$\n> - "
        "no ties"
    )
    assert data["text/plain"].startswith("Theorem 9 (A & B 2000): $$a")
    refuses("there is no theorem 'ten'; there are nine", theorem, "ten")


def test_a_table_sets_numbers_side_by_side_and_a_bar_ends_no_cell(shown):
    rows = {"d|d|": (0.123456, 1 / 3, None), "all": (2, "many", 0.5)}
    (data,) = shown(table, "Risk", rows)
    assert data["text/markdown"] == (
        "**Risk**\n\n|  | here | full run | published |\n|---|---|---|---|\n"
        "| d\\|d\\| | 0.1235 | 0.3333 | – |\n| all | 2 | many | 0.5 |"
    )
    first_row = data["text/plain"].splitlines()[2]
    assert first_row.split() == ["d|d|", "0.1235", "0.3333", "–"]
    refuses("row 'a' .* got 1", table, "Risk", {"a": (1.0,)})


def test_no_entry_of_the_notation_is_missing_or_breaks_its_table(shown):
    (data,) = shown(notation)
    rows = list(csv.DictReader(NOTATION.read_text("utf-8").splitlines()))
    assert len(data["text/markdown"].splitlines()) == 2 + len(rows)
    for row in rows:
        assert None not in row
        assert all(row.values()), row
        assert "|" not in "".join(row.values()), "a bar would end the cell"
