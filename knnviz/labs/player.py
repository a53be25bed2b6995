"""A player beside a slider: it takes its steps one after the other, and can be paused."""

from collections.abc import Callable

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
        self.row = widgets.VBox([widgets.HBox([self.play, self.back, self.on]), self.speed])
        self.follow(slider.value)

    def _button(self, text: str, tip: str, by: int) -> widgets.Button:
        button = widgets.Button(description=text, tooltip=tip, layout=widgets.Layout(width="auto"))
        button.on_click(lambda _: self._move(by))
        return button

    def _move(self, by: int) -> None:
        """Some steps on, within the slider's ends."""
        self.play.playing = False
        self.slider.value = min(max(self.slider.value + by, self.slider.min), self.slider.max)

    def follow(self, value: int) -> None:
        """Go as fast as it may at a step; from the last one the page goes on at the first.

        The step that is shorter, as so many do not go into those left, comes first: the page may be ahead.
        """
        left, speed = self.slider.max - value, SPEEDS[self.speed.value]
        interval, hurry = self.pace(value if left > 0 else self.slider.min)
        self.play.interval, self.play.step = interval, (left % speed or speed) if hurry else 1


#: Buttons for single steps: text, tooltip, steps.
BUTTONS = (("Back", "One step back", -1), ("Step", "One step on", 1))
