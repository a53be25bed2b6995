"""Slider to pixel in a real browser, beside matplotlib with the same compute: under ``interact``,
and blitted.

All pages are open at once, and keys are pressed on one after the other, in rounds.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import hops
from peers import N, Votes
from playwright.sync_api import Browser, Locator
from reference import slowness_of_browser
from rows import Row, must_agree

from knnviz.labs import NeighborLab

sys.path.append(str(Path(__file__).parents[1] / "browser"))

from server import busy, chromium, opened_browser, running
from session import Session

OURS = f"from knnviz.labs import NeighborLab\nlab = NeighborLab(n={N})\nlab"

#: The peers of ``peers``, by the names of their functions, and how many times faster ours is to be.
PEERS = {"redrawn": ("interact + inline", 20), "blitted": ("matplotlib, blitted", 3)}
PEER = (
    f"%matplotlib inline\nimport sys\nsys.path.append({str(Path(__file__).parent)!r})\nimport "
    f"peers\npeers.{{}}()"
)

#: Milliseconds from a key press to the picture where the page has the frame.
PRESS = 16

#: Milliseconds in which a reader looks at a control that has come into the hand.
LOOKS = 1500

#: A control whose frames the page never has.
MARK = "query point x"

#: A page that draws a pixel for an empty message, and how many milliseconds later a picture of the
#: kernel may be: in the median, and in the 95th percentile.
NOTHING = "empty round trip"
BEYOND = (8, 15)

#: The way from a page to its kernel and back with nothing to do on it: one message each, one pixel
#: drawn.
EMPTY = '''
import anywidget
class Echo(anywidget.AnyWidget):
    def _receive(self):
        self._send_frame()
    def _send_frame(self):
        self.send({})
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
echo.on_msg(lambda *_: echo._receive())
echo
'''

#: Megabytes of a kernel, and how many widgets it has.
MEMORY = "import psutil; print(psutil.Process().memory_info().rss / 2**20)"
MODELS = "import ipywidgets; print(len(ipywidgets.widgets.widget._instances))"

#: Seconds of an import, in a process of its own.
IMPORT = """
import time
begun = time.perf_counter()
from knnviz.labs import NeighborLab
print(time.perf_counter() - begun)
"""

#: Where a hand takes a slider, ours or the peer's, and the track that it goes along.
GRIP = """handle => {
  const box = handle.getBoundingClientRect();
  const track = (handle.closest('.noUi-target') ?? handle).getBoundingClientRect();
  const { value, min, max } = handle;
  const fraction = handle.matches('input') ? (value - min) / (max - min) : 0.5;
  const half = handle.matches('input') ? 8 : 0;
  const x = box.x + half + fraction * (box.width - 2 * half);
  return [x, box.y + box.height / 2, track.x + half, track.width - 2 * half];
}"""

#: What another picture changes on each page, nothing as long as there is none.
ECHO = "document.querySelector('.echo')?.dataset.shown"
FIGURE = "document.querySelector('.knnviz-figure')?.dataset.state"
IMAGE = "(image => image?.complete && image.src)(document.querySelector('.jp-OutputArea img'))"

#: Note each frame with another picture since the last key press, with its time; and when the hand
#: moved last. A page may draw while a frame is made, after the look: so it is looked once more.
WATCH = """() => {
  window.shown = [];
  let last = PICTURE;
  let when = 0;
  const { port1, port2 } = new MessageChannel();
  const look = () => {
    const picture = PICTURE;
    if (picture && picture !== last) window.shown.push({ when, picture });
    last = picture || last;
  };
  const frame = () => {
    when = performance.now();
    look();
    port1.postMessage(null);
    requestAnimationFrame(frame);
  };
  port2.onmessage = look;
  requestAnimationFrame(frame);
  window.addEventListener("keydown", () => (window.shown.length = 0), { capture: true });
  const move = ({ timeStamp }) => (window.moved = timeStamp);
  window.addEventListener("pointermove", move, { capture: true });
}"""

#: Where a hand drags the control to: fractions of its track.
PULL = [0.2 + 0.015 * step for step in range(40)]

#: Milliseconds after a drag in which a picture still counts: the last one may come after as many as
#: its bar allows.
IN_TIME = 60


#: Stamps of key presses, by page.
Pressed = dict[str, list[dict[str, float]]]


class Shown(NamedTuple):
    """A page that shows a picture, what takes the keys there, what stamps the hops in its kernel,
    if anything, and the keys of rounds, one after the other.
    """

    session: Session
    control: Locator
    stamps: str = ""
    keys: tuple[str, ...] = ("ArrowRight",)


def rows(quick: bool) -> list[Row]:
    """Key presses, a drag, the start and the memory; a single empty-handed line if there is no
    Chromium.
    """
    if chromium() is None:
        print("no Chromium found: the rows of the browser are left out")
        return []
    lab = NeighborLab(n=N)
    votes = Votes()
    for k in (1, 25, 200):
        _, numbers = votes.at(k)
        must_agree(numbers.items() <= lab.set(k=k).readout().items(), "numbers", "the peers")

    home = Path(tempfile.mkdtemp(prefix="knnviz-bench-"))
    with running(home) as server, opened_browser() as browser:
        session, start = opened(server, browser, OURS, FIGURE)
        memory = float(session.evaluate(MEMORY))
        models = int(session.evaluate(MODELS))
        pages = {"ours": Shown(session, session.slider("neighbors k"))}
        across = ("ArrowRight", "ArrowDown")
        pages[MARK] = Shown(session, session.slider(MARK), hops.OURS, across)
        session, _ = opened(server, browser, EMPTY, ECHO)
        pages[NOTHING] = Shown(session, session.page.locator(".echo"), hops.EMPTY)
        for peer, (name, _) in PEERS.items():
            session, _ = opened(server, browser, PEER.format(peer), IMAGE)
            pages[name] = Shown(session, session.page.locator(".noUi-handle").first)

        stamped = {name: pages[name] for name in (MARK, NOTHING)}
        for each in stamped.values():
            each.session.evaluate(hops.KERNEL + each.stamps)
        rounds = (2, 8) if quick else (6, 12)
        pressed = timed(pages, *rounds)
        session = pages["ours"].session
        session.evaluate("lab.reset()")
        session.settle()
        with busy(1):
            beside = timed(stamped, *rounds)
        dragged = ["ours", *(name for name, _ in PEERS.values())]
        pulls = {name: pulls_of(pages[name], 1 if quick else 5) for name in dragged}

    empty, _ = waits(pressed[NOTHING])
    slowness = slowness_of_browser(empty)
    found = [browser_row(slowness), *press_rows(pressed, pulls, slowness)]
    found += beyond_rows("", pressed)
    found += beyond_rows(" beside a busy process", beside)
    found += hops.rows(pressed[MARK], pressed[NOTHING])
    return [
        *found,
        Row("kernel start to first live lab, caches warm", start, "s", 3.0, slowness=slowness),
        Row("resident memory of a kernel with one lab, n = 8000", memory, "MB", 300),
        Row("widget models of a lab", models, "", 3),
        import_row(),
    ]


def waits(presses: list[dict[str, float]]) -> tuple[float, float]:
    """Median and 95th percentile of the milliseconds from a key press to its pixel."""
    found = sorted(each["shown"] - each["pressed"] for each in presses)
    return statistics.median(found), found[int(0.95 * (len(found) - 1))]


def press_rows(
    pressed: Pressed,
    pulls: dict[str, tuple[float, float]],
    slowness: float,
) -> list[Row]:
    """Key presses where a page has the frame, and drags: beside an empty round trip and peers."""
    ours, late = waits(pressed["ours"])
    empty, _ = waits(pressed[NOTHING])
    count, settled = pulls["ours"]
    what = "key press to pixel"
    last = "final picture after the last of 40 steps"
    faster = f"{what}, times faster than"
    found = [
        Row(f"{what}, median", ours, "ms", PRESS, empty, NOTHING, slowness=slowness),
        Row(f"{faster} an {NOTHING}", empty / ours, "x", 1, more=True),
    ]
    for peer, bar in PEERS.values():
        theirs, theirs_late = waits(pressed[peer])
        theirs_count, theirs_settled = pulls[peer]
        found += [
            Row(f"{what}, median", ours, peer=theirs, peer_name=peer),
            Row(f"{what}, 95th percentile", late, peer=theirs_late, peer_name=peer),
            Row(f"{faster} {peer}", theirs / ours, "x", bar, theirs / empty, NOTHING, more=True),
            Row("pictures of 40 slider steps in 1 s", count, "", 40, theirs_count, peer, more=True),
            Row(last, settled, "ms", 40, theirs_settled, peer, slowness=slowness),
        ]
    return found


def beyond_rows(where: str, pressed: Pressed) -> list[Row]:
    """Milliseconds that key presses on a mark take beyond an empty round trip, in the median and
    the 95th percentile.
    """
    names = ("median", "95th percentile")
    ours = waits(pressed[MARK])
    empty = waits(pressed[NOTHING])
    found = []
    for name, most, took, least in zip(names, BEYOND, ours, empty, strict=True):
        what = f"key press to the kernel's picture, {MARK}{where}, {name}"
        bar = most + least
        found.append(Row(what, took, bar=bar, peer=least, peer_name=NOTHING, slowness=1))
    return found


def browser_row(slowness: float) -> Row:
    """What bars in milliseconds of a page have been multiplied by."""
    return Row("the browser, times slower than on the reference machine", slowness, "x")


def import_row() -> Row:
    """Seconds of an import in a process of its own, the best of three."""
    command = [sys.executable, "-c", IMPORT]
    runs = []
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        runs.append(float(done.stdout))
    return Row("from knnviz.labs import NeighborLab", min(runs), "s", 2)


def opened(server: str, browser: Browser, cell: str, picture: str) -> tuple[Session, float]:
    """A page with the picture of a cell in a new kernel; the seconds from the order to run to the
    picture.
    """
    context = browser.new_context()
    context.add_init_script(hops.PAGE)
    session = Session(server, context)
    notebook = f"bench-{len(browser.contexts)}.ipynb"
    session.write(notebook, cell)
    session.open(notebook)
    session.idle()
    begun = time.perf_counter()
    session.command("notebook:run-all-cells")
    session.page.wait_for_function(picture, polling=5)
    start = time.perf_counter() - begun
    session.idle()
    session.page.evaluate(WATCH.replace("PICTURE", picture))
    return session, start


def timed(pages: dict[str, Shown], rounds: int, presses: int) -> Pressed:
    """Stamps of key presses one by one, by page; the first two of a round are for nothing."""
    found: Pressed = {name: [] for name in pages}
    for number in range(rounds):
        for name, each in pages.items():
            each.session.page.bring_to_front()
            each.control.focus()
            each.session.page.wait_for_timeout(LOOKS)
            key = each.keys[number % len(each.keys)]
            found[name] += [press(each, key) for _ in range(presses + 2)][2:]
    return found


def press(page: Shown, key: str = "ArrowRight") -> dict[str, Any]:
    """Stamps of a key press, until the next frame with a new picture."""
    session = page.session
    session.page.keyboard.down(key)
    session.page.wait_for_function("window.shown.length", polling=5)
    stamps = session.page.evaluate(
        "({ ...window.stamps, shown: performance.timeOrigin + window.shown[0].when })"
    )
    session.page.keyboard.up(key)
    session.idle()
    session.page.wait_for_timeout(60)
    if page.stamps:
        stamps |= json.loads(session.evaluate("print(json.dumps(stamps)); stamps.clear()"))
    return stamps


def pulls_of(page: Shown, times: int) -> tuple[float, float]:
    """Medians of what ``pulled`` measures."""
    pulls = []
    for _ in range(times):
        page.session.page.bring_to_front()
        page.control.focus()
        page.session.page.wait_for_timeout(LOOKS)
        pulls.append(pulled(page))
    pictures, settled = zip(*pulls, strict=True)
    return statistics.median(map(len, pictures)), statistics.median(settled)


def pulled(page: Shown, fractions: Sequence[float] = PULL) -> tuple[set[str], float]:
    """Different pictures shown during steps of one second in all, and how many milliseconds after
    the last step the last of them came.
    """
    session = page.session
    session.page.bring_to_front()

    start, y, left, width = page.control.evaluate(GRIP)
    mouse = session.page.mouse
    mouse.move(start, y)
    mouse.down()
    session.page.wait_for_timeout(400)
    session.page.evaluate("window.shown.length = 0")
    begun = time.perf_counter()
    for step, fraction in enumerate(fractions, 1):
        mouse.move(round(left + width * fraction), y)
        time.sleep(max(0, begun + step / len(fractions) - time.perf_counter()))
    last = session.page.evaluate("window.moved")

    mouse.up()
    session.page.wait_for_timeout(300)
    session.idle()
    session.page.wait_for_timeout(1500)
    shown = session.page.evaluate("window.shown")
    in_time = {each["picture"] for each in shown if each["when"] <= last + IN_TIME}
    return in_time, max(each["when"] for each in shown) - last
