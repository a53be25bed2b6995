"""Random inputs for any lab: moves, wrong values and steps, pages that come and go."""

from typing import Any

import numpy as np
from random_moves import page, random_value

#: Values that no control takes.
NONSENSE: tuple[Any, ...] = (
    None,
    "many",
    [],
    {},
    [1, 2],
    float("nan"),
    float("inf"),
    1e308,
    -(2**70),
    "9" * 400,
)

#: Steps of unknown kinds, names and shapes.
UNKNOWN: list[Any] = [
    (),
    ("move",),
    ("move", 3),
    ("move", {"mushrooms": 3}),
    ("_move", {}),
    ("close",),
    ("pick", "nowhere", 0.5, 0.5, None, 0),
    ("pick", "map", "a", None, 3, "b"),
    ("preset", "none"),
    ("act", "Explode"),
    ("project", "yes"),
]


class Fuzzer:
    """Random steps of a page on its lab."""

    def __init__(self, lab: Any, seed: int = 0) -> None:
        self.lab = lab
        self.rng = np.random.default_rng(seed)
        self.acts = (
            *[self.move] * 6,
            *[self.press] * 2,
            self.nonsense,
            self.unknown,
            self.pick,
            self.others,
        )

    def work(self, times: int) -> None:
        """Take some steps, and check after each what always holds."""
        client = page(self.lab)
        for _ in range(times):
            act = self.acts[self.rng.integers(len(self.acts))]
            before = client.message
            act()
            client.frames.clear()
            with self.lab.lock:
                state = dict(client.state)
            message = state["message"]
            where = (act.__name__, message, self.lab.values)
            assert "cannot be shown" not in message, where
            assert state["drawn"] == state["values"] == self.lab.values, where
            if act in (self.nonsense, self.unknown):
                assert message, where
            elif message != before:
                assert "went wrong" not in message, where
            if act == self.move:
                assert "stays" not in message, where

    def name(self) -> str:
        return str(self.rng.choice(list(self.lab.parameters)))

    def move(self) -> None:
        name = self.name()
        value = random_value(self.lab, name, self.rng)
        page(self.lab).move(**{name: value})

    def nonsense(self) -> None:
        name = self.name()
        value = NONSENSE[self.rng.integers(len(NONSENSE))]
        page(self.lab).move(**{name: value})

    def unknown(self) -> None:
        step = UNKNOWN[self.rng.integers(len(UNKNOWN))]
        page(self.lab).step(*step)

    def press(self) -> None:
        """A button, a preset, or the projector."""
        client = page(self.lab)
        kind = self.rng.integers(8)
        names = [each.name for each in self.lab.presets]
        if kind == 0 and names:
            client.step("preset", str(self.rng.choice(names)))
        elif kind == 1:
            client.step("project", bool(self.rng.integers(2)))
        else:
            texts = [text for text, *_ in self.lab.actions()]
            client.step("act", str(self.rng.choice(texts)))

    def pick(self) -> None:
        """A click on a panel, or beyond it."""
        panels = page(self.lab).state["sheet"]["panels"]
        panel = panels[self.rng.integers(len(panels))]
        if panel["log"]:
            x = float(10 ** self.near(*np.log10(panel["xlim"])))
        else:
            x = self.near(*panel["xlim"])
        y = self.near(*panel["ylim"])
        page(self.lab).step("pick", panel["name"], x, y, None, 0)

    def near(self, low: float, high: float) -> float:
        """A place on an axis, or beyond its ends."""
        return float(low + self.rng.uniform(-0.2, 1.2) * (high - low))

    def others(self) -> None:
        """A page appears or repeats a message, and has drawn; then another lab moves."""
        client = page(self.lab)
        widget = self.lab.view
        if self.rng.integers(2):
            number = int(self.rng.integers(-1, client.number + 3))
            widget._receive(widget, {"page": "other", "hello": number})
        else:
            again = {"page": "twin", "seq": client.seq, "steps": [["act", "Reset"]]}
            widget._receive(widget, again)
        widget._receive(widget, {"page": "twin", "drawn": client.number})
        with self.lab.lock:
            self.lab.release()
