"""Slider to pixel in a real browser, against ``interact`` with inline matplotlib on the same figure and compute."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, Locator
from rows import Row
from server import chromium, opened_browser, running
from session import Session

OURS = ["from knnviz.labs import NeighborLab", "lab = NeighborLab(n=8000)", "lab"]

#: The same samples, neighbors, votes and picture; only controls and drawing are those that courses use.
PEER = """
import matplotlib.pyplot as plt, numpy as np
from ipywidgets import IntSlider, interact
from knnviz.labs import NeighborLab
%matplotlib inline
lab = NeighborLab(n=8000)
cells = (np.arange(200) + 0.5) / 200
def show(k):
    lab.k = k
    panels = [{layer.name: layer for layer in panel.layers} for panel in lab.panels]
    region, points, bayes, ball = (panels[0][name] for name in ("regions", "points", "bayes", "ball"))
    fig = plt.figure(figsize=(12.5, 8.9))
    left, right, below = fig.add_subplot(1, 2, 1), fig.add_subplot(2, 2, 2), fig.add_subplot(2, 2, 4)
    left.contourf(cells, cells, region.codes, levels=[-0.5, 0.5, 1.5], colors=region.palette)
    left.contour(cells, cells, region.codes, levels=[0.5], colors="gray", linewidths=1)
    for code, marker in ((0, "o"), (1, "s")):
        mine = points.codes == code
        look = dict(marker=marker, s=49, color=points.palette[code], edgecolor="white", label=points.labels[code])
        left.scatter(points.x[mine], points.y[mine], **look)
    left.plot(bayes.x, bayes.y, "k--", label="Bayes boundary")
    left.plot(ball.x, ball.y, "k", label="ball of k neighbors")
    left.plot(lab.x1, lab.x2, "k+", markersize=18, markeredgewidth=3)
    left.set(title="Map", xlabel="x1", ylabel="x2")
    left.legend(loc="upper left", bbox_to_anchor=(0, -0.12), ncols=2)
    for curve in (panels[1][name] for name in ("population0", "population1", "curve0", "curve1", "theta")):
        right.plot(curve.x, curve.y, color=curve.color, label=curve.label)
    right.axvline(k, color="k")
    right.text(k + 2, 0.12, f"k = {k}, risk {lab.readout()['risk']:.4f}", fontweight="bold")
    right.set(title="Votes around x", xlabel="neighbors k", ylabel="fraction of the votes")
    right.legend(loc="upper left", bbox_to_anchor=(0, -0.2), ncols=2)
    for level in (panels[2][name] for name in ("bayes", "limit")):
        below.plot(level.x, level.y, color=level.color, label=level.label)
    here = panels[2]["here"]
    below.plot(here.x, here.y, "D", label="this sample")
    below.set(title="Risk", xlabel="neighbors k", ylabel="risk", ylim=(0.2, 0.55))
    below.legend(loc="upper left", bbox_to_anchor=(0, -0.2), ncols=2)
    plt.show()
