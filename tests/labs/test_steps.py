"""Steps of a lab: when it has arrived at one, and what a page and a recording have of them."""

import pytest
from small import SMALL

from knnviz import lessons
from knnviz.labs import NeighborLab, ThresholdLab
from knnviz.labs.engine.steps import as_html, holds, progress

OPENED = {"n": 60, "k": 5, "controls": ["k"], "panels": ["map"], "resolution": SMALL}
MORE = {"do": "Take 50 votes.", "see": "The risk is ...", "set": {"k": 50}}


def with_risk(text):
    """The lab with two steps, of which the first tells the risk."""
    votes = MORE | {"see": f"The risk is {text}.", "check": {"risk": text}}
    more = {"do": "Take 400.", "see": "", "set": {"n": 400}}
    return NeighborLab(**OPENED, steps=[votes, more])


@pytest.fixture
def lab():
    arrived = NeighborLab(**OPENED | {"k": 50})
    return with_risk(f"{arrived.numbers['risk']:.3f}")


def there(lab):
    return [arrived for arrived, *_ in lab.background.wait(lambda: progress(lab))]


def test_a_lab_arrives_with_the_values_and_the_numbers_of_a_step(lab):
    assert there(lab) == [False, False]
    assert there(lab.set(k=50)) == [True, False]
    assert there(lab.set(k=49)) == [False, False]
    assert there(lab.set(k=5, n=400)) == [False, True]


def test_a_step_says_what_else_it_has(lab):
    lab.set(k=50, n=400)
    assert progress(lab) == [
        [False, "This step has sample size n = 60.", {}],
        [False, "This step has neighbors k = 5.", {}],
    ]


def test_what_changes_no_number_of_a_step_may_differ_and_a_click_need_not_be_exact(lab):
    lab.set(k=50, seed=7)
    assert progress(lab)[0] == [False, "This step has seed = 0.", {}]
    assert there(lab.set(seed=0, x1=0.7))[0]
    click = {"do": "Click.", "see": "", "set": {"x1": 0.5}}
    lab = NeighborLab(**OPENED, steps=[click])
    assert there(lab.set(x1=0.52)) == [True]
    assert there(lab.set(x1=0.6)) == [False]


def test_a_step_waits_until_its_curve_is_whole_and_says_how_far_it_is():
    """A curve that was stopped is not whole."""
    labs = []
    for _ in range(2):
        lab = NeighborLab(**OPENED | {"panels": ["risk"]}, curve="over k", steps=[MORE])
        assert progress(lab.set(k=50)) == [[False, "", {}]]
        (curve,) = lab.background.unfinished()
        curve.value = next(curve.more)
        lab.changed()
        labs.append(lab)
    waits, stopped = labs
    one_of_two = [[False, "Wait until the curve is whole: 1 of 2 done.", {}]]
    assert progress(waits) == one_of_two
    assert progress(stopped.stop()) == one_of_two
    assert there(waits) == [True]
    assert there(stopped) == [False]


@pytest.mark.parametrize(
    ("number", "text", "held"),
    [
        (0.3549, "0.35", True),
        (0.3549, "0.36", False),
        (0.3549, "0.355", True),
        (7, "7", True),
        ("class 1", "7", False),
    ],
)
def test_numbers_hold_to_the_decimals_that_are_written(number, text, held):
    assert holds(number, text) == held


def test_a_hand_may_be_a_little_off_and_so_may_the_numbers_then():
    step = {"do": "", "see": "", "set": {"t": 0.05, "price": 4}}
    step["check"] = {"cost per 1,000 points, Bayes rule": "186"}
    opened = {"rules": "Bayes rule", "controls": ["t", "price"], "steps": [step]}
    lab = ThresholdLab(problem="rare class", price=4, **opened)
    assert progress(lab.set(t=0.05)) == [[True, "", {}]]
    assert progress(lab.set(t=0.041)) == [[True, "", {"t": 0.05}]]
    assert there(lab.set(t=0.025)) == [False]


def test_a_page_without_the_lab_has_the_words_alone():
    step = {"do": "Drag *P(bag {0, 1})*.", "see": "The {P(y | x)|bars}, and {class 1}."}
    told = as_html(NeighborLab(**OPENED, steps=[step]).steps)
    assert "Drag <em>P(bag {0, 1})</em>." in told
    assert "The bars, and class 1." in told


def test_steps_are_refused_at_the_door():
    with pytest.raises(ValueError, match="no steps 'nowhere'"):
        lessons.steps("nowhere")
    with pytest.raises(ValueError, match=r"as in lessons\.steps, got 'more-votes'"):
        NeighborLab(steps="more-votes")
    with pytest.raises(ValueError, match="neighbors k"):
        NeighborLab(steps=[{"do": "", "see": "", "set": {"k": 1000}}])
