"""Random inputs for any lab: moves, wrong values and steps, pages that come and go."""

import numpy as np
from random_moves import page, point_at, random_value

#: Values that no control takes.
NONSENSE = (None, "many", [], {}, float("nan"), float("inf"), 1e308, -(2**70), "9" * 400)

#: Steps of unknown kinds, names and shapes.
UNKNOWN = [
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

    def __init__(self, lab, seed=0):
        self.lab = lab
        self.rng = np.random.default_rng(seed)
        others = [self.nonsense, self.unknown, self.pick, self.others]
        self.acts = [self.move] * 6 + [self.press] * 2 + others

    def one_of(self, options):
        return options[self.rng.integers(len(options))]

    def work(self, times):
        """Take some steps, and check after each what always holds."""
        client = page(self.lab)
        for _ in range(times):
            act = self.one_of(self.acts)
            before = client.message
            act(client)
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

    def move(self, client):
        name = self.one_of([*self.lab.parameters])
        client.move(**{name: random_value(self.lab, name, self.rng)})

    def nonsense(self, client):
        client.move(**{self.one_of([*self.lab.parameters]): self.one_of(NONSENSE)})

    def unknown(self, client):
        client.step(*self.one_of(UNKNOWN))

    def press(self, client):
        """A button, a preset, or the projector."""
        steps = [("act", text) for text, *_ in self.lab.actions()] * 2
        steps += [("preset", preset.name) for preset in self.lab.presets[:2]]
        steps += [("project", True), ("project", False)]
        client.step(*self.one_of(steps))

    def pick(self, client):
        """A click on a panel, or beyond it."""
        axes = self.one_of(self.lab.picture.panels).axes
        client.step("pick", axes.name, *point_at(axes, self.rng.uniform(-0.2, 1.2, 2)), None, 0)

    def others(self, client):
        """A page appears or repeats a message, and has drawn; then another lab moves."""
        widget = self.lab.view
        hello = {"page": "other", "hello": self.one_of(range(-1, client.number + 3))}
        again = {"page": "twin", "seq": client.seq, "steps": [["act", "Reset"]]}
        for message in (self.one_of([hello, again]), {"page": "twin", "drawn": client.number}):
            widget._receive(widget, message)
        with self.lab.lock:
            self.lab.release()
