"""Whether a smaller run agrees with the full one."""

import pytest
from scipy.stats import norm

#: Probability of a false alarm for a run that agrees, over all its comparisons (Bonferroni), if
#: means are normal.
FALSE_ALARM = 0.01

#: Columns of numbers that are settings, not results.
SETTINGS = {
    "alpha",
    "beta",
    "c0",
    "c1",
    "constant",
    "epsilon",
    "gamma",
    "level",
    "nu",
    "p0",
    "p1",
    "pi",
    "tau",
    "within",
    "x",
}


def estimates(row):
    """Columns of a row that have a standard error beside them."""
    return [column for column in row if row.get(f"{column}_se") is not None]


def of_samples(row):
    """Columns that depend on the draw of samples; extremes among them have no error."""
    found = set()
    for column in estimates(row):
        found |= {column, f"{column}_se"}
    for column in row:
        if column.startswith("largest_"):
            found.add(column)
    return found


def key(row):
    """What identifies a row: words, whole numbers and settings."""
    drawn = of_samples(row)
    found = {}
    for column, value in row.items():
        identifies = column in SETTINGS or isinstance(value, str | int)
        if identifies and column not in drawn:
            found[column] = value
    return found


def check(stored, rows):
    """Every row has a partner in the full run: the same where nothing is drawn, else within the
    errors of both.

    Of m comparisons of means none is to exceed the two-sided normal quantile at FALSE_ALARM / m.
    """
    comparisons = sum(len(estimates(row)) for row in rows)
    errors = norm.isf(FALSE_ALARM / max(comparisons, 1) / 2)
    for row in rows:
        identity = key(row)
        (partner,) = (each for each in stored if key(each) == identity)
        for column in row.keys() - of_samples(row):
            expected = partner[column]
            if isinstance(expected, float):
                expected = pytest.approx(expected, rel=1e-5)
            assert row[column] == expected

        for column in estimates(row):
            ours = row[column]
            theirs = partner[column]
            variance = row[f"{column}_se"] ** 2 + partner[f"{column}_se"] ** 2
            allowed = errors * variance**0.5
            assert abs(ours - theirs) <= allowed, f"{column} of {identity}: {ours:g} and {theirs:g}"
