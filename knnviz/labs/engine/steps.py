"""Steps of a lab: what to do, the values to which it leads, and what is seen once the lab has
arrived there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Any

from knnviz.cell_outputs import emphasized, plain
from knnviz.checks import shown
from knnviz.labs.engine.parameters import ByName
from knnviz.labs.engine.setting import Setting
from knnviz.labs.engine.words import format_number
from knnviz.views.risk import PROGRESS

#: How far from a step's point a click may be, as a fraction of the axes; how far a hand may be off
#: that drags, as a fraction of the slider and in its steps, and by which part the numbers then are.
CLICKED = 0.05
DRAGGED = 0.02
STEPS_OFF = 2
NUMBERS_OFF = 0.05


@dataclass(frozen=True)
class Step:
    """One line that says what to ``do``, the values that it ``set``s beside those at the start, and
    what to ``see``.

    Both texts name drawn things by the label of their layer in braces, or by other words after it:
    "{Bayes boundary}", "the {Bayes boundary|dashed line}". On a page the words look like the thing.

    ``check`` are the numbers of the readout that ``see`` speaks of, by name, with the decimals
    written there. With ``ghost``, the curves of the step before stay in the picture, thin and pale.
    ``explains`` is the name of what waits on a page until a lab has arrived here, and has the
    finding in print. ``setting`` is that of a lab once it has arrived.
    """

    do: str
    see: str
    set: ByName = field(default_factory=dict)
    check: Mapping[str, str] = field(default_factory=dict)
    ghost: bool = False
    explains: str = ""
    setting: Any = field(default=None, repr=False)

    @property
    def finding(self) -> str:
        """What to see, in plain text."""
        return plain(self.see).replace("*", "")


def steps_of(lab: Any, given: Sequence[ByName]) -> tuple[Step, ...]:
    """Steps of their fields; ValueError for what has none, such as the name of steps, and for
    values that the lab refuses.
    """
    found = []
    for each in given:
        if not isinstance(each, Mapping):
            raise ValueError(f"a step has fields by name, as in lessons.steps, got {shown(given)}")
        step = Step(**each)
        (setting, _) = lab.validated(step.set)
        found.append(replace(step, setting=setting))
    return tuple(found)


def holds(number: Any, text: str, off: float = 0) -> bool:
    """Whether a number of the readout is what a step writes, to the decimals there, or may be
    ``off`` by a part of it.
    """
    if off and isinstance(number, int | float) and text[-1].isdigit():
        return isclose(number, float(text.replace(",", "")), rel_tol=off)
    if isinstance(number, float):
        _, _, decimals = text.partition(".")
        return f"{number:.{len(decimals)}f}" == text
    return format_number(number) == text


def is_at(lab: Any, name: str, value: Any) -> bool:
    """Whether a parameter has a value, or about that value if a click or a slider with decimals
    sets it.
    """
    if not isinstance(value, float):
        return lab.values[name] == value
    low, high = lab.setting.ends[name]
    near = CLICKED * (high - low)
    if name in lab.first_controls:
        near = max(DRAGGED * (high - low), STEPS_OFF * lab.parameters[name].step)
    return abs(lab.values[name] - value) <= near + 1e-9


def arrived(lab: Any, step: Step) -> tuple[bool, dict[str, Any]]:
    """Whether a lab has arrived at a step: it has the values on its first controls, and the
    numbers; and those of the values from which it is a little off.
    """
    names = {*step.set, *lab.first_controls} - step.setting.hidden
    target = {name: step.setting.values[name] for name in names}
    if not all(is_at(lab, name, value) for name, value in target.items()):
        return False, {}
    numbers = lab.numbers
    off = {name: value for name, value in target.items() if lab.values[name] != value}
    part = NUMBERS_OFF if off else 0
    checked = step.check.items()
    there = all(name in numbers and holds(numbers[name], text, part) for name, text in checked)
    return there, off


def progress(lab: Any) -> list[list[Any]]:
    """For each step whether the lab is there, and where it has only the values to set, what else
    the step has, or else how far the curves are that it waits for; and the values of the step from
    which a hand is a little off.
    """
    found = []
    done = curves_done(lab) if lab.steps else ""
    is_whole = not (done or lab.background.unfinished())
    for step in lab.steps:
        near, off = arrived(lab, step)
        there = is_whole and near
        set_here = step.set and all(is_at(lab, name, value) for name, value in step.set.items())
        what_else = ""
        if set_here and not there:
            what_else = _other_values(lab, step.setting) or done
        found.append([there, what_else, off])
    return found


def curves_done(lab: Any) -> str:
    """A sentence on how much of the curves on show is computed; none once they are whole."""
    layers = [layer for name in lab.on_show() for layer in lab.panel(name).layers]
    texts = [text for layer in layers if layer.name == PROGRESS for text in layer.texts]
    told = ", ".join(filter(None, texts))
    return f"Wait until the curve is whole: {told}." if told else ""


def _other_values(lab: Any, target: Setting) -> str:
    """A sentence on the values in which a lab differs from a step; none where it has them all."""
    told = [
        f"{lab.parameters[name].title} = {value}"
        for name, value in target.values.items()
        if lab.values[name] != value and name not in target.hidden
    ]
    return f"This step has {', '.join(told)}." if told else ""


def as_html(steps: Sequence[Step]) -> str:
    """Steps for pages that cannot move the lab; with the findings that stand nowhere else."""
    items = ""
    for step in steps:
        items += f"<li><b>{emphasized(plain(step.do))}</b>"
        if not step.explains:
            items += f"<br>{emphasized(plain(step.see))}"
        items += "</li>"
    return f'<ol class="knnviz-told">{items}</ol>'
