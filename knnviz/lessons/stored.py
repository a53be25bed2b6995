"""What full runs gave and what papers print, stored as JSON with ``knnviz_papers``; no run is
loaded.
"""

import json
from importlib.resources import files
from typing import Any, NamedTuple

from knnviz.lessons.content import entry


class StoredRun(NamedTuple):
    """What a full run gave: ``results``, a list of rows by the name of a table, and its
    ``settings``.
    """

    results: dict[str, list[dict[str, Any]]]
    settings: dict[str, Any]


def load(name: str) -> StoredRun:
    """The stored result of a full run; ValueError for an unknown name.

    Examples
    --------
    >>> from knnviz.lessons import load
    >>> load("looseness").results["bounds"][0]["k"]
    52
    """
    record = _read("results", name)
    return StoredRun(record["results"], record["settings"])


def published(name: str) -> dict[str, Any]:
    """What a paper prints, or another run gave, to stand beside results; "origin" names the source
    of the values.

    ``name`` is that of a file, such as "gao_tables"; ValueError for an unknown one.

    Examples
    --------
    >>> from knnviz.lessons import published
    >>> published("khim")["table_1"][0]
    {'n': 50, 'k': 18, 'tn': 0.16, 'tp': 0.08, 'fn': 0.05, 'fp': 0.12}
    """
    return _read("published", name)


def _read(folder: str, name: str) -> dict[str, Any]:
    stored = (files("knnviz_papers") / folder).iterdir()
    known = {each.name.removesuffix(".json"): each for each in stored}
    found = entry("nothing is stored as", name, dict(sorted(known.items())))
    return json.loads(found.read_text("utf-8"), object_hook=_records)


def _records(stored: dict[str, Any]) -> Any:
    """Rows of a table, each a dict by column, where JSON holds ``columns`` and ``rows`` of
    values.
    """
    if stored.keys() != {"columns", "rows"}:
        return stored
    columns = stored["columns"]
    return [dict(zip(columns, row, strict=True)) for row in stored["rows"]]
