"""Slider to pixel in a real browser, beside matplotlib with the same compute: under ``interact``,
and blitted.

All pages are open at once, and keys are pressed on one after the other, in rounds.
"""

import json
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from peers import N, Votes
from playwright.sync_api import Locator
from reference import slowness_of_browser
from rows import Row, must_agree

from knnviz.labs import NeighborLab

sys.path.append(str(Path(__file__).parents[1] / "browser"))

from server import chromium, opened_browser, running
from session import STATE, Session

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

#: Megabytes of a kernel.
MEMORY = "import psutil; print(psutil.Process().memory_info().rss / 2**20)"

#: Where a hand takes a slider, and the track that it goes along.
GRIP = """handle => {
  const { x, y, width, height } = handle.getBoundingClientRect();
  const { value, min, max } = handle;
  const half = 8;
  const track = width - 2 * half;
  const fraction = (value - min) / (max - min);
  return [x + half + fraction * track, y + height / 2, x + half, track];
}"""

#: What another picture changes on a page of an empty round trip or of a peer, nothing as long as
#: there is none.
ECHO = "document.querySelector('.echo')?.dataset.shown"
IMAGE = "(image => image?.complete && image.src)(document.querySelector('.jp-OutputArea img'))"

#: Note each frame with another picture since the last key press, with its time; and when a key was
#: pressed and the hand moved last. A page may draw while a frame is made, after the look: so it is
#: looked once more.
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
  const press = ({ timeStamp }) => Object.assign(window, { shown: [], pressed: timeStamp });
  window.addEventListener("keydown", press, { capture: true });
  const move = ({ timeStamp }) => (window.moved = timeStamp);
  window.addEventListener("pointermove", move, { capture: true });
}"""

#: Steps of a drag in one second, along so much of the track.
STEPS = 40
ALONG = 0.9

#: Milliseconds of the reference machine from the last step of a drag to its picture, and those in
#: which a picture still counts: the last one may come after as many as its bar allows.
LAST = 40
IN_TIME = 60


class Shown(NamedTuple):
    """A page that shows a picture, what takes the keys there, and for a control of a lab the name
    of its parameter.
    """

    session: Session
    control: Locator
    name: str = ""

    def value(self, picture):
        """What a picture shows of the parameter."""
        return json.loads(picture)[self.name]


@contextmanager
def lab_and_browser():
    """Address of a JupyterLab in a folder of its own, and a headless Chromium."""
    home = Path(tempfile.mkdtemp(prefix="knnviz-bench-"))
    with running(home) as address, opened_browser() as browser:
        yield address, browser


def rows(quick):
    """Key presses, a drag, the start and the memory; nothing if there is no Chromium."""
    if chromium() is None:
        print("no Chromium found: the rows of the browser are left out")
        return []
    lab = NeighborLab(n=N)
    votes = Votes()
    for k in (1, 25, 200):
        _, numbers = votes.at(k)
        must_agree(numbers.items() <= lab.set(k=k).readout().items(), "numbers", "the peers")

    with lab_and_browser() as place:
        session, start = opened(*place, OURS)
        memory = float(session.evaluate(MEMORY))
        pages = {
            "ours": Shown(session, session.slider("neighbors k"), "k"),
            MARK: Shown(session, session.slider(MARK)),
            NOTHING: nothing(*place),
        }
        for peer, (name, _) in PEERS.items():
            session, _ = opened(*place, PEER.format(peer), IMAGE)
            pages[name] = Shown(session, session.page.locator(".noUi-handle").first)
        pressed = timed(pages, *((2, 8) if quick else (6, 12)))
        pull = pulls_of(pages["ours"], 1 if quick else 5)

    empty, _ = waits(pressed[NOTHING])
    slowness = slowness_of_browser(empty)
    return [
        browser_row(slowness),
        *lab_rows("NeighborLab, k", pressed["ours"], empty, pull, slowness),
        *peer_rows(pressed),
        *beyond_rows(pressed),
        Row("kernel start to first live lab, caches warm", start, "s", 3.0, slowness=slowness),
        Row("resident memory of a kernel with one lab, n = 8000", memory, "MB", 300),
    ]


def waits(presses):
    """Median and 95th percentile of the milliseconds from a key press to its pixel."""
    found = sorted(presses)
    return statistics.median(found), found[int(0.95 * (len(found) - 1))]


def browser_row(slowness):
    """What bars in milliseconds of a page have been multiplied by."""
    return Row("the browser, times slower than on the reference machine", slowness, "x")


def lab_rows(what, presses, empty, pull, slowness):
    """Key presses where a page has the frame beside an empty round trip, and drags."""
    median, _ = waits(presses)
    count, again, last = pull
    pressed = f"{what}: key press to pixel"
    final = f"{what}: final picture after the last step"
    return [
        Row(f"{pressed}, median", median, "ms", PRESS, empty, NOTHING, slowness=slowness),
        Row(f"{pressed}, times faster than an {NOTHING}", empty / median, "x", 1, more=True),
        Row(f"{what}: pictures of {STEPS} steps in 1 s", count, "", STEPS, more=True),
        Row(f"{what}: pictures of these that another one of their step followed", again, "", 0),
        Row(final, last, "ms", LAST, slowness=slowness),
    ]


def peer_rows(pressed):
    """Key presses of both peers, beside ours."""
    ours, _ = waits(pressed["ours"])
    found = []
    for peer, bar in PEERS.values():
        theirs, _ = waits(pressed[peer])
        what = f"key press to pixel, times faster than {peer}"
        found.append(Row(what, theirs / ours, "x", bar, more=True))
    return found


def beyond_rows(pressed):
    """Key presses on a mark: what they may take beyond an empty round trip, in the median and the
    95th percentile.
    """
    names = ("median", "95th percentile")
    ours = waits(pressed[MARK])
    empty = waits(pressed[NOTHING])
    found = []
    for name, most, took, least in zip(names, BEYOND, ours, empty, strict=True):
        what = f"key press to the kernel's picture, {MARK}, {name}"
        found.append(Row(what, took, "ms", most + least, least, NOTHING, slowness=1))
    return found


def opened(server, browser, cell="", picture=STATE):
    """A page with the picture of a cell in a new kernel; the seconds from the order to run to the
    picture.
    """
    session = Session(server, browser.new_context())
    notebook = f"bench-{len(browser.contexts)}.ipynb"
    session.write(notebook, cell)
    session.open(notebook)
    session.idle()
    begun = time.perf_counter()
    if cell:
        session.command("notebook:run-all-cells")
        session.page.wait_for_function(picture, polling=5)
    start = time.perf_counter() - begun
    session.idle()
    session.page.evaluate(WATCH.replace("PICTURE", picture))
    return session, start


def nothing(server, browser):
    """The page of an empty round trip."""
    session, _ = opened(server, browser, EMPTY, ECHO)
    return Shown(session, session.page.locator(".echo"))


def at_hand(page):
    """A lab as it begins, and the control in the hand of a reader who looks at it first."""
    session = page.session
    session.page.bring_to_front()
    if page.name:
        page.control.blur()
        session.evaluate("lab.reset()")
        session.settle()
    page.control.focus()
    session.idle()
    session.page.wait_for_timeout(LOOKS)


def timed(pages, rounds, presses):
    """Milliseconds of key presses one by one, by page; the first two of a round are for nothing."""
    found = {name: [] for name in pages}
    for _ in range(rounds):
        for name, page in pages.items():
            at_hand(page)
            found[name] += [press(page) for _ in range(presses + 2)][2:]
    return found


def press(page):
    """Milliseconds from a key press to the next frame with a new picture, which of a lab must show
    a larger value.
    """
    session = page.session
    before = session.state[page.name] if page.name else None
    session.page.keyboard.down("ArrowRight")
    session.page.wait_for_function("window.shown.length", polling=5)
    first, waited = session.page.evaluate(
        "[window.shown[0].picture, window.shown[0].when - window.pressed]"
    )
    if page.name and page.value(first) <= before:
        raise AssertionError(f"a key press to the right of {before} showed {first} first")
    session.page.keyboard.up("ArrowRight")
    session.idle()
    session.page.wait_for_timeout(60)
    return waited


def pulls_of(page, times):
    """Medians over some drags."""
    pulls = []
    for _ in range(times):
        at_hand(page)
        pulls.append(pulled(page))
    count, again, last = map(statistics.median, zip(*pulls, strict=True))
    return count, again, last


def places(page):
    """Fractions of a slider's track, each of which stands for another value."""
    low, high = map(float, page.control.evaluate("({ min, max }) => [min, max]"))
    count = round((high - low) / page.session.sliders()[page.name]["step"])
    stride = int(ALONG * count / (STEPS - 1))
    first = (count - stride * (STEPS - 1)) // 2
    return [(first + stride * step) / count for step in range(STEPS)]


