"""What ActiveLab draws: the vote of the first round, where labels were bought, and where the learners err."""

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
from knnviz.views.layers import Band, Fill, Layer, Lines, Points, Raster

#: Rows under the line, from the top down: three sets, four kinds of draws, and two learners.
ROWS = ("boundary", "H", "H+", "round one", "passive", "targeted", "rejected", "passive errs", "active errs")

#: Half the height of a strip, and how far the labels of a class are from the middle of their row.
STRIP_HALF, CLASS_OFFSET = 0.36, 0.17

#: Colors of the learners, of the sets, and of the strips by row.
LEARNER_COLORS = {"passive": style.INK, "active": style.CLASS_COLORS[2]}
SET_COLORS = {"boundary": style.CLASS_COLORS[5], "H": style.CLASS_COLORS[3], "H+": style.CLASS_COLORS[4]}
STRIP_COLORS = SET_COLORS | {f"{name} errs": color for name, color in LEARNER_COLORS.items()}

#: Kinds of labels, by their stage, and their colors.
LABEL_KINDS = ("round one", "passive", "targeted")
LABEL_COLORS = (style.MUTED, style.INK, style.CLASS_COLORS[2])

#: Names and colors of cells on which neither learner errs, the passive one, the active one, or both.
ERROR_NAMES: tuple[str, ...] = ("neither errs", "passive errs", "active errs", "both err")
ERROR_COLORS: tuple[str, ...] = (style.PAPER, style.tint(style.INK, 0.55), *style.CLASS_COLORS[2:0:-1])

#: Kinds of points drawn, and colors of their counts and of the draws per label.
DRAW_KINDS = ("in round one", "passive", "targeted", "rejected")
DRAW_COLORS = (*LABEL_COLORS[:2], "#006B4E", style.MUTED, style.INK)

#: Sign and color of a condition that holds, fails, or is open.
SIGNS = {True: ("✓", "#006B4E"), False: ("✗", "#A33600"), None: ("–", style.MUTED)}


def band(box: tuple[float, float], width: float | None) -> Band:
    """1/2 +- ``width``, in which a vote is contentious; empty for None."""
    x, half = () if width is None else box, min(width or 0.0, 1.0)
    label = "1/2 ± (2 Delta + Delta~)"
    return Band(name="band", label=label, x=x, lower=0.5 - half, upper=0.5 + half, color=SET_COLORS["H"])


def first_vote(problem: Problem, points: np.ndarray, first: FirstRound, reached: bool) -> list[Layer]:
    """The vote of the first round along the line and its band, if that step is ``reached``, and eta."""
    k, x = first.votes.k_max, points[:, 0]
    votes = line_view.vote_curves(x, first.votes.at(k) / (k if reached else np.nan), "vote of round one")
    return [
        band(problem.box[0], first.width if reached else None),
        *votes,
        *line_view.eta_curves(x, problem.eta(points)),
    ]


def row(name: str) -> int:
    return len(ROWS) - 1 - ROWS.index(name)


def strip(problem: Problem, inside: np.ndarray, name: str, reached: bool = True) -> Fill:
    """Cells (m,) bool of the interval, in the row of a name, if their step is ``reached``."""
    extent = (*problem.box[0], row(name) - STRIP_HALF, row(name) + STRIP_HALF)
    cells, color, hatch = (inside & reached)[None], STRIP_COLORS[name], "/" if name in SET_COLORS else "\\"
    return Fill(name=name, cells=cells, extent=extent, color=color, hatch=hatch, opacity=0.45)


def label_rows(problem: Problem, bought: TwoStageSample, count: int, last: int, most: int) -> list[Points]:
    """The first ``count`` labels of a sample in rows by stage, ``most`` a row; the ``last`` one is ringed."""
    y, stage = bought.y[:count], bought.stage[:count]
    drawn = []
    for code, name in enumerate(LABEL_KINDS):
        shown = np.flatnonzero(stage == code)[-most:]
        drawn.append(
            Points(
                name=f"{name} labels",
                x=bought.X[shown, 0],
                y=row(name) + np.where(y[shown] == 1, CLASS_OFFSET, -CLASS_OFFSET),
                codes=y[shown].astype(np.uint8),
                ringed=shown == last,
                palette=style.palette(2),
                markers=style.markers(2),
                size=5.5,
                labels=() if code else problem.class_names,
                ring_label="bought last" if last in shown else None,
            )
        )
    return drawn


def rejected(drawn: Draws, most: int) -> Points:
    x, palette = np.delete(drawn.points[:, 0], drawn.accepted)[-most:], (style.tint(style.MUTED, 0.6),)
    return Points(name="rejected", x=x, y=row("rejected"), palette=palette, markers=style.MARKERS[:1], size=3.5)


