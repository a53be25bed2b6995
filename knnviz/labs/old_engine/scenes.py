"""Scenes: the state of a lab as a short text; and presets."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Preset:
    """Values of parameters with a name and a source, such as a paper; other parameters have their defaults."""

    name: str
    source: str
    values: Mapping[str, Any]


def scene_values(text: str, lab: str) -> dict[str, Any]:
    """The values in a scene of the class ``lab``; ValueError for any other text."""
    try:
        values = dict(json.loads(text))
    except (TypeError, ValueError):
        raise ValueError(f"a scene is a text that a lab's scene() gave, got {text!r}") from None
    owner = values.pop("lab", None)
    if owner != lab:
        raise ValueError(f"this is a scene of {owner}, not of {lab}")
    return values
