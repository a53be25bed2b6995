"""ImbalanceLab in a real browser: the handle of a by hand and by keys, controls that hide."""

from session import MIDDLE, Share

#: The lab of the page.
LAB = "ImbalanceLab"


def test_dragging_the_handle(lab):
    """Along the panel, out of it and back: the last place counts."""
    lab.drag_in("scores", (0, Share(0.06)), (1.3, Share(0.9)), (0.5, MIDDLE))
    lab.until_near("a", 0.5, 0.011)
    lab.settle()
    lab.click("scores", 1.0, MIDDLE)
    lab.until(a=1)
    lab.settle()
    assert "accuracy 0.50" in lab.alt
    assert lab.message == ""


def test_the_handle_by_keyboard(lab):
    handle = lab.page.get_by_role("slider", name="exponent a").last
    for _ in range(3):
        handle.press("Shift+ArrowRight")
    lab.until_true("({ a }) => a > 0.05")
    lab.settle()
    assert handle.get_attribute("aria-valuetext") == f"a = {lab.state['a']:.2f}"
    assert lab.message == ""


def test_the_sample_is_hidden_where_nothing_reads_it(lab):
    assert not lab.page.get_by_label("neighbors k", exact=True).first.is_visible()
    lab.choose("rule", "kNN")
    lab.slider("neighbors k").wait_for(state="visible")
    lab.settle()
    lab.drag_to_both_ends("neighbors k", "k", 1, 200)
