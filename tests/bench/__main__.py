"""``make bench``: what the project promises about speed, measured beside its peers in the same run,
or in milliseconds of a reference machine.

``--quick`` takes fewer repetitions, and the controls of one lab; ``--class`` has a class at work on
one server instead.
"""

import argparse
from importlib import import_module

import students
from reference import slowness
from rows import table

#: Modules with rows, in their order.
PARTS = (
    "engine",
    "moves",
    "neighbors",
    "comparison",
    "bags",
    "searches",
    "sweeps",
    "curves",
    "page",
    "controls",
    "distance",
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--class", action="store_true", dest="of_class")
    given = parser.parse_args()
    slowness()
    if given.of_class:
        rows = students.rows(30, 3)
    else:
        parts = [import_module(part) for part in PARTS]
        rows = [row for part in parts for row in part.rows(given.quick)]
    print(table(rows))


if __name__ == "__main__":
    main()
