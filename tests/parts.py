"""Parts of ``make test`` and ``make test-all``, run by name; at the end, times and budgets."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent

#: Where test-all keeps the state of the project at which a part has passed: run again, it goes on
#: with the others.
PASSED = ROOT / ".venv" / "passed"

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
    """Commands, their environment, what they guard, and the seconds that they may take."""

    commands: tuple[str, ...]
    variables: dict[str, str]
    guards: str
    seconds: int = 3600


LIBRARY = "pytest -n 2 --dist worksteal tests --ignore=tests/browser"
# To import the file that is left out is to run every kernel.
EXAMPLES = "pytest -n 2 --doctest-modules --ignore=knnviz/classroom/preload.py knnviz"
BOOK = ("python docs/book.py", "pytest -n 2 -m full tests/book")
PATIENCE = "--nbval-cell-timeout=120 --nbval-kernel-startup-timeout=120"
NOTEBOOKS = f"pytest -p after_all -n 2 --dist loadfile --nbval {PATIENCE} notebooks"

TEST = {
    "style": Part(
        ("ruff check .", "ruff format --check .", "mypy"), {}, "lint, format and types", 20
    ),
    "library": Part(
        (LIBRARY, EXAMPLES),
        UTF_8,
        "all tests but those in a browser, and examples of docstrings",
        180,
    ),
    "notebooks": Part(
        (NOTEBOOKS,), OFFLINE, "each output beside the saved one, and the exercises", 105
    ),
    "browser": Part(
        ("pytest -n 2 --dist worksteal tests/browser",), {}, "every lab in Chromium", 165
    ),
}

#: Seconds that all of them may take on two quiet cores.
WHOLE = 480

FULL = {
    "labs": Part(
        ("pytest -n 2 -m full tests/labs",),
        KERNEL,
        "random steps on each lab, and the memory after them",
    ),
    "presets": Part(
        ("pytest -n 2 -m full --dist worksteal tests/browser",), {}, "every preset in the browser"
    ),
    "drags": Part(
        ("python tests/browser/stress.py 500",), {}, "quick drags, none of which may be lost"
    ),
    "doors": Part(
        ("pytest -m full tests/doors",),
        {},
        "odd and bad values for every public name, with bounds checked",
    ),
    "class": Part(
        ("pytest -m full tests/classroom",), {}, "a small class at work while a student attacks"
    ),
    "bench": Part(
        ("python tests/bench --quick",),
        {},
        "every measurement; a bar may be missed, nothing may fail",
    ),
    "book": Part(BOOK, {}, "the book, each page of it in a browser without a network"),
    "papers": Part(
        ("python tests/papers/full.py",),
        {},
        "every run on a paper in full, beside the stored results",
    ),
    "image": Part(
        ("pytest -m full tests/test_warm.py",), {}, "Binder's image, built by its own files"
    ),
    "wheel": Part(
        ("pytest -m full tests/test_wheel.py",), {}, "the wheel, in an empty environment"
    ),
    "library-cpu": Part(
        (LIBRARY,), OTHER_CPU, "the library as a processor without wide registers computes"
    ),
    "notebooks-cpu": Part((NOTEBOOKS,), OTHER_CPU | OFFLINE, "the notebooks on such a processor"),
}


def state() -> str | None:
    """The commit that is checked out; None if a file differs from it."""
    changed = git("status", "--porcelain")
    if changed.returncode or changed.stdout:
        return None
    return git("rev-parse", "HEAD").stdout.strip()


def git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8")


def passes(part: Part) -> bool:
    """Run the commands of a part one after the other; whether all of them end well."""
    variables = os.environ | part.variables
    commands = [line.split() for line in part.commands]
    return all(run([str(BIN / name), *words], variables) for name, *words in commands)


def run(command: list[str], variables: dict[str, str]) -> bool:
    """Show and run a command; whether it ends well."""
    print("$", Path(command[0]).name, *command[1:], flush=True)
    ended = subprocess.run(command, cwd=ROOT, env=variables)
    return ended.returncode == 0


def beside(*seconds: float) -> str:
    """What was taken and its budget, in minutes and seconds."""
    clocks = []
    for each in seconds:
        minutes, rest = divmod(round(each), 60)
        clocks.append(f"{minutes:2}:{rest:02}")
    return " / ".join(clocks)


def main(kind: str, *names: str) -> int:
    """Run the named parts of "test" or "full", all by default; the number of those that failed."""
    parts = {"test": TEST, "full": FULL}[kind]
    unknown = set(names) - set(parts)
    if unknown:
        print(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
        return 1

    told = []
    failed = 0
    start = time.monotonic()
    for name in names or parts:
        mark = PASSED / name
        now = state() if kind == "full" else None
        if now and not names and mark.exists() and mark.read_text("utf-8") == now:
            told.append(f"{name:13} passed before")
            continue

        begun = time.monotonic()
        well = passes(parts[name])
        took = beside(time.monotonic() - begun, parts[name].seconds)

        ending = "passed" if well else "FAILED"
        told.append(f"{name:13} {took}  {ending}")
        failed += not well
        if now and well:
            PASSED.mkdir(exist_ok=True)
            mark.write_text(now, "utf-8")

    if kind == "test" and not names:
        took = beside(time.monotonic() - start, WHOLE)
        told.append(f"{'in all':13} {took}")
    print("", *told, sep="\n")
    if kind == "test":
        print("left out, to be run by make test-all:")
        for name, part in FULL.items():
            print(f"  {name:13} {part.guards}")
    return failed


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
