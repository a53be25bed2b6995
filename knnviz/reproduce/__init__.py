"""The papers' claims, checked in full: each reproduction is a function, and what its full run gave is kept as a file.

``python -m knnviz reproduce`` runs them anew, ``python -m knnviz tables`` prints what is kept. A notebook calls the
same function with less work and shows the result beside ``load(name)``.

Every reproduction takes ``seed`` and ``progress``. Those that draw take a number of draws, such as ``repeats``; fewer
of them are the first ones of a longer run. ``registry.SETTINGS`` describes the settings that several have in common.
ValueError is raised for numbers out of range, and for points on a line that coincide.
"""

from knnviz.reproduce import chaudhuri_dasgupta, errandonea, gao, khim, reeve_kaban, rittler
from knnviz.reproduce.registry import FullRun, defaults, load, names, published, report, reproduction, run, save, table

__all__ = [
    "FullRun",
    "chaudhuri_dasgupta",
    "defaults",
    "errandonea",
    "gao",
    "khim",
    "load",
    "names",
    "published",
    "reeve_kaban",
    "report",
    "reproduction",
    "rittler",
    "run",
    "save",
    "table",
]
