"""Make runs in full and compare them with the stored results: the named ones, or all.

``python tests/papers/full.py NAME ...`` prints how long each took, and what differs.
"""

import json
import math
import sys
import time
from typing import Any

from knnviz.lessons import load
from knnviz_papers import runs

#: Deviations up to this fraction are those of another processor.
RELATIVE = 1e-6
ABSOLUTE = 1e-12

#: Scores that many steps learn magnify the last bit: two of the 3,600 test points behind an error
#: may turn.
LEARNED = {"errandonea_linear": 2.5 / 3600, "errandonea_removal": 2.5 / 3600}
LEARNED |= {"errandonea_linear_tuned": 2.5 / 2880}

#: A column in another unit, which follows from those beside it: where these may differ it is not
#: compared.
FOLLOWS = "z"


def differences(stored: Any, now: Any, absolute: float, path: str = "") -> list[str]:
    """Where two results differ by more than ``absolute``, as paths into them with both values."""
    if isinstance(stored, dict) and isinstance(now, dict) and stored.keys() == now.keys():
        return [
            each
            for key in stored
            if key != FOLLOWS or absolute == ABSOLUTE
            for each in differences(stored[key], now[key], absolute, f"{path}/{key}")
        ]
    if isinstance(stored, list) and isinstance(now, list) and len(stored) == len(now):
        pairs = enumerate(zip(stored, now, strict=True))
        return [each for at, pair in pairs for each in differences(*pair, absolute, f"{path}/{at}")]
    numbers = all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in (stored, now)
    )
    same = (
        math.isclose(stored, now, rel_tol=RELATIVE, abs_tol=absolute) if numbers else stored == now
    )
    return [] if same else [f"{path}: {stored!r} is stored, {now!r} was found"]


def main(*names: str) -> int:
    """Compare the named runs, all by default; the number of those that differ."""
    failed = 0
    for name in names or runs.RUNS:
        begun = time.monotonic()
        found = json.loads(json.dumps(runs.run(name)))
        apart = differences(load(name).results, found, LEARNED.get(name, ABSOLUTE))
        print(
            f"{name:28} {time.monotonic() - begun:7.1f} s  {'differs' if apart else 'same'}",
            flush=True,
        )
        print("\n".join(f"  {each}" for each in apart[:5]), end="\n" if apart else "")
        failed += bool(apart)
    return failed


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
