"""Runs that check the papers: list them, or make one and store its result."""

import argparse
import sys
from collections.abc import Sequence

from knnviz_papers import runs


def main(arguments: Sequence[str] | None = None) -> int:
    """List the runs, or make one; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m knnviz_papers", description=__doc__)
    parser.add_argument("name", nargs="?", choices=runs.RUNS, metavar="NAME", help="the run; without it all are listed")
    parser.add_argument("--smaller", action="store_true", help="less work, and nothing is stored")
    given = parser.parse_args(arguments)
    if given.name is None:
        print("\n".join(f"{name:28} {run.source}" for name, run in runs.RUNS.items()))
        return 0
    results = runs.run(given.name, given.smaller, progress=True)
    if not given.smaller:
        runs.save(given.name, results)
    print(runs.report(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
