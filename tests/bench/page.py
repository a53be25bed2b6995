"""Slider to pixel in a real browser, beside matplotlib with the same compute: under ``interact``, and blitted."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from peers import N, Votes
from playwright.sync_api import Browser, Locator
from rows import Row, must_agree

from knnviz.labs import NeighborLab

sys.path.append(str(Path(__file__).parents[1] / "browser"))

from server import chromium, opened_browser, running
from session import Session

OURS = f"from knnviz.labs import NeighborLab\nlab = NeighborLab(n={N})\nlab"

#: The peers of ``peers``, by the names of their functions, and how many times faster ours is to be.
PEERS = {"redrawn": ("interact + inline", 15), "blitted": ("matplotlib, blitted", 2)}
PEER = f"%matplotlib inline\nimport sys\nsys.path.append({str(Path(__file__).parent)!r})\nimport peers\npeers.{{}}()"

#: Timings of each page: what they are, their unit, and the bar.
TIMINGS = {
    "median": ("key press to pixel, median", "ms", 20),
    "p95": ("key press to pixel, 95th percentile", "ms", 32),
    "frames": ("frames of 40 slider steps in 1 s", "frames", 25),
    "settled": ("final picture after the last of 40 steps", "ms", 40),
}

#: The way from a page to its kernel and back with nothing to do on it: one message each, one pixel drawn.
EMPTY = '''
import anywidget
class Echo(anywidget.AnyWidget):
    _esm = """export default { render({ model, el }) {
      const canvas = el.appendChild(document.createElement("canvas"));
      Object.assign(canvas, { tabIndex: 0, className: "echo", onkeydown: () => model.send({}) });
      canvas.dataset.shown = 0;
      model.on("msg:custom", () => {
        canvas.getContext("2d").fillRect(0, 0, 1, 1);
        canvas.dataset.shown++;
      });
    } }"""
echo = Echo()
echo.on_msg(lambda *_: echo.send({}))
echo
'''

#: Seconds and megabytes of an import, in a process of its own.
IMPORT = """
import time
begun = time.perf_counter()
from knnviz.labs import NeighborLab
spent = time.perf_counter() - begun
import psutil
print(spent, psutil.Process().memory_info().rss / 2**20)
"""

#: Where a hand takes a slider, ours or the peer's, and the track that it goes along.
GRIP = """handle => {
  const box = handle.getBoundingClientRect();
  const track = (handle.closest('.noUi-target') ?? handle).getBoundingClientRect();
  const fraction = handle.matches('input') ? (handle.value - handle.min) / (handle.max - handle.min) : 0.5;
  const half = handle.matches('input') ? 8 : 0;
  const x = box.x + half + fraction * (box.width - 2 * half);
  return [x, box.y + box.height / 2, track.x + half, track.width - 2 * half];
}"""

#: What another picture changes on each page, nothing as long as there is none.
ECHO = "document.querySelector('.echo')?.dataset.shown"
FIGURE = "document.querySelector('.knnviz-figure')?.dataset.frame"
IMAGE = "(image => image?.complete && image.src)(document.querySelector('.jp-OutputArea img'))"

#: Note the time of each frame with another picture.
WATCH = """() => {
  window.shown = [];
  let last = PICTURE;
  const look = () => {
    const now = PICTURE;
    if (now && now !== last) window.shown.push(performance.now());
    last = now || last;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const press = () => { window.shown.length = 0; window.pressed = performance.now(); };
  window.addEventListener("keydown", press, { capture: true });
}"""


def rows(quick: bool) -> list[Row]:
    """Key presses, a drag, the start and the memory; a single empty-handed line if there is no Chromium."""
    if chromium() is None:
        print("no Chromium found: the rows of the browser are left out")
        return []
    lab, votes = NeighborLab(n=N), Votes()
    agree = all(votes.at(k)[1].items() <= lab.set(k=k).readout().items() for k in (1, 25, 200))
    must_agree(agree, "numbers", "the peers")
    presses, few = (15, 6) if quick else (60, 25)
    home, theirs = Path(tempfile.mkdtemp(prefix="knnviz-bench-")), {}
    with running(home) as server, opened_browser() as browser:
        show = partial(shown, server, browser, home)
        with show(EMPTY, ECHO) as (session, _):
            empty = waited(session, session.page.locator(".echo"), presses)
        with show(OURS, FIGURE) as (session, start):
            memory = float(session.evaluate("import psutil; print(psutil.Process().memory_info().rss / 2**20)"))
            models = int(session.evaluate("import ipywidgets; print(len(ipywidgets.widgets.widget._instances))"))
            ours = timed(session, session.slider("neighbors k"), presses)
        for peer, (name, _) in PEERS.items():
            with show(PEER.format(peer), IMAGE) as (session, _):
                theirs[name] = timed(session, session.page.locator(".noUi-handle").first, few)
    return [
        *(
            Row(what, ours[key], unit, None if i else bar, each[key], name, more=key == "frames")
            for key, (what, unit, bar) in TIMINGS.items()
            for i, (name, each) in enumerate(theirs.items())
        ),
        *(
            Row(f"key press to pixel, times faster than {name}", each["median"] / ours["median"], "x", bar, more=True)
            for (name, bar), each in zip(PEERS.values(), theirs.values(), strict=True)
        ),
        *(
            Row(f"{TIMINGS[key][0]} beside nothing", ours[key], "ms", most + empty[key], empty[key], "empty round trip")
            for key, most in (("median", 8), ("p95", 15))
        ),
        Row("kernel start to first live lab, caches warm", start, "s", 3.5),
        Row("memory of a kernel with one lab, n = 8000", memory, "MB", 300),
        Row("widget models of a lab", models, "", 3),
        *import_rows(),
    ]


def import_rows() -> list[Row]:
    """Seconds and megabytes of an import in a process of its own, the best of three."""
    command = [sys.executable, "-c", IMPORT]
    runs = [subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.split() for _ in range(3)]
    spent, memory = np.array(runs, float).min(axis=0).tolist()
    what = "from knnviz.labs import NeighborLab"
    return [Row(what, spent, "s", 2), Row(f"memory after {what}", memory, "MB", 150)]


@contextmanager
def shown(server: str, browser: Browser, home: Path, cell: str, picture: str) -> Iterator[tuple[Session, float]]:
    """A page with the picture of a cell in a new kernel; the seconds from the order to run to the picture."""
    session = Session(server, browser.new_context(), home)
    session.write("bench.ipynb", cell)
    session.open("bench.ipynb")
    session.idle()
    begun = time.perf_counter()
    session.command("notebook:run-all-cells")
    session.page.wait_for_function(picture, polling=5)
    start = time.perf_counter() - begun
    session.idle()
    session.page.evaluate(WATCH.replace("PICTURE", picture))
    yield session, start
    session.close()


def timed(session: Session, handle: Locator, presses: int) -> dict[str, float]:
    """Key presses one by one, then a drag of 40 steps in a second."""
    return waited(session, handle, presses) | pulled(session, handle)


def waited(session: Session, control: Locator, presses: int) -> dict[str, float]:
    """Milliseconds from each key press on a control to its pixel, after a few for nothing."""
    session.page.wait_for_timeout(700)
    control.focus()
    waits = sorted([press(session) for _ in range(presses + 3)][3:])
    return {"median": statistics.median(waits), "p95": waits[int(0.95 * (len(waits) - 1))]}


def press(session: Session) -> float:
    """Milliseconds from a key press to the next frame with a new picture."""
    session.page.keyboard.press("ArrowRight")
    session.page.wait_for_function("window.shown.length", polling=5)
    wait = session.page.evaluate("window.shown[0] - window.pressed")
    session.idle()
    session.page.wait_for_timeout(60)
    return wait


def pulled(session: Session, handle: Locator) -> dict[str, float]:
    """Pictures shown during 40 steps in one second, and how long after the last step the last of them came."""
    start, y, left, width = handle.evaluate(GRIP)
    mouse = session.page.mouse
    mouse.move(start, y)
    mouse.down()
    session.page.wait_for_timeout(400)
    session.page.evaluate("window.shown.length = 0")
    begun = time.perf_counter()
    for step in range(40):
        mouse.move(left + width * (0.2 + 0.015 * step), y)
        time.sleep(max(0, begun + (step + 1) / 40 - time.perf_counter()))
    last = session.page.evaluate("performance.now()")
    mouse.up()
    session.page.wait_for_timeout(300)
    session.idle()
    session.page.wait_for_timeout(1500)
    shown = session.page.evaluate("window.shown")
    return {"frames": len([when for when in shown if when <= last + 20]), "settled": max(max(shown) - last, 0)}
