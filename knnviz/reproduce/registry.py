"""Reproductions by name: run one in full, keep what it gave, read it again, print it.

A reproduction is a function of plain values whose defaults are the full run. It gives tables: lists of rows, each a
dict of numbers and strings by column. A column ``x_se`` holds the standard errors of the column ``x``.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from functools import wraps
from importlib.metadata import version
from inspect import cleandoc, signature
from pathlib import Path
from typing import Any

from knnviz import checks

#: Where results are kept.
DATA = Path(__file__).parent / "data"

#: What papers print, by the name of a reproduction or of several.
PUBLISHED = Path(__file__).parent / "published"

#: Packages whose versions are kept with a result.
PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")

#: Settings that several reproductions share. Where a docstring names one as ``n``, that text replaces this one.
SETTINGS = {
    "c1": "constant of the stopping band, above 0",
    "delta": "failure probability, strictly between 0 and 1",
    "flips": "draws of the label noise, at least 2",
    "k": "neighbors that vote, at most n",
    "ks": "values of k, the neighbors that vote, at most n",
    "m": "number of test points",
    "n": "number of training points",
    "names": "names of bundled data sets",
    "noise_neighbors": "values of k', the neighbors that estimate the flip rates, each below n",
    "noises": "values of the bag noise nu in [0, 1]",
    "progress": "whether a bar shows how far the run is; runs of seconds have none",
    "repeats": "samples in each setting, at least 2",
    "resolution": "cells along a coordinate that masses and risks are measured on",
    "runs": "samples in each setting, at least 2",
    "seed": "seed of all draws; without effect where nothing is drawn",
    "sizes": "sample sizes n",
    "splits": "random splits, at least 2",
    "trials": "random splits with their own flips, at least 2",
    "variant": "'threshold' or 'gao', that of RkNN",
}

#: Settings that count what is drawn; standard errors need at least 2.
COUNTS = ("clusters", "flips", "repeats", "runs", "splits", "trials")

#: A list without lists inside, as the json module lays it out.
INNERMOST = re.compile(r"\[\n *([^][{}]*?)\n *\]")

#: Significant digits of the results.
DIGITS = 6

Row = dict[str, Any]
Tables = dict[str, list[Row]]

_registry: dict[str, Callable[..., Tables]] = {}


@dataclass(frozen=True)
class FullRun:
    """What a full run gave: ``results`` by table, its ``settings``, package ``versions`` and its ISO ``date``."""

    name: str
    settings: Row
    versions: dict[str, str]
    date: str
    results: Tables


def reproduction(function: Callable[..., Tables]) -> Callable[..., Tables]:
    """Register a function under its name, and describe the shared settings in its docstring.

    It gives tables and has a default for every parameter; numbers come out as Python's, to six significant digits.
    It refuses a count in ``COUNTS`` below 2. Raises ValueError if the name is taken, and without a parameter ``seed``.

    Examples
    --------
    >>> from knnviz.reproduce import chaudhuri_dasgupta, names
    >>> "theorem_3_bump" in names()
    True
    >>> chaudhuri_dasgupta.theorem_3_bump(runs=2, seed=0)["bound"][0]["bound"]
    0.23
    """
    name, parameters = function.__name__, signature(function).parameters
    if name in _registry:
        raise ValueError(f"there is a reproduction named {name} already")
    if "seed" not in parameters:
        raise ValueError(f"a reproduction needs a parameter seed, but {name} has none")

    @wraps(function)
    def registered(*args: Any, **settings: Any) -> Tables:
        given = dict(zip(parameters, args, strict=False)) | settings
        for setting, value in given.items():
            if setting in COUNTS:
                checks.check_int(setting, value, 2)
        return _rounded(function(*args, **settings))

    registered.__doc__ = _documented(function)
    _registry[name] = registered
    return registered


def _documented(function: Callable[..., Tables]) -> str:
    text = cleandoc(function.__doc__ or "")
    shared = [name for name in signature(function).parameters if name in SETTINGS and f"``{name}``" not in text]
    lines = [f"{name} : {SETTINGS[name]}" for name in shared]
    return "\n".join([text, "", "Shared settings; a ValueError refuses any outside its range:", *lines])


def names() -> list[str]:
    """Names of all reproductions, sorted.

    Examples
    --------
    >>> from knnviz.reproduce import names
    >>> [name for name in names() if name.startswith("khim_figure")]
    ['khim_figure_1', 'khim_figure_2', 'khim_figure_3a', 'khim_figures_3b_and_4']
    """
    return sorted(_registry)


def defaults(name: str) -> Row:
    """Settings of the full run but ``progress``, as JSON holds them; ValueError for an unknown name.

    Examples
    --------
    >>> from knnviz.reproduce import defaults
    >>> defaults("khim_bayes_weights")
    {'resolution': 4000, 'seed': 0}
    """
    parameters = signature(_known(name)).parameters.values()
    return json.loads(json.dumps({each.name: each.default for each in parameters if each.name != "progress"}))


def run(name: str, progress: bool = False) -> FullRun:
    """Run a reproduction in full; ``save`` writes the result. ValueError for an unknown name.

    Examples
    --------
    >>> from knnviz.reproduce import run
    >>> kept = run("rittler_condition")
    >>> kept.settings["margin_exponent"], kept.results["exponents"][0]["active"]
    (0.9, 0.2)
    """
    settings = defaults(name)
    results = _registry[name](progress=progress)
    versions = {"python": f"{sys.version_info.major}.{sys.version_info.minor}"} | {
        each: version(each) for each in PACKAGES
    }
    return FullRun(name, settings, versions, date.today().isoformat(), results)


def save(kept: FullRun, folder: Path = DATA) -> Path:
    """Write a full run as NAME.json in a folder, a row of a table to a line; return the path.

    Raises ValueError for a table without rows, or with rows of different columns.

    Examples
    --------
    >>> from knnviz.reproduce import load, save
    >>> from tempfile import TemporaryDirectory
    >>> kept = load("rittler_condition")
    >>> with TemporaryDirectory() as folder:
    ...     save(kept, folder).name, load("rittler_condition", folder) == kept
    ('rittler_condition.json', True)
    """
    columns = {name: _columns(rows) for name, rows in kept.results.items()}
    record = asdict(kept) | {"results": columns, "seed": kept.settings["seed"]}
    path = Path(folder) / f"{kept.name}.json"
    path.write_text(json_text(record))
    return path


def json_text(record: Row) -> str:
    """JSON with sorted keys, in which a list without lists inside takes one line."""
    text = json.dumps(record, sort_keys=True, indent=1)
    # Strings of JSON hold no line breaks: all of them belong to the layout.
    return INNERMOST.sub(lambda found: "[" + re.sub(r",\n *", ", ", found[1]) + "]", text) + "\n"


def published(name: str) -> Row:
    """What a paper prints, or another run gave, to stand beside results; "origin" names the source of the values.

    ``name`` is that of a file, such as "gao_tables"; ValueError for an unknown one.

    Examples
    --------
    >>> from knnviz.reproduce import published
    >>> table = published("khim")["table_1"]
    >>> dict(zip(table["columns"], table["rows"][0]))
    {'n': 50, 'k': 18, 'tn': 0.16, 'tp': 0.08, 'fn': 0.05, 'fp': 0.12}
    """
    known = {path.stem: path for path in PUBLISHED.glob("*.json")}
    if name not in known:
        raise ValueError(f"no published values are named {name!r}; there are {', '.join(sorted(known))}")
    return json.loads(known[name].read_text())


def load(name: str, folder: Path = DATA) -> FullRun:
    """The full run that is kept; ValueError for an unknown name, FileNotFoundError if nothing is kept.

    Examples
    --------
    >>> from knnviz.reproduce import load
    >>> kept = load("theorem_3_bump")
    >>> kept.settings["n"], kept.settings["k"], kept.results["bound"][0]["bound"]
    (1000, 60, 0.23)
    """
    _known(name)
    path = Path(folder) / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(f"no result of {name} is kept; python -m knnviz reproduce {name} makes one")
    record = json.loads(path.read_text())
    record["results"] = {table: records(columns) for table, columns in record["results"].items()}
    del record["seed"]
    return FullRun(**record)


def table(rows: list[Row]) -> str:
    """Rows with the same columns as text: a line for the names and one for each row, or "no rows".

    Examples
    --------
    >>> from knnviz.reproduce import table
    >>> print(table([{"n": 100, "risk": 0.25}, {"n": 1000, "risk": 0.123456}]))
       n    risk
     100    0.25
    1000  0.1235
    """
    if not rows:
        return "no rows"
    cells = [list(rows[0])] + [[_text(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(str.rjust, line, widths)) for line in cells)


def report(kept: FullRun) -> str:
    """Name, date, versions and settings of a result as text, then a table under each name.

    Examples
    --------
    >>> from knnviz.reproduce import load, report
    >>> report(load("theorem_3_bump")).splitlines()[1]
    'delta = 0.1, k = 60, n = 1000, resolution = 400, runs = 1000, seed = 0'
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
    """Rows as lists below their column names, whose order sorted keys would lose."""
    if not rows or any(list(row) != list(rows[0]) for row in rows):
        raise ValueError("a table to keep needs rows, all of them with the same columns")
    return {"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}


def records(stored: dict[str, list]) -> list[Row]:
    """Rows of a table as a file holds it: the names of its ``columns``, and ``rows`` of their values."""
    return [dict(zip(stored["columns"], row, strict=True)) for row in stored["rows"]]


def _rounded(results: Tables) -> Tables:
    """Numbers as Python's, floats to ``DIGITS`` significant digits."""
    return {
        name: [{column: _rounded_value(value) for column, value in row.items()} for row in rows]
        for name, rows in results.items()
    }


def _rounded_value(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _text(value: Any) -> str:
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
