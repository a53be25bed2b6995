"""A reader's own files as sources of samples."""

from os import PathLike
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from knnviz.problems import delimited
from knnviz.problems.columns import Features, projected
from knnviz.problems.data import Dataset, Scale, from_data
from knnviz.problems.reader import Reader


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
    """Two features and a label of a table in a text file as a source of samples.

    Delimiters are commas, semicolons, tabs, bars or spaces; between semicolons numbers may have a decimal comma. The
    first line is a header if none of its cells is a number; one with a number whose label no other line has is refused
    as doubtful. The encoding, unless given, is UTF-16 if the file says so, else UTF-8, else that of Windows or Latin-1.
    ``label`` is a column by name or position, by default the last; ``features`` are as in ``from_data``, and positions
    among them do not count the label. Labels that are all numbers count as such (1.0 is 1). ``name`` is by default that
    of the file.
    Raises ValueError, in terms of the file's lines, for missing values, text among numbers, and rows of another
    length; no row is ever left out. Raises FileNotFoundError if there is no such file.
    """
    path = Path(path)
    pca = projected(features)
    reader = Reader.open(path, delimited.recognized(path, encoding), label, features)
    X, y, classes = reader.read()
    return from_data(
        X,
        y,
        features if pca else (0, 1),
        scale,
        test_size,
        seed,
        name=path.name if name is None else name,
        feature_names=reader.feature_names,
        class_names=classes,
    )


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
    """Two features and labels from a NumPy archive of two arrays, X (n, columns) and y (n,), as a source of samples.

    ``data`` and ``label`` are the names of the two arrays. The archive may also hold ``feature_names``, and
    ``class_names``: of all codes 0, 1, ... if y holds such, else of the labels in sorted order. The rest is as in
    ``from_data``; ``name`` is by default that of the file.
    Raises ValueError for a file that is no such archive, or holds Python objects; FileNotFoundError if there is none.
    """
    path = Path(path)
    held = _arrays(path, (data, label), ("feature_names", "class_names"))
    y, class_names = held[label], held.get("class_names")
    if class_names is not None and y.dtype.kind in "iu" and y.size and y.min() >= 0 and y.max() < len(class_names):
        class_names = class_names[np.unique(y)]
    return from_data(
        held[data],
        y,
        features,
        scale,
        test_size,
        seed,
        name=path.name if name is None else name,
        feature_names=held.get("feature_names"),
        class_names=class_names,
    )


def _arrays(path: Path, wanted: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The named arrays of an archive; ValueError if it is none, or lacks one that is wanted."""
    with open(path, "rb") as file:
        try:
            archive = np.load(file, allow_pickle=False)
        except (ValueError, EOFError, OSError, BadZipFile):
            archive = None
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise ValueError(f"{path.name} is not a NumPy archive of several arrays (.npz)")
        for name in wanted:
            if name not in archive:
                raise ValueError(f"{path.name} has no array {name!r}; it holds {', '.join(archive) or 'none'}")
        held = {name: _array(path, archive, name) for name in (*wanted, *optional) if name in archive}
    for name in optional:
        if name in held and held[name].ndim != 1:
            raise ValueError(f"{name!r} of {path.name} must be a list of names, got shape {held[name].shape}")
    return held


def _array(path: Path, archive: Any, name: str) -> np.ndarray:
    """One array of an archive."""
    try:
        held = archive[name]
    except (ValueError, EOFError, OSError, BadZipFile):
        raise ValueError(f"{name!r} of {path.name} cannot be read: it is damaged, or holds Python objects") from None
    if not isinstance(held, np.ndarray):
        raise ValueError(f"{name!r} of {path.name} is not an array")
    return held
