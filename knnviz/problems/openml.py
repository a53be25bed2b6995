"""Tables of OpenML, downloaded by scikit-learn and read as files are."""

import re
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

from knnviz.problems.columns import NUMERIC, quoted
from knnviz.problems.data import Table
from knnviz.problems.label_column import label_column
from knnviz.problems.tables import as_table

#: Numbers of rows, features and classes.
Shape = tuple[int, int, int]


@dataclass(frozen=True)
class OpenMLSet:
    """A data set of OpenML by name and version; without a version, its oldest active one.

    ``paper`` is its name in a paper, and ``shape`` the numbers of rows, features and classes there, which it must have.
    """

    name: str
    version: int | None = None
    paper: str | None = None
    shape: Shape | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """The set that NAME or NAME:VERSION names; ValueError if the text is neither."""
        # No name of OpenML has other characters, which could change the address that is requested.
        found = re.fullmatch(r"([\w.,()+-]+)(?::([1-9]\d*))?", text, re.ASCII)
        if found is None:
            raise ValueError(f"a set of OpenML is NAME or NAME:VERSION with a whole number from 1, got {text!r}")
        return cls(found[1], int(found[2]) if found[2] else None)

    def __str__(self) -> str:
        return self.paper or (self.name if self.version is None else f"{self.name}:{self.version}")


def read_openml(
    wanted: OpenMLSet,
    label: int | str | None = None,
    *,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    one_hot: bool = False,
) -> Table:
    """All features and the label of a data set of OpenML, downloaded once and then in scikit-learn's cache.

    ``label`` is by default the set's target; it and the other options are as in ``read_table``. Columns that OpenML
    marks as ignored or as row identifiers are left out. Nominal features whose values are all numbers become numbers,
    as in a file. The table is called NAME:VERSION, or as in the paper if ``wanted.paper`` is given and the label is the
    target; ``notes`` say what was downloaded and used.

    Raises ValueError, in a sentence that names the set, where ``read_table`` does; if the set cannot be downloaded, is
    inactive or sparse; and if its rows, features or classes are not as many as in the paper.
    """
    try:
        bunch = _downloaded(wanted)
        _check_shape(wanted, bunch)
        frame, targets = bunch.frame, bunch.target_names
        names = list(frame.columns)
        at, note = label_column(frame, names, label, targets)
        y, frame = _as_read(frame.iloc[:, at]), frame.drop(columns=names[at])
        numbers = frame.apply(_as_read)
        notes = [f"OpenML: {_name_and_version(bunch)}", *_warnings(bunch.details), note, *_coded_note(frame, numbers)]
        y = y.str.strip() if y.dtype.kind not in NUMERIC else y
        name = wanted.paper if wanted.paper and names[at] in targets else f"{wanted.name}:{bunch.details['version']}"
        return as_table(name, numbers, y, None, notes, drop=drop, keep=keep, one_hot=one_hot)
    except ValueError as error:
        raise ValueError(f"{wanted}: {error}") from None


def _downloaded(wanted: OpenMLSet) -> Any:
    """What scikit-learn makes of an active set, with its data frame."""
    from sklearn.datasets import fetch_openml

    with warnings.catch_warnings():
        # Failed retries end in an error, and the notes have the version and OpenML's own warnings.
        warnings.simplefilter("ignore")
        try:
            # The other parser of scikit-learn 1.9.1 fails on nominal numbers with pandas 3.1.
            bunch = fetch_openml(wanted.name, version=wanted.version or "active", parser="liac-arff")
        except Exception as error:
            # Errors of the network, of JSON and of the parser have no class in common.
            reason = str(getattr(error, "reason", error)).rstrip(".")
            raise ValueError(f"it could not be downloaded from OpenML: {reason}") from None
    if bunch.details["status"] != "active":
        raise ValueError(f"OpenML's {_name_and_version(bunch)}, is {bunch.details['status']}; choose another version")
    if bunch.frame is None:
        raise ValueError(f"OpenML's {_name_and_version(bunch)}, is sparse, and only dense tables are read")
    return bunch


def _name_and_version(bunch: Any) -> str:
    return f"{bunch.details['name']}, version {bunch.details['version']}"


def _check_shape(wanted: OpenMLSet, bunch: Any) -> None:
    shape = (*bunch.data.shape, len(bunch.frame[bunch.target_names].drop_duplicates()))
    if wanted.shape is not None and wanted.shape != shape:
        here, there = ("{} rows of {} features in {} classes".format(*each) for each in (shape, wanted.shape))
        raise ValueError(f"OpenML's {_name_and_version(bunch)}, has {here}, the paper's set {there}")


def _warnings(details: dict[str, Any]) -> list[str]:
    return [f"OpenML's {kind}: {details[kind]}" for kind in ("error", "warning") if kind in details]


def _coded_note(frame: Any, numbers: Any) -> list[str]:
    """A note on the features of a frame that ``_as_read`` has converted to numbers, if there are any."""
    coded = [name for name in frame if frame[name].dtype.kind not in NUMERIC and numbers[name].dtype.kind in NUMERIC]
    return [f"nominal, taken as numbers: {quoted(coded)}"] if coded else []


def _as_read(column: Any) -> Any:
    """A column as it would be read from a file: numbers if all values are, else text."""
    import pandas as pd

    if column.dtype.kind in NUMERIC:
        return column
    try:
        return pd.to_numeric(column.astype(object))
    except ValueError:
        return column.astype(object)
