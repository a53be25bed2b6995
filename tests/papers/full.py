"""Make runs in full and compare them with the stored results: the named ones, or all.

``python tests/papers/full.py NAME ...`` prints how long each took, and what differs.
"""

import math
import sys
import time
from itertools import zip_longest
from typing import Any

from knnviz.lessons import load
from knnviz_papers import runs
from knnviz_papers.simulate import Tables

#: Deviations up to this fraction are those of another processor.
RELATIVE = 1e-6
ABSOLUTE = 1e-12

#: Scores that many steps learn magnify the last bit: of the 4,500 test points of digits behind an
#: accuracy one may turn, of the 3,600 behind an error two. Rows of rules that only vote are exact.
VOTES = ("kNN", "RkNN", "10-NN", "A-kNN", "PL A-kNN", "best k")
LEARNED = {
    "gao_tables": 1.5 / 4500,
    "errandonea_linear": 2.5 / 3600,
    "errandonea_removal": 2.5 / 3600,
    "errandonea_linear_tuned": 2.5 / 2880,
}

#: A column in another unit, which follows from those beside it: where these may differ it is not
#: compared.
FOLLOWS = "z"


def same(one: Any, other: Any, absolute: float) -> bool:
    """Whether two values are equal, numbers up to rounding."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=absolute)
    return one == other


def differences(stored: Tables, now: Tables, absolute: float) -> list[str]:
    """Where tables differ, with both values; learned numbers by more than ``absolute``."""
    found = []
    for name in stored.keys() | now.keys():
        pairs = zip_longest(stored.get(name, []), now.get(name, []), fillvalue={})
        for number, (one, other) in enumerate(pairs):
            allowed = ABSOLUTE if one.get("rule") in VOTES else absolute
            for column in one.keys() | other.keys():
                before = one.get(column)
                after = other.get(column)
                follows = column == FOLLOWS and allowed != ABSOLUTE
                if not (follows or same(before, after, allowed)):
                    place = f"{name}/{number}/{column}"
                    found.append(f"{place}: {before!r} is stored, {after!r} was found")
    return found


def main(*names: str) -> int:
    """Compare the named runs, all by default; the number of those that differ."""
    failed = 0
    for name in names or runs.RUNS:
        begun = time.monotonic()
        found = runs.run(name)
        apart = differences(load(name).results, found, LEARNED.get(name, ABSOLUTE))
        seconds = time.monotonic() - begun
        verdict = "differs" if apart else "same"
        print(f"{name:28} {seconds:7.1f} s  {verdict}", flush=True)
        for difference in apart[:5]:
            print(f"  {difference}")
        failed += bool(apart)
    return failed


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
