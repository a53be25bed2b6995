"""Command-line options of ``compare``, which runs the protocol of a paper on a reader's files."""

import argparse
from collections.abc import Iterable
from dataclasses import fields

from knnviz.corruption.bag_process import KINDS
from knnviz.linear import RIVALS as LINEAR_RIVALS
from knnviz_papers.gao.rivals import RIVALS as GAO_RIVALS
from knnviz_papers.protocols import PAPER_SETS, PROTOCOLS, compare


def add_options(command: argparse.ArgumentParser) -> None:
    """Add a command for each protocol, with its options."""
    protocols = command.add_subparsers(dest="protocol", required=True, metavar="PROTOCOL")
    _gao_options(protocols.add_parser("gao", help="RkNN beside its rivals, under label noise"))
    _khim_options(protocols.add_parser("khim", help="class weights, searched for a high F1"))
    _bag_options(protocols.add_parser("errandonea", help="PL A-kNN beside its rivals, on bags"))
    _image_options(protocols.add_parser("errandonea-images", help="the same on images whose labels become bags"))
    for each in protocols.choices.values():
        each.add_argument("--trials", type=int, default=10, metavar="N", help="random splits, 10 by default")
        each.add_argument("--seed", type=int, default=0, metavar="N", help="of all draws, 0 by default")
        each.add_argument("--jobs", type=int, default=1, metavar="N", help="trials at a time, 1 by default")
        each.add_argument("--output", metavar="FILE", help=".csv or .json for the rows; can be resumed")


def _add_files(command: argparse.ArgumentParser, kinds: str) -> None:
    command.add_argument("paths", nargs="*", metavar="FILE_OR_FOLDER", help=f"{kinds}, and folders of them")


def _add_rivals(command: argparse.ArgumentParser, known: Iterable[str]) -> None:
    text = f"{', '.join(known)}, or none; repeatable"
    command.add_argument("--rival", dest="rivals", action="append", metavar="NAME", help=text)


def _table_options(command: argparse.ArgumentParser, sets: Iterable[str] = ()) -> None:
    _add_files(command, "CSV and npz files")
    known = " or in the paper (" + ", ".join(sets) + ")" if sets else ""
    openml = f"set that is downloaded from OpenML, by its name there{known}; repeatable"
    command.add_argument("--openml", action="append", default=[], metavar="NAME[:VERSION]", help=openml)
    command.add_argument("--label", type=_column, metavar="COLUMN", help="name or number of the label's column")
    command.add_argument("--drop", action="append", default=[], metavar="NAME", help="column to leave out; repeatable")
    command.add_argument("--keep", action="append", default=[], metavar="NAME", help="a feature though it numbers rows")
    command.add_argument("--one-hot", action="store_true", help="turn each value of a text feature into a column")


def _gao_options(command: argparse.ArgumentParser) -> None:
    _table_options(command, PAPER_SETS["gao"]())
    command.add_argument("--positive", action="append", metavar="CLASS", help="class that becomes class 1")
    command.add_argument("--scoring", choices=("noisy", "clean"), help="labels that pick k and k'; noisy by default")
    _add_rivals(command, GAO_RIVALS)


def _khim_options(command: argparse.ArgumentParser) -> None:
    _table_options(command)
    neighbors = "k; by default 160 for the 11,340 rows of the paper, and less with n^(1/3)"
    command.add_argument("--neighbors", type=int, metavar="K", help=neighbors)
    command.add_argument("--raw", action="store_true", help="do not standardize the features")
    command.add_argument("--shift", action="store_true", help="compare positions from 0 with labels from 1, a mistake")


def _bag_options(command: argparse.ArgumentParser) -> None:
    _add_files(command, "npz files with X, S and y")
    command.add_argument("--kind", choices=KINDS, help="what noise does; removal by default")
    _add_bag_settings(command)


def _image_options(command: argparse.ArgumentParser) -> None:
    _table_options(command)
    _add_bag_settings(command)


def _add_bag_settings(command: argparse.ArgumentParser) -> None:
    noise = "bag noise nu; 0, 0.1 and so on to 0.7 by default; repeatable"
    command.add_argument("--noise", dest="noises", type=float, action="append", metavar="NU", help=noise)
    most = "most neighbors of a ball, 50 by default, 400 for images"
    command.add_argument("--most", type=int, metavar="T", help=most)
    _add_rivals(command, LINEAR_RIVALS)


def _column(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdecimal() else text


def run_comparison(arguments: argparse.Namespace) -> int:
    """Run a comparison; the exit code is 1 if a file or set was refused, and 130 after an interrupt."""
    values = {name: value for name, value in vars(arguments).items() if value is not None}
    if "rivals" in values:
        values["rivals"] = tuple(name for name in values["rivals"] if name != "none")
    options = {each.name: values[each.name] for each in fields(PROTOCOLS[arguments.protocol]) if each.name in values}
    running = {name: values[name] for name in ("openml", "trials", "jobs", "output") if name in values}
    reading = {name: values[name] for name in ("label", "drop", "keep", "one_hot") if name in values}
    try:
        return not compare(arguments.protocol, arguments.paths, options=options, progress=True, **running, **reading)
    except KeyboardInterrupt:
        return 130
