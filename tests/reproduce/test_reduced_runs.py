"""Reproductions with less work, beside the full runs that are kept."""

from inspect import signature

import pytest
from agreement import check
from refusals import refuses

from knnviz import reproduce
from knnviz.reproduce import registry

#: Less work, and other samples than those of the full run: seed 1 as the next after its seed 0, kept whatever it gives.
OTHER_SAMPLES = {
    "errandonea_clusters": {"levels": (0.3, 0.8), "classes": (10,), "clusters": 1000},
    "errandonea_digits": {"noises": (0.0, 0.6), "splits": 3},
    "errandonea_examples": {"constants": (0.5,), "repeats": 60},
    "errandonea_line": {"sizes": (1000,), "repeats": 20},
    "errandonea_linear": {"noises": (0.1,), "splits": 3},
    "errandonea_removal": {"noises": (0.2,), "splits": 4},
    "errandonea_linear_tuned": {"noises": (0.3,), "splits": 2},
    "errandonea_promises": {"sizes": (1000,), "repeats": 40},
    "errandonea_rate": {"sizes": (1000, 4000), "repeats": 10},
    "gao_neighbors": {"sizes": (500,), "ks": (1, 20), "repeats": 40},
    "gao_validation": {"runs": 6, "neighbors": (25,), "noise_neighbors": (5, 100)},
    "khim_bayes_weights": {},
    "khim_bounds": {"sizes": ((1000, 50), (10_000, 500)), "repeats": 20},
    "khim_corollaries": {"sizes": (10_000,), "repeats": 20},
    "khim_figure_1": {},
    "khim_figure_2": {"epsilons": (0.01,)},
    "khim_figure_3a": {"repeats": 10},
    "khim_figures_3b_and_4": {"sizes": (50, 100), "repeats": 20},
    "khim_neighbors": {"repeats": 10},
    "khim_starts": {"repeats": 10},
    "khim_table_1": {"repeats": 100},
    "khim_table_2": {"splits": 12},
    "khim_theorem_5": {"sizes": ((1000, 50), (10_000, 500)), "repeats": 20},
    "khim_thresholds": {"repeats": 100},
    "khim_zipf": {"exponents": (0, 2)},
    "looseness": {"sizes": (250, 1000, 4000), "runs": 40},
    "one_nn": {"sizes": (10, 100, 1000), "repeats": 40},
    "rates": {"sizes": (1000, 4000, 16_000), "runs": 40},
    "reeve_inconsistency": {"sizes": (1000,), "repeats": 20},
    "reeve_maximum": {"repeats": 40},
    "reeve_pointwise": {"repeats": 1000},
    "reeve_range": {"repeats": 10},
    "reeve_rate": {"sizes": (250, 1000, 4000), "ranges": ((250, 4000),), "repeats": 40},
    "reeve_risks": {"sizes": (250, 1000, 4000, 16_000, 64_000), "repeats": 20},
    "reeve_two_levels": {"sizes": (16_000,), "repeats": 20},
    "reeve_validation": {"sizes": (1000, 16_000), "repeats": 20},
    "rittler_condition": {"powers": (3, 8)},
    "rittler_consistency": {"fractions": (0.0, 0.5), "budgets": (1000, 16_000), "repeats": 20},
    "rittler_containment": {"slacks": (0.0, 0.1), "repeats": 10},
    "rittler_experiments": {"experiments": ("A", "E"), "repeats": 15},
    "rittler_mixture": {"fractions": (0.1, 0.5), "repeats": 10},
    "rittler_rates": {"shapes": ((2.0, 1.0), (1.25, 0.2)), "sizes": (4000, 16_000), "repeats": 15},
    "theorem_3_bump": {"runs": 40},
}

#: Fewer draws of flips on the one training set of the full run, or fewer trials on its data sets.
SAME_SAMPLES = {
    "gao_figure_2": {"names": ("breast_cancer", "wine"), "ks": (5, 25, 95), "trials": 10},
    "gao_figure_3": {"names": ("digits", "iris"), "noise_neighbors": (5, 50), "trials": 10},
    "gao_figure_4": {"names": ("breast_cancer", "wine"), "fractions": (0.2, 1.0), "trials": 10},
    "gao_figure_1_threshold": {"flips": 4, "ks": (1, 20, 100), "noise_neighbors": (20, 100)},
    "gao_figure_1_one_nn": {"flips": 4, "sizes": (250,), "repeats": 30},
    "gao_noise_neighbors": {"flips": 4, "noise_neighbors": (5, 15, 50)},
}

#: Tables that depend on all settings or on an extreme of all samples, or hold means that no error goes with.
WITHOUT = {name: {"best_k", "means"} for name in ("errandonea_digits", "errandonea_linear")}
WITHOUT |= {"errandonea_removal": {"best_k", "claims"}, "khim_table_2": {"covertype"}}
WITHOUT |= {"errandonea_linear_tuned": {"picked"}, "errandonea_rate": {"slopes"}}
WITHOUT |= {"gao_validation": {"picked"}, "khim_theorem_5": {"bounds"}}
WITHOUT |= {"rates": {"slopes"}, "rittler_rates": {"slopes"}}


@pytest.mark.parametrize("name", [*OTHER_SAMPLES, *SAME_SAMPLES])
def test_a_reduced_run_agrees_with_the_full_one(name):
    settings = SAME_SAMPLES.get(name) or OTHER_SAMPLES[name] | {"seed": 1}
    full, found = reproduce.load(name).results, registry._registry[name](**settings)
    assert full.keys() == found.keys()
    # Of Errandonea et al. the reference run belongs to the numbers of the full run.
    beside = {"reference", "z"} if name.startswith("errandonea") else set()
    for table in found.keys() - WITHOUT.get(name, set()):
        ours, theirs = (
            [{column: row[column] for column in row if column not in beside} for row in each[table]]
            for each in (found, full)
        )
        check(theirs, ours)


@pytest.mark.parametrize("name", reproduce.names())
def test_a_single_sample_is_refused(name):
    call = registry._registry[name]
    for count in registry.COUNTS:
        if count in signature(call).parameters:
            refuses(f"^{count} must be at least 2, got 1", call, **{count: 1})
