"""The risk curves of NoiseLab, over k, k', n, and n with a k that grows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.labs.noise.rules import FROM_K
from knnviz.labs.old_engine import Choice, stage
from knnviz.labs.old_parts.risk_panel import OFF, RiskPanel
from knnviz.problems import Resolution
from knnviz.problems.base import FINE_GRID
from knnviz.rules import Robust, Rule, Vote

#: The parameter on the x axis by the choice of a risk curve.
X_AXES = {OFF: None, "over k": "k", "over k'": "k'", "over n": "n", "over n, k grows": "n"}
_, OVER_K, OVER_K_NOISE, OVER_N, GROWING_K = CURVES = tuple(X_AXES)

#: Samples of a risk curve, cells a side over which one in the plane is integrated, and the k, k' and n of its points.
REPEATS = 10
CELLS = 64
KS = tuple(sorted({2 * round(k / 2 - 0.5) + 1 for k in np.geomspace(1, 799, 16)}))
K_NOISES = (1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400)
SIZES = (60, 120, 250, 500, 1000, 2000, 4000, 8000)


class NoiseRiskPanel(RiskPanel):
    """Risks of kNN, and of robust kNN with known and estimated rates; if k' is k - 1, a click on its axis sets k."""

    curve = Choice(OFF, CURVES).tag(label="risk curve", tip=f"Mean risk over {REPEATS} fresh samples")

    @property
    def k_noises(self) -> list[int]:
        """The k' of a curve over k'; none for other curves."""
        return [k_noise for k_noise in K_NOISES if k_noise < self.lab.n] if self.over == "k'" else []

    @stage(compare_values=True)
    def rules(self) -> dict[str, Rule]:
        lab = self.lab
        estimated = {f"estimated {k_noise}": Robust(k_noise=k_noise, variant=lab.variant) for k_noise in self.k_noises}
        if not estimated:
            k_noise = None if lab.rates == FROM_K else lab.k_noise
            estimated = {"estimated": Robust(k_noise=k_noise, variant=lab.variant)}
        return {"plain": Vote(), "known": lab.rules.known} | estimated

    @stage(compare_values=True)
    def curve_arguments(self) -> dict[str, Any]:
        """Arguments of ``risk.stream``: values on the x axis (``over``), and n or k; over k' the one k."""
        lab, k_grows = self.lab, self.curve == GROWING_K
        if self.over == "k'":
            return {"over": {"k": [lab.k]}, "n": lab.n}
        if self.over == "k":
            return {"over": {"k": [k for k in KS if k <= lab.n]}, "n": lab.n}
        most = lab.data.chosen_problem.max_size or SIZES[-1]
        least = max(1 if k_grows else lab.k, (self.rules["estimated"].k_noise or 0) + 1)
        sizes = [size for size in sorted({*SIZES, min(most, SIZES[-1])}) if least <= size <= most]
        return {"over": {"n": sizes}, "k": risk.growing_neighbors if k_grows else lab.k}

    def stream(self) -> Iterator[risk.RiskCurve | None]:
        problem, rules, k_noises = self.lab.data.chosen_problem, self.rules, self.k_noises
        arguments = self.curve_arguments | {"repeats": REPEATS, "noise": self.lab.noise.model}
        arguments["resolution"] = Resolution(integral_cells=(FINE_GRID[1], CELLS))
        yield None
        for curve in risk.stream(problem, rules, **arguments):
            yield over_k_noise(curve, k_noises) if k_noises else curve

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        lab = self.lab
        if self.over != "k'":
            return lab.nearest_step(self.over, x)
        picked = lab.nearest_step("k_noise", x)
        return {"k": min(picked["k_noise"] + 1, lab.n)} if lab.rates == FROM_K else picked


def over_k_noise(curve: risk.RiskCurve, k_noises: list[int]) -> risk.RiskCurve:
    """Turn a curve at one k, whose last rules differ in k', into a curve over k'; other rules are constant there."""
    # By sample, draw of the noise, rule and k.
    risks = curve.risks[..., 0]
    others = risks.shape[2] - len(k_noises)
    constant = np.repeat(risks[:, :, :others, None], len(k_noises), axis=3)
    over_k_noises = np.concatenate([constant, risks[:, :, None, others:]], axis=2)
    names = (*curve.names[:others], "estimated")
    return replace(curve, over="k_noise", values=np.array(k_noises), names=names, risks=over_k_noises)
