"""The style of all pictures: colors that color-blind readers can tell apart, markers, fonts."""

from functools import cache
from typing import Any

import numpy as np

#: Color-blind-safe colors of the classes, in code order: six of Okabe and Ito, and six more, chosen
#: to differ from them and from each other.
CLASS_COLORS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F5539", "#6A3D9A"),
    *("#00CC66", "#5B0000", "#9966FF", "#005F5F"),
)

#: The corners of a marker.
Marker = tuple[tuple[float, float], ...]

INK = "#1A1A1A"
MUTED = "#6B6B6B"
PAPER = "#FFFFFF"

#: Width of the ring around a point whose label was flipped.
FLIPPED_RING_WIDTH = 2.0

#: Height of the letters of labels that stand in a picture.
NAME_SIZE = 13.0

#: The font of letters that a reader's fonts lack.
FONT = "DejaVu Sans"

#: matplotlib settings of every figure; sizes are CSS pixels at 72 dots per inch.
RC: dict[Any, Any] = {
    "font.size": 14,
    "axes.titlesize": 16,
    "axes.titlelocation": "left",
    "axes.labelsize": 14,
    "axes.linewidth": 0.8,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelsize": 13.5,
    "ytick.labelsize": 13.5,
    "legend.fontsize": 13,
    "legend.frameon": False,
    "lines.scale_dashes": False,
    "savefig.facecolor": "auto",
    # Names of data are shown as they are, whatever a "$" in them would mean.
    "text.parse_math": False,
}

#: Digits and the minus sign as superscripts.
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(power: int) -> str:
    """A power of ten, as on a logarithmic axis: 10⁶."""
    return "10" + f"{power}".translate(SUPERSCRIPTS)


def class_color(code: int) -> str:
    """Color of a class; colors repeat after twelve, markers after six."""
    return CLASS_COLORS[code % len(CLASS_COLORS)]


def tint(color: str, strength: float = 0.36) -> str:
    """A color mixed with white, for regions under points."""
    mixed = [round(255 + (channel - 255) * strength) for channel in bytes.fromhex(color[1:7])]
    return "#{:02X}{:02X}{:02X}".format(*mixed)


@cache
def readable(color: str) -> str:
    """A color, darker where letters of it would have a contrast of less than 5 : 1 on paper."""
    channels = np.array([*bytes.fromhex(color[1:7])])
    while (channels / 255) ** 2.2 @ (0.2126, 0.7152, 0.0722) > 0.16:
        channels = 0.97 * channels
    return "#{:02X}{:02X}{:02X}".format(*channels.astype(int))


def palette(n_classes: int) -> tuple[str, ...]:
    return tuple(class_color(c) for c in range(n_classes))


def region_palette(n_classes: int) -> tuple[str, ...]:
    return tuple(tint(color) for color in palette(n_classes))


def polygon(corners: int, turn: float = 0.0, radius: Any = 0.5) -> Marker:
    """A regular polygon in a circle of this radius, or in an ellipse of two; the first corner is on
    top, or turned from there.
    """
    angles = np.pi / 2 + turn + 2 * np.pi * np.arange(corners) / corners
    outline = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return tuple(map(tuple, outline.tolist()))


#: Marker outlines of unit size, in code order: disc, square, triangle, diamond, pentagon, inverted
#: triangle.
MARKERS = (
    polygon(24),
    polygon(4, np.pi / 4, 0.58),
    polygon(3, 0.0, 0.64),
    polygon(4, 0.0, 0.62),
    polygon(5, 0.0, 0.56),
    polygon(3, np.pi, 0.64),
)


def markers(n_classes: int) -> tuple[Marker, ...]:
    return tuple(MARKERS[c % len(MARKERS)] for c in range(n_classes))
