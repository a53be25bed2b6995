"""The door of all formulas: what each argument may be, in a table by its name, and the decorator
that keeps to it.
"""

from collections.abc import Callable
from functools import partial, wraps
from inspect import Parameter, signature
from math import inf
from numbers import Real
from operator import call
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from knnviz import checks
from knnviz.problems.base import check_line_density

Formula = TypeVar("Formula", bound=Callable[..., Any])

#: Ends of ranges: the floats next to 0 and 1, and a number whose multiples are floats too.
ABOVE_0 = 5e-324
BELOW_1 = 1 - 2**-53
MOST = 1e300

#: How far rounding may carry a probability.
SLACK = 1e-9

#: The least and the largest number of an argument, or what returns the valid value; "formula.name"
#: has precedence.
TABLE: dict[str, tuple[float, float] | Callable[[Any], Any]] = {
    "n k ambient cover_size vc_dimension": (1, MOST),
    "unmet_conditions.k lemma_c_5.k": (0, inf),
    "theorem_3.k condition_ratio.k constant": (ABOVE_0, inf),
    "chernoff_constant.k binomial_constant.k": (1, checks.LARGEST_COUNT),
    "dimension": (1, 300),
    "n_cells": (1, 10**6),
    # Where work grows with their square.
    "theorem_3.n_cells": (1, 20_000),
    "bump_constant.n_cells least_smoothness_constant.n_cells": (1, 5000),
    "n_classes": (2, 10**6),
    "delta": (ABOVE_0, BELOW_1),
    """smoothness
    proposition_1.smoothness_constant least_advantage.smoothness_constant""": (ABOVE_0, MOST),
    "holder_exponent mass_cap": (ABOVE_0, 1),
    # Its product with n is a float.
    "mass_constant": (ABOVE_0, 1e8),
    """margin_exponent margin lipschitz advantage epsilon m zeta
    delta_power neighbors_power fraction_error p0_error p1_error""": (0, MOST),
    """smoothness_constant holder_constant margin_constant band_constant scale
    c0 c1 c2 c_plus tne fne""": (0, inf),
    """bayes_risk tau p both threshold theta misaligned passive_fraction augmented_mass
    largest_inclusion mass""": (0, 1 + SLACK),
    "votes eta x": (-SLACK, 1 + SLACK),
    "t thresholds distance": (-checks.LARGEST_COORDINATE, checks.LARGEST_COORDINATE),
    "lemma_4.p": (0, 0.5),
    "offset": (0, 0.2),
    "q": checks.check_class_weights,
    "frequency": partial(checks.check_fractions, "frequency"),
    "ks": partial(checks.check_ascending, "ks"),
    "masses": partial(checks.check_ascending, "masses"),
    """least_smoothness_constant.problem least_margin_constant.problem
    least_lipschitz_constants.problem""": check_line_density,
}
RANGES = {name: ends for names, ends in TABLE.items() for name in names.split()}

#: Arguments that are arrays (m,). Others that may be arrays have any shape.
LISTS = {"votes", "eta", "thresholds"}


def formula(function: Formula) -> Formula:
    """Have arguments checked by their names, and numbers of other types converted; ValueError for
    others.

    The annotation of an argument says whether it is a whole number, one number or an array, an
    object of ours, or one of a few texts. None passes where it is the default.
    """
    parameters = signature(function).parameters
    readers = {name: _reader(function.__name__, each) for name, each in parameters.items()}
    in_order = tuple(readers.values())

    @wraps(function)
    def checked(*given: Any, **named: Any) -> Any:
        given = *map(call, in_order, given), *given[len(in_order) :]
        named = {name: readers.get(name, _as_it_is)(value) for name, value in named.items()}
        try:
            return function(*given, **named)
        except ArithmeticError:
            at = checks.shown((*given, *named.values()))
            raise ValueError(
                f"{function.__name__} is beyond the numbers that floats hold, at {at}"
            ) from None

    return cast(Formula, checked)


def _reader(function: str, parameter: Parameter) -> Callable[[Any], Any]:
    """What checks and converts an argument of a function."""
    name = parameter.name
    ends = RANGES.get(f"{function}.{name}", RANGES.get(name))
    kinds = get_args(parameter.annotation) or (parameter.annotation,)
    if get_origin(parameter.annotation) is Literal:
        return partial(checks.check_choice, name, choices=kinds)
    if ends is None:
        has_class = all(isinstance(each, type) and each is not bool for each in kinds)
        if has_class:
            return partial(_of_class, name, kinds)
        return _as_it_is
    if not isinstance(ends, tuple):
        return ends
    low, high = ends
    is_list = name in LISTS
    is_number = set(kinds) <= {int, float, type(None)}
    whole = is_number and int in kinds
    plain = None if is_list else int if whole else float

    def read(value: Any) -> Any:
        if type(value) is plain and low <= value <= high:
            return value
        if value is None and parameter.default is None:
            return value
        if is_number or (isinstance(value, Real) and not is_list):
            number = float(checks.check_real(name, value, -inf, inf))
            _check_ends(name, number, low, high)
            if not whole:
                return number
            if not number.is_integer():
                raise ValueError(f"{name} must be a whole number, got {number:g}")
            return int(value)
        check = checks.check_row if is_list else checks.check_numbers
        array = check(name, value)
        for number in (array.min(initial=high), array.max(initial=low)):
            _check_ends(name, number, low, high)
        return array

    return read


def _check_ends(name: str, number: float, low: float, high: float) -> None:
    if not low <= number <= high:
        if number > high:
            limit = "below 1" if high == BELOW_1 else f"at most {high:g}"
        else:
            limit = "above 0" if low == ABOVE_0 else f"at least {round(low, 6) or 0:g}"
        raise ValueError(f"{name} must be {limit}, got {number:g}")


def _of_class(name: str, classes: tuple[type, ...], value: Any) -> Any:
    if not isinstance(value, classes):
        raise ValueError(f"{name} must be a {classes[0].__name__}, got {checks.shown(value)}")
    return value


def _as_it_is(value: Any) -> Any:
    return value
