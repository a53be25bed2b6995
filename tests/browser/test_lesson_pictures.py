"""The labs of a lesson on a page of 1400 x 900 beside the file browser: controls, sizes of panels and type, legends."""

import json

import pytest
from server import LESSONS

#: By cell: what the picture of its lab has, in pixels of the sheet.
PICTURES = """
import json
from knnviz.labs.engine.display import LABS_BY_CELL
from knnviz.views.layers import Annotations
told = {}
for cell, (_, labs) in LABS_BY_CELL.items():
    for picture in [lab.picture for lab in labs]:
        texts = [each for panel in picture.panels for each in panel.layers if isinstance(each, Annotations)]
        told[cell] = dict(
            width=picture.size[0],
            axes={panel.axes.name: panel.axes.rectangle[2:] for panel in picture.panels},
            entries=[label for panel in picture.panels for label in panel.legend_labels],
            letters=min([14, *(p.axes.legend_size for p in picture.panels), *(t.size for t in texts if any(t.texts))]),
        )
print(json.dumps(told))
"""

#: Of the lab in a cell: the width of its figure, the top of each first control, and where the figure begins.
SHOWN = """async (id) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const at = notebook.widgets.findIndex((each) => each.model.id === id), { node } = notebook.widgets[at];
  await notebook.scrollToItem(at, 'start');
  while (!node.querySelector('.knnviz-figure[data-frame]')?.clientWidth) await new Promise(requestAnimationFrame);
  const box = (each) => each.getBoundingClientRect(), figure = box(node.querySelector('.knnviz-figure'));
  const rows = [...node.querySelectorAll('.knnviz-first > .knnviz-row:not([hidden])')].map(box);
  const details = node.querySelector('details'), open = details.open;
  details.open = true;
  return { width: figure.width, top: figure.top, open, rows: rows.map(({ top, bottom }) => [top, bottom]) };
}"""


@pytest.mark.parametrize("name", LESSONS)
def test_pictures_are_large_and_legends_short(opened, name):
    opened.open(f"notebooks/{name}", "lab")
    opened.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    pictures, wrong = json.loads(opened.evaluate(PICTURES)), []
    for nth, (cell, picture) in enumerate(pictures.items()):
        shown = opened.page.evaluate(SHOWN, cell)
        opened.screenshot(f"picture-{name[:2]}-{cell}")
        zoom, tops = shown["width"] / picture["width"], {top for top, _ in shown["rows"]}
        for panel, size in picture["axes"].items():
            wide, high = (round(side * zoom) for side in size)
            if wide < (420 if panel == "map" else 260) or high < 200:
                wrong.append(f"{cell}: axes {panel} are {wide} x {high}")
        wrong += [f"{cell}: {len(picture['entries'])} entries: {picture['entries']}"] * (len(picture["entries"]) > 7)
        wrong += [f"{cell}: letters of {picture['letters'] * zoom:.1f} px"] * (picture["letters"] * zoom < 11)
        wrong += [f"{cell}: controls in {len(tops)} rows"] * (len(shown["rows"]) <= 4 and len(tops) != 1)
        wrong += [f"{cell}: controls beside the figure"] * (max(bottom for _, bottom in shown["rows"]) > shown["top"])
        wrong += [f"{cell}: all controls open, as in another lesson"] * (shown["open"] and nth == 0)
    assert not wrong, "\n".join(wrong)
