"""Random inputs for any lab: moves, wrong values, pages that come and go, scenes with changed letters."""

from contextlib import suppress
from typing import Any

import numpy as np
from random_moves import page, random_value

#: Values that no control takes.
NONSENSE: tuple[Any, ...] = (None, "many", [], {}, [1, 2], float("nan"), float("inf"), 1e308, -(2**70), "9" * 400)

#: Steps of unknown kinds, names and shapes.
UNKNOWN: tuple[tuple[Any, ...], ...] = (
    (),
    ("move",),
    ("move", 3),
    ("move", {"mushrooms": 3}),
    ("_move", {}),
    ("close",),
)
UNKNOWN += (("pick", "nowhere", 0.5, 0.5, None, 0), ("pick", "map", "a", None, 3, "b"), ("preset", "none"))
UNKNOWN += (("act", "Explode"), ("project", "yes"))

#: Letters that change a scene.
LETTERS = list('{}[]",:0123456789.-eNI \\\n<>ab\0é')


class Fuzzer:
    """Random steps of a page on its lab.

    ``answered`` counts the messages after wrong input, ``moved`` the moves, and ``refused`` those that were refused.
    """

    def __init__(self, lab: Any, seed: int = 0) -> None:
        self.lab, self.rng = lab, np.random.default_rng(seed)
        self.answered = self.moved = self.refused = 0
        self.acts = (*[self.move] * 6, self.nonsense, self.unknown, self.press, self.pick, self.others, self.scene)

    def work(self, times: int) -> None:
        """Take some steps, and check after each what always holds."""
        client = page(self.lab)
        for _ in range(times):
            act, before = self.acts[self.rng.integers(len(self.acts))], client.message
            act()
            client.frames.clear()
            with self.lab.lock:
                state = dict(client.state)
            assert "cannot be shown" not in state["message"], (act.__name__, state["message"], self.lab.values)
            assert state["drawn"] == state["values"] == self.lab.values, act.__name__
            if act in (self.nonsense, self.unknown):
                self.answered += bool(state["message"])
            elif state["message"] != before:
                assert "went wrong" not in state["message"], (act.__name__, state["message"], self.lab.values)
            if act == self.move:
                self.moved += 1
                self.refused += "last good value" in state["message"]

    def name(self) -> str:
        return str(self.rng.choice(list(self.lab.parameters)))

    def move(self) -> None:
        name = self.name()
        page(self.lab).move(**{name: random_value(self.lab, name, self.rng)})

    def nonsense(self) -> None:
        page(self.lab).move(**{self.name(): NONSENSE[self.rng.integers(len(NONSENSE))]})

    def unknown(self) -> None:
        page(self.lab).step(*UNKNOWN[self.rng.integers(len(UNKNOWN))])

    def press(self) -> None:
        """A button, a preset, or the projector."""
        client = page(self.lab)
        kind = self.rng.integers(8)
        if kind == 0:
            client.step("preset", str(self.rng.choice([each.name for each in self.lab.presets])))
        elif kind == 1:
            client.step("project", bool(self.rng.integers(2)))
        else:
            client.step("act", str(self.rng.choice([text for text, *_ in self.lab.actions()])))

    def pick(self) -> None:
        """A click on a panel, or beyond it."""
        panels = page(self.lab).state["sheet"]["panels"]
        panel = panels[self.rng.integers(len(panels))]
        xlim = np.log10(panel["xlim"]) if panel["log"] else panel["xlim"]
        x, y = (low + self.rng.uniform(-0.2, 1.2) * (high - low) for low, high in (xlim, panel["ylim"]))
        page(self.lab).pick(panel["name"], float(10**x if panel["log"] else x), float(y))

    def others(self) -> None:
        """Another page appears, or this one sends a message again, or acknowledges a frame unasked."""
        client, widget = page(self.lab), self.lab.view
        if self.rng.integers(2):
            number = int(self.rng.integers(-1, client.number + 3))
            widget._receive(widget, {"page": "other", "hello": number})
        else:
            widget._receive(widget, {"page": "twin", "seq": client.seq, "steps": [["act", "Reset"]]})
        widget._receive(widget, {"page": "twin", "drawn": client.number})

    def scene(self) -> None:
        """The text of a scene with a few letters changed: refused in a sentence, or the scene of a lab."""
        with suppress(ValueError):
            type(self.lab).from_scene(changed_text(self.lab.scene(), self.rng)).close()


def changed_text(text: str, rng: Any) -> str:
    """A text with a few letters changed."""
    letters = list(text)
    for _ in range(rng.integers(1, 4)):
        at = rng.integers(len(letters))
        letters[at : at + rng.integers(3)] = [str(each) for each in rng.choice(LETTERS, rng.integers(3))]
    return "".join(letters)


def inside(lab: Any) -> None:
    """All values are within their ranges."""
    for name, ends in lab.ends(lab.values).items():
        assert lab.parameters[name].check(lab.values[name], ends) == lab.values[name]


def same_picture(lab: Any, other: Any) -> None:
    """Labs with the same values show the same, once all is computed."""
    assert lab.readout() == other.readout()
    pictures = [each.background.wait(lambda each=each: each.picture) for each in (lab, other)]
    assert pictures[0].alt == pictures[1].alt
    one, two = (
        {(panel.axes.name, layer.name): layer for panel in each.panels for layer in panel.layers} for each in pictures
    )
    assert one.keys() == two.keys()
    for name, layer in one.items():
        for key, value in vars(layer).items():
            assert same(value, getattr(two[name], key)), (name, key)


def same(one: Any, other: Any) -> bool:
    """Whether layers, or values of their fields, are equal."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, tuple):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    if hasattr(one, "name") and type(one) is type(other):
        return all(same(value, getattr(other, name)) for name, value in vars(one).items())
    return bool(one == other)
