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
LEARNED = {
    "errandonea_linear": 2.5 / 3600,
    "errandonea_removal": 2.5 / 3600,
    "errandonea_linear_tuned": 2.5 / 2880,
}

#: A column in another unit, which follows from those beside it: where these may differ it is not
#: compared.
FOLLOWS = "z"


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def differences(stored: Any, now: Any, absolute: float, path: str = "") -> list[str]:
    """Where two results differ by more than ``absolute``, as paths into them with both values."""
    pairs: list[tuple[object, Any, Any]] = []
    if isinstance(stored, dict) and isinstance(now, dict) and stored.keys() == now.keys():
        for key, value in stored.items():
            if key != FOLLOWS or absolute == ABSOLUTE:
                pairs.append((key, value, now[key]))
    elif isinstance(stored, list) and isinstance(now, list) and len(stored) == len(now):
        pairs += zip(range(len(now)), stored, now, strict=True)
    else:
        return differing_values(stored, now, absolute, path)

    found: list[str] = []
    for at, one, other in pairs:
        found += differences(one, other, absolute, f"{path}/{at}")
    return found


def differing_values(stored: Any, now: Any, absolute: float, path: str) -> list[str]:
    """Both values where they differ, with the path to them."""
    if is_number(stored) and is_number(now):
        same = math.isclose(stored, now, rel_tol=RELATIVE, abs_tol=absolute)
    else:
        same = stored == now
    if same:
        return []
    return [f"{path}: {stored!r} is stored, {now!r} was found"]


def main(*names: str) -> int:
    """Compare the named runs, all by default; the number of those that differ."""
    failed = 0
    for name in names or runs.RUNS:
        begun = time.monotonic()
        found = json.loads(json.dumps(runs.run(name)))
        absolute = LEARNED.get(name, ABSOLUTE)
        apart = differences(load(name).results, found, absolute)
        seconds = time.monotonic() - begun
        verdict = "differs" if apart else "same"
        print(f"{name:28} {seconds:7.1f} s  {verdict}", flush=True)
        for difference in apart[:5]:
            print(f"  {difference}")
        failed += bool(apart)
    return failed


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
