"""A page in JupyterLab, driven as a person would: notebooks, sliders, clicks, keys."""

import json
import re
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, Locator, Page, TimeoutError

STARTED = """() => {
  const app = window.jupyterapp, panel = app?.shell.currentWidget;
  return Boolean(app?.commands.hasCommand('notebook:run-all-cells')
    && panel?.sessionContext?.session?.kernel?.connectionStatus === 'connected'
    && document.querySelector('.jp-Notebook .jp-Cell'));
}"""

#: The first notebook.
NOTEBOOK = "notebooks/00-start-here.ipynb"

#: What a page measures unless a test says otherwise.
PAGE = {"width": 1400, "height": 900}

#: Messages of the page itself that say nothing about a lab.
HARMLESS = re.compile("favicon|ResizeObserver loop|preload|restore the debugger state")


#: Milliseconds after which what does not come is lost: a busy machine takes its time.
PATIENCE = 120_000

#: Shares of a slider's track that a restless hand passes.
RUSH = (0.1, 0.9, 0.3, 0.7, 0.0, 0.5, 0.6, 0.2, 0.6, 0.4)


class Session:
    """One page, and all that went wrong in its console."""

    def __init__(self, server: str, browser: Browser, screenshots: Path, ratio: float = 1) -> None:
        self.server, self.screenshots, self.errors, self.expected = server, screenshots, [], HARMLESS
        self.context = browser.new_context(viewport=PAGE, device_scale_factor=ratio)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self._note(str(error)))

    def expect(self, text: str) -> None:
        """Let errors with this text pass."""
        self.expected = re.compile(f"{self.expected.pattern}|{text}")

    def _console(self, message: Any) -> None:
        if message.type == "error" or "Could not create a view" in message.text:
            self._note(message.text)

    def _note(self, text: str) -> None:
        if not self.expected.search(text):
            self.errors.append(text)

    def write(self, notebook: str, *cells: str) -> None:
        """Make a notebook of code cells."""
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        body = json.dumps({"type": "notebook", "content": json.loads(nbformat.writes(made))})
        address = f"{self.server}/api/contents/{notebook}"
        kept = self.page.request.put(address, data=body, headers={"Authorization": "token test"})
        assert kept.ok, kept.text()

    def open(self, notebook: str) -> None:
        """Open a notebook and wait for its kernel."""
        self.page.goto(f"{self.server}/doc/tree/{notebook}?token=test&reset")
        self.page.wait_for_function(STARTED)

    def save(self) -> None:
        """Save the notebook."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")

    def reload(self) -> None:
        """Load the page anew, as it was saved; the kernel goes on."""
        self.page.reload()
        self.page.wait_for_function(STARTED)

    def run_all(self) -> None:
        """Run all cells and wait for the first lab's picture."""
        self.command("notebook:run-all-cells")
        self.figure.wait_for()
        self.page.wait_for_function("document.querySelector('.knnviz-figure')?.dataset.state")

    def finish(self) -> None:
        """Run all cells, and wait for the end of the last one."""
        self.page.evaluate("async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
        self.idle()

    def command(self, name: str) -> None:
        """Start a command of JupyterLab without waiting for its end."""
        self.page.evaluate("name => { window.jupyterapp.commands.execute(name); }", name)

    def idle(self) -> None:
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_function(
            "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
        )

    def evaluate(self, code: str) -> str:
        """Run code in the notebook's kernel and return what it printed."""
        return self.page.evaluate(
            """async code => {
              const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              const future = kernel.requestExecute({ code });
              let text = '';
              future.onIOPub = (message) => { text += message.content.text ?? ''; };
              await future.done;
              return text;
            }""",
            code,
        )

    def settle(self) -> None:
        """Wait until the kernel is idle and the figure has not changed for a while."""
        self.idle()
        for _ in range(50):
            before = self.frames
            self.page.wait_for_timeout(350)
            self.idle()
            if self.frames == before:
                return

    def catch_up(self) -> int:
        """Wait until the figure rests; the frames that it took."""
        before = self.frames
        self.settle()
        return self.frames - before

    @property
    def frames(self) -> int:
        """Frames that the figure has drawn so far."""
        return int(self.figure.get_attribute("data-frame"))

    @property
    def figure(self) -> Locator:
        """The figure of the first lab."""
        return self.page.locator(".knnviz-figure").first

    @property
    def canvas(self) -> Locator:
        """The canvas of the first lab."""
        return self.figure.locator("canvas")

    @property
    def saved_pictures(self) -> Locator:
        """Pictures that cells were saved with, shown or not."""
        return self.page.locator(".jp-RenderedImage img")

    @property
    def state(self) -> dict[str, Any]:
        """Parameters of the picture that is on screen."""
        return json.loads(self.figure.get_attribute("data-state"))

    @property
    def alt(self) -> str:
        """What the canvas says to a screen reader."""
        return self.canvas.get_attribute("aria-label")

    @property
    def message(self) -> str:
        """The lab's message line."""
        return self.page.locator(".knnviz-message").first.inner_text().strip()

    def slider(self, name: str) -> Locator:
        """Handle of a slider by its accessible name."""
        return self.page.get_by_role("slider", name=name, exact=True).first

    def until(self, **values: Any) -> None:
        """Wait until the picture on screen has these parameters; AssertionError with those that it has instead."""
        try:
            self.page.wait_for_function(
                """values => {
                  const state = JSON.parse(document.querySelector('.knnviz-figure').dataset.state);
                  return Object.entries(values).every(([name, value]) => state[name] === value);
                }""",
                arg=values,
            )
        except TimeoutError:
            raise AssertionError(f"waited for {values}, got {self.state}, said {self.message!r}") from None

    def until_near(self, name: str, value: float, within: float) -> None:
        """Wait until a parameter of the picture on screen is less than so far from a value."""
        self.page.wait_for_function(
            """([name, value, within]) => {
              const state = JSON.parse(document.querySelector('.knnviz-figure').dataset.state);
              return Math.abs(state[name] - value) < within;
            }""",
            arg=[name, value, within],
        )

    def drag(self, handle: Locator, shares: list[float], pause: float = 0) -> None:
        """Press a handle and pull it over shares of its track, quickly, then let go."""
        track = handle.locator("xpath=ancestor::*[contains(@class, 'noUi-target')]").bounding_box()
        box = handle.bounding_box()
        mouse, y = self.page.mouse, box["y"] + box["height"] / 2
        mouse.move(box["x"] + box["width"] / 2, y)
        mouse.down()
        for share in shares:
            mouse.move(track["x"] + share * track["width"], y)
            if pause:
                self.page.wait_for_timeout(pause)
        mouse.up()

    def rush(self, name: str, end: float) -> None:
        """Pull a slider to and fro, quickly, and let go at a share of its track."""
        self.drag(self.slider(name), [*RUSH, end])

    def rush_to_both_ends(self, name: str, parameter: str, low: float, high: float, times: int = 2) -> None:
        """Pull a slider to and fro and on to its ends, some times over; nothing is said against it."""
        for _ in range(times):
            self.rush(name, 1.0)
            self.until(**{parameter: high})
            self.rush(name, 0.0)
            self.until(**{parameter: low})
        self.idle()
        assert self.message == "", name

    def choose(self, menu: str, option: str) -> None:
        """Choose an option of a menu."""
        self.page.get_by_label(menu, exact=True).select_option(option)

    def click_figure(self, x: float, y: float, wide: int = 900) -> None:
        """Click a place of the figure in the CSS pixels of its sheet, so and so wide."""
        zoom = self.figure.bounding_box()["width"] / wide
        self.canvas.click(position={"x": x * zoom, "y": y * zoom})

    def drag_figure(self, places: list[tuple[float, float]], wide: int = 900) -> None:
        """Press a place of the figure, in the CSS pixels of its sheet, pull over others, quickly, and let go."""
        box, mouse = self.figure.bounding_box(), self.page.mouse
        at = [(box["x"] + x * box["width"] / wide, box["y"] + y * box["width"] / wide) for x, y in places]
        mouse.move(*at[0])
        mouse.down()
        for place in at[1:]:
            mouse.move(*place, steps=8)
        mouse.up()

    def screenshot(self, name: str) -> None:
        """Keep a picture of the page."""
        self.screenshots.mkdir(exist_ok=True)
        self.page.screenshot(path=self.screenshots / f"{name}.png")

    def close(self) -> None:
        """Shut the kernel down and close the page."""
        self.page.evaluate("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.shutdown()")
        self.context.close()
