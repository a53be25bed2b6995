"""Runs that check the papers: list them, make one and store its result, or run a protocol on files
of your own.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

from knnviz.__main__ import print_utf_8
from knnviz_papers import runs
from knnviz_papers.protocols import PROTOCOLS, run_on_files

#: Further arguments of a run.
WITHOUT_FILES: tuple[list[str], ...] = ([], ["--smaller"])


def main(arguments: Sequence[str] | None = None) -> int:
    """List the runs and protocols, make a run, or run a protocol on files; return the exit code."""
    print_utf_8()
    if arguments is None:
        arguments = sys.argv[1:]
    name, *others = arguments or [""]
    # Without files, a name that is a protocol's and a run's stands for the run.
    is_run = name in runs.RUNS and others in WITHOUT_FILES
    if name in PROTOCOLS and not is_run:
        return run_on_files(name, others)

    given = _parser().parse_args(arguments)
    if given.name is None:
        for source in _sources():
            print(source)
        return 0
    results = runs.run(given.name, given.smaller, progress=True)
    if not given.smaller:
        runs.save(given.name, results)
    print(runs.report(results))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m knnviz_papers", description=__doc__)
    names = (*runs.RUNS, *PROTOCOLS)
    parser.add_argument(
        "name", nargs="?", choices=names, metavar="NAME", help="without it all are listed"
    )
    parser.add_argument("--smaller", action="store_true", help="less work, and nothing is stored")
    return parser


def _sources() -> Iterator[str]:
    """A line for each run and protocol: its name, and what the paper has there."""
    for name, run in runs.RUNS.items():
        yield f"{name:28} {run.source}"
    for name, protocol in PROTOCOLS.items():
        command = f"{name} FILE..."
        yield f"{command:28} {protocol.source}"


if __name__ == "__main__":
    sys.exit(main())
