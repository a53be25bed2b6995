"""EliminationLab in a real browser: Play, single steps, the walk and the map by hand, steps that end elsewhere."""

from session import MIDDLE

from knnviz.labs import EliminationLab
from knnviz.labs.elimination.layers import GRIP

#: The lab of the page.
LAB = "EliminationLab"


def test_steps_of_t_end_where_the_problem_lets_them(lab):
    """Fewer steps after many, as the page draws them."""
    t = lab.slider("largest k T")
    few = t.get_attribute("max")
    lab.choose("preset", "Q1: three fractions")
    lab.until(max_neighbors=5000)
    lab.settle()
    assert t.input_value() == t.get_attribute("max") != few
    lab.choose("problem", "moons")
    lab.until(problem="moons", max_neighbors=400, k=400)
    lab.settle()
    assert t.input_value() == t.get_attribute("max") == few
    assert "largest k T moved from 5000 to 400" in lab.message


def test_scrubbing_k_and_playing_from_the_beginning(lab):
    lab.drag_to_both_ends("ball k", "k", 1, 100)
    lab.rests("k", 1)
    assert "3 labels left at k = 1" in lab.alt
    lab.screenshot("elimination-k-1")
    lab.choose("speed", "5 at a time")
    lab.settle()
    lab.press_play()
    lab.until(k=100)
    lab.rests("k", 100)
    assert lab.message == ""


def test_single_steps_and_a_pause(lab):
    back, on = (lab.page.get_by_role("button", name=name, exact=True) for name in ("Back", "Step"))
    back.click()
    lab.until(k=99)
    on.press("Enter")
    lab.until(k=100)
    lab.settle()
    lab.press_play()
    # It begins at 1; a busy machine may not draw every step.
    lab.until_true("({ k }) => k < 100")
    lab.press_play()
    lab.rests("k", 1, 99)
    assert lab.message == ""


def test_the_handle_is_dragged_and_clicks_on_the_walk_are_neighbors(lab):
    for start, end, k in ((100, (10, GRIP), 10), (10, (0.7, 0.9), 1), (1, (120, 0.9), 100)):
        lab.drag_in("ball", (start, GRIP), end)
        lab.until(k=k)
        lab.settle()
    lab.click("ball", 20, 0.3)
    lab.until(k=20)
    lab.rests("k", 20)
    assert "Of the 20 nearest bags" in lab.alt
    assert lab.message == ""


def test_a_click_on_the_map_moves_the_ball_and_one_on_words_nothing(lab):
    before = lab.alt
    lab.click("predictions", MIDDLE, MIDDLE)
    lab.settle()
    assert lab.alt == before
    lab.click("map", 1.0, 0.0)
    lab.until(x1=1.0, x2=0.0)
    lab.settle()
    read = EliminationLab(x1=1.0, x2=0.0).readout()
    assert f"PL A-kNN at x {read['decision']}; stops at k {read['stop_k']}" in lab.alt
    lab.drag_in("map", (1.0, 0.0), (0.5, 1.0))
    lab.until(x1=0.5, x2=1.0)
    assert lab.message == ""


def test_what_the_map_shows(lab):
    lab.choose("problem", "five gaussians")
    lab.until(problem="five gaussians")
    for overlay in ("stopping k", "undecided", "advantage", "misaligned"):
        lab.choose("show", overlay)
        lab.until(overlay=overlay)
        lab.settle()
        assert f"Shown: {overlay}." in lab.alt
        assert ("advantage at x" in lab.alt) == (overlay == "advantage")
        assert lab.page.get_by_role("slider", name="largest mass A", exact=True).count() == (overlay == "advantage")
        lab.screenshot("elimination-" + overlay.replace(" ", "-"))
    assert lab.message == ""


def test_data_say_what_they_cannot_show(lab):
    lab.choose("show", "misaligned")
    lab.until(overlay="misaligned")
    lab.choose("problem", "digits 0 to 4")
    lab.until(problem="digits 0 to 4", overlay="decisions")
    lab.settle()
    assert "moved from misaligned to decisions" in lab.message
    lab.choose("show", "advantage")
    lab.until_message("known distribution")
    lab.settle()
    assert lab.state["overlay"] == "decisions"


def test_clicks_on_the_projector(lab):
    lab.page.get_by_role("button", name="Projector").click()
    lab.choose("preset", "A crowded third")
    lab.until(**EliminationLab().preset_values("A crowded third"))
    lab.settle()
    lab.screenshot("elimination-projector-a-crowded-third")
    lab.click("map", 0.5, MIDDLE)
    lab.until(x1=0.5)
    lab.click("ball", 100, GRIP)
    lab.until_near("k", 100, 3)
    lab.settle()
    assert lab.message == ""
