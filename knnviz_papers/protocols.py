"""The protocol of a paper, its data preparation, rules and scores, run on a reader's own tables.

All files are read before the first trial, and an interrupted run can be resumed.
"""

import csv
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from joblib import Parallel, delayed
from tqdm import tqdm

from knnviz import checks
from knnviz.problems.openml import OpenMLSet, read_openml
from knnviz.problems.tables import read_table
from knnviz.threads import processors
from knnviz_papers.errandonea.comparison import ErrandoneaComparison
from knnviz_papers.errandonea.images import ErrandoneaImages
from knnviz_papers.gao.comparison import GaoComparison
from knnviz_papers.gao.openml import openml_sets
from knnviz_papers.khim.comparison import KhimComparison
from knnviz_papers.runs import table
from knnviz_papers.simulate import Row

#: For a protocol, a function that gives its paper's data sets on OpenML, by their names in the paper.
PAPER_SETS = {"gao": openml_sets}

#: Files of a folder with these endings are read.
ENDINGS = (".csv", ".data", ".npz", ".tsv")


class FileContents(Protocol):
    """What was read from a file or a set of OpenML, such as a ``Table``."""

    @property
    def name(self) -> str: ...
    @property
    def notes(self) -> Sequence[str]: ...
    @property
    def checksum(self) -> str: ...


class PaperProtocol(Protocol):
    """The protocol of a paper: its trials on one file, and tables of results; its fields are its settings.

    ``open`` gives the contents of a file, ``read`` the data in them, ``prepare`` what all trials on these data share.
    ``rows`` are results as numbers, ``tables`` the same as text, by title, and ``summary`` is over all files.
    """

    @staticmethod
    def open(path: Path, **reading: Any) -> FileContents: ...
    def heading(self) -> str: ...
    def read(self, contents: Any) -> Any: ...
    def describe(self, data: Any) -> str: ...
    def prepare(self, data: Any, progress: bool) -> Any: ...
    def trial(self, data: Any, prepared: Any, number: int) -> Row: ...
    def rows(self, data: Any, trials: Sequence[Row]) -> list[Row]: ...
    def tables(self, rows: Sequence[Row]) -> Mapping[str, list[Row]]: ...
    def summary(self, rows: Sequence[Row]) -> str: ...


#: Protocols by their name on the command line.
PROTOCOLS: dict[str, Any] = {
    "errandonea": ErrandoneaComparison,
    "errandonea-images": ErrandoneaImages,
    "gao": GaoComparison,
    "khim": KhimComparison,
}


@dataclass
class Files:
    """Files that were read, by name, the data that a protocol makes of each, and why others were refused."""

    contents: dict[str, FileContents] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def files_of(paths: Sequence[str | Path]) -> list[Path]:
    """The files among the paths, and those in folders, sorted by name; ValueError for a path that is neither."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.suffix.lower() in ENDINGS)
            if not inside:
                raise ValueError(f"the folder {str(path)!r} holds no file that ends in {', '.join(ENDINGS)}")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise ValueError(f"there is no file or folder {str(path)!r}")
    return found


def read(protocol: PaperProtocol, paths: Sequence[Path], sets: Sequence[OpenMLSet] = (), **reading: Any) -> Files:
    """Read all files, then all sets of OpenML, with the options ``reading`` of the protocol's ``open``."""
    files = Files()
    sources: list[tuple[str, Callable[..., FileContents]]] = [
        (path.name, partial(protocol.open, path)) for path in paths
    ]
    sources += [(str(each), partial(read_openml, each)) for each in sets]
    for source, read_source in sources:
        try:
            contents = read_source(**reading)
            if contents.name in files.contents:
                raise ValueError(f"{source}: another table is called {contents.name}")
            files.data[contents.name] = protocol.read(contents)
            files.contents[contents.name] = contents
        except ValueError as error:
            files.refused.append(str(error))
    return files


