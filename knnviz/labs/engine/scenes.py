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
    """The values in a scene of the lab of this name; ValueError for a text that is no scene of it."""
    try:
        values = dict(json.loads(text))
    except (TypeError, ValueError):
        raise ValueError(f"a scene is a text that a lab's scene() gave, got {text!r}") from None
    owner = values.pop("lab", None)
    if owner != lab:
        raise ValueError(f"this is a scene of {owner}, not of {lab}")
    return values
