"""Bags of labels: the comparison on digits, from the splits to the last error."""

from rows import Row
from sweeps import timed

from knnviz.partial import Comparison
from knnviz.reproduce.errandonea.digits import NOISES, compared, rules

SPLITS = 20


def rows(quick: bool) -> list[Row]:
    """Five rules and the votes of 1 to 100 bags; left out when it must be quick."""
    if quick:
        return []
    whole(2)
    seconds, found = timed(lambda: whole(SPLITS))
    if found.done != found.pieces:
        raise AssertionError(f"{found.done} of {found.pieces} pieces are done")
    return [Row(f"the digits comparison ({len(NOISES)} values of nu, {SPLITS} splits)", seconds, "s", 30)]


def whole(splits: int) -> Comparison:
    """The comparison with its pipeline, clusters, bags, scans and votes."""
    return compared(rules(), NOISES, splits, seed=0, progress=False)
