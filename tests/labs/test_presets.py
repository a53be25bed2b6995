"""Presets read what a paper or its reference run says."""

import pytest
from reference_implementations import reference

from knnviz.labs import NoiseLab, WeightLab
from knnviz.problems import Resolution

GAO = reference("gao")["widgets"]
KHIM = reference("khim")

#: Lab, preset, number, its value and how close the lab comes to it.
PRESETS = [
    (NoiseLab, "kNN, asymmetric noise", "misled mass", GAO["sine p0=0.1 p1=0.3"]["mu_A0"], 2e-3),
    (NoiseLab, "More votes do not repair it", "limit of kNN", 0.3869, 5e-4),
    (WeightLab, "Figure 1, left", "macro F1, Bayes rule", 0.615965, 1e-4),
    (WeightLab, "Figure 1, left", "weighted Bayes risk", 0.120843, 1e-5),
    (WeightLab, "Figure 1, right", "macro F1, Bayes rule", 0.610072, 1e-4),
    (WeightLab, "Theorem 2", "mass of the set", KHIM["theorem2_set"]["n=1000,k=50,q"], 2e-3),
]


@pytest.mark.parametrize(("kind", "preset", "name", "value", "tolerance"), PRESETS)
def test_presets_read_what_their_sources_say(kind, preset, name, value, tolerance):
    resolution = Resolution(map_cells=(1000, 120))
    lab = kind(resolution=resolution, panels=kind.layout.names[:1])
    read = lab.show_preset(preset).readout()
    assert read[name] == pytest.approx(value, abs=tolerance)
