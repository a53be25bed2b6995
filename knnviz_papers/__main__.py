"""Runs that check the papers: list them, make one and store its result, or run a protocol on files
of your own.
"""

import argparse
import sys
from collections.abc import Sequence

from knnviz.outputs import print_utf_8
from knnviz_papers import runs
from knnviz_papers.protocols import PROTOCOLS, run_on_files

#: Further arguments of a run.
WITHOUT_FILES: tuple[list[str], ...] = ([], ["--smaller"])


def main(arguments: Sequence[str] | None = None) -> int:
    """List the runs and protocols, make a run, or run a protocol on files; return the exit code."""
    print_utf_8()
    arguments = sys.argv[1:] if arguments is None else arguments
    # Without files, a name that is a protocol's and a run's stands for the run.
    if (
        arguments
        and arguments[0] in PROTOCOLS
        and not (arguments[0] in runs.RUNS and arguments[1:] in WITHOUT_FILES)
    ):
        return run_on_files(arguments[0], arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m knnviz_papers", description=__doc__)
    names = (*runs.RUNS, *PROTOCOLS)
    parser.add_argument(
        "name", nargs="?", choices=names, metavar="NAME", help="without it all are listed"
    )
    parser.add_argument("--smaller", action="store_true", help="less work, and nothing is stored")
    given = parser.parse_args(arguments)
    if given.name is None:
        sources = {name: run.source for name, run in runs.RUNS.items()}
        sources |= {f"{name} FILE...": protocol.source for name, protocol in PROTOCOLS.items()}
        print("\n".join(f"{name:28} {source}" for name, source in sources.items()))
        return 0
    results = runs.run(given.name, given.smaller, progress=True)
    if not given.smaller:
        runs.save(given.name, results)
    print(runs.report(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
