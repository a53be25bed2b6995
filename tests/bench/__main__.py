"""``make bench``: what the project promises about speed, measured beside its peers in the same run.

The table is printed and stored as JSON in ``results``; a second table has every control of every lab. ``--quick`` takes
fewer repetitions, and the controls of one lab; ``--class`` has a class at work on one server instead.
"""

import argparse
import json
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "browser")]

import bags  # noqa: E402
import comparison  # noqa: E402
import controls  # noqa: E402
import engine  # noqa: E402
import moves  # noqa: E402
import neighbors  # noqa: E402
import page  # noqa: E402
import rounds  # noqa: E402
import searches  # noqa: E402
import students  # noqa: E402
import sweeps  # noqa: E402
from rows import Row, table  # noqa: E402

PACKAGES = (
    "numpy",
    "scipy",
    "numba",
    "scikit-learn",
    "matplotlib",
    "ipywidgets",
    "anywidget",
    "jupyterlab",
    "ipykernel",
)


def measured(quick: bool) -> list[Row]:
    """All rows, part after part."""
    parts = (engine, moves, neighbors, comparison, bags, searches, rounds, sweeps, page)
    return [row for part in parts for row in part.rows(quick)]


def keep(rows: list[Row]) -> Path:
    """Write the rows with date and versions."""
    now = datetime.now(UTC)
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    path = folder / f"{now:%Y-%m-%d-%H%M%S}.json"
    versions = {name: version(name) for name in PACKAGES} | {"python": platform.python_version()}
    path.write_text(
        json.dumps({"date": now.isoformat(), "versions": versions, "rows": [vars(row) for row in rows]}, indent=1)
    )
    return path


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, and the controls of one lab")
    parser.add_argument("--class", action="store_true", dest="of_class", help="students on one server instead")
    parser.add_argument("--students", type=int, default=30, help="how many of them")
    parser.add_argument("--minutes", type=float, default=3, help="for how long")
    given = parser.parse_args()
    rows = students.rows(given.students, given.minutes) if given.of_class else measured(given.quick)
    print(table(rows))
    missed = [row.what for row in rows if row.met is False]
    print(
        f"\n{len(missed)} of {sum(row.met is not None for row in rows)} bars missed"
        + "".join(f"\n- {m}" for m in missed)
    )
    keep(rows)
    if not given.of_class:
        print("\n" + controls.table(["NeighborLab"] if given.quick else []))


if __name__ == "__main__":
    main()
