"""The protocol of a paper, its data preparation, rules and scores, run on a reader's own files."""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from inspect import getdoc, signature
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import pandas as pd
from tqdm import tqdm

from knnviz.checks import check_flip_rates
from knnviz.problems import BagTable, from_bags
from knnviz.problems.columns import features_and_labels, listed, without_ids
from knnviz.problems.data import LabeledTable
from knnviz_papers.simulate import Row


class Protocol(NamedTuple):
    """Module and names of three functions, and what the paper has there.

    ``compare`` yields rows of results on a table after each trial, none after the first; its
    parameters are the options. ``text`` are the rows of one table, ``summary`` those of all, to
    print. Files hold tables with a column of labels, or bags.
    """

    module: str
    compare: str
    text: str
    summary: str
    source: str
    of_bags: bool = False

    def function(self, name: str) -> Callable[..., Any]:
        return getattr(import_module(f"knnviz_papers.{self.module}"), name)


PROTOCOLS = {
    "errandonea_bags": Protocol(
        "errandonea.comparison",
        "compare_on_bags",
        "errors_text",
        "marks_text",
        "Section 4, on bags of your own",
        True,
    ),
    "errandonea_images": Protocol(
        "errandonea.comparison",
        "compare_on_images",
        "errors_text",
        "marks_text",
        "Figures 1 to 4, on your own images",
    ),
    "gao_rivals": Protocol(
        "gao.comparison",
        "compare_rivals",
        "accuracy_text",
        "wins_text",
        "Tables 2 to 4, on your own tables",
    ),
    "khim_weights": Protocol(
        "khim.comparison",
        "compare_weights",
        "weights_text",
        "gains_text",
        "Table 2, on your own tables",
    ),
}


def _flip_rates(text: str) -> tuple[float, float]:
    """(p0, p1), class 0 first."""
    try:
        p0, p1 = map(float, text.split(","))
        return check_flip_rates(p0, p1)
    except ValueError:
        sentence = "flip rates P0,P1 must be two numbers, each in [0, 1) and together below 1"
        raise argparse.ArgumentTypeError(f"{sentence}, got {text!r}") from None


#: Options by the parameter of ``compare``.
OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "positive": (
        "--positive",
        {"action": "append", "metavar": "CLASS", "help": "becomes class 1; repeatable"},
    ),
    "scoring": (
        "--scoring",
        {"choices": ("noisy", "clean"), "help": "labels that pick k and k'; noisy by default"},
    ),
    "neighbors": ("--neighbors", {"type": int, "metavar": "K", "help": "k"}),
    "kind": (
        "--kind",
        {
            "choices": ("removal", "confusion", "other"),
            "help": "what noise does; removal by default",
        },
    ),
    "noises": (
        "--noise",
        {"action": "append", "type": float, "metavar": "NU", "help": "bag noise; repeatable"},
    ),
    "rivals": ("--rival", {"action": "append"}),
    "flip_rates": (
        "--rates",
        {
            "action": "append",
            "type": _flip_rates,
            "metavar": "P0,P1",
            "help": "flip rates to plant; repeatable",
        },
    ),
    "trials": ("--trials", {"type": int, "metavar": "N", "help": "random splits, 10 by default"}),
    "seed": ("--seed", {"type": int, "metavar": "N", "help": "of all draws, 0 by default"}),
}


def run_on_files(name: str, arguments: Sequence[str]) -> int:
    """Run a protocol on files; the exit code is 1 if one was refused, 130 after Ctrl-C."""
    protocol = PROTOCOLS[name]
    compare = protocol.function(protocol.compare)
    parser = _parser(name, compare, protocol.of_bags)
    given = vars(parser.parse_args(arguments))
    paths = given.pop("files")
    output = given.pop("output")
    if len({path.stem for path in paths}) < len(paths):
        parser.error("files must have different names")
    try:
        if output:
            output.touch(exist_ok=False)
    except OSError as error:
        parser.error(f"the output cannot be made: {error}")

    parameters = signature(compare).parameters
    options = {}
    for option, value in given.items():
        if option in parameters and value is not None:
            options[option] = value
    if "rivals" in options:
        options["rivals"] = [rival for rival in options["rivals"] if rival != "none"]
    trials = options.get("trials", parameters["trials"].default)

    rows = list[Row]()
    code = 0
    for path in paths:
        found: list[Row] = []
        try:
            steps = compare(_table(path, given.get("label")), **options)
            for so_far in _with_progress(steps, path.stem, trials):
                found = so_far
        except (OSError, ValueError) as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            code = 1
            if not found:
                continue
        except KeyboardInterrupt:
            code = 130

        rows += found
        if output and rows:
            pd.DataFrame(rows).to_csv(output, index=False, errors="backslashreplace")
        text = f"{path.stem}: fewer than two trials"
        if found:
            text = protocol.function(protocol.text)(found)
        print(text, end="\n\n")
        if code == 130:
            break

    if rows:
        print(protocol.function(protocol.summary)(rows))
    elif output:
        output.unlink()
    return code


def _parser(name: str, compare: Callable[..., Any], of_bags: bool) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        f"python -m knnviz_papers {name}",
        description=getdoc(compare),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    form = ".npz" if of_bags else "as pandas reads it"
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=form)
    if not of_bags:
        parser.add_argument("--label", required=True, metavar="COLUMN", help="column of the labels")
    for parameter in signature(compare).parameters.values():
        if parameter.name in OPTIONS:
            flag, keywords = OPTIONS[parameter.name]
            if parameter.name == "rivals":
                keywords = keywords | _choice((*parameter.default, "none"))
            parser.add_argument(flag, dest=parameter.name, **keywords)
    parser.add_argument("--output", type=Path, metavar="FILE", help="new .csv file for the rows")
    return parser


def _choice(names: Sequence[str]) -> dict[str, Any]:
    """Keywords of an option that takes these names."""
    listing = "; ".join(names)
    return {"choices": names, "help": f"{listing}; repeatable", "metavar": "NAME"}


def _table(path: Path, label: str | None) -> LabeledTable | BagTable:
    """A table whose labels are in a column, or bags without one."""
    if label is not None:
        table = features_and_labels(pd.read_csv(path), label)
        features = without_ids(table.features)
        ids = [name for name in table.features if name not in features]
        if ids:
            print(f"{path.name}: left out as ids: {listed(ids)}", file=sys.stderr)
        return LabeledTable.from_columns(path.stem, features, table.labels)
    try:
        with np.load(path) as held:
            arrays = [held[name] for name in "XSy"]
    except (BadZipFile, EOFError, KeyError, TypeError, ValueError):
        raise ValueError("it must be an archive of NumPy arrays X, S and y") from None
    return from_bags(*arrays, name=path.stem)


def _with_progress(steps: Iterator[list[Row]], name: str, trials: int) -> Iterator[list[Row]]:
    # Rivals, the paper's other classifiers, warn where they predict one class, and where they do
    # not converge.
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        yield from tqdm(steps, name, trials, unit="trial")
