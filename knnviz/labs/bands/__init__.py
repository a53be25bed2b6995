"""BandLab: where errors of eta-hat can change decisions of class-weighted kNN, and what Theorem 3 guarantees for it.

eta-hat are the fractions of the classes among the k nearest neighbors. Its uniform error U is the largest
``|eta-hat - eta|`` over points and classes; epsilon bounds it. With weights q class c is predicted where its eta
exceeds a threshold t, which depends on the point. The band of c is where its eta is so near t that an error of epsilon
may change this decision: from t' - epsilon r' to t'' + epsilon r''. The cover q', q'' of q are weights on a grid that
favor c slightly more and slightly less; t', t'' are their thresholds and r', r'' their width factors. The mass of the
band has two parts: tne, the true negative error, is the mass of the other classes in it, and fne, the false negative
error, that of class c.
"""

from collections.abc import Mapping
from typing import Any

from knnviz.bounds import khim
from knnviz.labs.bands.band import GUARANTEED, BandPanel, ClassBand, MassPanel
from knnviz.labs.bands.uniform import PROBLEM, UniformError, UniformPanel
from knnviz.labs.old_engine import Lab, LogInt, Preset, Seed, columns, rows, stage
from knnviz.labs.old_parts.class_weights import ClassWeights
from knnviz.labs.old_parts.line_sample import LineSample, WindowVotes
from knnviz.labs.old_parts.sources import problem_named

FIGURE_2, THEOREM_3 = "Khim et al., Figure 2", "Khim et al., Theorem 3"


class BandLab(Lab):
    """The band of a class, its mass over epsilon, and the uniform error with its bound, from which epsilon may come.

    Source: Khim et al., Theorems 3 and 5.

    Examples
    --------
    >>> from knnviz.labs import BandLab
    >>> found = BandLab(epsilon=0.1).readout()
    >>> found["tne"], found["fne"]
    (0.401223, 0.111527)
    """

    title = "error bands"
    number_names: Mapping[str, str] = {
        "weights": "weights q",
        "epsilon": "epsilon",
        "tne": "true negative error (tne)",
        "fne": "false negative error (fne)",
        "mass_at_zero": "mass at epsilon 0",
        "more": "q'",
        "less": "q''",
        "uniform_error": "observed U",
        "bound": "bound on U",
        "guarantee": "by Theorem 3",
        "best_k": "k of least bound",
        "least_bound": "least bound",
        "needed": "n for this epsilon",
        "ball_margin_three": "Delta, 3 classes",
        "ball_margin": "Delta, C classes",
        "note": "note",
    }

    layout = columns(("band_panel", 1.05), rows(("mass_panel", 0.5), ("uniform_panel", 0.48)), ratios=(10, 9))
    order = (
        *("q0", "q1", "q2", "c", "cover", "width_factor", "epsilon_source", "epsilon"),
        *("n", "k", "seed", "delta", "d", "classes"),
    )

    presets = (
        Preset("Figure 2 as captioned", FIGURE_2, {}),
        Preset("Figure 2 as computed", "Khim et al., tne and fne printed with Figure 2", {"epsilon": 0.05}),
        Preset("Without a cover", "Khim et al., Theorem 5 with q' = q'' = q", {"cover": "none", "epsilon": 0.01}),
        Preset("A small epsilon", "Khim et al., Theorem 5", {"epsilon": 0.001}),
        Preset("A large epsilon", "Khim et al., Theorem 5", {"epsilon": 0.3}),
        Preset("A light class", "Khim et al., section 4", {"q0": 0.06, "q1": 0.54, "q2": 0.4}),
        Preset("The other classes", FIGURE_2, {"c": "class 2", "width_factor": "tight"}),
        Preset("What a sample shows", THEOREM_3, {"epsilon_source": "observed U", "n": 100_000, "k": 2000}),
        Preset("A thousand points", THEOREM_3, {"epsilon_source": "Theorem 3"}),
        Preset("A hundred thousand", THEOREM_3, {"epsilon_source": "Theorem 3", "n": 100_000, "k": 280}),
        Preset("A thousand classes", "Khim et al., Theorems 1 and 3", {"n": 1_000_000, "k": 1400, "classes": 1000}),
        Preset("Two dimensions", "Khim et al., Corollary 3", {"n": 1_000_000, "k": 1400, "d": 2}),
    )

    weights = ClassWeights()
    n = LogInt(1000, min=100, max=1_000_000).tag(
        label="sample size", symbol="n", group="Sample", tip="Number of training points"
    )
    k = LogInt(50, min=1, max=1_000_000).tag(
        label="neighbors", symbol="k", tip="Neighbors whose fractions are eta-hat", at_most="n"
    )
    seed = Seed().tag(tip="Another seed draws another sample")
    classes = LogInt(3, min=3, max=1000).tag(
        label="classes",
        symbol="C",
        tip="Number of classes in Theorem 1 alone, at the same largest weight. The sample keeps its three",
    )

    data = LineSample(chosen_problem=problem_named(PROBLEM), n=n, seed=seed)
    votes = WindowVotes(data=data, labels=data.labels)
    uniform_error = UniformError(votes=votes, n=n, k=k)
    class_band = ClassBand(q=weights.q, uniform_error=uniform_error)

    band_panel = BandPanel(band=class_band)
    mass_panel = MassPanel(band=class_band)
    uniform_panel = UniformPanel(uniform_error=uniform_error)

    @stage
    def needed(self) -> float | str:
        """The least n at which Theorem 3, at its best k, guarantees the epsilon in use."""
        return self.uniform_error.least_size(self.class_band.epsilon_in_use)

    @stage
    def margins(self) -> dict[str, float]:
        """Delta of Theorem 1 for three classes and for more, with the same largest weight."""
        n, k, delta, heaviest = self.n, self.k, self.delta, max(self.weights.q)
        three, more = (khim.theorem_1(n, k, delta, [heaviest] * count).margin for count in (3, self.classes))
        return {"ball_margin_three": three, "ball_margin": more}

    @property
    def note(self) -> str:
        band = self.class_band
        vacuous = band.epsilon_source == GUARANTEED and self.uniform_error.guaranteed == 1
        notes = {
            f"{band.c} has no weight, so nothing is guaranteed for it": self.weights.q[band.class_index] == 0,
            band.pair.note: band.pair.note,
            "Theorem 3 is vacuous here, and no U exceeds 1": vacuous,
            "d changes only the bound: the sample stays on the line": self.d > 1,
        }
        return "; ".join(text for text, applies in notes.items() if applies)

    @stage
    def numbers(self) -> dict[str, Any]:
        note = {"note": self.note} if self.note else {}
        found = {"weights": self.weights.q} | self.class_band.numbers | self.uniform_error.numbers
        return found | {"needed": self.needed} | self.margins | note
