"""EliminationLab in a real browser: the walk and the map by hand, steps that end elsewhere."""

from session import MIDDLE

from knnviz.labs import EliminationLab
from knnviz.labs.elimination import HANDLE_HEIGHT

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


def test_the_handle_is_dragged_and_clicks_on_the_walk_are_neighbors(lab):
    for start, end, k in ((100, (10, HANDLE_HEIGHT), 10), (10, (0.7, 0.9), 1), (1, (120, 0.9), 100)):
        lab.drag_in("ball", (start, HANDLE_HEIGHT), end)
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
    assert f"PL A-kNN at x {read['PL A-kNN at x']}; PL A-kNN stops at k {read['PL A-kNN stops at k']}" in lab.alt
    lab.drag_in("map", (1.0, 0.0), (0.5, 1.0))
    lab.until(x1=0.5, x2=1.0)
    assert lab.message == ""


def test_data_say_what_they_cannot_show(lab):
    lab.choose("show", "misaligned")
    lab.until(overlay="misaligned")
    lab.choose("problem", "digits 0 to 4")
    lab.until(problem="digits 0 to 4", overlay="decisions")
    lab.settle()
    assert "moved from misaligned to decisions: sets need a known distribution" in lab.message
    options = lab.page.get_by_label("show", exact=True).locator("option").all_inner_texts()
    assert options == ["decisions", "stopping k", "undecided"]