class TrialLog:
    """Results of finished trials, in a file beside the output, for the settings in use."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        self.path, self.settings = path, json.loads(json.dumps(settings))
        self.entries = _entries(path) if path is not None and path.exists() else []

    def results(self, contents: FileContents) -> dict[int, Row]:
        """Results on a table with the same checksum, by the number of the trial, when the log was opened."""
        wanted = contents.checksum, self.settings
        matching = [entry for entry in self.entries if (entry["checksum"], entry["settings"]) == wanted]
        return {entry["trial"]: entry["result"] for entry in matching}

    def add(self, contents: FileContents, number: int, result: Row) -> None:
        if self.path is not None:
            entry = {"checksum": contents.checksum, "settings": self.settings, "trial": number, "result": result}
            with open(self.path, "a") as file:
                file.write(json.dumps(entry) + "\n")


def _entries(path: Path) -> list[Row]:
    """Entries of a log; a line that was cut off is skipped."""
    entries = []
    for line in path.read_text().splitlines():
        with suppress(json.JSONDecodeError):
            entries.append(json.loads(line))
    return entries


def compare(
    name: str,
    paths: Sequence[str | Path] = (),
    *,
    openml: Sequence[str] = (),
    trials: int = 10,
    jobs: int = 1,
    output: str | Path | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool = False,
    **reading: Any,
) -> bool:
    """Run a protocol on tables, print the results of each, and return whether all tables could be read.

    Parameters
    ----------
    name : str
        Name of the protocol, one of ``PROTOCOLS``.
    paths : sequence of paths
        Files, and folders of files.
    openml : sequence of str
        Sets that scikit-learn downloads from OpenML: by their name in the paper, or as NAME or NAME:VERSION.
    trials : int
        At least 2.
    jobs : int
        Trials that run at the same time.
    output : path, optional
        A .csv or .json file for the rows, as numbers. Finished trials are kept beside it, in a file that ends in
        .trials, so that the same command resumes a stopped run. An output without such a file is not overwritten.
    options : mapping, optional
        Settings of the protocol, fields of its class in ``PROTOCOLS``.
    progress : bool
        Show a progress bar.
    **reading
        How files are read: options of the protocol's ``open``.

    Raises ValueError for unknown paths, protocols and sets, bad settings, and if no table is named or can be read.
    """
    trials, jobs = checks.check_int("trials", trials, 2), checks.check_int("jobs", jobs, 1, processors())
    output = _checked_output(output)
    if name not in PROTOCOLS:
        raise ValueError(f"no protocol is named {name!r}; there are {', '.join(PROTOCOLS)}")
    protocol: PaperProtocol = PROTOCOLS[name](**(options or {}))
    if openml and protocol.open is not read_table:
        raise ValueError(f"{name} reads no sets of OpenML")
    if not paths and not openml:
        raise ValueError("there is nothing to compare on; name a file, a folder or a set of OpenML")
    files_named, papers = files_of(paths), PAPER_SETS.get(name, dict)()
    sets = [papers.get(text) or OpenMLSet.parse(text) for text in openml]
    files = read(protocol, files_named, sets, **reading)
    if not files.data:
        raise ValueError("; ".join(files.refused))
    log = TrialLog(output and _trials_file(output), {"protocol": name} | vars(protocol))
    refused, rows = [f"not read: {reason}" for reason in files.refused], list[Row]()
    print("\n".join([protocol.heading(), *refused]))
    # Rivals, the paper's other classifiers, warn where they predict one class, and where they do not converge.
    with (
        tqdm(total=trials * len(files.data), unit="trial", disable=not progress) as bar,
        warnings.catch_warnings(action="ignore", category=UserWarning),
    ):
        for table_name, data in files.data.items():
            bar.set_description(table_name)
            contents = files.contents[table_name]
            results = _run(protocol, data, contents, log, trials, jobs, bar)
            bar.clear()
            rows += _show(protocol, contents, data, results, trials)
            _save(output, rows)
            if len(results) < trials:
                break
    print("\n".join(["", *([protocol.summary(rows)] if rows else []), *refused]))
    if len(results) < trials:
        raise KeyboardInterrupt
    return not files.refused


def _checked_output(output: str | Path | None) -> Path | None:
    if output is None:
        return None
    path = Path(output)
    if path.suffix not in (".csv", ".json"):
        raise ValueError(f"the output must end in .csv or .json, got {str(output)!r}")
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {str(path.parent)!r} for the output")
    if path.exists() and not _trials_file(path).exists():
        raise ValueError(f"{str(output)!r} is there and no output of a comparison; name another file")
    return path


def _trials_file(output: Path) -> Path:
    return output.with_suffix(f"{output.suffix}.trials")


def _run(
    protocol: PaperProtocol, data: Any, contents: FileContents, log: TrialLog, trials: int, jobs: int, bar: tqdm
) -> list[Row]:
    """Results of the trials in order; after a KeyboardInterrupt, of those that are finished."""
    results = {number: result for number, result in log.results(contents).items() if number < trials}
    bar.update(len(results))
    missing = [number for number in range(trials) if number not in results]
    try:
        prepared = protocol.prepare(data, not bar.disable) if missing else None
        for number, result in _trials(protocol, data, prepared, missing, jobs):
            results[number] = result
            log.add(contents, number, result)
            bar.update()
    except KeyboardInterrupt:
        pass
    return [results[number] for number in sorted(results)]


def _trials(
    protocol: PaperProtocol, data: Any, prepared: Any, numbers: Sequence[int], jobs: int
) -> Iterator[tuple[int, Row]]:
    def one(number: int) -> tuple[int, Row]:
        return number, protocol.trial(data, prepared, number)

    # Threads, since kernels and matrix products release the GIL, and data are not copied.
    parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered", batch_size=1)
    yield from parallel(delayed(one)(number) for number in numbers)


def _show(protocol: PaperProtocol, contents: FileContents, data: Any, results: Sequence[Row], trials: int) -> list[Row]:
    """Print the results on a table; return its rows, none for fewer than two trials."""
    print("\n".join(["", f"{contents.name}: {protocol.describe(data)}", *(f"  {note}" for note in contents.notes)]))
    if len(results) < trials:
        print(f"  stopped after {len(results)} of {trials} trials")
    if len(results) < 2:
        return []
    rows = protocol.rows(data, results)
    print("\n".join(f"\n{title}\n{table(shown)}" for title, shown in protocol.tables(rows).items()))
    return rows


def _save(output: Path | None, rows: Sequence[Row]) -> None:
    if output is None:
        return
    # Also before the first row: it marks the file as an output of a comparison.
    _trials_file(output).touch()
    if output.suffix == ".json":
        output.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        return
    with open(output, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)
