"""A page in JupyterLab, driven as a person would: notebooks, sliders, clicks, keys."""

import json
import math
import re
from pathlib import Path

import nbformat
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError
from server import PAGE, notebook_of

from knnviz import labs

#: All labs.
NAMES = [name for name in labs.__all__ if name != "Lab"]

STARTED = """() => {
  const app = window.jupyterapp, panel = app?.shell.currentWidget;
  return Boolean(app?.commands.hasCommand('notebook:run-all-cells')
    && panel?.sessionContext?.session?.kernel?.connectionStatus === 'connected'
    && document.querySelector('.jp-Notebook .jp-Cell'));
}"""

#: The kernel of the notebook, in the words of the page.
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"

#: Run code there, and return what it prints.
RUN = f"""async code => {{
  const future = {KERNEL}.requestExecute({{ code }});
  let text = '';
  future.onIOPub = (message) => {{ text += message.content.text ?? ''; }};
  const {{ content }} = await future.done;
  if (content.status !== 'ok') throw new Error(`${{content.ename}}: ${{content.evalue}}`);
  return text;
}}"""

#: The folder of what pages looked like.
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"

#: The first notebook.
NOTEBOOK = "notebooks/00-start-here.ipynb"

#: Messages of the page itself that say nothing about a lab.
HARMLESS = re.compile("favicon|ResizeObserver loop|preload|restore the debugger state")


#: Milliseconds after which what does not come is lost: a busy machine takes its time.
PATIENCE = 120_000

#: Rules of accessibility that a page keeps: WCAG 2.2, levels A and AA.
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
}

#: Put this source into the notebook's first cell.
WRITE = (
    "source => "
    "window.jupyterapp.shell.currentWidget.content.model.cells.get(0).sharedModel.setSource(source)"
)

#: Whether a picture stands that is not the one from before.
ANOTHER = """() => {
  const now = document.querySelector('.knnviz-figure');
  return Boolean(now && now !== window.before && now.dataset.state);
}"""

#: The parameters of the picture that is on screen, as text; nothing before there is one.
STATE = "document.querySelector('.knnviz-figure')?.dataset.state"

#: Whether the picture on screen has these parameters.
REACHED = f"""(wanted) => {{
  const state = JSON.parse({STATE} || null);
  return state && Object.keys(wanted).every((name) => state[name] === wanted[name]);
}}"""

#: Sliders on show: kind, title, both ends, and the step; a list of steps goes from place to place.
SLIDERS = """
import json
told, hidden, ends = {}, lab.setting.hidden, lab.setting.ends
for name, parameter in lab.parameters.items():
    if parameter.kind in ("slider", "steps") and name not in hidden:
        low, high = ends[name]
        step = 1 if parameter.kind == "steps" else parameter.step
        told[name] = dict(kind=parameter.kind, title=parameter.title, low=low, high=high, step=step)
print(json.dumps(told))
"""

#: Has a lab begin again, whatever a test has left behind.
AS_IT_BEGAN = """
lab.stop()
lab.projector = False
lab.reset()
"""

#: Half of a slider's handle, in pixels.
HALF = 8


class Share(float):
    """A coordinate of a point as a fraction of its panel's width or height."""


def fraction(at, low, high, log=False):
    """How far a coordinate is from the lower to the higher limit of an axis."""
    if isinstance(at, Share):
        return at
    if log:
        return math.log(at / low) / math.log(high / low)
    return (at - low) / (high - low)


