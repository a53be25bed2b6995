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
}
SETTINGS |= {"within", "x"}


def estimates(row):
    """Columns of a row that have a standard error beside them."""
    return [column for column in row if row.get(f"{column}_se") is not None]


def of_samples(row):
    """Columns that depend on the draw of samples; extremes among them have no error."""
    drawn = estimates(row)
    return {
        *drawn,
        *(f"{column}_se" for column in drawn),
        *(column for column in row if column.startswith("largest_")),
    }


def key(row):
    """What identifies a row: words, whole numbers and settings."""
    drawn = of_samples(row)
    return {
        column: value
        for column, value in row.items()
        if column not in drawn and (column in SETTINGS or isinstance(value, str | int))
    }


def check(stored, rows):
    """Every row has a partner in the full run: the same where nothing is drawn, else within the
    errors of both.

    Of m comparisons of means none is to exceed the two-sided normal quantile at FALSE_ALARM / m.
    """
    comparisons = sum(len(estimates(row)) for row in rows)
    errors = norm.isf(FALSE_ALARM / max(comparisons, 1) / 2)
    for row in rows:
        (partner,) = (each for each in stored if key(each) == key(row))
        drawn = of_samples(row)
        for column in row.keys() - drawn:
            expected = partner[column]
            assert row[column] == (
                pytest.approx(expected, rel=1e-5) if isinstance(expected, float) else expected
            )
        for column in estimates(row):
            apart = abs(row[column] - partner[column])
            allowed = errors * (row[f"{column}_se"] ** 2 + partner[f"{column}_se"] ** 2) ** 0.5
            assert apart <= allowed, (
                f"{column} of {key(row)}: {row[column]:g} and {partner[column]:g}"
            )
