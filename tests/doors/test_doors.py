"""Every public name answers as for plain numbers, or refuses in one sentence: no crash, no hang, no
silence.
"""

import importlib
import os
import pkgutil
import subprocess
import sys
from inspect import isclass, isfunction, signature
from pathlib import Path
from typing import Protocol

import pytest
from run import CALLS

import knnviz
from knnviz import bounds

HERE = Path(__file__).parent

#: Rooms of names that a reader types, beside the package itself, and files of bounds that have
#: none.
ROOMS = ("active", "learnability", "problems", "regions", "risk", "weights", "estimators")
INNER = ("arguments", "arithmetic")

#: What functions return, and what only they make.
MADE = {
    *("BagTable", "Draws", "Entries", "FittedRate", "Measure", "RiskCurve"),
    *("Sample", "SearchResult"),
}

#: Seconds that all calls may take in one process.
PATIENCE = 3000


def own(module):
    """The names of a module that a reader may type."""
    if hasattr(module, "__all__"):
        return module.__all__
    return [
        name
        for name, each in vars(module).items()
        if getattr(each, "__module__", "") == module.__name__
    ]


def is_tried(each):
    """Whether it is no record, and takes anything."""
    if isclass(each):
        is_record = issubclass(each, tuple) or Protocol in each.__mro__
        return not is_record and len(signature(each).parameters) > 0
    return isfunction(each) and len(signature(each).parameters) > 0


def test_every_public_name_is_tried():
    """But for records, which functions return."""
    papers = [name for _, name, _ in pkgutil.iter_modules(bounds.__path__) if name not in INNER]
    rooms = [*ROOMS, *(f"bounds.{name}" for name in papers)]
    modules = [importlib.import_module(f"knnviz.{room}") for room in rooms]
    tried = {part for name in CALLS for part in name.split()[0].split(".")}

    for module in (knnviz, *modules):
        for name in own(module):
            if name[0] != "_" and is_tried(getattr(module, name)):
                assert name in tried | MADE, f"{module.__name__}.{name}"


def tried_in_a_process(*options, **variables):
    """How a process that makes the calls ended, and what it printed; of a crash the last call."""
    command = [sys.executable, HERE / "run.py", *options]
    given = {"env": os.environ | variables, "timeout": PATIENCE}
    run = subprocess.run(command, **given, capture_output=True, encoding="utf-8")
    said = run.stdout
    if run.returncode not in (0, 1):
        last = run.stderr.strip().splitlines()[-1:]
        said += f"It ended after {last}"
    return run.returncode, said


def test_a_seeded_sample_of_odd_and_bad_values():
    code, said = tried_in_a_process("--sample", "20261128")
    assert code == 0, said


@pytest.mark.full
def test_every_odd_and_bad_value_with_bounds_checked(tmp_path):
    """In a cache of its own, since numba's does not know which functions check bounds."""
    code, said = tried_in_a_process(NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert code == 0, said
