"""Sets and maps read off profiles: misled points, effective boundary, advantage, error band, hard regions.

eta are the class probabilities P(Y = c | x), eta-hat fractions of votes. The margin of a ball is |eta(B) - 1/2| with
eta(B) the average of eta over it; profiles of balls store it at finitely many masses.

All raise ValueError for values outside the documented ranges.
"""

from knnviz.regions.bands import ErrorBand, error_band
from knnviz.regions.hard import AugmentedRegion, augmented_intervals, hard, hard_intervals, reaches
from knnviz.regions.population import advantage, disagreement, effective_boundary, lower_bound_set, margins

__all__ = [
    "AugmentedRegion",
    "ErrorBand",
    "advantage",
    "augmented_intervals",
    "disagreement",
    "effective_boundary",
    "error_band",
    "hard",
    "hard_intervals",
    "lower_bound_set",
    "margins",
    "reaches",
]
