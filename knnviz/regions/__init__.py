"""Sets and maps read off profiles: misled points, effective boundary, advantage, error band, hard regions.

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
