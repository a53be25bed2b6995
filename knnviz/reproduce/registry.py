"""Reproductions by name: run one in full, keep what it gave, read it again, print it.

A reproduction is a function whose parameters are plain values with defaults, the full run, ``seed`` among them, and
``progress``, which shows a bar. It gives tables: lists of rows, each a dict of numbers and strings by column. A column
``x_se`` holds the standard errors of the column ``x``.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from functools import wraps
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from typing import Any

#: Where results are kept.
DATA = Path(__file__).parent / "data"

#: What papers print, by the name of a reproduction or of several.
PUBLISHED = Path(__file__).parent / "published"

#: Packages whose versions stand beside a result.
PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")

#: A list without lists inside, as json lays it out.
INNERMOST = re.compile(r"\[\n *([^][{}]*?)\n *\]")

#: Significant digits that are kept.
DIGITS = 6

Row = dict[str, Any]
Tables = dict[str, list[Row]]

_registry: dict[str, Callable[..., Tables]] = {}


@dataclass(frozen=True)
class Kept:
    """What a full run gave: ``results`` by table, the ``settings`` of the run, and what it ran on (``date`` is ISO)."""

    name: str
    settings: Row
    versions: dict[str, str]
    date: str
    results: Tables


def reproduction(function: Callable[..., Tables]) -> Callable[..., Tables]:
    """Enter a function under its name; what it gives comes out as plain numbers, to the digits that are kept.

    Parameters
    ----------
    function : callable
        Gives tables, and has a default for every parameter, ``seed`` and ``progress`` among them.

    Returns
    -------
    plain : callable
        The same function with numbers of Python in its tables.

    Raises
    ------
    ValueError
        If the name is taken, and for a function without ``seed``.
    """
    name = function.__name__
    if name in _registry:
        raise ValueError(f"there is a reproduction named {name} already")
    if "seed" not in signature(function).parameters:
        raise ValueError(f"a reproduction needs a parameter seed, but {name} has none")

    @wraps(function)
    def plain(*args: Any, **settings: Any) -> Tables:
        return _rounded(function(*args, **settings))

    _registry[name] = plain
    return plain


def names() -> list[str]:
    """Names of all reproductions.

    Returns
    -------
    names : list of str
        Sorted.
    """
    return sorted(_registry)


def defaults(name: str) -> Row:
    """Settings of the full run, as JSON holds them.

    Parameters
    ----------
    name : str
        Name of a reproduction.

    Returns
    -------
    settings : dict
        Values by parameter, all but ``progress``.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    parameters = signature(_known(name)).parameters.values()
    return json.loads(json.dumps({each.name: each.default for each in parameters if each.name != "progress"}))


def run(name: str, progress: bool = False) -> Kept:
    """Run a reproduction in full.

    Parameters
    ----------
    name : str
        Name of a reproduction.
    progress : bool
        Whether a bar shows how far it is.

    Returns
    -------
    kept : Kept
        Its results, with settings, versions and date; ``save`` writes it.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    settings = defaults(name)
    results = _registry[name](progress=progress)
    versions = {"python": f"{sys.version_info.major}.{sys.version_info.minor}"} | {
        each: version(each) for each in PACKAGES
    }
    return Kept(name, settings, versions, date.today().isoformat(), results)


def save(kept: Kept, folder: Path = DATA) -> Path:
    """Write a result as NAME.json, its tables by columns, a row in a line.

    Parameters
    ----------
    kept : Kept
        The result.
    folder : Path
        Where to; by default among the results that come with knnviz.

    Returns
    -------
    path : Path
        The file.

    Raises
    ------
    ValueError
        For a table without rows, or with rows of different columns.
    """
    columns = {name: _columns(rows) for name, rows in kept.results.items()}
    record = asdict(kept) | {"results": columns, "seed": kept.settings["seed"]}
    path = Path(folder) / f"{kept.name}.json"
    path.write_text(written(record))
    return path


def written(record: Row) -> str:
    """A record as it stands in a file.

    Parameters
    ----------
    record : dict
        What JSON can hold.

    Returns
    -------
    text : str
        JSON with sorted keys, in which a list without lists inside is a line.
    """
    text = json.dumps(record, sort_keys=True, indent=1)
    # Strings of JSON hold no line breaks: all of them belong to the layout.
    return INNERMOST.sub(lambda found: "[" + re.sub(r",\n *", ", ", found[1]) + "]", text) + "\n"


def published(name: str, folder: Path = PUBLISHED) -> Row:
    """What a paper prints, or a second program gave, to stand beside results.

    Parameters
    ----------
    name : str
        Name of a file, such as "gao_tables".
    folder : Path
        Where from; by default the values that come with knnviz.

    Returns
    -------
    record : dict
        Values, and under "origin" where they are from.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    known = {path.stem: path for path in Path(folder).glob("*.json")}
    if name not in known:
        raise ValueError(f"no published values are named {name!r}; there are {', '.join(sorted(known))}")
    return json.loads(known[name].read_text())


def load(name: str, folder: Path = DATA) -> Kept:
    """What is kept of a reproduction.

    Parameters
    ----------
    name : str
        Name of a reproduction.
    folder : Path
        Where from; by default the results that come with knnviz.

    Returns
    -------
    kept : Kept
        The full run.

    Raises
    ------
    ValueError
        For an unknown name.
    FileNotFoundError
        If nothing is kept.
    """
    _known(name)
    path = Path(folder) / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(f"no result of {name} is kept; python -m knnviz reproduce {name} makes one")
    record = json.loads(path.read_text())
    record["results"] = {table: _rows(columns) for table, columns in record["results"].items()}
    del record["seed"]
    return Kept(**record)


def table(rows: list[Row]) -> str:
    """Rows of one kind as text, columns under their names.

    Parameters
    ----------
    rows : list of dict
        All with the same columns.

    Returns
    -------
    text : str
        A line for the names and one for each row, or "no rows".
    """
    if not rows:
        return "no rows"
    cells = [list(rows[0])] + [[_text(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(str.rjust, line, widths)) for line in cells)


def report(kept: Kept) -> str:
    """All tables of a result as text, with what they were made with.

    Parameters
    ----------
    kept : Kept
        The result.

    Returns
    -------
    text : str
        Name, date, versions and settings, then a table under each name.
    """
    settings = ", ".join(f"{name} = {value}" for name, value in kept.settings.items())
    versions = ", ".join(f"{name} {value}" for name, value in kept.versions.items())
    tables = [f"{name}\n{table(rows)}" for name, rows in kept.results.items()]
    return "\n\n".join([f"{kept.name} ({kept.date}; {versions})\n{settings}", *tables])


def _known(name: str) -> Callable[..., Tables]:
    if name not in _registry:
        raise ValueError(f"no reproduction is named {name!r}; there are {', '.join(names())}")
    return _registry[name]


def _columns(rows: list[Row]) -> dict[str, list]:
    """Rows as lists under their columns, whose order sorted keys would lose; ValueError unless all have the same."""
    if not rows or any(list(row) != list(rows[0]) for row in rows):
        raise ValueError("a table to keep needs rows, all of them with the same columns")
    return {"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}


def _rows(columns: dict[str, list]) -> list[Row]:
    return [dict(zip(columns["columns"], row, strict=True)) for row in columns["rows"]]


def _rounded(results: Tables) -> Tables:
    """Numbers of NumPy as Python's, floats to the digits that are kept."""
    return {
        name: [{column: _plain(value) for column, value in row.items()} for row in rows]
        for name, rows in results.items()
    }


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _text(value: Any) -> str:
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
