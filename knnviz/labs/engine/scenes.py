"""Scenes: the state of a lab as a short text, and states with a name."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Preset:
    """A scene with a name and the source it is taken from; what ``values`` leave out is as the lab's class has it."""

    name: str
    source: str
    values: Mapping[str, Any]


def scene_values(text: str, lab: str) -> dict[str, Any]:
    """What a scene of a lab of this name holds; ValueError if it is none, or one of another lab."""
    try:
        values = dict(json.loads(text))
    except (TypeError, ValueError):
        raise ValueError(f"a scene is a text that a lab's scene() gave, got {text!r}") from None
    told = values.pop("lab", None)
    if told != lab:
        raise ValueError(f"this is a scene of {told}, not of {lab}")
    return values
