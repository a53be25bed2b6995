"""The widget of a lab: quick hands, a busy kernel, several views, other widgets beside it, and few controls."""

import json

import pytest
from session import Share

#: The lab of the page.
LAB = "NeighborLab"

#: Whether all views of the page have drawn a value of k.
ALL_DRAWN = """k => {
  const views = [...document.querySelectorAll('.knnviz-figure')];
  return views.every(({ dataset }) => JSON.parse(dataset.state).k === k);
}"""

#: Observers are told after the picture is sent, while the kernel takes code in another thread.
TOLD = "import time\nfor _ in range(500):\n    time.sleep(0.01 * (lab.k != other.value))\n"


def held(lab, name):
    """A parameter as kernel and picture have it."""
    lab.settle()
    kernel = json.loads(lab.evaluate(f"import json; print(json.dumps(lab.{name}))"))
    assert lab.state[name] == kernel
    return kernel


@pytest.mark.parametrize("end", [0.5, 1.1])
def test_quick_drags_end_where_the_hand_lets_go(lab, end):
    """Sliders, and x on the map; the page is a hand that moves to and fro and never waits."""
    for name, title, low, high in (("k", "neighbors k", 1, 200), ("p1", "flip rate of class 1 p1", 0, 0.95)):
        lab.pull(title, [0.9, 0.1, 0.7, 0.2, 0.8, 0.3, end])
        value = held(lab, name)
        assert abs(value - low - min(end, 1) * (high - low)) <= 0.02 * (high - low), name
        assert float(lab.slider(title).input_value()) == value
    lab.drag_in("map", (0.3, 0.6), (0.9, 0.1), (0.1, 0.9), (0.8, 0.2), (Share(end), 0.4))
    assert held(lab, "x1") == pytest.approx(min(end, 1), abs=0.01)
    assert lab.message == ""


@pytest.mark.parametrize("name", ["RatesLab"])
def test_quick_drags_over_steps_end_where_the_hand_lets_go(lab):
    for end, n in ((1.1, "high"), (-0.1, "low")):
        ends = lab.sliders()["n"]
        lab.pull(ends["title"], [0.9, 0.1, 0.7, 0.2, 0.8, 0.3, end])
        assert held(lab, "n") == ends[n]
    assert lab.message == ""


@pytest.mark.parametrize("name", ["LearnabilityLab"])
def test_what_a_drag_brings_on_show_waits_until_the_hand_lets_go(lab):
    """The seed has an effect as soon as bags are drawn; a row above the slider would move it away from the hand."""
    lab.pull("bags drawn n", [0.2, 0.6, 0.3, 0.9, 1.1], pause=60)
    assert held(lab, "n") == 2000
    assert lab.page.get_by_label("seed", exact=True).is_visible()


def test_a_hand_is_not_held_up_by_a_busy_kernel_and_buttons_are_never_merged(lab):
    """What is asked for meanwhile comes in its order once the kernel is free."""
    lab.begin("import time; time.sleep(2)")
    lab.pull("neighbors k", [0.9, 0.1, 1.1])
    for _ in range(3):
        lab.press("New sample", "Enter")
    lab.pull("neighbors k", [0.5, -0.1])
    assert lab.slider("neighbors k").input_value() == "1"
    lab.until(k=1, seed=3)
    assert held(lab, "k") == 1


@pytest.mark.full
def test_a_message_that_is_sent_again_is_taken_once(lab):
    """A page asks again after ten seconds, and says so."""
    lab.begin("with lab.lock: import time; time.sleep(25)")
    for _ in range(3):
        lab.press("New sample", "Enter")
    lab.until_message("The kernel has not answered yet")
    lab.until(seed=3)
    assert held(lab, "seed") == 3
    assert lab.message == ""


