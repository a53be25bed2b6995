"""What ActiveLab draws: where the first vote is contentious, where labels were bought, and where rules err."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from knnviz.active import Draws, FirstRound, TwoStageSample
from knnviz.problems import Dataset, Problem
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views import style
from knnviz.views.layers import Annotations, Band, Fill, Layer, Lines, Points, Raster

#: Rows under the Line, from the top down: three sets, four kinds of draws, and two learners.
ROWS = ("boundary", "H", "H+", "round one", "passive", "targeted", "rejected", "passive errs", "active errs")

#: How high a strip is, and how far from the middle of its row each class stands.
HIGH, APART = 0.36, 0.17

#: Colors of the learners; of the sets and errors by row; of labels by where they come from, and their names.
LEARNERS = {"passive": style.INK, "active": style.CLASS_COLORS[2]}
SETS = {"boundary": style.CLASS_COLORS[5], "H": style.CLASS_COLORS[3], "H+": style.CLASS_COLORS[4]}
STRIPS = SETS | {f"{name} errs": color for name, color in LEARNERS.items()}
KINDS = (style.MUTED, style.INK, style.CLASS_COLORS[2])
KIND_NAMES = ("round one", "passive", "targeted")

#: Colors of cells on which neither learner errs, the passive one, the active one, or both.
ERRORS: tuple[str, ...] = (style.PAPER, style.tint(style.INK, 0.55), style.CLASS_COLORS[2], style.CLASS_COLORS[1])
ERROR_NAMES: tuple[str, ...] = ("neither errs", "passive errs", "active errs", "both err")

#: Kinds of points drawn, and colors of their counts and of how many they are for each label.
DRAWS = ("in round one", "passive", "targeted", "rejected")
DRAW_COLORS = (*KINDS[:2], "#006B4E", style.MUTED, style.INK)

#: How a condition that holds, fails or does not apply is shown.
SIGNS = {True: ("✓", "#006B4E"), False: ("✗", "#A33600"), None: ("–", style.MUTED)}

TRACED = 100


def band(box: tuple[float, float], width: float | None) -> Band:
    """1/2 +- ``width``, in which a vote is contentious; empty for None."""
    x, reach = () if width is None else box, min(width or 0.0, 1.0)
    label = "1/2 ± (2 Delta + Delta~)"
    return Band(name="band", label=label, x=x, lower=0.5 - reach, upper=0.5 + reach, color=SETS["H"])


def first_vote(problem: Problem, points: np.ndarray, first: FirstRound, voted: bool) -> list[Layer]:
    k, x = first.votes.k_max, points[:, 0]
    votes = line_view.vote_curves(x, first.votes.at(k) / (k if voted else np.nan), "vote of round one")
    return [band(problem.box[0], first.width if voted else None), *votes, *line_view.eta_curves(x, problem.eta(points))]


def row(name: str) -> int:
    return len(ROWS) - 1 - ROWS.index(name)


def strip(problem: Problem, inside: np.ndarray, name: str, known: bool = True) -> Fill:
    """Cells (m,) bool of the interval, in the row of a name, once they are known."""
    extent, hatch = (*problem.box[0], row(name) - HIGH, row(name) + HIGH), "/" if name in SETS else "\\"
    return Fill(name=name, cells=(inside & known)[None], extent=extent, color=STRIPS[name], hatch=hatch, opacity=0.45)


def label_rows(problem: Problem, part: TwoStageSample, labels: int, second: int, most: int) -> list[Points]:
    """The first ``labels`` of a sample by kind, ``most`` a row; the last one of the second round is ringed."""
    X, y, stage, last = part.X[:labels], part.y[:labels], part.stage[:labels], labels - 1 if second else -1
    drawn = []
    for kind, name in enumerate(KIND_NAMES):
        mine = np.flatnonzero(stage == kind)[-most:]
        drawn.append(
            Points(
                name=f"{name} labels",
                x=X[mine, 0],
                y=row(name) + np.where(y[mine] == 1, APART, -APART),
                codes=y[mine].astype(np.uint8),
                ringed=mine == last,
                palette=style.palette(2),
                markers=style.markers(2),
                size=5.5,
                labels=() if kind else problem.class_names,
                ring_label="bought last" if last in mine else None,
            )
        )
    return drawn


def rejected(drawn: Draws, most: int) -> Points:
    x, palette = np.delete(drawn.points[:, 0], drawn.accepted)[-most:], (style.tint(style.MUTED, 0.6),)
    return Points(name="rejected", x=x, y=row("rejected"), palette=palette, markers=style.MARKERS[:1], size=3.5)


def reach(x: float, radius: float | None) -> Lines:
    """The ball around x that fattens H, in its row; empty for None."""
    if radius is None:
        return Lines(name="reach", x=(), y=())
    low, high, tip, at = x - radius, x + radius, 0.3, row("H+")
    across = low, high, np.nan, low, low, np.nan, high, high, np.nan
    up = at, at, np.nan, at - tip, at + tip, np.nan, at - tip, at + tip, np.nan
    return Lines(name="reach", x=across, y=up, width=2.5)


def caption(text: str) -> Annotations:
    return Annotations(name="caption", x=0, y=0.5, texts=(text,), size=16.0)


def region(problem: Problem | Dataset, inside: np.ndarray, name: str, known: bool) -> Fill:
    slot, hatch, opacity = {"H": ("hard", "/", 0.25), "H+": ("augmented", "\\", 0.12)}[name]
    return replace(set_view.region(problem, inside & known, slot, name, hatch), color=SETS[name], opacity=opacity)


def map_points(part: TwoStageSample, labels: int, second: int, most: int) -> Points:
    """The first ``labels`` of a sample by stage (color) and class (marker), ``most`` at most; the last one ringed."""
    X, y, stage, kinds = part.X, part.y, part.stage[:labels], len(KINDS)
    shown = np.concatenate([np.flatnonzero(stage == 0)[: most // 3], np.flatnonzero(stage)[-2 * most // 3 :]])
    return Points(
        name="points",
        x=X[shown, 0],
        y=X[shown, 1],
        codes=(stage[shown] + kinds * y[shown]).astype(np.uint8),
        ringed=shown == (labels - 1 if second else -1),
        palette=KINDS * 2,
        markers=(style.MARKERS[0],) * kinds + (style.MARKERS[1],) * kinds,
        size=6.0,
        labels=KIND_NAMES,
        ring_label="bought last",
    )


def class_markers(problem: Problem | Dataset) -> Points:
    """No points: what the markers on a map stand for, for its legend."""
    palette, labels = (style.MUTED,) * 2, problem.class_names
    return Points(name="classes", x=(), y=(), palette=palette, markers=style.markers(2), size=6.0, labels=labels)


def bayes_boundary(problem: Problem, label: str | None) -> Lines:
    return replace(map_view.bayes_boundary(problem, TRACED), label=label)


def ball(x: np.ndarray, radius: float | None) -> Lines:
    return replace(map_view.ball(x, radius or np.nan), label="ball of k+")


def errors(problem: Problem | Dataset, passive: np.ndarray, active: np.ndarray, known: bool, begun: bool) -> Raster:
    """Cells (m,) on which both err, bool, once round two has begun; for data, on which they predict class 1."""
    passive, active = passive & begun, active & begun
    if known:
        codes, palette, labels = passive + 2 * active, ERRORS, ERROR_NAMES
    else:
        codes, palette, labels = passive != active, ERRORS[::2], ("both agree", "they differ")
    cells, outline = set_view.cells(problem, codes.astype(np.uint8)), style.tint(style.MUTED, 0.5)
    extent = map_view.extent(problem)
    return Raster(name="errors", codes=cells, extent=extent, palette=palette, labels=labels, outline=outline)


class Curve(NamedTuple):
    """Disagreement (samples, learners, budgets) over labels (budgets,), NaN where nothing is known yet."""

    labels: np.ndarray
    rates: np.ndarray

    @property
    def done(self) -> int:
        return int(np.isfinite(self.rates[:, 0, 0]).sum())


def curves(curve: Curve, on_show: tuple[int, int], bought: int | None, top: float, right: float) -> tuple[Layer, ...]:
    """Both learners on show over labels, with bands, and how many samples are done.

    Of a single sample it is what is known at ``bought`` labels, without bands.
    """
    labels, rates, done = curve.labels, curve.rates[:, on_show], curve.done
    size, bands, lines = len(rates), [], []
    if bought is not None:
        rates = np.where(labels <= bought, rates, np.nan)
    for (name, color), mine in zip(LEARNERS.items(), rates[: max(done, 1)].swapaxes(0, 1), strict=True):
        deviation = mine.std(axis=0, ddof=1) if done > 1 else np.full(len(labels), np.nan)
        drawn = risk_view.curve(labels, mine.mean(axis=0), deviation / np.sqrt(max(done, 1)), name, name, color)
        bands.append(drawn[0])
        lines.append(drawn[1])
    shown = risk_view.label_one_band(bands) if bought is None else ()
    return *shown, *lines, risk_view.progress(done if bought is None else size, size, (right, 0.88 * top))
