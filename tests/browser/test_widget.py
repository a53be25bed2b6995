"""The widget of a lab: quick hands, a busy or interrupted kernel, several views, cells that are run
again.
"""

import pytest
from conftest import of
from session import WRITE, Share

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
    kernel = lab.told(f"lab.{name}")
    assert lab.state[name] == kernel
    return kernel


def test_quick_drags_end_where_the_hand_lets_go(lab):
    """Sliders, and x on the map; the page is a hand that moves to and fro and never waits."""
    for end in (0.5, 1.1):
        lab.pull("neighbors k", 0.9, 0.1, 0.7, 0.2, 0.8, 0.3, end)
        value = held(lab, "k")
        assert value == pytest.approx(1 + 199 * min(end, 1), abs=4)
        assert lab.slider("neighbors k").input_value() == str(value)
        lab.drag_in("map", (0.3, 0.6), (0.9, 0.1), (0.1, 0.9), (0.8, 0.2), (Share(end), 0.4))
        assert held(lab, "x1") == pytest.approx(min(end, 1), abs=0.01)
    assert lab.message == ""


@of("RatesLab")
def test_quick_drags_over_steps_end_where_the_hand_lets_go(lab):
    for end, n in ((1.1, "high"), (-0.1, "low")):
        ends = lab.sliders()["n"]
        lab.pull(ends["title"], 0.9, 0.1, 0.7, 0.2, 0.8, 0.3, end)
        assert held(lab, "n") == ends[n]
    assert lab.message == ""


@of("LearnabilityLab")
def test_what_a_drag_brings_on_show_waits_until_the_hand_lets_go(lab):
    """The seed has an effect as soon as bags are drawn; a row above the slider would move it away
    from the hand.
    """
    lab.pull("bags drawn n", 0.2, 0.6, 0.3, 0.9, 1.1, pause=60)
    assert held(lab, "n") == 2000
    assert lab.page.get_by_label("seed", exact=True).is_visible()


def test_a_hand_is_not_held_up_by_a_busy_kernel_and_buttons_are_never_merged(lab):
    """What is asked for meanwhile comes in its order once the kernel is free."""
    lab.begin("import time; time.sleep(1)")
    lab.pull("neighbors k", 0.9, 0.1, 1.1)
    for _ in range(3):
        lab.press("New sample", "Enter")
    lab.pull("neighbors k", 0.5, -0.1)
    assert lab.slider("neighbors k").input_value() == "1"
    lab.until(k=1, seed=3)
    assert held(lab, "k") == 1


#: As a browser that translates a page does.
TRANSLATE = """() => {
  const lab = document.querySelector('.knnviz-lab'), texts = [];
  const walker = document.createTreeWalker(lab, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    text.replaceWith(outer);
    outer.append(inner);
    inner.append(text.data);
  }
}"""


def test_values_and_numbers_follow_on_a_page_that_was_translated(lab):
    lab.page.evaluate(TRANSLATE)
    slider = lab.slider("neighbors k")
    slider.press("End")
    lab.until(k=200)
    lab.settle()
    assert slider.locator("xpath=preceding-sibling::output").inner_text() == "200"
    number = lab.page.locator(".knnviz-numbers b").first.inner_text()
    assert number in lab.evaluate("print(lab.numbers_text())")


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


#: A lab in a box beside a widget that is linked to it, and once more below.
BESIDE = """import ipywidgets
from IPython.display import display
from traitlets import link
from knnviz.labs import NeighborLab

lab, other = NeighborLab(n=200), ipywidgets.IntText()
link((lab, 'k'), (other, 'value'))
display(ipywidgets.VBox([other, lab.widget]), lab.widget)
"""


def test_it_stands_beside_other_widgets_and_two_views_agree(lab):
    lab.page.evaluate(WRITE, BESIDE)
    lab.standing = ""
    lab.run_all()
    lab.page.wait_for_function(
        "document.querySelectorAll('.knnviz-figure[data-state]').length === 2"
    )
    for view, key, k in ((0, "Home", 1), (1, "End", 200)):
        shown = lab.page.get_by_role("slider", name="neighbors k", exact=True)
        shown.nth(view).press(key)
        lab.page.wait_for_function(ALL_DRAWN, arg=k)
        assert lab.evaluate(f"{TOLD}print(lab.k, other.value)").split() == [str(k), str(k)]
        assert [each.input_value() for each in shown.all()] == [str(k)] * 2
    lab.evaluate("other.value = 7")
    lab.page.wait_for_function(ALL_DRAWN, arg=7)


def test_all_controls_once_open_stay_open(lab):
    """A lab opens on the controls of its step; the others are kept open when the cell is run
    again.
    """
    lab.stand("NeighborLab", "controls=('k', 'p1'), panels=('map', 'risk'), numbers=('risk',)")
    lab.settle()
    n = lab.page.get_by_role("slider", name="sample size n", exact=True)
    assert not n.is_visible()
    lab.page.get_by_text("All controls").click()
    n.wait_for()
    lab.run_all()
    n.wait_for()


def test_the_dark_theme_inverts_the_figure_and_keeps_the_rules_of_accessibility(lab):
    inverted = "figure => getComputedStyle(figure).filter !== 'none'"
    assert not lab.figure.evaluate(inverted)
    lab.theme("JupyterLab Dark")
    assert lab.figure.evaluate(inverted)
    assert lab.violations(".knnviz-lab") == ""
    lab.theme("JupyterLab Light")


HELD = "from ipywidgets.widgets.widget import _instances as held; print(len(held))"


def test_a_cell_that_is_run_again_has_a_new_lab_and_gives_back_what_the_old_one_held(lab):
    widgets = set()
    for _ in range(2):
        lab.run_all()
        lab.idle()
        widgets.add(lab.evaluate(HELD))
    assert lab.page.locator(".knnviz-figure").count() == 1
    assert len(widgets) == 1