#: Code that makes the kernel sleep while it takes a step or makes a frame, and code that takes it back.
SLEEPS = {
    "step": (
        "move = lab.set_from_page\nlab.set_from_page = lambda moved: (move(moved), time.sleep(30))",
        "del lab.set_from_page",
    ),
    "frame": (
        "kind, recipe = type(lab), lab.recipe\nkind.recipe = staticmethod(lambda *given: time.sleep(30))",
        "kind.recipe = staticmethod(recipe)",
    ),
}


@pytest.mark.parametrize("at", SLEEPS)
def test_an_interrupted_kernel_still_answers(lab, at):
    sleep, wake = SLEEPS[at]
    lab.evaluate(f"import time\n{sleep}")
    lab.slider("neighbors k").press("End")
    lab.page.wait_for_timeout(300)
    lab.ask_kernel("interrupt()")
    lab.until_message("interrupted")
    lab.evaluate(wake)
    lab.slider("neighbors k").press("Home")
    lab.until(k=1)
    assert held(lab, "k") == 1


def test_it_stands_beside_other_widgets_and_two_views_agree(session):
    session.write(
        "beside.ipynb",
        "import ipywidgets\nfrom traitlets import link\nfrom knnviz.labs import NeighborLab\n\n"
        "lab, other = NeighborLab(n=200), ipywidgets.IntText()\nlink((lab, 'k'), (other, 'value'))\n"
        "ipywidgets.VBox([other, lab.widget])",
        "lab.widget",
    )
    session.open("beside.ipynb")
    session.run_all()
    session.page.wait_for_function("document.querySelectorAll('.knnviz-figure[data-state]').length === 2")
    for view, key, k in ((0, "Home", 1), (1, "End", 200)):
        shown = session.page.get_by_role("slider", name="neighbors k", exact=True)
        shown.nth(view).press(key)
        session.page.wait_for_function(ALL_DRAWN, arg=k)
        assert session.evaluate(f"{TOLD}print(lab.k, other.value)").split() == [str(k), str(k)]
        assert [each.input_value() for each in shown.all()] == [str(k)] * 2
    session.evaluate("other.value = 7")
    session.page.wait_for_function(ALL_DRAWN, arg=7)
    assert session.page.locator(".knnviz-figure").nth(1).bounding_box()["width"] > 480
    models = "from ipywidgets.widgets.widget import _instances as models"
    names = session.evaluate(f"{models}; print([type(each).__name__ for each in models.values()])")
    assert names.count("LabWidget") == 1
    session.screenshot("beside")


def test_a_lab_opens_on_the_controls_of_its_step_and_remembers_that_all_are_open(lab):
    lab.stand(LAB, "controls=('k', 'p1'), panels=('map', 'risk'), numbers=('risk',)")
    lab.settle()

    def visible():
        return [each for each in lab.page.get_by_role("slider").all() if each.is_visible()]

    assert len(visible()) == 3, "k, p1, and the query point"
    assert lab.page.locator(".knnviz-large").all_inner_texts()[0].startswith("risk")
    others = lab.page.locator(".knnviz-numbers > :not(.knnviz-large)")
    assert not any(each.is_visible() for each in others.all())
    lab.drag_to_both_ends("neighbors k", "k", 1, 200)
    lab.screenshot("focus")
    lab.page.get_by_text("All controls").click()
    lab.page.get_by_role("slider", name="sample size n", exact=True).wait_for()
    assert len(visible()) > 4
    assert all(each.is_visible() for each in others.all())
    lab.run_all()
    lab.page.get_by_role("slider", name="sample size n", exact=True).wait_for()


def test_the_dark_theme_inverts_the_figure_and_keeps_the_rules_of_accessibility(lab):
    inverted = "figure => getComputedStyle(figure).filter !== 'none'"
    assert not lab.figure.evaluate(inverted)
    lab.theme("JupyterLab Dark")
    assert lab.figure.evaluate(inverted)
    assert lab.violations(".knnviz-lab") == ""
    lab.theme("JupyterLab Light")
