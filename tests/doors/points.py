"""Good calls of names that read points: neighbors, label noise, regions and risk."""

from collections.abc import Callable
from typing import Any

CALLS: dict[str, tuple[Callable[..., Any], Any]] = {}
