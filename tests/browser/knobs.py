"""A lab of a few lines whose picture, words and numbers each tell all its values, and a watch on a
page that compares them at every repaint.
"""

import time
from contextlib import contextmanager

from session import AS_IT_BEGAN, WRITE

#: The lab; its two bands have the colors of ``told`` values.
LAB = """
import json
import time

from knnviz.labs import Lab
from knnviz.labs.engine import Choice, Int, LogInt, Panel, Preset, Range, Seed, Shown, columns
from knnviz.views.layers import Axes, Band

MODES = ("plain", "odd", "spare")

#: Seconds that the recipe takes.
PAUSE = 0


def band(name, color, low):
    line = (low, low + 1)
    return Band(name=name, x=line, lower=(0, 0), upper=(1, 1), color=color, opacity=1)


def panel(told, left, right):
    axes = Axes("bands", "Bands", "x", "y", (0, 2), (0, 1))
    layers = [band("left", left, 0), band("right", right, 1)]
    return Panel(axes, layers, click=lambda at: {"a": 20 * at.x}, says=f"told {told}")


class Knobs(Lab):
    title = "Knobs"
    table = (
        "Numbers",
        Int("a", 30, 0, 40, "first *a*", "The first", play=100),
        Int("b", 10, 0, 40, "second *b*", "The second"),
        LogInt("many", 100, 1, 10**6, "many", "On a logarithmic scale"),
        "Others",
        Choice("mode", MODES, "mode", "What to do"),
        Int("more", 5, 0, 9, "more", "Of a mode", when={"mode": ("spare",)}),
        Seed("The seed"),
    )
    layout = columns(("bands", 1.0))
    presets = (
        Preset("Forty", "nobody", {"a": 40, "b": 40}),
        Preset("Spare", "nobody", {"mode": "spare", "seed": 3}),
    )
    buttons = (
        ("New sample", "Another seed", lambda lab: lab.set(seed=lab.seed + 1)),
        ("Stop", "Stop Play", Lab.stop),
    )

    def ranges(values):
        return {"b": Range((0, values["a"]), "the second is at most the first")}

    def recipe(p, memo):
        time.sleep(PAUSE)
        told = f"{p.a} {p.b} {p.many} {p.mode} {p.more} {p.seed}"
        left = f"#{4 * p.a:02x}{4 * p.b:02x}{20 * p.more:02x}"
        right = f"#{len(str(p.many)) * 20:02x}{90 * MODES.index(p.mode):02x}{p.seed % 50 * 5:02x}"
        return Shown({"bands": lambda: memo(panel, told, left, right)}, {"told": told})
"""

#: Steps above the picture.
STEPS = "steps=[dict(do='Move *first a* to 35.', see='It is 35.', set={'a': 35})]"

#: Titles of the controls.
TITLES = {
    "a": "first a",
    "b": "second b",
    "many": "many",
    "mode": "mode",
    "more": "more",
    "seed": "seed",
}

#: Begin to watch a page. ``window.wrong`` has what was not as it should be at a repaint,
#: ``window.repaints`` how many there were, ``window.hands`` the controls that a hand was on, which
#: may show what was asked for: also one that came under it when the page was laid out anew.
#: An observer of sizes is told between the last script and the repaint.
WATCH = """titles => {
  if (window.wrong) return;
  Object.assign(window, { wrong: [], repaints: 0, pictures: 0, hands: new Set() });
  const MODES = ['plain', 'odd', 'spare'];
  let last = '';

  const told = (s) => `${s.a} ${s.b} ${s.many} ${s.mode} ${s.more} ${s.seed}`;
  const colors = (s) => [
    [4 * s.a, 4 * s.b, 20 * s.more],
    [20 * String(s.many).length, 90 * MODES.indexOf(s.mode), (s.seed % 50) * 5],
  ];

  const isWatched = (lab) => lab?.querySelector('h3')?.textContent === 'Knobs';

  function control(lab, title) {
    const label = [...lab.querySelectorAll('.knnviz-controls label')].find(
      (each) => each.textContent === title);
    return document.getElementById(label.htmlFor);
  }

  function shown(made) {
    if (made.type !== 'range') return made.value;
    return made.previousElementSibling.textContent.replaceAll(',', '');
  }

  function look(lab) {
    const figure = lab.querySelector('.knnviz-figure');
    const { state, frame } = figure.dataset;
    const canvas = figure.querySelector('canvas');
    const context = canvas.getContext('2d');
    const s = JSON.parse(state);
    const found = {};
    const numbers = lab.querySelector('.knnviz-numbers b').textContent;
    if (numbers !== told(s)) found.numbers = numbers;
    const alt = canvas.getAttribute('aria-label');
    if (alt !== `Bands. told ${told(s)} told ${told(s)}.`) found.alt = alt;
    colors(s).forEach((color, i) => {
      const at = [canvas.width * (i ? 0.7 : 0.4), canvas.height / 2].map(Math.round);
      const pixel = [...context.getImageData(...at, 1, 1).data].slice(0, 3);
      if (pixel.some((part, j) => Math.abs(part - color[j]) > 3)) found[`color ${i}`] = pixel;
    });
    window.unanswered = false;
    Object.entries(titles).forEach(([name, title]) => {
      const value = shown(control(lab, title));
      if (value === String(s[name])) return;
      window.unanswered = true;
      if (!window.hands.has(name)) found[name] = value;
    });
    if (Object.keys(found).length) window.wrong.push({ state: s, frame, ...found });
    if (state !== last) window.pictures += 1;
    last = state;
  }

  function touched({ target }) {
    const row = target.closest?.('.knnviz-row');
    const lab = row?.closest('.knnviz-lab');
    if (!isWatched(lab)) return;
    Object.entries(titles).forEach(([name, title]) => {
      if (row.contains(control(lab, title))) window.hands.add(name);
    });
  }
  ['pointerdown', 'keydown', 'input', 'change'].forEach((kind) => {
    document.addEventListener(kind, touched, true);
  });

  const probe = document.createElement('div');
  probe.style.cssText = 'position: fixed; left: 0; top: 0; height: 1px';
  document.body.append(probe);
  new ResizeObserver(() => {
    window.repaints += 1;
    document.querySelectorAll('.knnviz-lab').forEach((lab) => {
      if (isWatched(lab) && lab.querySelector('.knnviz-figure[data-state]')?.clientWidth) look(lab);
    });
  }).observe(probe);

  function next() {
    probe.style.width = `${1 + (window.repaints % 2)}px`;
    requestAnimationFrame(next);
  }
  next();
}"""