def ball_extent(x: float, radius: float | None) -> Lines:
    """The ball around x that fattens H, in its row; empty for None."""
    if radius is None:
        return Lines(name="reach", x=(), y=())
    low, high, tip, at = x - radius, x + radius, 0.3, row("H+")
    across = low, high, np.nan, low, low, np.nan, high, high, np.nan
    up = at, at, np.nan, at - tip, at + tip, np.nan, at - tip, at + tip, np.nan
    return Lines(name="reach", x=across, y=up, width=2.5)


def region(problem: Problem | Dataset, inside: np.ndarray, name: str, reached: bool) -> Fill:
    layer_name, hatch, opacity = {"H": ("hard", "/", 0.25), "H+": ("augmented", "\\", 0.12)}[name]
    return replace(
        set_view.region(problem, inside & reached, layer_name, name, hatch), color=SET_COLORS[name], opacity=opacity
    )


def map_points(bought: TwoStageSample, count: int, last: int, most: int) -> Points:
    """The first ``count`` labels of a sample by stage (color) and class (marker); the ``last`` one is ringed."""
    X, y, stage, stages = bought.X, bought.y, bought.stage[:count], len(LABEL_KINDS)
    shown = np.concatenate([np.flatnonzero(stage == 0)[: most // 3], np.flatnonzero(stage)[-2 * most // 3 :]])
    return Points(
        name="points",
        x=X[shown, 0],
        y=X[shown, 1],
        codes=(stage[shown] + stages * y[shown]).astype(np.uint8),
        ringed=shown == last,
        palette=LABEL_COLORS * 2,
        markers=(style.MARKERS[0],) * stages + (style.MARKERS[1],) * stages,
        size=6.0,
        labels=LABEL_KINDS,
        ring_label="bought last",
    )


def class_markers(problem: Problem | Dataset) -> Points:
    """A layer without points, which names the markers of the classes in the legend."""
    palette, labels = (style.MUTED,) * 2, problem.class_names
    return Points(name="classes", x=(), y=(), palette=palette, markers=style.markers(2), size=6.0, labels=labels)


def bayes_boundary(problem: Problem, label: str | None) -> Lines:
    return replace(map_view.bayes_boundary(problem, n_cells=100), label=label)


def ball(x: np.ndarray, radius: float | None) -> Lines:
    return replace(map_view.ball(x, radius or np.nan), label="ball of k+")


def errors(
    problem: Problem | Dataset, passive: np.ndarray, active: np.ndarray, is_known: bool, reached: bool
) -> Raster:
    """Cells (m,) bool on which learners err or, if that is unknown, predict class 1; none before round two."""
    passive, active = passive & reached, active & reached
    if is_known:
        codes, palette, labels = passive + 2 * active, ERROR_COLORS, ERROR_NAMES
    else:
        codes, palette, labels = passive != active, ERROR_COLORS[::2], ("both agree", "they differ")
    cells, outline = set_view.cells(problem, codes.astype(np.uint8)), style.tint(style.MUTED, 0.5)
    extent = map_view.extent(problem)
    return Raster(name="errors", codes=cells, extent=extent, palette=palette, labels=labels, outline=outline)


class DisagreementCurve(NamedTuple):
    """Disagreement (samples, learners, J) of n and more labels, the ``label_counts`` (J,); NaN if not computed yet."""

    label_counts: np.ndarray
    disagreements: np.ndarray

    @property
    def done(self) -> int:
        return int(np.isfinite(self.disagreements[:, 0, 0]).sum())


def curves(
    curve: DisagreementCurve, learners: tuple[int, int], bought: int | None, top: float, right: float
) -> tuple[Layer, ...]:
    """The mean disagreement of two ``learners``, by index, over labels, with bands, and the number of samples done.

    For a single sample up to ``bought`` labels, without bands. The axes end at ``right`` and ``top``.
    """
    labels, values, done = curve.label_counts, curve.disagreements[:, learners], curve.done
    samples, bands, lines = len(values), [], []
    if bought is not None:
        values = np.where(labels <= bought, values, np.nan)
    for (name, color), of_one in zip(LEARNER_COLORS.items(), values[: max(done, 1)].swapaxes(0, 1), strict=True):
        deviation = of_one.std(axis=0, ddof=1) if done > 1 else np.full(len(labels), np.nan)
        error = deviation / np.sqrt(max(done, 1))
        error_band, line = risk_view.curve(labels, of_one.mean(axis=0), error, name, name, color)
        bands.append(error_band)
        lines.append(line)
    shown = risk_view.label_one_band(bands) if bought is None else ()
    return *shown, *lines, risk_view.progress(done if bought is None else samples, samples, (right, 0.88 * top))
