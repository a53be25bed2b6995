"""LearnabilityLab in a real browser: eta and M by hand, models chosen quickly."""

import pytest

from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability import ETA_NAMES, position

#: The lab of the page.
LAB = "LearnabilityLab"


def cell(label, row, n_classes=3):
    """The middle of a cell of M."""
    return label + 0.5, 2**n_classes - row - 0.5


def slider_of(name):
    """What the slider of a probability is called."""
    return LearnabilityLab.parameters[name].title


@pytest.mark.parametrize(
    ("model", "ways"),
    [
        ("permutation", [((0.5, 0.3, 0.2), (0.2, 0.7, 0.1), (0.2, -0.2, 1.0), (0.1, 0.0, 0.9))]),
        ("first expert", [((2 / 3, 1 / 3), (-0.2, 1.2), (0, 1)), ((0.0, 1.0), (1.2, -0.2), (1, 0))]),
    ],
    ids=["triangle", "segment"],
)
def test_dragging_eta(lab, model, ways):
    """Along a way and beyond its end; the last place of each is the one where eta comes to rest."""
    lab.choose("bag process", model)
    lab.until(model=model, n_classes=len(ways[0][0]))
    lab.settle()
    for *way, eta in ways:
        lab.drag_in("simplex", *map(position, way))
        lab.until(**dict(zip(ETA_NAMES, eta, strict=False)), model=model)
        lab.settle()
    lab.screenshot(f"learnability-{model.replace(' ', '-')}")
    assert lab.message == ""


def test_a_click_into_the_table_picks_the_column_to_edit(lab):
    for label in (2, 1, 0):
        lab.click("process", *cell(label, 2))
        lab.until(column=f"label {label}")
        lab.settle()
        lab.slider(slider_of(f"probability_1_{label}")).wait_for(state="visible")
        other = slider_of(f"probability_1_{(label + 1) % 3}")
        assert lab.page.get_by_role("slider", name=other, exact=True).count() == 0
    lab.choose("bag process", "never alone")
    lab.until(model="never alone")
    lab.settle()
    lab.click("process", *cell(1, 3, 2))
    lab.until(column="label 1")
    lab.choose("bag process", "labels themselves")
    lab.until(model="labels themselves", column="label 1")
    assert lab.message == ""


def test_models_chosen_quickly(lab):
    """The last one counts, whatever it moves."""
    for name in ("never alone", "Wen et al.", "always both", "Feng et al.", "first expert", "a mixture of two"):
        lab.choose("bag process", name)
    lab.until(model="a mixture of two", n_classes=3)
    lab.settle()
    assert lab.state == LearnabilityLab(model="a mixture of two").values
    assert lab.page.get_by_label("bag process", exact=True).input_value() == "a mixture of two"
    lab.choose("edit", "label 2")
    lab.choose("bag process", "always both")
    lab.until(model="always both", n_classes=2, column="label 0")
    assert lab.message == "edit moved from label 2 to label 0: there are 2 labels."
