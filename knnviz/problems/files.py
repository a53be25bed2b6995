"""A reader's own files as data sets."""

import csv
import re
import warnings
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any, TextIO
from zipfile import BadZipFile

import numpy as np

from knnviz.problems.columns import Features, names_of
from knnviz.problems.data import Dataset, Scale, from_data
from knnviz.problems.label_column import label_column

#: Delimiters in the order in which they are tried; a space comes last, since names may contain it.
DELIMITERS = ";\t|, "

#: Characters from which the format of a file is inferred; the first line may not be longer.
FORMAT_CHARACTERS = 1 << 20

#: Most bytes of an array, which may be compressed to a thousandth of them in its archive.
MAX_ARRAY_BYTES = 500_000_000


def from_csv(
    path: str | PathLike[str],
    label: int | str | None = None,
    features: Features = (0, 1),
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
    *,
    encoding: str | None = None,
    name: str | None = None,
) -> Dataset:
    r"""Two features and a label of a table in a text file as a data set.

    Delimiters are semicolons, tabs, bars, commas or spaces; between semicolons numbers may have a decimal comma. The
    first line is a header if none of its cells is a number, NA or the like. If one is, and no other line has the same
    label, the file is refused, since the line may be a header. The encoding, unless given, is UTF-16 if the file
    begins with its byte order mark, else UTF-8, else Windows-1252 or Latin-1. ``label`` is a column by name or
    position; by default it is found as in ``read_table``, and ``table.notes`` say which column it is. ``features`` are
    as in ``from_data``; their positions do not count the label. Labels that are all numbers are compared as numbers
    (1.0 is 1). ``name`` is by default that of the file.
    Raises ValueError as ``from_data`` does, for a first line of more than a million characters, and for a row with more
    cells than that line; a row with fewer has missing values. Rows in messages are lines of the file, the header being
    row 1, if no line before is blank and no cell spans lines. Raises FileNotFoundError if there is no such file.

    Examples
    --------
    >>> from knnviz import from_csv
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open(f"{folder}/tea.csv", "w") as file:
    ...     print("leaf,heat,kind\n1,70,green\n3,90,black\n5,75,green\n4,95,black", file=file, flush=True)
    ...     from_csv(file.name).class_names
    ('black', 'green')
    """
    from pandas.api.types import is_string_dtype

    path = Path(path)
    frame, header = read_frame(path, encoding)
    if isinstance(label, str) and not header:
        raise ValueError(f"{path.name} has no header; choose the label by its position, got {label!r}")
    at, note = label_column(frame, header, label)
    all_names, y = names_of(header, frame.shape[1]), frame.pop(at)
    refuse_header(path, header, y)
    y, name = y.str.strip() if is_string_dtype(y) else y, path.name if name is None else name
    names = [all_names[column] for column in frame.columns]
    made = from_data(frame, y, features, scale, test_size, seed, name=name, feature_names=names)
    return replace(made, table=replace(made.table, notes=(note,)))


def refuse_header(path: Path, header: list[str], y: Any) -> None:
    """Raise ValueError if the first line of a file without a header may be a header: no other line has its label."""
    if not header and len(y) > 3 and (y == y.iloc[0]).sum() == 1:
        why = f"no other line has its label {str(y.iloc[0])!r}; name all columns in words"
        raise ValueError(f"line 1 of {path.name} may be a header with numbers in it, since {why}")


def read_frame(path: Path, encoding: str | None = None) -> tuple[Any, list[str]]:
    """A text file as a data frame with columns numbered from 0 and rows by line, and the names in its header."""
    from pandas.errors import ParserError, ParserWarning

    for candidate in _encodings(path, encoding):
        try:
            with open(path, encoding=candidate) as file, warnings.catch_warnings():
                warnings.simplefilter("error", ParserWarning)
                return _parsed(file, path.name)
        except UnicodeError:
            continue
        except ParserWarning:
            raise ValueError(f"row 2 of {path.name} has more cells than its header") from None
        except ParserError as error:
            # Where a quote is not closed, pandas counts from 0.
            why = re.sub(r"row (\d+)", lambda row: f"line {int(row[1]) + 1}", str(error).rpartition("error: ")[2])
            raise ValueError(f"{path.name} cannot be read as a table: {why.strip()}") from None
    raise ValueError(f"{path.name} is not text in the encoding {candidate}")


def _encodings(path: Path, encoding: str | None) -> list[str]:
    if encoding is not None:
        try:
            "".encode(encoding)
        except LookupError:
            raise ValueError(f"there is no encoding {encoding!r}") from None
        return [encoding]
    with open(path, "rb") as file:
        marked = file.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE)
    return ["utf-16"] if marked else ["utf-8-sig", "cp1252", "latin-1"]


