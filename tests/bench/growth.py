"""How time and memory grow with n, from 10^3 to 10^6: a first lab, moves of k, and a risk curve
over k.

``make bench ARGS=--growth`` prints the table. Each number is the best of three processes that do
nothing else, each ``python tests/bench/growth.py WHAT N``. n is the size of the sample. Of a
reader's own table it is the rows, of which a lab draws 2000 and holds three in ten out. Memory is
the most that a process had, less that of the imports.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import psutil
from rows import timed

#: Sizes, repeats at each of them, and values of k of the curves.
SIZES = (10**3, 10**4, 10**5, 10**6)
REPEATS = 3
KS = [1, 25, 200]

#: What is measured, its unit, and a number.
Measured = Iterator[tuple[str, str, float]]


def lab_on_line(n: int) -> Measured:
    """RatesLab, at k = 100."""
    from knnviz.labs import RatesLab

    yield from lab_steps(lambda: RatesLab(n=n, neighbors="k as set"))


def lab_on_table(n: int) -> Measured:
    """NeighborLab on a reader's own table, which is split, too."""
    from knnviz.labs import NeighborLab
    from knnviz.problems import from_data, wave2d

    sample = wave2d().sample(n, 0)
    yield from lab_steps(lambda: NeighborLab(data=from_data(sample.X, sample.y)))


def lab_steps(make: Callable[[], object]) -> Measured:
    """A lab whose widget is made, to the first picture and to the full one; the first move of k,
    and later ones.
    """
    from controls import moved, send, values

    base = psutil.Process().memory_info().rss / 2**20

    def first() -> object:
        lab = make()
        _ = lab.widget
        return lab

    first_picture, lab = timed(first)
    rest, _ = timed(lambda: lab.background.wait(lambda: lab.picture, slow=False))
    yield "first picture", "ms", 1000 * first_picture
    yield "first full picture", "ms", 1000 * (first_picture + rest)
    yield "memory of that", "MB", peak() - base

    move, _ = timed(lambda: send(lab, "move", {"k": values(lab, "k")[-1]}))
    yield "first move of k", "ms", 1000 * move
    yield "a later move of k", "ms", moved(lab, "k")[-1].ours
    yield "memory after moves", "MB", peak() - base


def curve(name: str, n: int) -> Measured:
    """The risk of kNN over k, four samples; the time is without that of loading kernels."""
    from knnviz import Vote, problems, risk

    problem = getattr(problems, name)()
    compute = partial(risk.curve, problem, Vote(), over={"k": KS}, repeats=4, progress=False)
    base = psutil.Process().memory_info().rss / 2**20
    compute(n=500)
    seconds, _ = timed(lambda: compute(n=n))
    yield "time", "ms", 1000 * seconds
    yield "memory", "MB", peak() - base


WHAT: dict[str, Callable[[int], Measured]] = {
    "RatesLab": lab_on_line,
    "NeighborLab on a table": lab_on_table,
    "risk over k on a line": partial(curve, "ramp"),
    "risk over k in the plane": partial(curve, "wave2d"),
}


def peak() -> float:
    """Megabytes of this process when it had most; ``getrusage`` would count the process that
    started it, too.
    """
    status = Path("/proc/self/status").read_text("utf-8")
    return int(re.search(r"VmHWM:\s*(\d+)", status)[1]) / 2**10


def in_process(what: str, n: int) -> list[tuple[str, str, float]]:
    """What a process of its own measures."""
    command = [sys.executable, __file__, what, str(n)]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def exponents(values: list[float]) -> tuple[float, float]:
    """Slopes on logarithmic axes: of the least-squares line through all sizes, and between the last
    two.
    """
    x = np.log(SIZES)
    y = np.log(values)
    slope, _ = np.polyfit(x, y, 1)
    last = (y[-1] - y[-2]) / (x[-1] - x[-2])
    return float(slope), float(last)


def table(quick: bool) -> str:
    """All that is measured, as a Markdown table with exponents."""
    head = ["", *(f"n = {n:,}" for n in SIZES), "exponent", "last two"]
    lines = [head, ["---"] * len(head)]
    for what in WHAT:
        # The first process compiles what is not compiled yet.
        in_process(what, SIZES[0])
        runs = [[in_process(what, n) for n in SIZES] for _ in range(1 if quick else REPEATS)]
        for i, (label, unit, _) in enumerate(runs[0][0]):
            values = [min(run[j][i][2] for run in runs) for j in range(len(SIZES))]
            numbers = [f"{value:.4g}" for value in values]
            numbers += [f"{each:.2f}" for each in exponents(values)]
            lines.append([f"{what}: {label}, {unit}", *numbers])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    what, n = sys.argv[1:]
    print(json.dumps([*WHAT[what](int(n))]))
