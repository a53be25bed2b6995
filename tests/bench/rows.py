"""Rows of the table: how they are declared, timed and printed."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self


@dataclass
class Row:
    """One measurement: ours, its bar, and a peer in the same unit if there is one; ``more`` where more is better."""

    what: str
    ours: float
    unit: str = "ms"
    bar: float | None = None
    peer: float | None = None
    peer_name: str = ""
    more: bool = False

    @classmethod
    def timed(
        cls, what: str, work: Callable[[Any], Any], inputs: Sequence[Any], *, warm: int = 1, **others: Any
    ) -> Self:
        """Median milliseconds of ``work`` over inputs; ``others`` are fields of the row."""
        return cls(what, median_ms(work, inputs, warm), **others)

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None without a bar."""
        if self.bar is None:
            return None
        return self.ours >= self.bar if self.more else self.ours <= self.bar


def median_ms(
    work: Callable[[Any], Any], inputs: Sequence[Any], warm: int = 1, before: Callable[[], Any] | None = None
) -> float:
    """Median milliseconds of ``work`` over inputs without the first ``warm``; ``before`` each of them is not timed."""
    times = []
    for each in inputs:
        if before is not None:
            before()
        start = time.perf_counter()
        work(each)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times[warm:])


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that ``work`` takes, and what it gives."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def must_agree(agree: bool, what: str, peer: str = "scikit-learn") -> None:
    """Raise AssertionError unless knnviz and its peer give the same."""
    if not agree:
        raise AssertionError(f"knnviz and {peer} disagree on the {what} that are to be timed")


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | ours | bar | met | peer | ratio |", "|---|---|---|---|---|---|"]
    for row in rows:
        sign, verdict = ("≥" if row.more else "≤"), {True: "yes", False: "NO", None: ""}[row.met]
        bar = "" if row.bar is None else f"{sign} {row.bar:g}"
        peer = "" if row.peer is None else f"{row.peer:.4g} ({row.peer_name})"
        ratio = "" if row.peer is None else f"{row.peer / row.ours:.3g}"
        lines.append(f"| {row.what} | {row.ours:.4g} {row.unit} | {bar} | {verdict} | {peer} | {ratio} |")
    return "\n".join(lines)
