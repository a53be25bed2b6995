"""A risk curve on two local workers of a Dask cluster, two threads or processes, beside one."""

import statistics
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from joblib import parallel_config
from rows import Row, must_agree, timed

from knnviz import LabelNoise, Robust, Vote, risk, wave2d
from knnviz.problems import plateau

#: Curves over k of eight samples: what they are, the problem, the sample size, and the values of k.
CURVES = {
    "risk over k on a line, n = 10^6": (plateau(0.1, 0.3), 10**6, [1, 10, 100, 1000]),
    "risk over k in the plane, n = 8000": (wave2d(), 8000, [1, 25, 100]),
}
RULES = {"vote": Vote(), "robust": Robust(votes="order")}
NOISE = LabelNoise(0.1, 0.3)

#: Where they are computed. joblib takes two threads only from a configuration that names a
#: back-end.
ALONE = "one process"
DASK = "Dask, two workers"
WHERE = {
    ALONE: {"backend": "threading", "n_jobs": 1},
    "two threads": {"backend": "threading", "n_jobs": 2},
    "two processes": {"backend": "loky", "n_jobs": 2},
    DASK: {"backend": "dask"},
}


def rows(quick: bool) -> list[Row]:
    """Medians in seconds; the rows of Dask are left out if it is not installed."""
    if find_spec("distributed"):
        from distributed import Client

        cluster = Client(n_workers=2, threads_per_worker=1, dashboard_address=":0")
        where = WHERE
    else:
        print("Dask is not installed: its rows are left out")
        cluster = nullcontext()
        where = {name: WHERE[name] for name in WHERE if name != DASK}

    found = []
    with cluster:
        for what, given in CURVES.items():
            found += measured(what, given, where, 1 if quick else 5)
    return found


def measured(what: str, given: tuple[Any, ...], where: dict[str, Any], runs: int) -> list[Row]:
    """Rows of a curve: everywhere in turn, after a first run that starts the workers and must give
    the same risks.
    """
    expected = computed(WHERE[ALONE], given)
    for name, config in where.items():
        must_agree(np.array_equal(computed(config, given), expected), "risks", name)

    took: dict[str, list[float]] = {name: [] for name in where}
    for _ in range(runs):
        for name, config in where.items():
            seconds, _risks = timed(partial(computed, config, given))
            took[name].append(seconds)
    medians = {name: statistics.median(each) for name, each in took.items()}
    alone = medians.pop(ALONE)
    return [Row(f"{what}: {name}", each, "s", None, alone, ALONE) for name, each in medians.items()]


def computed(config: dict[str, Any], given: tuple[Any, ...]) -> np.ndarray:
    problem, n, ks = given
    setting = {"n": n, "noise": NOISE, "repeats": 8, "progress": False}
    with parallel_config(**config):
        return risk.curve(problem, RULES, over={"k": ks}, **setting).risks