interact(show, k=IntSlider(25, 1, 200));
"""

#: The way from a page to its kernel and back with nothing to do on it: one message each, one pixel drawn.
EMPTY = '''
import anywidget
class Echo(anywidget.AnyWidget):
    _esm = """export default { render({ model, el }) {
      const canvas = el.appendChild(document.createElement("canvas"));
      canvas.tabIndex = 0;
      canvas.className = "echo";
      canvas.addEventListener("keydown", () => model.send({}));
      model.on("msg:custom", () => {
        canvas.getContext("2d").fillRect(0, 0, 1, 1);
        requestAnimationFrame(() => window.shown.push([performance.now(), 0]));
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
{statement}
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

#: Time from a key to the first frame after the new state is in the page.
WATCH_OURS = """() => {
  const figure = document.querySelector('.knnviz-figure');
  window.shown = [];
  window.current = () => JSON.parse(figure.dataset.state ?? '{}').k;
  new MutationObserver(() => requestAnimationFrame(() => window.shown.push([performance.now(), window.current()])))
    .observe(figure, { attributes: true, attributeFilter: ['data-frame'] });
}"""
WATCH_PEER = """() => {
  window.shown = [];
  const area = document.querySelector('.widget-interact');
  let last = null;
  const look = () => {
    const image = area.querySelector('img');
    if (image && image.src !== last && image.complete) {
      last = image.src;
      window.shown.push([performance.now(), last.length]);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def rows(quick: bool) -> list[Row]:
    """Key presses, a drag, the start and the memory; a single empty-handed line if there is no Chromium."""
    if chromium() is None:
        print("no Chromium found: the rows of the browser are left out")
        return []
    home = Path(tempfile.mkdtemp(prefix="knnviz-bench-"))
    write(home / "ours.ipynb", ["\n".join(OURS), "import os, psutil; psutil.Process().memory_info().rss / 2**20"])
    write(home / "peer.ipynb", [PEER])
    write(home / "empty.ipynb", [EMPTY])
    with running(home) as server, opened_browser() as browser:
        empty = empty_page(server, browser, home, 15 if quick else 60)
        start, memory, models, ours = our_page(server, browser, home, 15 if quick else 60)
        theirs = peer_page(server, browser, home, 6 if quick else 25)
    peer, nothing = "interact + inline", "empty round trip"
    return [
        Row("key press to pixel, median", ours["median"], "ms", 20, theirs["median"], peer),
        Row("key press to pixel, times faster than interact", theirs["median"] / ours["median"], "x", 15, more=True),
        Row("key press to pixel, 95th percentile", ours["p95"], "ms", 32, theirs["p95"], peer),
        Row("key press to pixel, median beside nothing", ours["median"], "ms", empty[0] + 8, empty[0], nothing),
        Row("key press to pixel, 95th percentile beside nothing", ours["p95"], "ms", empty[1] + 15, empty[1], nothing),
        Row("frames of 40 slider steps in 1 s", ours["frames"], "frames", 25, theirs["frames"], peer, more=True),
        Row("final picture after the last of 40 steps", ours["settled"], "ms", 40, theirs["settled"], peer),
        Row("kernel start to first live lab, caches warm", start, "s", 3.5),
        Row("memory of a kernel with one lab, n = 8000", memory, "MB", 300),
        Row("widget models of a lab", models, "", 3),
        *imports("import knnviz.labs"),
        *imports("from knnviz.labs import NeighborLab"),
    ]


def imports(statement: str) -> list[Row]:
    """Seconds and megabytes of an import, the best of three."""
    command = [sys.executable, "-c", IMPORT.format(statement=statement)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    spent, memory = np.min(np.array(runs, float), axis=0).tolist()
    return [Row(statement, spent, "s", 2), Row(f"memory after {statement}", memory, "MB", 150)]


def write(path: Path, cells: list[str]) -> None:
    """A notebook of code cells."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=kernel), path)


def empty_page(server: str, browser: Browser, home: Path, presses: int) -> tuple[float, float]:
    """Median and 95th percentile of the way there and back."""
    session = Session(server, browser.new_context(), home)
    session.open("empty.ipynb")
    session.command("notebook:run-all-cells")
    canvas = session.page.locator("canvas.echo")
    canvas.wait_for()
    session.idle()
    session.page.evaluate("window.shown = []")
    waits = waited(session, canvas, presses)
    session.close()
    return spread(waits)


def our_page(server: str, browser: Browser, home: Path, presses: int) -> tuple[float, float, int, dict[str, float]]:
    """Seconds from the order to run until the first picture in a new kernel, memory, widget models, and the timings."""
    session = Session(server, browser.new_context(), home)
    session.open("ours.ipynb")
    session.idle()
    begun = time.perf_counter()
    session.run_all()
    start = time.perf_counter() - begun
    session.idle()
    memory = float(session.page.locator(".jp-OutputArea-executeResult pre").last.inner_text())
    models = int(session.evaluate("import ipywidgets; print(len(ipywidgets.widgets.widget._instances))"))
    session.page.evaluate(WATCH_OURS)
    handle = session.slider("neighbors k")
    timings = timed(session, handle, presses)
    session.close()
    return start, memory, models, timings


def peer_page(server: str, browser: Browser, home: Path, presses: int) -> dict[str, float]:
    """The same timings for the peer."""
    session = Session(server, browser.new_context(), home)
    session.open("peer.ipynb")
    session.command("notebook:run-all-cells")
    session.page.locator(".widget-interact img").wait_for(timeout=60_000)
    session.idle()
    session.page.evaluate(WATCH_PEER)
    timings = timed(session, session.page.locator(".noUi-handle").first, presses)
    session.close()
    return timings


def timed(session: Session, handle: Locator, presses: int) -> dict[str, float]:
    """Key presses one by one, then a drag of 40 steps in a second."""
    return dict(zip(("median", "p95"), spread(waited(session, handle, presses)), strict=True)) | pulled(session, handle)


def waited(session: Session, control: Locator, presses: int) -> list[float]:
    """Milliseconds from each key press on a control to its pixel, after a few for nothing."""
    session.page.wait_for_timeout(700)
    control.focus()
    return [press(session) for _ in range(presses + 3)][3:]


def spread(waits: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(waits), sorted(waits)[int(0.95 * (len(waits) - 1))]


def press(session: Session) -> float:
    """Milliseconds from a key press to the next frame with a new picture."""
    session.page.evaluate(
        "() => { window.shown.length = 0; window.addEventListener('keydown',"
        " () => { window.pressed = performance.now(); }, { capture: true, once: true }); }"
    )
    session.page.keyboard.press("ArrowRight")
    session.page.wait_for_function("window.shown.length > 0", polling=5, timeout=20_000)
    wait = session.page.evaluate("window.shown[0][0] - window.pressed")
    session.idle()
    session.page.wait_for_timeout(60)
    return wait


def pulled(session: Session, handle: Locator) -> dict[str, float]:
    """Pictures shown during 40 steps in one second, and how long after the last step the last of them came."""
    start, y, left, width = handle.evaluate(GRIP)
    protocol = session.page.context.new_cdp_session(session.page)

    def mouse(kind: str, x: float) -> None:
        pressed = {"button": "left", "buttons": 1, "clickCount": 1}
        protocol.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **pressed})

    mouse("mousePressed", start)
    session.page.wait_for_timeout(400)
    session.page.evaluate("window.shown.length = 0")
    begun = time.perf_counter()
    for step in range(40):
        mouse("mouseMoved", left + width * (0.2 + 0.015 * step))
        time.sleep(max(0, begun + (step + 1) / 40 - time.perf_counter()))
    last = session.page.evaluate("performance.now()")
    mouse("mouseReleased", left + width * (0.2 + 0.015 * 39))
    session.page.wait_for_timeout(300)
    session.idle()
    session.page.wait_for_timeout(1500)
    shown = [when for when, _ in session.page.evaluate("window.shown")]
    return {"frames": len([when for when in shown if when <= last + 20]), "settled": max(max(shown) - last, 0)}
