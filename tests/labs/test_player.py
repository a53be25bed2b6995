"""The player beside a slider over steps."""

import ipywidgets as widgets
import pytest

from knnviz.labs.engine import player
from knnviz.labs.engine.player import Player


@pytest.fixture
def played():
    """A player beside a slider: slow up to 4."""
    slider = widgets.IntSlider(value=104, min=0, max=104)
    return Player(slider, lambda step: (1500, False) if step <= 4 else (100, True)), slider


def test_buttons_take_single_steps_within_the_ends(played):
    held, slider = played
    buttons = {button.description: button for button in (held.back, held.on)}
    buttons["Step"].click()
    assert slider.value == 104
    buttons["Back"].click()
    assert slider.value == 103
    slider.value = 0
    buttons["Back"].click()
    assert slider.value == 0
    held.play.playing = True
    buttons["Step"].click()
    assert (slider.value, held.play.playing) == (1, False), "a step by hand ends Play"


def test_speed_holds_where_steps_may_be_passed_over(played):
    held, slider = played
    for value, name, step, interval in (
        (4, "20 at a time", 1, 1500),
        (10, "20 at a time", 14, 100),
        (10, "1 at a time", 1, 100),
        (104 - 25, "20 at a time", 5, 100),
        (104 - 20, "20 at a time", 20, 100),
        (100, "20 at a time", 4, 100),
        (104, "20 at a time", 1, 1500),
    ):
        slider.value, held.speed.value = value, name
        held.follow(value)
        assert (held.play.step, held.play.interval) == (step, interval), (value, name)
    slider.value = 10
    held.follow(10)
    held.speed.value = "100 at a time"
    assert held.play.step == 94, "a new speed counts at once, and ends at the end"
    assert list(player.SPEEDS) == list(held.speed.options)


def test_the_page_moves_slider_and_player_together_and_plays_by_itself(played):
    """From the end it begins anew."""
    held, slider = played
    linked = {(link.source[1], link.target[1], link.target[0] is slider) for link in held.links}
    assert linked == {("value", "value", True), ("max", "max", True)}
    for value in (104, 50):
        slider.value = value
        for playing in (True, False):
            held.play.playing = playing
            assert (held.play.playing, slider.value) == (playing, value)


def test_a_page_that_stops_less_than_a_step_before_the_end_goes_on(played):
    """It may not have heard yet that the last step is shorter."""
    held, _ = played
    play, held.speed.value = held.play, "20 at a time"
    for value, goes_on, step in ((95, True, 9), (84, False, 20), (104, False, 1)):
        held.follow(value)
        play.value, play.playing = value, True
        play.playing = False
        assert (play.playing, play.step) == (goes_on, step), value
    play.value, play.playing = 95, True
    held.pause()
    assert not play.playing, "whoever stops it from here stops it"
