"""A JupyterLab, or another server of notebooks, with settings of its own, and the system's
Chromium.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

QUIET = ("gpu", "quic", "background-networking", "component-update", "sync")
FLAGS = ["--headless", "--no-sandbox", "--no-first-run", *(f"--disable-{part}" for part in QUIET)]

#: Where the settings lie that ``make lab`` and Binder start a server with.
ROOT = Path(__file__).parents[2]

#: What a page measures unless a test says otherwise.
PAGE = {"width": 1400, "height": 900}

#: Programs that show notebooks, each with the options of its own, and an address that answers once
#: it is up.
ASKED = ("--allow-root", "--IdentityProvider.token=test")
LAB = ("jupyter", "lab", *ASKED, "--LabApp.expose_app_in_browser=True"), "/api?token=test"
NOTEBOOK = (
    ("jupyter", "notebook", *ASKED, "--JupyterNotebookApp.expose_app_in_browser=True"),
    "/api?token=test",
)
VOILA = ("voila",), "/"


def chromium():
    """Path of the system's Chromium, if there is one."""
    return next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )


@contextmanager
def opened_browser():
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def offline_pages(browser):
    """Makes pages of 1400 x 900 without a network; at the end there may be no error, warning or
    failed request.
    """
    context = browser.new_context(viewport=PAGE, offline=True)
    errors = []

    def new_page():
        page = context.new_page()
        page.on(
            "console",
            lambda message: message.type in ("error", "warning") and errors.append(message.text),
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("requestfailed", lambda asked: errors.append(asked.url))
        return page

    yield new_page
    context.close()
    assert errors == []


@contextmanager
def running(home, program=LAB):
    """Address of a server whose files and settings lie under ``home``, but for those that ``make
    lab`` sets.
    """
    folders = {"CONFIG_DIR": "config", "DATA_DIR": "data", "RUNTIME_DIR": "runtime"}
    own = {f"JUPYTER_{name}": str(home / folder) for name, folder in folders.items()}
    own["JUPYTER_CONFIG_PATH"] = str(ROOT)
    own |= {
        f"JUPYTERLAB_{name}_DIR": str(home / name.lower()) for name in ("SETTINGS", "WORKSPACES")
    }
    # ipywidgets sends what changed in the order of a set, which no reader fixes.
    own["PYTHONHASHSEED"] = "random"
    port = free_port()
    options, up = program
    command = [sys.executable, "-m", *options, "--no-browser", f"--port={port}"]
    with (home / "server.log").open("w", encoding="utf-8") as log:
        started = {"stdout": log, "stderr": log, "start_new_session": True}
        process = subprocess.Popen(command, cwd=home, env=os.environ | own, **started)
    try:
        wait_for(f"http://127.0.0.1:{port}{up}")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def notebook_of(*cells):
    """A notebook of cells for the kernel of Python."""
    kernel = {"name": "python3", "display_name": "Python 3"}
    return nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": kernel})


@contextmanager
def busy(count):
    """So many busy processes beside."""
    command = [sys.executable, "-c", "while True: pass"]
    burning = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for each in burning:
            each.kill()


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, seconds=60):
    """Wait until a server answers."""
    for _ in range(int(seconds * 5)):
        try:
            urllib.request.urlopen(address, timeout=2)
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"no answer from {address}")
