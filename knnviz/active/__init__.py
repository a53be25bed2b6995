"""Labels bought in two rounds, where the vote is contentious (Rittler & Chaudhuri).

All raise ValueError for values outside the documented ranges, for more than two classes, and for more labels than a
pool has.
"""

from knnviz.active.comparison import LEARNERS, EvaluationPoints, IncrementalKNN, LearnerComparison
from knnviz.active.learning_trials import Trial, active_sample, passive_sample, trial
from knnviz.active.pool import PoolSample, TwoStagePool
from knnviz.active.sampling import (
    Draws,
    FirstRound,
    TwoStageSample,
    hard_at,
    hard_region,
    labeled,
    second_round,
    two_stage_sample,
)
from knnviz.active.scheme import FROM_P, FROM_R, ROUND1, Scheme
from knnviz.active.voting import VOTERS, region_voters, two_stage_labels, vote

__all__ = [
    "FROM_P",
    "FROM_R",
    "LEARNERS",
    "ROUND1",
    "VOTERS",
    "Draws",
    "EvaluationPoints",
    "FirstRound",
    "IncrementalKNN",
    "LearnerComparison",
    "PoolSample",
    "Scheme",
    "Trial",
    "TwoStagePool",
    "TwoStageSample",
    "active_sample",
    "hard_at",
    "hard_region",
    "labeled",
    "passive_sample",
    "region_voters",
    "second_round",
    "trial",
    "two_stage_labels",
    "two_stage_sample",
    "vote",
]
