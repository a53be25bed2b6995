"""``make bench``: what the project promises about speed, measured beside its peers in the same run,
or in milliseconds of a reference machine.

``--quick`` takes fewer repetitions, and the controls of one lab; ``--class`` has a class at work on
one server instead, and ``--growth`` measures how time and memory grow with n, and curves on a
cluster.
"""

import argparse
from importlib import import_module

import growth
import students
from reference import slowness
from rows import table

#: Modules with rows, in their order.
PARTS = (
    "engine",
    "neighbors",
    "bags",
    "searches",
    "sweeps",
    "curves",
    "controls",
    "page",
    "distance",
)


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="fewer repetitions, and the controls of one lab"
    )
    parser.add_argument(
        "--class", action="store_true", dest="of_class", help="students on one server instead"
    )
    parser.add_argument(
        "--growth", action="store_true", help="growth with n, and a cluster, instead"
    )
    parser.add_argument("--students", type=int, default=30, help="how many of them")
    parser.add_argument("--minutes", type=float, default=3, help="for how long")
    given = parser.parse_args()
    slowness()
    if given.of_class:
        rows = students.rows(given.students, given.minutes)
    elif given.growth:
        print(growth.table(given.quick), end="\n\n")
        rows = growth.cluster_rows(given.quick)
    else:
        parts = [import_module(part) for part in PARTS]
        rows = [row for part in parts for row in part.rows(given.quick)]
    print(table(rows))


if __name__ == "__main__":
    main()