class Session:
    """One page, and all that went wrong in its console."""

    def __init__(self, server, context):
        self.server = server
        self.errors = []
        self.expected = HARMLESS
        self.page = context.new_page()
        self.page.set_viewport_size(PAGE)
        self.standing = ""
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self._note(str(error)))

    def expect(self, text):
        """Let errors with this text pass."""
        self.expected = re.compile(f"{self.expected.pattern}|{text}")

    def _console(self, message):
        if message.type == "error" or "Could not create a view" in message.text:
            self._note(message.text)

    def _note(self, text):
        if not self.expected.search(text):
            self.errors.append(text)

    def write(self, notebook, *cells):
        """Make a notebook of code cells."""
        made = notebook_of(*map(nbformat.v4.new_code_cell, cells))
        body = json.dumps({"type": "notebook", "content": json.loads(nbformat.writes(made))})
        address = f"{self.server}/api/contents/{notebook}"
        answer = self.page.request.put(address, data=body, headers={"Authorization": "token test"})
        assert answer.ok, answer.text()

    def open(self, notebook, interface="doc"):
        """Open a notebook, alone or in the "lab" beside the file browser, and wait for its
        kernel.
        """
        self.page.goto(f"{self.server}/{interface}/tree/{notebook}?token=test&reset")
        self.page.wait_for_function(STARTED)

    def violations(self, part):
        """What parts of the page, by a selector, violate of WCAG 2.2 AA; empty if nothing."""
        found = Axe().run(self.page, part, WCAG)
        return found.generate_report() if found.violations_count else ""

    def theme(self, name):
        self.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", name
        )
        self.page.locator(f"body[data-jp-theme-name='{name}']").wait_for(state="attached")

    def save(self):
        self.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")

    def reload(self):
        """Load the page anew, as it was saved; the kernel goes on."""
        self.page.reload()
        self.page.wait_for_function(STARTED)

    def renew(self, command):
        """Start a command of JupyterLab that runs a lab's cell, and wait for the lab's new
        picture.
        """
        self.page.evaluate("window.before = document.querySelector('.knnviz-figure')")
        self.command(command)
        self.page.wait_for_function(ANOTHER)

    def run_all(self):
        """Run all cells and wait for the first lab's picture."""
        self.renew("notebook:run-all-cells")

    def project(self):
        self.page.get_by_role("button", name="Projector", exact=True).press("Space")
        self.page.locator(".knnviz-lab.knnviz-projector").wait_for()

    def run(self, *names):
        """Run cells by their ids, one after the other, and wait for the end of the last one."""
        self.page.evaluate(
            """async names => {
              const { commands, shell } = window.jupyterapp, notebook = shell.currentWidget.content;
              for (const name of names) {
                const isNamed = (each) => each.model.id === name;
                notebook.activeCellIndex = notebook.widgets.findIndex(isNamed);
                await commands.execute('notebook:run-cell');
              }
            }""",
            names,
        )
        self.idle()

    def stand(self, name, arguments=""):
        """Show a lab in the notebook's only cell, in place of the one that stands there."""
        if self.standing != name + arguments:
            imports = f"from knnviz import lessons, problems\nfrom knnviz.labs import {name}"
            self.page.evaluate(WRITE, f"{imports}\n\nlab = {name}({arguments})\nlab")
            self.run_all()
            self.standing = name + arguments

    def command(self, name):
        """Start a command of JupyterLab without waiting for its end."""
        self.page.evaluate("name => { window.jupyterapp.commands.execute(name); }", name)

    def ask_kernel(self, request):
        """Call a method of the notebook's kernel, as the page knows it."""
        self.page.evaluate(f"async () => {{ await {KERNEL}.{request}; }}")

    def begin(self, code):
        """Run code in the kernel without waiting for its end."""
        self.ask_kernel(f"requestExecute({json.dumps({'code': code})})")

    def idle(self):
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_function(f"{KERNEL}.status === 'idle'")

    def evaluate(self, code):
        """Run code in the notebook's kernel and return what it printed; what it raises is raised
        here.

        What its last line is worth is not shown: a lab would show itself once more.
        """
        return self.page.evaluate(RUN, f"{code}\nNone")

    def told(self, expression):
        """What an expression is worth in the kernel."""
        return json.loads(self.evaluate(f"import json; print(json.dumps({expression}))"))

    def sync(self):
        """Wait until the kernel has what the page has sent, and the page has drawn the answer."""
        for _ in range(2):
            self.drawn(self.told("lab.view.frames.number"))

    def drawn(self, number):
        """Wait until a frame, or one after it, is drawn."""
        self.page.wait_for_function(
            "number => Number(document.querySelector('.knnviz-figure')?.dataset.frame) >= number",
            arg=number,
        )

    def settle(self):
        """Wait until the lab has nothing left to do and its newest frame is drawn; the number of
        that frame.
        """
        number = None
        while number != (newest := self.told("[lab.readout(), lab.view.frames.number][1]")):
            number = newest
            self.drawn(number)
        return number

    @property
    def figure(self):
        return self.page.locator(".knnviz-figure").first

    @property
    def canvas(self):
        return self.figure.get_by_role("img")

    @property
    def saved_pictures(self):
        """Pictures that cells were saved with, shown or not."""
        return self.page.locator(".jp-RenderedImage img")

    @property
    def state(self):
        """Parameters of the picture that is on screen."""
        return json.loads(self.figure.get_attribute("data-state"))

    @property
    def alt(self):
        """What the canvas says to a screen reader."""
        return self.canvas.get_attribute("aria-label")

    @property
    def message(self):
        return self.page.locator(".knnviz-message").first.inner_text().strip()

    @property
    def sheet(self):
        """Size and panels of the picture, as the kernel has them."""
        return self.told("lab.view.frames.state['sheet']")

    def sliders(self):
        """The sliders on show by their parameters, as the kernel has them now."""
        return json.loads(self.evaluate(SLIDERS))

    def slider(self, name):
        """Handle of a slider by its accessible name."""
        return self.page.get_by_role("slider", name=name, exact=True).first

    def until(self, **values):
        """Wait until the picture on screen has these parameters; AssertionError with those that it
        has instead.
        """
        try:
            self.page.wait_for_function(REACHED, arg=values)
        except TimeoutError:
            raise AssertionError(
                f"waited for {values}, got {self.state}, said {self.message!r}"
            ) from None

    def until_true(self, condition):
        """Wait until the parameters of the picture on screen meet a condition, a function of the
        page.
        """
        self.page.wait_for_function(f"() => {STATE} && ({condition})(JSON.parse({STATE}))")

    def until_near(self, name, value, within):
        """Wait until a parameter of the picture on screen is less than so far from a value."""
        self.until_true(f"state => Math.abs(state.{name} - {value}) < {within}")

    def until_message(self, words):
        """Wait until the message line holds these words."""
        self.page.wait_for_function(
            "words => document.querySelector('.knnviz-message')?.innerText.includes(words)",
            arg=words,
        )

    def pull(self, name, *fractions, pause=0, meanwhile=lambda: None):
        """Press the handle of a slider, pull it over fractions of its track, do something else, and
        let go.
        """
        slider = self.slider(name)
        mouse = self.page.mouse
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        y = box["y"] + box["height"] / 2
        left = box["x"] + HALF
        width = box["width"] - 2 * HALF
        at = slider.evaluate("({ min, max, value }) => (value - min) / (max - min || 1)")
        mouse.move(left + at * width, y)
        mouse.down()
        for fraction in fractions:
            mouse.move(left + fraction * width, y)
            if pause:
                self.page.wait_for_timeout(pause)
        meanwhile()
        mouse.up()

    def press(self, name, *keys):
        """Press keys on the control or the button that has a name."""
        control = self.page.get_by_role("button", name=name, exact=True)
        control = control if control.count() else self.page.get_by_label(name, exact=True).first
        for key in keys:
            control.press(key)

    def press_play(self):
        self.page.locator(".knnviz-player button").first.click()

    def rests(self, name, low, high=None):
        """The value at which Play has stopped, between two others; page, player and lab agree on
        it.
        """
        self.settle()
        assert self.page.locator(".knnviz-player button").first.inner_text() == "Play"
        at = self.told(f"lab.{name}")
        assert at == self.state[name]
        assert low <= at <= (low if high is None else high)
        return at

    def choose(self, menu, option):
        self.page.get_by_label(menu, exact=True).select_option(option)

    def on_canvas(self, panel, *points):
        """Where points in data coordinates of a panel stand on the canvas, in pixels of the
        page.
        """
        sheet = self.sheet
        axes = next(each for each in sheet["panels"] if each["name"] == panel)
        left, top, width, height = axes["rectangle"]
        zoom = self.figure.bounding_box()["width"] / sheet["size"][0]
        places = []
        for x, y in points:
            across = left + width * fraction(x, *axes["xlim"], axes["log"])
            down = top + height * (1 - fraction(y, *axes["ylim"]))
            places.append({"x": across * zoom, "y": down * zoom})
        return places

    def click(self, panel, x, y):
        """Click a point in data coordinates of a panel."""
        self.figure.click(position=self.on_canvas(panel, (x, y))[0])

    def drag_in(self, panel, *points):
        """Press a point in data coordinates of a panel, pull over others, which may lie outside of
        it, and let go.
        """
        at = self.on_canvas(panel, *points)
        mouse = self.page.mouse
        self.figure.hover(position=at[0])
        box = self.figure.bounding_box()
        mouse.down()
        for place in at[1:]:
            mouse.move(box["x"] + place["x"], box["y"] + place["y"])
        mouse.up()

    def screenshot(self, name):
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def close(self):
        """Shut the kernel down and close the page."""
        self.page.evaluate(
            "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.shutdown()"
        )
        self.page.close()
