"""Calls every public name with other values in place of good ones, and prints what a reader should
not meet.

``python tests/doors/run.py [--sample SEED] [NAME ...]``: all of them, or some of each name's.
"""

import faulthandler
import inspect
import random
import resource
import sys
import warnings
from argparse import ArgumentParser
from copy import deepcopy
from dataclasses import fields, is_dataclass

import formulas
import numpy as np
import points
import scores
import worlds
from values import others

CALLS = {**scores.CALLS, **points.CALLS, **formulas.CALLS, **worlds.CALLS}

#: Seconds that one call may take, and the memory that all may have.
SECONDS = 30
MEMORY = 8 * 2**30

#: Calls of each name in a sample.
SAMPLE = 4

#: What is due where fewer values are bad.
LOOSER = {"refused": "any", "not silent": "any", "same": "same or refused"}

#: A refusal is short and the project's own: NumPy's and Python's words about its inside are none.
LONGEST = 300
INSIDE = (
    "broadcast",
    "truth value of an array",
    "math domain",
    "math range",
    "cannot convert float",
    "shape mismatch",
    "not aligned",
    "operands",
    "mismatch in its core dimension",
    "array element",
    "out of bounds",
    "zero-size array",
    "to unpack",
    "non-negative dimensions",
    "Maximum allowed",
    "buffer",
    "numba",
)


def numbers(answer):
    """All numbers and texts of an answer."""
    if is_dataclass(answer) and not isinstance(answer, type):
        for each in fields(answer):
            yield from numbers(getattr(answer, each.name))
    elif isinstance(answer, dict):
        yield from numbers(list(answer.items()))
    elif isinstance(answer, list | tuple | set | frozenset):
        for each in answer:
            yield from numbers(each)
    elif isinstance(answer, np.ndarray):
        yield answer.shape
        yield from answer.ravel().tolist()
    elif isinstance(answer, str | int | float | np.generic | type(None)):
        yield answer
    elif inspect.isgenerator(answer):
        yield from numbers(list(answer))


def equal(one, other):
    """Whether two answers have the same numbers, up to the last digits."""
    if isinstance(one, float | np.floating) and isinstance(other, float | int | np.number):
        return bool(np.isclose(float(one), float(other), rtol=1e-9, atol=1e-12, equal_nan=True))
    return bool(one == other)


def has_nan(answer):
    floats = (each for each in numbers(answer) if isinstance(each, float | np.floating))
    return any(each != each for each in floats)


def foul(error):
    """What is wrong with a refusal; empty if nothing is."""
    text = str(error)
    kind = type(error).__name__
    if not isinstance(error, ValueError | TypeError) or isinstance(error, np.linalg.LinAlgError):
        return f"raises {kind}: {text[:200]}"
    is_sentence = text and "\n" not in text and len(text) <= LONGEST
    if not is_sentence or any(words in text for words in INSIDE):
        return f"is refused by {kind}: {text[:200]!r}"
    return ""


def fault(call, given, good, due):
    """What one call does that it should not; empty if nothing."""
    before = deepcopy(given)
    try:
        answer = call(**given)
        found = list(numbers(answer))
    except Exception as error:
        wrong = foul(error)
        if not wrong and due == "same":
            return f"is refused: {error}"
        return wrong

    for name, each in before.items():
        is_numeric = isinstance(each, np.ndarray) and each.dtype.kind in "fiub"
        if is_numeric and not np.array_equal(each, given[name], True):
            return f"changes its {name}"
    if due == "refused" or (due == "not silent" and not has_nan(answer)):
        return f"answers {str(found)[:100]}"
    if due.startswith("same"):
        is_same = len(found) == len(good) and all(map(equal, good, found))
        if not is_same:
            return f"answers {str(found)[:100]} in place of {str(good)[:100]}"
    return ""


def cases(name):
    """Arguments of a name, each with other values."""
    _, given, *loose = CALLS[name]
    for argument, good in given.items():
        rest = [each for key, each in given.items() if key != argument]
        rows = [len(each) for each in rest if np.ndim(each) in (1, 2)]
        alone = np.ndim(good) == 0 or len(good) not in rows
        for each in others(good, alone):
            due = each.due
            if argument in loose:
                due = LOOSER.get(due, due)
            yield argument, each._replace(due=due)


def main(names, sample):
    """Try names, and say what was tried last before a crash; the number of faults."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    faults = 0
    tried = 0
    for name in names:
        call, given, *_ = CALLS[name]
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            good = list(numbers(call(**deepcopy(given))))
        except Exception as error:
            print(f"{name}, as it should be called, raises {error!r}")
            faults += 1
            continue

        chosen = list(cases(name))
        if sample is not None:
            size = min(SAMPLE, len(chosen))
            chosen = random.Random(f"{sample} {name}").sample(chosen, size)
        for argument, each in chosen:
            place = f"{name}, {argument} {each.what}"
            print(place, file=sys.stderr, flush=True)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            found = fault(call, given | {argument: each.value}, good, each.due)
            tried += 1
            if found:
                told = f"{place} ({str(each.value)[:60]}): {found}"
                print(told.replace("\n", " "))
                faults += 1
    faulthandler.cancel_dump_traceback_later()
    print(f"{tried} calls of {len(names)} names, {faults} faults")
    return faults


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("names", nargs="*", default=list(CALLS))
    parser.add_argument("--sample", type=int)
    options = parser.parse_args()
    sys.exit(min(main(options.names, options.sample), 1))
