"""Values of parameters that a text names, such as "drag *neighbors k* to 9" or "at $k=25$"."""

import re
from collections.abc import Mapping
from typing import Any

#: Names of parameters are in formulas or in italics.
MARKED = re.compile(r"(\${1,2}[^$]*\${1,2}|\*+(?!\s)[^*]+(?<!\s)\*+)")
NUMBER = re.compile(r"(?<![\w.)])\d+(?:,\d{3})*(?:\.\d+)?(?!\.?\w)")
TEX = re.compile(r"[\\_{}]")


def named_values(parameters: Mapping[str, Any], text: str) -> dict[str, list[float]]:
    """The numbers after the name of each parameter, up to the next formula or text in italics."""
    names = {name: {TEX.sub("", text) for text in (each.title, *each.names)} for name, each in parameters.items()}
    found: dict[str, list[float]] = {}
    current = None
    for part in MARKED.split(" ".join(text.split())):
        if MARKED.fullmatch(part):
            marked = TEX.sub("", part.strip("$*")).strip()
            # A formula may begin with the name.
            candidates = {marked, marked.split("=")[0].strip()}
            current = next((name for name, known in names.items() if candidates & known), None)
        if current and not part.startswith("*"):
            found.setdefault(current, []).extend(float(each.replace(",", "")) for each in NUMBER.findall(part))
    return {name: numbers for name, numbers in found.items() if numbers}
