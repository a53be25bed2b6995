"""What a lab on a line shares that knows how smooth eta is: k_n, the theorem's bound and its picture."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.bounds import reeve_kaban
from knnviz.labs.engine.parameters import Choice, Float, LogInt
from knnviz.labs.engine.stages import stage
from knnviz.labs.ground import enough
from knnviz.labs.lines import LineLab
from knnviz.labs.parts.robust_rules import COLORS
from knnviz.views import bound as bound_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer

#: Where k comes from.
NEIGHBORS = ("k_n", "k as set")

#: What the bound is drawn over.
BOUNDS = ("over k", "over n")

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

#: Largest k.
MOST = 1_000_000

#: Ends of the axis of n.
SIZES = (100, 1e12)


class PromiseLab(LineLab):
    """A line on which k follows n, or is set, and what Theorem 4.3 promises of robust kNN with it."""

    neighbors = Choice(NEIGHBORS[0], NEIGHBORS).tag(
        label="neighbors", group="Rule", tip="k_n lets both terms of the bound fall at one rate; or a k of one's own"
    )
    k = LogInt(100, min=1, max=MOST).tag(label="neighbors", symbol="k", tip="Number of neighbors that vote")
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", group="Theorem", tip="The bound holds but for this probability"
    )
    smoothness = Float(1.0, min=0.1, max=1, step=0.05).tag(
        label="smoothness", symbol="alpha", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    smoothness_constant = Float(3.0, min=0.5, max=10, step=0.1).tag(
        label="its constant", symbol="L", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    margin_exponent = Float(0.0, min=0, max=3, step=0.1).tag(
        label="margin exponent", symbol="beta", tip="eta is within t of one half on a mass of at most M t^beta"
    )
    margin_constant = Float(1.0, min=1, max=20, step=0.1).tag(
        label="its constant", symbol="M", tip="eta is within t of one half on a mass of at most M t^beta"
    )
    bound_over = Choice(BOUNDS[0], BOUNDS).tag(label="bound", tip="Over k its two terms, over n all of it along k_n")

    def validate(self, values: Mapping[str, Any]) -> None:
        """k, set or found, is at most n; besides what every lab on a line asks for."""
        super().validate(values)
        enough(neighbors(values), values["n"])

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """A k that was hidden comes back within n; besides what every lab on a line moves."""
        notes, (k, n) = super().coerce(values, given), (values["k"], values["n"])
        comes = values["neighbors"] == NEIGHBORS[1] != self.values["neighbors"]
        if not comes or "k" in given or k <= n:
            return notes
        values["k"] = n
        return [*notes, f"{self.parameters()['k'].title} moved from {k} to {n}, the sample size."]

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: k where it follows n."""
        return super().hidden(values) | ({"k"} if values["neighbors"] == NEIGHBORS[0] else set())

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to n, and n down to a k that is set."""
        low, *_, high = ends = super().slider_range(name, values)
        if name == "k":
            return low, values["n"]
        return (max(low, values["k"]), high) if name == "n" and values["neighbors"] == NEIGHBORS[1] else ends

    @stage(compare_values=True)
    def voters(self) -> int:
        """How many neighbors vote."""
        names = "n", "neighbors", "k", "delta", "smoothness", "smoothness_constant"
        return neighbors({name: getattr(self, name) for name in names})

    @stage
    def smooth(self) -> dict[str, float]:
        """How smooth eta is said to be."""
        return {"smoothness": self.smoothness, "smoothness_constant": self.smoothness_constant}

    @stage
    def assumed(self) -> dict[str, float]:
        """All that the theorem is told of eta."""
        return self.smooth | {"margin_exponent": self.margin_exponent, "margin_constant": self.margin_constant}

    @stage
    def promise(self) -> reeve_kaban.ExcessBound:
        """What the theorem says of this n and k."""
        return reeve_kaban.theorem_4_3(self.n, self.voters, self.delta, self.noise, **self.assumed)

    @stage
    def tight_promise(self) -> reeve_kaban.ExcessBound:
        """The same with the sharper step of the proof."""
        return reeve_kaban.theorem_4_3(self.n, self.voters, self.delta, self.noise, tight=True, **self.assumed)

    @stage
    def promised(self) -> dict[str, float]:
        """Bounds on the excess risk of this sample."""
        return {"bound": self.promise.excess, "tight_bound": self.tight_promise.excess}

    @stage(compare_values=True)
    def exponent(self) -> float | None:
        """The exponent of n that the theorem promises; None for a k of one's own, and where no L or M would do."""
        reached = self.low == 0 and self.high == 1 and np.isfinite(self.needed).all()
        if self.neighbors == NEIGHBORS[1] or not reached:
            return None
        return reeve_kaban.exponent(self.smoothness, self.margin_exponent)

    @stage
    def warning(self) -> str:
        """What does not hold of the theorem's assumptions, or of the estimates."""
        ends = self.low > 0 or self.high < 1
        proved, least = reeve_kaban.k_range(self.n, self.delta), self.needed
        said = [
            ("all smoothed labels are equal, so the estimated cut stays at 1/2", self.robust.noise_rates.degenerate),
            ("eta does not reach 0 and 1", ends),
            (f"the proof asks for k from {proved.least} to {proved.most}", not self.promise.proved),
            (at_least("L", least[0]), self.smoothness_constant < least[0] - TOLERANCE),
            (at_least("M", least[1]), self.margin_constant < least[1] - TOLERANCE),
        ]
        return "; ".join(text for text, is_so in said if is_so)

    @stage
    def needed(self) -> tuple[float, float]:
        """The least L and M for which the assumptions hold."""
        least = reeve_kaban.least_smoothness_constant(self.plane, self.smoothness)
        return least, reeve_kaban.least_margin_constant(self.plane, self.margin_exponent)

    @stage
    def k_ends(self) -> tuple[float, float]:
        """Ends of the axis of k."""
        return votes_view.axes(self.n, self.sheet.votes, log=True).xlim

    @stage
    def bound_layers(self) -> tuple[Layer, ...]:
        """The two terms of the bound over k, or the whole bound over n."""
        return self.term_layers if self.bound_over == BOUNDS[0] else self.whole_layers

    @stage
    def term_layers(self) -> tuple[Layer, ...]:
        """Both terms, k_n, the k in hand, and the height from which the bound says something."""
        ks = np.unique(np.geomspace(1, self.n, 80).round().astype(int))
        at = [reeve_kaban.theorem_4_3(self.n, k, self.delta, self.noise, **self.assumed) for k in ks.tolist()]
        vote, smooth = (np.array([getattr(each, name) for each in at]) for name in ("vote", "smooth"))
        followed = reeve_kaban.k_n(self.n, self.delta, **self.smooth)
        # Where k is k_n one line would hide the other.
        ours = "k = k_n" if followed == self.voters else "k"
        return (
            *bound_view.terms(ks, vote, smooth),
            bound_view.below(self.useful, self.k_ends, "where the bound is 1"),
            *([bound_view.at(followed, "k_n", "k_n", COLORS["known"], (7, 3))] if ours == "k" else []),
            bound_view.at(self.voters, "at_k", ours),
        )

    @stage
    def useful(self) -> float:
        """The sum of both terms at which the bound on the excess is 1, where it begins to say something."""
        share = (1 - self.delta) / self.margin_constant
        return self.noise.contrast / 8 * share ** (1 / (self.margin_exponent + 1))

    @stage
    def whole_curves(self) -> tuple[Layer, ...]:
        """The bound along k_n, as printed and with the sharper step."""
        sizes = np.unique(np.geomspace(*SIZES, 81).round().astype(np.int64))
        names = ("printed", "bound", ()), ("tight", "tight form", (7, 3))
        drawn = []
        for tight, look in enumerate(names):
            at = [self._along(n, bool(tight)) for n in sizes.tolist()]
            drawn.append(bound_view.whole(sizes, np.array(at), *look))
        return tuple(drawn)

    @stage
    def whole_layers(self) -> tuple[Layer, ...]:
        """These curves, where they begin to say something, and the n in hand."""
        marks = bound_view.below(1, SIZES, "where it is 1"), bound_view.at(self.n, "at_n", "n")
        return *self.whole_curves, *marks

    @stage
    def bound_words(self) -> str:
        """The Bound in words and numbers."""
        if self.bound_over == BOUNDS[0]:
            return bound_view.describe_terms(self.voters, self.promise.vote, self.promise.smooth, self.useful)
        printed = self.whole_curves[0]
        return bound_view.describe_whole(printed.x, printed.y)

    def _along(self, n: int, tight: bool) -> float:
        """The bound at k_n."""
        k = min(reeve_kaban.k_n(n, self.delta, **self.smooth), n)
        return reeve_kaban.theorem_4_3(n, k, self.delta, self.noise, tight=tight, **self.assumed).excess


def at_least(constant: str, least: float) -> str:
    """What a constant must be for the assumptions to hold."""
    if np.isinf(least):
        return f"no {constant} is large enough"
    # Rounded up: the number that is asked for must be enough.
    return f"{constant} must be at least {np.ceil(100 * (least - TOLERANCE)) / 100:.2f}"


def neighbors(values: Mapping[str, Any]) -> int:
    """k for the values of a lab: as set, or k_n."""
    if values["neighbors"] == NEIGHBORS[1]:
        return values["k"]
    return reeve_kaban.k_n(values["n"], values["delta"], values["smoothness"], values["smoothness_constant"])
