"""Good calls of the papers' formulas."""

from knnviz.bounds import rittler

CALLS = {
    "bounds.rittler.band_slack": (rittler.band_slack, {"n": 1000, "k": 50, "dimension": 1, "delta": 0.125, "c0": 1.5}),
}
