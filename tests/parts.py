"""Parts of ``make test`` and ``make test-all``, run by name; at the end, times beside those that a
machine as slow as this one may take.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent

#: A plain processor: no wide registers, no fused sums, and kernels compiled for it.
OTHER_CPU = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_CACHE_DIR": str(ROOT / ".venv" / "other-cpu"),
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3",
}

#: Kernels allocate as the server's settings have them do.
KERNEL = {"MALLOC_ARENA_MAX": "1"}

#: A file or pipe of text without an encoding is an error: it would be read otherwise on other
#: machines.
UTF_8 = {"PYTHONWARNDEFAULTENCODING": "1"}

#: Kernels of notebooks with the network off; exercises are tried at the end.
OFFLINE = {"PYTHONPATH": str(ROOT / "tests" / "notebooks" / "offline")} | KERNEL


class Part(NamedTuple):
    """A command, what it guards, its environment, and the seconds that it may take on the reference
    machine.
    """

    command: str
    guards: str
    variables: dict[str, str] | None = None
    seconds: int = 3600


LIBRARY = "pytest -n 2 --dist worksteal tests --ignore=tests/browser"
# To import the file that is left out is to run every kernel.
EXAMPLES = "pytest -n 2 --doctest-modules --ignore=knnviz/classroom/preload.py knnviz"
BOOK = "python docs/book.py && pytest -n 2 -m full tests/book"
PATIENCE = "--nbval-cell-timeout=120 --nbval-kernel-startup-timeout=120"
NOTEBOOKS = f"pytest -p after_all -n 2 --dist loadfile --nbval {PATIENCE} notebooks"

TEST = {
    "style": Part(
        "ruff check . && ruff format --check . && mypy", "lint, format and types", seconds=20
    ),
    "library": Part(
        f"{LIBRARY} && {EXAMPLES}",
        "all tests but those in a browser, and examples of docstrings",
        UTF_8,
        180,
    ),
    "notebooks": Part(
        NOTEBOOKS, "each output beside the saved one, and the exercises", OFFLINE, 105
    ),
    "browser": Part(
        "pytest -n 2 --dist worksteal tests/browser", "every lab in Chromium", seconds=165
    ),
}

#: Seconds that all of them may take on the reference machine, with nothing else on it.
WHOLE = 480

FULL = {
    "labs": Part(
        "pytest -n 2 -m full tests/labs",
        "random steps on each lab, and the memory after them",
        KERNEL,
    ),
    "browser": Part(
        "pytest -n 2 -m full --dist worksteal tests/browser",
        "every preset in Chromium, and 10,000 moves far from the kernel",
    ),
    "drags": Part("python tests/browser/stress.py 500", "quick drags, none of which may be lost"),
    "doors": Part(
        "pytest -m full tests/doors",
        "odd and bad values for every public name, with bounds checked",
    ),
    "class": Part(
        "pytest -m full tests/classroom", "a small class at work while a student attacks"
    ),
    "bench": Part(
        "python tests/bench --quick",
        "every measurement; a bar may be missed, nothing may fail",
    ),
    "book": Part(BOOK, "the book, each page of it in a browser without a network"),
    "papers": Part(
        "python tests/papers/full.py",
        "every run on a paper in full, beside the stored results",
    ),
    "image": Part("pytest -m full tests/test_warm.py", "Binder's image, built by its own files"),
    "wheel": Part("pytest -m full tests/test_wheel.py", "the wheel, in an empty environment"),
    "library-cpu": Part(
        LIBRARY, "the library as a processor without wide registers computes", OTHER_CPU
    ),
    "notebooks-cpu": Part(NOTEBOOKS, "the notebooks on such a processor", OTHER_CPU | OFFLINE),
}


def measured_slowness():
    """How many times longer than on the reference machine work takes here: told by a process of its
    own, which ends before the parts begin.
    """
    command = [sys.executable, ROOT / "tests" / "bench" / "reference.py"]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return float(done.stdout)


def clock(seconds):
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:2}:{rest:02}"


def passes(part):
    """Show and run the command of a part; whether it ends well."""
    print("$", part.command, flush=True)
    variables = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"} | (part.variables or {})
    return subprocess.run(part.command, shell=True, cwd=ROOT, env=variables).returncode == 0


def main(kind, *names):
    """Run the named parts of "test" or "full", all by default; the number of those that failed."""
    parts = {"test": TEST, "full": FULL}[kind]
    unknown = set(names) - set(parts)
    if unknown:
        print(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
        return 1

    slowness = measured_slowness()
    told = []
    failed = 0
    whole = 0.0
    for name in names or parts:
        start = time.monotonic()
        well = passes(parts[name])
        took = time.monotonic() - start
        ending = "passed" if well else "FAILED"
        told.append(f"{name:13} {clock(took)} / {clock(slowness * parts[name].seconds)}  {ending}")
        failed += not well
        whole += took

    machine = f"work takes {slowness:.2g} times as long as on the reference machine"
    print("", machine, *told, sep="\n")
    if kind == "test":
        print(f"{'in all':13} {clock(whole)} / {clock(slowness * WHOLE)}")
        print("left out, to be run by make test-all:")
        for name, part in FULL.items():
            print(f"  {name:13} {part.guards}")
    return failed


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
