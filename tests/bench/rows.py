"""Rows of the table: how they are declared, timed and printed."""

import statistics
import time
from dataclasses import dataclass

from reference import slowness


@dataclass
class Row:
    """One measurement: ours, its bar, and a peer in the same unit if there is one; ``more`` where
    more is better.

    A bar in ms or s is of the reference machine, and grows on one that is slower: by ``slowness``,
    or as work does if there is none; 1 stands for a bar that was measured in the same run.
    """

    what: str
    ours: float
    unit: str = "ms"
    bar: float | None = None
    peer: float | None = None
    peer_name: str = ""
    more: bool = False
    slowness: float | None = None

    @property
    def limit(self):
        """The bar as it is on this machine."""
        if self.bar is None or self.unit not in ("ms", "s"):
            return self.bar
        return self.bar * (self.slowness or slowness())

    @property
    def met(self):
        """Whether the bar is met; None without a bar."""
        if self.limit is None:
            return None
        if self.more:
            return self.ours >= self.limit
        return self.ours <= self.limit

    def __str__(self):
        sign = "≥" if self.more else "≤"
        bar = "" if self.limit is None else f"{sign} {self.limit:.4g}"
        met = {True: "yes", False: "NO", None: ""}[self.met]
        peer = ""
        ratio = ""
        if self.peer is not None:
            ratio = f"{self.peer / self.ours:.3g}" if self.ours else "∞"
            peer = f"{self.peer:.4g} ({self.peer_name})"
        return f"| {self.what} | {self.ours:.4g} {self.unit} | {bar} | {met} | {peer} | {ratio} |"


def median_ms(work, inputs, warm=1):
    """Median milliseconds of ``work`` over inputs without the first ``warm``."""
    times = []
    for each in inputs:
        seconds, _ = timed(lambda each=each: work(each))
        times.append(1000 * seconds)
    return statistics.median(times[warm:])


def timed(work):
    """Seconds that ``work`` takes, and what it gives."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def must_agree(agree, what, peer="scikit-learn"):
    """Raise AssertionError unless knnviz and its peer give the same."""
    if not agree:
        raise AssertionError(f"knnviz and {peer} disagree on the {what} that are to be timed")


def table(rows):
    """How slow this machine is, the rows as a Markdown table, and the bars that are missed."""
    with_bar = [row for row in rows if row.met is not None]
    missed = [f"- {row.what}" for row in with_bar if not row.met]
    machine = f"work takes {slowness():.3g} times as long as on the reference machine\n"
    head = ["| what | ours | bar | met | peer | ratio |", "|---|---|---|---|---|---|"]
    count = f"\n{len(missed)} of {len(with_bar)} bars missed"
    return "\n".join([machine, *head, *map(str, rows), count, *missed])
