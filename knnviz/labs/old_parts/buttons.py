"""Buttons that several components have: text, tooltip, action."""

from collections.abc import Callable
from typing import Any

Button = tuple[str, str, Callable[[], Any]]


def new_sample(lab: Any) -> Button:
    return "New sample", "Draw the points again with the next seed", lambda: lab.set(seed=lab.seed + 1)


def stop(lab: Any) -> Button:
    return "Stop", "Stop computing a curve, or stop Play; what is done stays", lab.stop
