"""Tables in text files: how such a file is written, and its records with the lines on which they start."""

import csv
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from re import fullmatch

#: Delimiters in the order in which they are tried; a space comes last, since it also follows other delimiters.
DELIMITERS, LAST_DELIMITER = "\t;|,", " "

#: Characters read to find out the delimiter, and bytes decoded at once.
SAMPLE, PIECE = 1 << 16, 1 << 20

#: Cells that stand for a missing value.
MISSING = frozenset(("", "NA", "N/A", "n/a", "?", "nan", "NaN", "NAN", "null", "NULL"))


@dataclass(frozen=True)
class Format:
    """How a file is written: its encoding, what stands between two cells, and in a number before its fraction."""

    encoding: str
    delimiter: str
    decimal: str


def recognized(path: Path, encoding: str | None = None) -> Format:
    """The format of a file, found in its first records; ValueError if it is empty, no text, or no table."""
    encoding = _encoding(path, encoding)
    with open(path, newline="", encoding=encoding) as file:
        # The rest of the last line, so that it counts as a whole.
        sample = list(StringIO(file.read(SAMPLE) + file.readline(), newline=""))
    if any("\0" in line for line in sample):
        raise ValueError(f"{path.name} is not a text file")
    delimiter = _delimiter(sample)
    width = _width(sample, delimiter)[0]
    if width == 0:
        raise ValueError(f"{path.name} is empty")
    if width < 3:
        found = "a single column" if width == 1 else "two columns"
        raise ValueError(f"{path.name} has {found}; a table of features and labels needs at least three")
    return Format(encoding, delimiter, _decimal(sample, delimiter))


def _encoding(path: Path, encoding: str | None) -> str:
    """The first of the likely encodings in which the whole file can be read; the given one, if one is given."""
    with open(path, "rb") as file:
        marked = file.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE)
    likely = ["utf-16"] if marked else ["utf-8-sig", "cp1252", "latin-1"]
    if encoding is not None:
        try:
            likely = ["utf-8-sig" if lookup(encoding).name == "utf-8" else encoding]
        except LookupError:
            raise ValueError(f"there is no encoding {encoding!r}") from None
    for candidate in likely:
        if _decodes(path, candidate):
            return candidate
    raise ValueError(f"{path.name} is not text in the encoding {encoding or likely[0]}")


def _decodes(path: Path, encoding: str) -> bool:
    """Whether all of a file is text in an encoding."""
    try:
        with open(path, newline="", encoding=encoding) as file:
            while file.read(PIECE):
                pass
    except UnicodeError:
        return False
    return True


def _delimiter(sample: list[str]) -> str:
    """The delimiter that cuts most lines into equally many cells, three or more if possible."""
    best = max(DELIMITERS, key=lambda delimiter: _fit(sample, delimiter))
    return best if _fit(sample, best)[0] > 1 else LAST_DELIMITER


def _fit(sample: list[str], delimiter: str) -> tuple[int, float]:
    """How well a delimiter fits: the usual number of cells, as far as three, and the share of records with it."""
    width, share = _width(sample, delimiter)
    return min(width, 3), share


def _width(sample: list[str], delimiter: str) -> tuple[int, float]:
    """The most frequent number of cells in a record, and the share of records that have it."""
    try:
        widths = Counter(len(record) for record in _cells(sample, delimiter) if not _blank(record))
    except csv.Error:
        # A cell longer than the csv module takes: not this delimiter.
        return 1, 0.0
    width, count = max(widths.items(), key=lambda item: item[1], default=(0, 0))
    return width, count / max(1, widths.total())


def _decimal(sample: list[str], delimiter: str) -> str:
    """A comma if numbers between semicolons are written with it and none with a point."""
    if delimiter != ";":
        return "."
    cells = [cell.strip() for record in _cells(sample, delimiter) for cell in record]
    written = {mark for mark in ",." if any(fullmatch(rf"[+-]?\d*[{mark}]\d+([eE][+-]?\d+)?", cell) for cell in cells)}
    return "," if written == {","} else "."


def _cells(lines: Iterable[str], delimiter: str, strict: bool = False) -> Iterator[list[str]]:
    """The records of lines as the csv module reads them; several spaces count as one delimiter."""
    if delimiter == LAST_DELIMITER:
        lines = (line.strip() + "\n" for line in lines)
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)


def _blank(record: list[str]) -> bool:
    """Whether a record is a blank line."""
    return not record or (len(record) == 1 and not record[0].strip())


def records(path: Path, form: Format) -> Iterator[tuple[int, list[str]]]:
    """The line on which a record starts, and its cells, for each that is not blank.

    Raises ValueError where a record has not as many cells as the first one, or cannot be read.
    """
    with open(path, newline="", encoding=form.encoding) as file:
        reader = _cells(file, form.delimiter, strict=True)
        line, first = 1, None
        try:
            for record in reader:
                if not _blank(record):
                    first = first or (line, len(record))
                    if len(record) != first[1]:
                        wanted = f"as many cells as line {first[0]}, got {len(record)} and not {first[1]}"
                        raise ValueError(f"line {line} of {path.name} must have {wanted}")
                    yield line, record
                line = reader.line_num + 1
        except csv.Error as error:
            raise ValueError(f"{path.name} cannot be read from line {line} on: {error}") from None


def number(cell: str, decimal: str = ".") -> float:
    """A cell as a number, a missing one as NaN; ValueError for any other text."""
    try:
        # Python reads 1_000 as a number; here it is text, as is 1.000 where commas are decimal.
        if "_" in cell or (decimal == "," and "." in cell):
            raise ValueError(cell)
        return float(cell if decimal == "." else cell.replace(decimal, "."))
    except ValueError:
        if cell.strip() in MISSING:
            return float("nan")
        raise


def is_number(cell: str, decimal: str = ".") -> bool:
    """Whether a cell is a number and not missing."""
    try:
        value = number(cell, decimal)
    except ValueError:
        return False
    return value == value
