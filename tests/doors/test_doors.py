"""Every public name answers as for plain numbers, or refuses in one sentence: no crash, no hang, no silence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
KINDS = ("arrays", "formulas", "worlds")


def tried(options, variables=None):
    """Run the calls in a process of their own, with a limit; what it printed, and how it ended."""
    command = [sys.executable, HERE / "run.py", *options]
    run = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=os.environ | (variables or {}), timeout=3000
    )
    last = run.stderr.strip().splitlines()[-1:]
    return run.returncode, run.stdout if run.returncode in (0, 1) else f"{run.stdout}ended after {last}"


def test_a_seeded_sample_of_odd_and_bad_values():
    code, said = tried(["--sample", str(20261128)])
    assert code == 0, said


@pytest.mark.full
def test_every_odd_and_bad_value_with_bounds_checked(tmp_path):
    """In a cache of its own, since numba's does not know which functions check bounds."""
    code, said = tried([], {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)})
    assert code == 0, said