def _parsed(file: TextIO, name: str) -> tuple[Any, list[str]]:
    import pandas as pd

    sample = file.read(FORMAT_CHARACTERS).lstrip(" \n")
    if not sample or "\0" in sample:
        raise ValueError(f"{name} is not a text file" if sample else f"{name} is empty")
    if "\n" not in sample and file.read(1):
        raise ValueError(f"the first line of {name} has more than {FORMAT_CHARACTERS:,} characters")
    delimiter = _delimiter(sample, name)
    options = {"sep": delimiter if delimiter != " " else r"\s+", "decimal": _decimal(sample, delimiter)}
    read = partial(pd.read_csv, engine="c", index_col=False, skipinitialspace=True, na_values=["?"], **options)
    first = read(StringIO(sample), header=None, nrows=1).iloc[0]
    cells = read(StringIO(sample), header=None, nrows=1, dtype=str, na_filter=False).iloc[0].str.strip().tolist()
    header = all(isinstance(value, str) or not cell for value, cell in zip(first, cells, strict=True))
    file.seek(0)
    frame = read(file, header=0 if header else None, low_memory=False)
    frame.columns, frame.index = range(len(cells)), frame.index + 1 + header
    return frame, cells if header else []


def _delimiter(sample: str, name: str) -> str:
    """The first delimiter that splits the first line into three cells or more.

    Not ``csv.Sniffer``, which takes apostrophes for quotes and decimal commas for delimiters.
    """
    for delimiter in DELIMITERS:
        lines = (line.strip(" \n") for line in StringIO(sample))
        # A cell too long for the reader means that the line has another delimiter.
        with suppress(csv.Error):
            if len(next(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))) >= 3:
                return delimiter
    raise ValueError(f"the first line of {name} must have at least three cells: two features and a label")


def _decimal(sample: str, delimiter: str) -> str:
    """A comma if some numbers between semicolons have a decimal comma, and none has a decimal point."""
    number = r'(?:^|;)[ "]*[+-]?\d*{}\d+(?:[eE][+-]?\d+)?[ "]*(?:;|$)'
    comma, point = (re.search(number.format(mark), sample, re.MULTILINE) for mark in (",", r"\."))
    return "," if delimiter == ";" and comma and not point else "."


def from_npz(
    path: str | PathLike[str],
    features: Features = (0, 1),
    scale: Scale = "standard",
    test_size: float = 0.3,
    seed: int = 0,
    *,
    label: str = "y",
    data: str = "X",
    name: str | None = None,
) -> Dataset:
    """Two features and labels from a NumPy archive of two arrays, X (n, columns) and y (n,), as a data set.

    ``data`` and ``label`` are the names of the two arrays. The archive may also hold ``feature_names``, and
    ``class_names``: of the codes 0, 1, ... if y holds codes, else of the labels in sorted order. Other parameters are
    as in ``from_data``; ``name`` is by default that of the file.
    Raises ValueError for a file that is no such archive, or holds Python objects or an array of more than 500 MB;
    FileNotFoundError if there is none.

    Examples
    --------
    >>> from knnviz import from_npz
    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/points.npz", X=np.eye(4, 2), y=["no", "yes", "no", "yes"])
    ...     from_npz(f"{folder}/points.npz").class_names
    ('no', 'yes')
    """
    path = Path(path)
    X, y, names, class_names = read_archive(path, data, label)
    name = path.name if name is None else name
    return from_data(X, y, features, scale, test_size, seed, name=name, feature_names=names, class_names=class_names)


def read_archive(
    path: Path, data: str = "X", label: str = "y"
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]:
    """Table, labels, and names of features and of the classes that occur, if an archive holds them."""
    found = read_arrays(path, (data, label), ("feature_names", "class_names"))
    y, class_names = found[label], found.get("class_names")
    if class_names is not None and y.dtype.kind in "iu" and y.size and y.min() >= 0 and y.max() < len(class_names):
        class_names = class_names[np.unique(y)]
    return found[data], y, found.get("feature_names"), class_names


def read_arrays(path: Path, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """Arrays of an archive by name, the ``optional`` ones lists of names; ValueError as in ``from_npz``."""
    with open(path, "rb") as file:
        try:
            archive = np.load(file, allow_pickle=False)
        except (ValueError, EOFError, OSError, BadZipFile):
            archive = None
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise ValueError(f"{path.name} is not a NumPy archive of several arrays (.npz)")
        for name in required:
            if name not in archive:
                raise ValueError(f"{path.name} has no array {name!r}; it holds {', '.join(archive) or 'none'}")
        found = {name: _array(path, archive, name) for name in (*required, *optional) if name in archive}
    for name in optional:
        if name in found and found[name].ndim != 1:
            raise ValueError(f"{name!r} of {path.name} must be a list of names, got shape {found[name].shape}")
    return found


def _array(path: Path, archive: Any, name: str) -> np.ndarray:
    size = max(each.file_size for each in archive.zip.infolist() if each.filename in (name, f"{name}.npy"))
    if size > MAX_ARRAY_BYTES:
        raise ValueError(f"{name!r} of {path.name} takes {size / 1e6:,.0f} MB, more than {MAX_ARRAY_BYTES / 1e6:,.0f}")
    try:
        array = archive[name]
    except (ValueError, EOFError, OSError, BadZipFile, MemoryError):
        raise ValueError(f"{name!r} of {path.name} cannot be read: it is damaged, or holds Python objects") from None
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name!r} of {path.name} is not an array")
    return array
