"""Blocks of text: theorems, tables of numbers, notation. In plain Markdown, which any reader
shows.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from IPython.display import publish_display_data

from knnviz.lessons.content import entry, theorems

#: Columns of ``table`` by default.
COLUMNS = ("here", "full run", "published")

#: Every symbol, with its name in code, on a control, and in each paper.
NOTATION = Path(__file__).with_name("notation.csv")

#: A missing number.
NONE = "–"


def theorem(name: str) -> None:
    """Show a theorem of a chapter in Markdown as a block, with its source and its conditions;
    ValueError if there is none of this name.

    Examples
    --------
    >>> from knnviz.lessons import theorem
    >>> theorem("symmetric-noise")  # doctest: +ELLIPSIS
    Symmetric noise costs kNN nothing in the limit (Gao, Niu & Zhou, Theorem 2): If ...
    """
    told = entry("there is no theorem", name, theorems())
    lines = [f"**{told.title}** ({told.source})", ""]
    lines += formulas_as_blocks(told.statement).strip().splitlines()
    if told.conditions:
        lines += ["", "**Conditions:**", ""]
        lines += [f"- {each}" for each in told.conditions]
    block = "\n".join(f"> {line}".rstrip() for line in lines)
    show(block, f"{told.title} ({told.source}): {told.statement}")


def table(
    title: str,
    rows: Mapping[object, Sequence[object]],
    columns: Sequence[str] = COLUMNS,
    *,
    decimals: int | None = None,
    fold: bool = False,
) -> None:
    """Show rows of numbers by name, None where there is none; real ones to ``decimals``, or to four
    digits.

    With ``fold``, only the title is seen until the reader opens it, such as the answer of a
    prediction. Raises ValueError if a row has not one entry for each column.

    Examples
    --------
    >>> from knnviz.lessons import table
    >>> table("Risk", {"kNN": (0.312, 0.3104, 0.31), "Bayes": (0.3, 0.3, None)}, decimals=2)
    Risk
           here  full run  published
    kNN    0.31  0.31      0.31
    Bayes  0.30  0.30      –
    """
    cells = [["", *columns]]
    for name, row in rows.items():
        if len(row) != len(columns):
            need = f"{len(columns)} entries ({', '.join(columns)})"
            raise ValueError(f"row {name!r} must have {need}, got {len(row)}")
        numbers = [formatted(each, decimals) for each in row]
        cells.append([str(name), *numbers])
    # The star of a symbol, as in R*, is no Markdown.
    head = title.replace("*", "\\*")
    shown = markdown_table(cells)
    shown = folded(head, shown) if fold else f"**{head}**\n\n{shown}"
    show(shown, f"{title}\n{text_table(cells)}")


def notation() -> None:
    """Show what each symbol means, and its name in code, on a control, and in each paper."""
    with NOTATION.open(newline="", encoding="utf-8") as lines:
        cells = list(csv.reader(lines))
    show(markdown_table(cells), text_table(cells))


def show(markdown: str, plain: str) -> None:
    """Put Markdown into the running cell's output, with plain text where it cannot be rendered."""
    publish_display_data({"text/markdown": markdown, "text/plain": plain})


def formulas_as_blocks(text: str) -> str:
    """A text in which each displayed formula is a paragraph of one line, which all readers of
    Markdown know.
    """
    # The ">" before each line of a block would get into a formula of several lines.
    text = re.sub(r"(\$\$?).+?\1", lambda found: " ".join(found[0].split()), text, flags=re.DOTALL)
    return re.sub(r"\s*(\$\$.+?\$\$)\s*", r"\n\n\1\n\n", text)


def folded(summary: str, text: str) -> str:
    return f"<details><summary><b>{summary}</b></summary>\n\n{text.strip()}\n\n</details>"


def formatted(value: object, decimals: int | None) -> str:
    if value is None:
        return NONE
    if not isinstance(value, float):
        return str(value)
    if decimals is None:
        return f"{value:.4g}"
    return f"{value:.{decimals}f}"


def markdown_table(cells: Sequence[Sequence[str]]) -> str:
    # A bar inside a cell would end it; in a formula it is written \\mid.
    safe = ([cell.replace("|", "\\|") for cell in row] for row in cells)
    head, *rows = (f"| {' | '.join(row)} |" for row in safe)
    return "\n".join([head, "|" + "---|" * len(cells[0]), *rows])


def text_table(cells: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return "\n".join(lines)
