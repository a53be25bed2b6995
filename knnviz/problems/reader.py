"""The columns that are wanted of a text file, read in one pass over its records."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Self

import numpy as np

from knnviz import checks
from knnviz.problems import columns, delimited
from knnviz.problems.columns import Features
from knnviz.problems.delimited import Format

#: Records that show which columns hold numbers.
SHOWN = 1000

BOOLEANS = {"true": 1.0, "false": 0.0}

#: Most classes a table may have, and the largest number that is told from its neighbors as a label.
MOST_CLASSES, LARGEST = 255, 2**53

Record = tuple[int, list[str]]


@dataclass
class Reader:
    """Where the features and the label of a file stand, and what has been read of them.

    ``names`` are those of all columns, ``wanted`` the positions of the features, ``text`` those of columns that are no
    features because they hold text. Only the wanted numbers, a code of each label and the line of each row are kept.
    """

    path: Path
    decimal: str
    header: bool
    names: list[str]
    label: int
    wanted: list[int]
    text: list[int]
    records: Iterator[Record]
    lines: array = field(default_factory=lambda: array("q"))
    codes: array = field(default_factory=lambda: array("i"))
    labels: dict[str, int] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, form: Format, label: int | str | None, features: Features) -> Self:
        """Find the label and the features of a file; ValueError if they are not there."""
        records = delimited.records(path, form)
        shown = list(islice(records, SHOWN))
        header = not any(_is_value(cell, form.decimal) for cell in shown[0][1])
        first = [cell.strip() for cell in shown[0][1]]
        shown = shown[header:]
        at = _label(path, label, first, header)
        others = [i for i in range(len(first)) if i != at]
        names = list(first) if header else [""] * len(first)
        for i, column in enumerate(others):
            names[column] = names[column] or f"feature {i}"
        text = []
        if columns.projected(features):
            text = [i for i in others if _holds_text((record[i] for _, record in shown), form.decimal)]
            wanted = columns.enough([i for i in others if i not in text])
        else:
            known = [names[i] for i in others]
            wanted = [others[columns.position(feature, known)] for feature in features]
        return cls(path, form.decimal, header, names, at, wanted, text, chain(shown, records))

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns that are read as features."""
        return [self.names[i] for i in self.wanted]

    def read(self) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """All rows: numbers (n, columns), class codes (n,), and the names of the classes in code order."""
        values = [array("d") for _ in self.wanted]
        for line, record in self.records:
            self.lines.append(line)
            for column, i in zip(values, self.wanted, strict=True):
                column.append(self._number(line, i, record[i]))
            self._code(record[self.label].strip())
            for i in self.text:
                if delimited.is_number(record[i], self.decimal):
                    raise ValueError(f"{self._named(i)} holds text, but {record[i].strip()!r} in line {line}")
        X = np.stack([np.frombuffer(column, float) for column in values], axis=1)
        self._refuse("missing", np.isnan(X).any(axis=1) | self._unlabeled())
        self._refuse("infinite", np.isinf(X).any(axis=1))
        self._doubt_the_first_row()
        return X, *self._classes()

    def _number(self, line: int, i: int, cell: str) -> float:
        """A cell as a number, NaN if it is missing, true and false as 1 and 0."""
        try:
            return delimited.number(cell, self.decimal)
        except ValueError:
            if cell.strip().lower() in BOOLEANS:
                return BOOLEANS[cell.strip().lower()]
            raise ValueError(f"{self._named(i)} must hold numbers, got {cell.strip()!r} in line {line}") from None

    def _code(self, label: str) -> None:
        """Keep a label by its place among those seen so far."""
        self.codes.append(self.labels.setdefault(label, len(self.labels)))
        if len(self.labels) > MOST_CLASSES + len(delimited.MISSING):
            raise ValueError(f"{self._named(self.label)} must hold at most {MOST_CLASSES} classes, got more")

    def _named(self, i: int) -> str:
        """A column in a message."""
        return f"{self.names[i] or f'column {i}'} of {self.path.name}"

    def _unlabeled(self) -> np.ndarray:
        """Whether the label of each row is missing, (n,)."""
        missing = [code for label, code in self.labels.items() if label in delimited.MISSING]
        return np.isin(np.frombuffer(self.codes, np.int32), missing)

    def _refuse(self, what: str, bad: np.ndarray) -> None:
        """Name the lines of bad rows (n,), if there are any."""
        if bad.any():
            lines = np.frombuffer(self.lines, np.int64)[bad]
            raise ValueError(f"{self.path.name} has {what} values in {checks.rows(lines, kind='line')}")

    def _doubt_the_first_row(self) -> None:
        """Refuse a first row of data whose label never comes again: it may be a header such as 0, 1, label."""
        if not self.header and len(self.codes) > 3 and self.codes.count(0) == 1:
            why = f"no other line has its label {next(iter(self.labels))!r}"
            where = f"line {self.lines[0]} of {self.path.name}"
            raise ValueError(f"{where} may be a header with numbers in it, since {why}; name all columns in words")

    def _classes(self) -> tuple[np.ndarray, list[str]]:
        """Class codes (n,) in the order of the labels, as numbers if all are, and the names of the classes."""
        values = _ordered(list(self.labels), self.decimal)
        classes, coded = np.unique(values, return_inverse=True)
        if len(classes) == 1:
            raise ValueError(f"{self.path.name} must hold at least two classes, got only {next(iter(self.labels))!r}")
        return coded[np.frombuffer(self.codes, np.int32)], [columns.shown(value) for value in classes.tolist()]


def _is_value(cell: str, decimal: str) -> bool:
    """Whether a cell is no name: a number, a truth value, or the mark of a missing one."""
    cell = cell.strip()
    return delimited.is_number(cell, decimal) or cell.lower() in BOOLEANS or cell in delimited.MISSING - {""}


def _label(path: Path, label: int | str | None, first: Sequence[str], header: bool) -> int:
    """Where the label stands, by default in the last column."""
    if label is None:
        return len(first) - 1
    if isinstance(label, str) and not header:
        raise ValueError(f"{path.name} has no header; choose the label by its position, got {label!r}")
    return columns.position(label, list(first), "label")


def _holds_text(cells: Iterator[str], decimal: str) -> bool:
    """Whether the first of some cells that is not missing is text."""
    given = next((cell for cell in cells if cell.strip() not in delimited.MISSING), "0")
    return not _is_value(given, decimal)


def _ordered(labels: list[str], decimal: str) -> list[float] | list[str]:
    """Labels as numbers, if all are numbers that a float holds exactly, else as they are."""
    if all(delimited.is_number(label, decimal) for label in labels):
        values = [delimited.number(label, decimal) for label in labels]
        if all(abs(value) < LARGEST for value in values):
            return values
    return labels