def check_let_go(page, fraction):
    """Raise AssertionError unless the slider stands where the hand let go, and kernel and picture
    hold the same values.
    """
    low, high, at = page.control.evaluate("({ min, max, value }) => [min, max, value].map(Number)")
    values = page.session.told("lab.values")
    off = abs(at - low - fraction * (high - low)) / (high - low)
    if off > ALONG / STEPS / 2 or values != page.session.state:
        raise AssertionError(f"let go at {fraction}, the slider is at {at}, the kernel at {values}")


def pulled(page):
    """A drag, each step of which asks a lab for another value: its pictures, those of them that
    another one of the same values followed, and how long after the last step the last one came.
    """
    session = page.session
    fractions = places(page)
    start, y, left, width = page.control.evaluate(GRIP)
    mouse = session.page.mouse
    mouse.move(start, y)
    mouse.down()
    session.page.wait_for_timeout(400)
    session.page.evaluate("window.shown.length = 0")
    begun = time.perf_counter()
    for made, fraction in enumerate(fractions, 1):
        mouse.move(round(left + width * fraction), y)
        time.sleep(max(0, begun + made / len(fractions) - time.perf_counter()))
    last = session.page.evaluate("window.moved")

    mouse.up()
    session.page.wait_for_timeout(300)
    session.idle()
    session.page.wait_for_timeout(1500)
    shown = session.page.evaluate("window.shown")
    pictures = {each["picture"] for each in shown if each["when"] <= last + IN_TIME}
    check_let_go(page, fractions[-1])
    count = len(set(map(page.value, pictures)))
    return count, len(pictures) - count, max(each["when"] for each in shown) - last
