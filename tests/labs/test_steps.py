"""Steps of a lab: when it has arrived at one, and what a page and a recording have of them."""

import pytest
from refusals import refuses
from small import SMALL

from knnviz import lessons
from knnviz.labs import NeighborLab, ThresholdLab
from knnviz.labs.engine.steps import progress

OPENED = {"n": 60, "k": 5, "controls": ["k"], "panels": ["map"], "resolution": SMALL}
MORE = {"do": "Take 50 votes.", "see": "The risk is ...", "set": {"k": 50}}


@pytest.fixture
def lab():
    """The lab with two steps, of which the first tells the risk."""
    text = f"{NeighborLab(**OPENED | {'k': 50}).numbers['risk']:.3f}"
    more = {"do": "Take 400.", "see": "", "set": {"n": 400}}
    return NeighborLab(**OPENED, steps=[MORE | {"check": {"risk": text}}, more])


def there(lab):
    return [arrived for arrived, *_ in lab.background.wait(lambda: progress(lab))]


def test_a_lab_arrives_with_the_values_and_the_numbers_of_a_step(lab):
    assert there(lab) == [False, False]
    assert there(lab.set(k=50)) == [True, False]
    assert there(lab.set(k=49)) == [False, False]
    assert there(lab.set(k=5, n=400)) == [False, True]


def test_a_step_says_what_else_it_has(lab):
    lab.set(k=50, n=400)
    told = [words for _, words, _ in progress(lab)]
    assert told == ["This step has sample size n = 60.", "This step has neighbors k = 5."]


def test_what_changes_no_number_of_a_step_may_differ_and_a_click_need_not_be_exact(lab):
    lab.set(k=50, seed=7)
    assert progress(lab)[0] == [False, "This step has seed = 0.", {}]
    assert there(lab.set(seed=0, x1=0.7))[0]
    click = {"do": "Click.", "see": "", "set": {"x1": 0.5}}
    lab = NeighborLab(**OPENED, steps=[click])
    assert there(lab.set(x1=0.52)) == [True]
    assert there(lab.set(x1=0.6)) == [False]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_step_waits_until_its_curve_is_whole_and_says_how_far_it_is(stopped):
    """A curve that was stopped is not whole."""
    lab = NeighborLab(**OPENED | {"panels": ["risk"]}, curve="over k", steps=[MORE])
    assert progress(lab.set(k=50)) == [[False, "", {}]]
    (curve,) = lab.background.unfinished()
    curve.value = next(curve.more)
    lab.changed()
    if stopped:
        lab.stop()
    assert progress(lab) == [[False, "Wait until the curve is whole: 1 of 2 done.", {}]]
    assert there(lab) == [not stopped]


def test_a_hand_may_be_a_little_off_and_so_may_the_numbers_then():
    step = {"do": "", "see": "", "set": {"t": 0.05, "price": 4}}
    step["check"] = {"cost per 1,000 points, Bayes rule": "186"}
    opened = {"rules": "Bayes rule", "controls": ["t", "price"], "steps": [step]}
    lab = ThresholdLab(problem="rare class", price=4, **opened)
    assert progress(lab.set(t=0.05)) == [[True, "", {}]]
    assert progress(lab.set(t=0.041)) == [[True, "", {"t": 0.05}]]
    assert there(lab.set(t=0.025)) == [False]


def test_steps_are_refused_at_the_door():
    refuses("no steps 'nowhere'", lessons.steps, "nowhere")
    refuses(r"as in lessons\.steps, got 'more-votes'", NeighborLab, steps="more-votes")
    refuses("neighbors k", NeighborLab, steps=[MORE | {"set": {"k": 1000}}])