#: Once all that hands have moved is answered, none of the controls may show other values than the
#: picture.
LET_GO = """() => {
  if (window.hands && window.unanswered) return false;
  window.hands?.clear();
  return true;
}"""

#: Seconds within which a machine, however busy, has sent all frames ahead.
PATIENCE = 60

#: The control whose frames the kernel sends ahead, whether all are sent, and how many.
AHEAD = """(lambda now: [
    now.name, now.base is not None and now.thread is None, len(now.base.sent) if now.base else 0
])(lab.view.ahead)"""


def stand(session, arguments=""):
    """Show the lab as it begins in the notebook's only cell, and watch the page."""
    session.page.bring_to_front()
    cell = f"lab = Knobs({arguments})\nlab"
    if session.standing == cell:
        session.evaluate(AS_IT_BEGAN)
        # A control that has the focus cannot be taken anew.
        session.page.evaluate("document.activeElement.blur()")
    else:
        session.evaluate(LAB)
        session.page.evaluate(WRITE, cell)
        session.run_all()
        session.standing = cell
    let_go(session)
    session.figure.scroll_into_view_if_needed()
    watch(session)


def watch(session):
    session.page.evaluate(WATCH, TITLES)


def let_go(session):
    """Wait until the lab is at rest, and hold all controls to what the picture shows."""
    session.settle()
    # A way that takes long has some of what was asked for when the kernel is at rest.
    session.page.wait_for_function(LET_GO)


def wrong(session):
    """What was wrong at repaints of a page since the last time."""
    assert session.page.evaluate("window.repaints") > 0
    return session.page.evaluate("window.wrong.splice(0)")


def has_all(session, name):
    """Wait until all frames ahead of a control are sent; how many."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        found = session.told(AHEAD)
        if found[:2] == [name, True]:
            return found[2]
        session.page.wait_for_timeout(20)
    raise AssertionError(f"no frames ahead of {name} within {PATIENCE} seconds: {found}")


#: How many moves a page has drawn by itself.
AHEAD_COUNT = "Number(document.querySelector('.knnviz-figure').dataset.ahead)"


def early(session):
    """How many moves the page has drawn by itself."""
    return session.page.evaluate(AHEAD_COUNT)


@contextmanager
def running_cell(session, folder, first=""):
    """The kernel runs a cell within the block, and takes nothing that a page sends; what it does
    first.
    """
    done = folder / "done"
    done.unlink(missing_ok=True)
    waits = f"while not Path({str(done)!r}).exists(): time.sleep(0.01)"
    session.begin(f"from pathlib import Path\n{first}\n{waits}")
    try:
        yield
    finally:
        done.touch()


def drawn_early(session, more_than, **values):
    """Wait until a page has drawn more moves by itself, and its picture has these values."""
    session.page.wait_for_function(
        "count => Number(document.querySelector('.knnviz-figure').dataset.ahead) > count",
        arg=more_than,
    )
    session.until(**values)


#: All that a reader sees and hears of a lab, with a number for the pixels of its figure, once all
#: that waits for a repaint is drawn.
SEEN = """async () => {
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
  const lab = document.querySelector('.knnviz-lab');
  const hash = (canvas) => canvas.getContext('2d')
    .getImageData(0, 0, canvas.width, canvas.height)
    .data.reduce((sum, byte) => (sum * 31 + byte) | 0, 0);
  const controls = lab.querySelectorAll('input, select, output, .knnviz-row');
  return {
    state: lab.querySelector('.knnviz-figure').dataset.state,
    alt: lab.querySelector('canvas').getAttribute('aria-label'),
    numbers: lab.querySelector('.knnviz-numbers').innerText,
    message: lab.querySelector('.knnviz-message').innerText,
    pixels: [...lab.querySelectorAll('canvas')].map(hash),
    controls: [...controls].map(({ value, min, max, title, hidden }) =>
      [value, min, max, title, hidden]),
  };
}"""


def seen(session):
    return session.page.evaluate(SEEN)
