"""Panels of EliminationLab: the map of bags, the walk, and predictions at x."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.bounds.errandonea import guaranteed_eliminations
from knnviz.labs.elimination import layers
from knnviz.labs.elimination.bag_sample import BALL_CELLS, EXAMPLE, BagFrequencies, BagSample
from knnviz.labs.elimination.rules import Decisions, StoppingRules, Walk
from knnviz.labs.old_engine import Choice, Float, Input, Panel, stage
from knnviz.labs.old_parts.map_panel import MapPanel
from knnviz.labs.old_parts.neighborhoods import QueryPoint
from knnviz.labs.old_parts.sizes import LARGEST_MASS, MASS_STEP
from knnviz.labs.old_parts.sources import field, problem_named
from knnviz.labs.old_parts.text_panel import TextPanel
from knnviz.labs.old_parts.vote_panel import true_frequencies
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import sets as set_view
from knnviz.views import style
from knnviz.views.layers import Axes, Layer

#: What the map can show; some of it needs a known distribution.
OVERLAYS = ("decisions", "stopping k", "undecided", "advantage", "misaligned")
KNOWN_ONLY = ("advantage", "misaligned")


class BagMap(MapPanel):
    """Predictions of PL A-kNN, stopping k, advantage or a set of points, under bags as pies."""

    query: QueryPoint = Input()
    decisions: Decisions = Input()
    frequencies: BagFrequencies = Input()

    overlay = Choice(OVERLAYS[0], OVERLAYS).tag(label="show", group="Map", tip="What colors the map or line")
    mass_cap = Float(0.25, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="largest mass",
        symbol="A",
        tip="Largest ball mass that the advantage considers",
        when={"overlay": KNOWN_ONLY[:1]},
    )

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        if "overlay" in changes or self.refusal(values) is None:
            return []
        return self.lab.move_and_note("overlay", OVERLAYS[0], values)

    def validate(self, values: Mapping[str, Any]) -> None:
        if refusal := self.refusal(values):
            raise ValueError(refusal)

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        source, overlay = problem_named(values["problem"]), values["overlay"]
        unknown = overlay in KNOWN_ONLY and source.eta is None
        return f"{overlay} needs a known distribution, but {source.name} is data" if unknown else None

    @property
    def is_preview(self) -> bool:
        return (
            self.overlay == "advantage" and self.frequencies.balls[0] < BALL_CELLS[self.data.chosen_problem.dimension]
        )

    @property
    def max_pies(self) -> int:
        """Largest number of pies of each size: fewer on a line, where they stand side by side."""
        return (90 if self.lab.on_projector else 220) // (3 if self.data.chosen_problem.dimension == 1 else 1)

    @stage
    def advantages(self) -> np.ndarray:
        return regions.advantage(self.frequencies.balls[1], self.mass_cap)

    @stage
    def numbers(self) -> dict[str, float]:
        if self.overlay != "advantage":
            return {}
        points = field(self.data.problem, self.frequencies.balls[0]).grid.points
        return {"advantage": float(self.advantages[((points - self.query.x) ** 2).sum(axis=1).argmin()])}

    def layers(self) -> Iterator[Layer]:
        draw, view, problem, k, max_pies = self.draw, self.view, self.data.chosen_problem, self.k, self.max_pies
        yield from self.below_bags()
        if problem.dimension == 2:
            yield self.data.bayes_boundary
        else:
            x = self.cells.field.grid.points[:, 0]
            yield draw(line_view.eta_curves, x, self.cells.field.eta)
            yield draw(layers.label_frequencies, x, self.frequencies.at_cells)
        yield draw(layers.first_pies, problem, self.data.sample, self.labels, max_pies)
        yield draw(layers.nearest_pies, problem, self.data.sample, self.labels, self.query.table, k, max_pies)
        yield draw(layers.classes, problem)
        yield draw(layers.query, view, problem, self.query.x, float(self.query.table.distances[0, k - 1]))

    def below_bags(self) -> Iterator[Layer]:
        draw, problem, scan = self.draw, self.data.chosen_problem, self.decisions.scan
        if self.overlay == "advantage":
            yield draw(set_view.advantage, problem, self.advantages)
        elif self.overlay == "stopping k":
            yield draw(set_view.shaded, problem, scan.stop_k, layers.STOP_K_STEPS, "stopping k")
        else:
            yield draw(self.view.regions, problem, scan.labels)
        if self.overlay == "undecided":
            yield set_view.region(problem, ~scan.decided, "undecided", "undecided")
        if self.overlay == "misaligned":
            yield draw(set_view.region, problem, self.frequencies.misaligned_cells, "misaligned", "misaligned", "\\")

    def alt_text(self) -> str:
        problem, labels = self.data.chosen_problem, self.decisions.scan.labels
        return f"{map_view.describe(problem, labels, self.data.sample.y, self.max_pies)} Shown: {self.overlay}."


class BallPanel(Panel):
    """The walk: the fraction of bags with each label as the ball grows, thresholds, and where the rules stop."""

    data: BagSample = Input()
    rules: StoppingRules = Input()
    frequencies: BagFrequencies = Input()
    walk: Walk = Input()

    def axes(self) -> Axes:
        return layers.axes(self.rules.last_k)

    def layers(self) -> Iterator[Layer]:
        draw, trace, k = self.draw, self.walk.partial, self.rules.k
        if self.data.has_eta and self.data.problem != EXAMPLE:
            yield draw(true_frequencies, self.frequencies.around_x, None, self.data.n)
        yield draw(layers.fractions, trace, k)
        yield draw(layers.leader_less_band, trace, k)
        yield draw(layers.adaptive_threshold, self.walk.adaptive_thresholds, k)
        yield draw(layers.stops, self.walk.stops, k)
        yield draw(layers.fractions_at_k, trace, k)
        yield draw(layers.eliminations, trace, k)
        yield draw(layers.at_k, k, self.rules.last_k)

    def alt_text(self) -> str:
        return layers.describe(self.walk.partial, self.rules.k, self.data.chosen_problem.class_names)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.lab.nearest_step("k", x)


class Predictions(TextPanel):
    """What each rule predicts at x, and which labels are eliminated, as far as the ball has grown.

    Beside the k of an elimination stands the one that ``guaranteed_eliminations`` gives if fractions deviate by half
    the band at most, with k / n as the mass of the ball of k neighbors, at some 60 values of k. Data and the worked
    example have no such k.
    """

    title = "Predictions at x"

    data: BagSample = Input()
    rules: StoppingRules = Input()
    frequencies: BagFrequencies = Input()
    walk: Walk = Input()

    @stage
    def promised(self) -> np.ndarray:
        """The k (C,) up to T of ``guaranteed_eliminations``: infinite if not by T, NaN if unknown."""
        n_classes = self.data.chosen_problem.n_classes
        if not self.data.has_eta or self.data.problem == EXAMPLE:
            return np.full(n_classes, np.nan)
        balls, band = self.frequencies.around_x, self.rules.partial.band_constant(self.data.n, n_classes)
        ks = balls.masses * self.data.n
        up_to_t = ks <= self.rules.last_k * (1 + 1e-9)
        return guaranteed_eliminations(balls.frequency[up_to_t, :, 0], ks[up_to_t], band)

    @stage
    def predicted(self) -> tuple[str, str, str]:
        """The predictions of PL A-kNN, A-kNN and 10-NN in words."""
        names, k = self.data.chosen_problem.class_names, self.rules.k
        trace, scan, vote_k = self.walk.partial, self.walk.adaptive, self.walk.stops[0]
        partial = f"PL A-kNN: {len(names) - len(self.eliminated)} labels left at k = {k}"
        if k >= trace.stop_k:
            how = f"decided at k = {trace.stop_k}" if trace.decided else f"undecided at T = {trace.stop_k}"
            partial = f"PL A-kNN: {names[trace.label]}, {how}"
        stop = int(scan.stop_k[0])
        how = f"at k = {stop}" if scan.decided[0] else f"undecided at T = {stop}"
        adaptive = f"A-kNN: {names[scan.labels[0]]}, {how}" if k >= stop else "A-kNN: not stopped yet"
        if vote_k is None:
            return partial, adaptive, "10-NN: exceeds T"
        return partial, adaptive, f"10-NN: {names[self.walk.vote] if k >= vote_k else 'needs k = 10'}"

    @stage
    def eliminated(self) -> tuple[tuple[int, str], ...]:
        """Labels eliminated by k, in order, each with a text."""
        names, eliminated_at = self.data.chosen_problem.class_names, self.walk.partial.eliminated_at
        by_now = [int(c) for c in np.argsort(eliminated_at, kind="stable") if 0 < eliminated_at[c] <= self.rules.k]
        return tuple((c, f"{names[c]} eliminated at k = {eliminated_at[c]}") for c in by_now)

    @stage
    def with_promises(self) -> list[str]:
        texts = [text + layers.promise(self.promised[c]) for c, text in self.eliminated]
        any_promised = any(np.isfinite(self.promised[c]) for c, _ in self.eliminated)
        # There is room for one more line: the leader is never eliminated.
        return [*texts, layers.PROMISED_IF] if any_promised else texts

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        # A projector has no room for promises; the alternative text has them.
        eliminated = [text for _, text in self.eliminated] if self.lab.on_projector else self.with_promises
        blank = [""] * (self.data.chosen_problem.n_classes - len(eliminated))
        return tuple((text, style.INK) for text in [*self.predicted, *eliminated, *blank])

    def alt_text(self) -> str:
        return f"{'. '.join([*self.predicted, *self.with_promises])}."

    def axes(self) -> Axes:
        # Room at the left, so that crosses are whole.
        return replace(super().axes(), xlim=(-0.03, 1))

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        yield from super().layers()
        yield self.draw(layers.crosses, self.eliminated, self.data.chosen_problem.n_classes)
