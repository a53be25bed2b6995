"""How time and memory grow with n, from 10^3 to 10^6: a first lab, moves of k, and a risk curve
over k; and such a curve on two workers of a cluster.

``make bench ARGS=--growth`` prints both tables. In the first each number is the best of three
processes that do nothing else, each ``python tests/bench/growth.py WHAT N``. n is the size of the
sample. Of a reader's own table it is the rows, of which a lab draws 2000 and holds three in ten
out. Memory is the most that a process had, less that of the imports.
"""

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import psutil
from joblib import parallel_config
from rows import Row, median_ms, must_agree, timed

#: Sizes, repeats at each of them, and values of k of the curves.
SIZES = (10**3, 10**4, 10**5, 10**6)
REPEATS = 3
KS = [1, 25, 200]


def lab_on_line(n):
    """RatesLab, at k = 100."""
    from knnviz.labs import RatesLab

    yield from lab_steps(lambda: RatesLab(n=n, neighbors="k as set"))


def lab_on_table(n):
    """NeighborLab on a reader's own table, which is split, too."""
    from knnviz.labs import NeighborLab
    from knnviz.problems import from_data, wave2d

    sample = wave2d().sample(n, 0)
    yield from lab_steps(lambda: NeighborLab(data=from_data(sample.X, sample.y)))


def lab_steps(make):
    """A lab whose widget is made, to the first picture and to the full one; the first move of k,
    and later ones.
    """
    from controls import moved, send, values

    base = psutil.Process().memory_info().rss / 2**20

    def first():
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
    yield "a later move of k", "ms", moved(lab, "k", "k", values(lab, "k"))[-1].ours
    yield "memory after moves", "MB", peak() - base


def curve(name, n):
    """The risk of kNN over k, four samples; the time is without that of loading kernels."""
    from knnviz import Vote, problems, risk

    problem = getattr(problems, name)()
    compute = partial(risk.curve, problem, Vote(), over={"k": KS}, repeats=4, progress=False)
    base = psutil.Process().memory_info().rss / 2**20
    compute(n=500)
    seconds, _ = timed(lambda: compute(n=n))
    yield "time", "ms", 1000 * seconds
    yield "memory", "MB", peak() - base


#: What is measured at n: parts, each with its unit and a number.
WHAT = {
    "RatesLab": lab_on_line,
    "NeighborLab on a table": lab_on_table,
    "risk over k on a line": partial(curve, "ramp"),
    "risk over k in the plane": partial(curve, "wave2d"),
}


def peak():
    """Megabytes of this process when it had most; ``getrusage`` would count the process that
    started it, too.
    """
    status = Path("/proc/self/status").read_text("utf-8")
    return int(re.search(r"VmHWM:\s*(\d+)", status)[1]) / 2**10


def in_process(what, n):
    """What a process of its own measures."""
    command = [sys.executable, __file__, what, str(n)]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def table(quick):
    """All that is measured, as a Markdown table with the exponents of least-squares lines."""
    head = ["", *(f"n = {n:,}" for n in SIZES), "exponent"]
    lines = [head, ["---"] * len(head)]
    for what in WHAT:
        # The first process compiles what is not compiled yet.
        in_process(what, SIZES[0])
        runs = [[in_process(what, n) for n in SIZES] for _ in range(1 if quick else REPEATS)]
        for i, (label, unit, _) in enumerate(runs[0][0]):
            values = [min(run[j][i][2] for run in runs) for j in range(len(SIZES))]
            slope, _ = np.polyfit(np.log(SIZES), np.log(values), 1)
            numbers = [f"{value:.4g}" for value in values]
            lines.append([f"{what}: {label}, {unit}", *numbers, f"{slope:.2f}"])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cluster_rows(quick):
    """Seconds of a risk curve with Dask, beside one thread; both must give the same risks."""
    from distributed import Client

    runs = 2 if quick else 6
    alone, expected = on({"backend": "threading", "n_jobs": 1}, runs)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0"):
        seconds, risks = on({"backend": "dask"}, runs)
    must_agree(np.array_equal(risks, expected), "risks", "Dask")
    what = "risk over k on a line, n = 10^6, eight samples: Dask, two workers"
    return [Row(what, seconds, "s", None, alone, "one thread")]


def on(config, runs):
    """Median seconds of the curve after a first run, which starts the workers, and its risks."""
    from knnviz import LabelNoise, Robust, Vote, risk
    from knnviz.problems import plateau

    rules = {"vote": Vote(), "robust": Robust(votes="order")}
    setting = {"n": 10**6, "noise": LabelNoise(0.1, 0.3), "repeats": 8, "progress": False}

    def curve(_):
        with parallel_config(**config):
            over = {"k": [1, 10, 100, 1000]}
            return risk.curve(plateau(0.1, 0.3), rules, over=over, **setting).risks

    return median_ms(curve, range(runs)) / 1000, curve(0)


if __name__ == "__main__":
    what, n = sys.argv[1:]
    print(json.dumps([*WHAT[what](int(n))]))
