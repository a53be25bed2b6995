"""Rows of the table, and how a median is taken."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class Row:
    """One measurement: ours, its bar, and a peer in the same unit if there is one; ``more`` where more is better."""

    what: str
    ours: float
    unit: str
    bar: float | None = None
    peer: float | None = None
    peer_name: str = ""
    more: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None without a bar."""
        if self.bar is None:
            return None
        return self.ours >= self.bar if self.more else self.ours <= self.bar


def median_ms(work: Callable[[Any], Any], inputs: list[Any], warm: int = 1) -> float:
    """Median time of ``work`` over inputs, in milliseconds, after some unmeasured ones."""
    for each in inputs[:warm]:
        work(each)
    times = []
    for each in inputs[warm:]:
        start = time.perf_counter()
        work(each)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


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
