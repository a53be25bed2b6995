"""A player beside a slider: it takes its steps one after the other, and can be paused."""

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

#: Steps that Play takes at once where it may, by what the menu calls them.
SPEEDS = {"1 at a time": 1, "5 at a time": 5, "20 at a time": 20, "100 at a time": 100}


class Player:
    """Play, pause and rewind for a slider over whole steps; the page moves it, so that a slow kernel skips steps.

    ``pace`` maps a step to the milliseconds that Play stays there, and whether it may pass over the next ones.
    """

    def __init__(self, slider: widgets.IntSlider, pace: Callable[[int], tuple[int, bool]]) -> None:
        self.slider, self.pace = slider, pace
        self.play = widgets.Play(min=slider.min, max=slider.max, value=slider.value, show_repeat=False)
        self.play.layout.width = "auto"
        self.speed = widgets.Dropdown(options=list(SPEEDS), description="speed", layout=widgets.Layout(width="auto"))
        self.speed.style.description_width = "4em"
        self.back, self.on = (self._button(text, tip, by) for text, tip, by in BUTTONS)
        self.links = [widgets.jslink((self.play, name), (slider, name)) for name in ("value", "max")]
        self.speed.observe(lambda _: self.follow(slider.value), "value")
        self.play.observe(self._arrive, "playing")
        self.row = widgets.VBox([widgets.HBox([self.play, self.back, self.on]), self.speed])
        self.follow(slider.value)

    def _button(self, text: str, tip: str, by: int) -> widgets.Button:
        button = widgets.Button(description=text, tooltip=tip, layout=widgets.Layout(width="auto"))
        button.on_click(lambda _: self._move(by))
        return button

    def _move(self, by: int) -> None:
        """Some steps on, within the slider's ends."""
        self.pause()
        self.slider.value = min(max(self.slider.value + by, self.slider.min), self.slider.max)

    def pause(self) -> None:
        """Stay where it is."""
        self.play.unobserve(self._arrive, "playing")
        self.play.playing = False
        self.play.observe(self._arrive, "playing")

    def _arrive(self, change: Mapping[str, Any]) -> None:
        """Take the rest of the way if the page has stopped less than a step before the end.

        It does so by itself where the step in hand is longer than the rest, if it has not heard of the shorter one yet.
        """
        left = self.play.max - self.play.value
        if not change["new"] and 0 < left < SPEEDS[self.speed.value]:
            with self.play.hold_sync():
                self.play.step, self.play.playing = left, True

    def follow(self, value: int) -> None:
        """Go as fast as it may at a step; from the last one the page goes on at the first.

        The step that is shorter, as so many do not go into those left, comes first: the page may be ahead.
        """
        left, speed = self.slider.max - value, SPEEDS[self.speed.value]
        interval, hurry = self.pace(value if left > 0 else self.slider.min)
        self.play.interval, self.play.step = interval, (left % speed or speed) if hurry else 1


#: Buttons for single steps: text, tooltip, steps.
BUTTONS = (("Back", "One step back", -1), ("Step", "One step on", 1))
