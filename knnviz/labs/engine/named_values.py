"""Values that a text names, such as "drag *neighbors k* to 9" or "at $k=25$": a reader may want to go there."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

#: Names stand in formulas or in italics.
MARKED = re.compile(r"(\${1,2}[^$]*\${1,2}|\*+(?!\s)[^*]+(?<!\s)\*+)")
NUMBER = re.compile(r"(?<![\w.)])\d+(?:,\d{3})*(?:\.\d+)?(?!\.?\w)")
TEX = re.compile(r"[\\_{}]")


def named_values(parameters: Mapping[str, Any], text: str) -> dict[str, list[float]]:
    """The numbers after each name of a parameter, up to the next thing that has a name."""
    found: dict[str, list[float]] = {}
    for name, number in pairs({name: names_of(each) for name, each in parameters.items()}, text):
        found.setdefault(name, []).append(number)
    return found


def names_of(parameter: Any) -> set[str]:
    """What a text may call a parameter."""
    named = {parameter.metadata.get("label"), parameter.metadata.get("symbol"), parameter.title}
    return {TEX.sub("", each) for each in named if each}


def pairs(names: Mapping[str, set[str]], text: str) -> Iterator[tuple[str, float]]:
    now = None
    for part in MARKED.split(" ".join(text.split())):
        if MARKED.fullmatch(part):
            called = TEX.sub("", part.strip("$*")).strip()
            # A formula may begin with the name.
            now = next((name for name, known in names.items() if {called, called.split("=")[0].strip()} & known), None)
        if now and not part.startswith("*"):
            yield from ((now, float(each.replace(",", ""))) for each in NUMBER.findall(part))
