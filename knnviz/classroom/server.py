"""The server of a class on one machine: Voila, with kernels that have run the lesson before the
students come.
"""

import asyncio
import logging
import os
import re
import secrets
import socket
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from jupyter_client.localinterfaces import public_ips
from nbformat.v4 import new_code_cell
from traitlets import Unicode

from knnviz.checks import check_int, require
from knnviz.classroom.turns import TURNS
from knnviz.lessons.check_ups import by_name
from knnviz.lessons.content import entry
from knnviz.lessons.sittings import ALWAYS, RUN_ALL, sitting

#: Environment variables, all set to 1: many kernels share few processors, so none of their
#: libraries starts threads.
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "LOKY_MAX_CPU_COUNT",
)

#: How many further kernels stay ready, for pages that are loaded again.
SPARE = 3

#: A template that extends Voila's own page.
TEMPLATE = Path(__file__).parent / "template"

LESSON = Path("notebooks") / "01-nearest-neighbors.ipynb"

PROVISIONER = "knnviz-forked"

#: How a lesson shows its opening picture.
OPENING = re.compile(r'^opening\((".+?")\)', re.MULTILINE)

#: Options of Voila: one kernel per student, and idle kernels are ended.
VOILA = [
    "--no-browser",
    "--Voila.port_retries=0",
    "--Voila.log_level=ERROR",
    "--preheat_kernel=True",
    "--pool_size=0",
    # A page that is closed or loaded again ends its kernel, without a token; the names of kernels
    # are secret.
    "--Voila.tornado_settings=disable_check_xsrf=True",
    # Seconds without pages or messages, and between two checks.
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--MappingKernelManager.cull_interval=60",
    "--Voila.kernel_websocket_connection_class=knnviz.classroom.handlers.StudentConnection",
]

#: What the server prints once students may come.
READY = "Students may come."

#: Logs of what goes wrong with what students ask for; other logs of Tornado say what it refuses.
LOGS = ("tornado.application", "asyncio", "traitlets")
REFUSALS = ("tornado.access", "tornado.general")


def add_options(parser: ArgumentParser) -> None:
    """Options of ``python -m knnviz class``; further ones are passed on to Voila."""
    parser.add_argument(
        "lesson",
        type=Path,
        nargs="?",
        default=LESSON,
        metavar="NOTEBOOK",
        help="default %(default)s",
    )
    parser.add_argument(
        "--sitting", type=int, help="serve this sitting, 1 or 2; by default the whole lesson"
    )
    parser.add_argument(
        "--uncovered",
        action="store_true",
        help="show the opening picture at once, not under its question",
    )
    parser.add_argument(
        "--check-up",
        action="store_true",
        help="ask six questions a sitting before the lesson, and again after it",
    )
    parser.add_argument(
        "--students",
        type=int,
        default=30,
        help=f"how many to prepare for: so many kernels, and {SPARE} to spare, run in advance",
    )
    parser.add_argument(
        "--answers", type=Path, default=Path("answers"), help="the folder that answers go to"
    )
    parser.add_argument("--port", type=int, default=8866)
    parser.add_argument("--address", default="0.0.0.0", help="127.0.0.1 admits this machine alone")
    parser.add_argument("--token", help="what a student's link ends with; by default a new one")


def run(options: Namespace) -> None:
    """Serve a lesson until Ctrl + C."""
    check_int("--students", options.students, 1)
    check_int("--port", options.port, 1, 65535)
    require(options.lesson.is_file(), f"there is no notebook {options.lesson}")
    try:
        lesson = nbformat.read(options.lesson, as_version=4)
    except Exception as error:
        raise ValueError(f"{options.lesson} is no notebook: {error}") from error
    if options.sitting is not None:
        lesson.cells = sitting(lesson.cells, options.sitting)
    if options.check_up:
        entry("there is no check-up for", options.lesson.name[:2], by_name())
    try:
        from voila.app import Voila

        from knnviz.classroom import handlers, notebook_server
    except ImportError as error:
        raise ValueError("a class needs Voila, which `make class` installs") from error
    try:
        socket.create_server((options.address, options.port)).close()
    except OSError as error:
        raise ValueError(f"port {options.port} cannot be opened: {error.strerror}") from error

    options.answers.mkdir(parents=True, exist_ok=True)
    os.environ |= dict.fromkeys(THREADS, "1")
    os.environ.setdefault(notebook_server.ARENAS, "1")
    handlers.StudentConnection.answers = options.answers.resolve()
    handlers.StudentPage.most_kernels = 3 * options.students + 10
    quiet = OneLine()
    for name in LOGS:
        logging.getLogger(name).addFilter(quiet)
    for name in REFUSALS:
        logging.getLogger(name).setLevel(logging.ERROR)

    class ClassVoila(Voila):  # type: ignore[misc]
        base_url = Unicode(os.environ.get("JUPYTERHUB_SERVICE_PREFIX", "/"), config=True)

        def init_settings(self) -> Any:
            self.template_paths.insert(0, str(TEMPLATE))
            self.base_url = f"/{self.base_url.strip('/')}/".replace("//", "/")
            self.voila_configuration.file_allowlist = handlers.pictures(lesson)
            settings = super().init_settings() | {"websocket_max_message_size": handlers.LARGEST}
            get = self.contents_manager.get
            covered = not options.uncovered
            page = get_page(get, options.sitting, covered, options.check_up)
            self.contents_manager.get = page
            ahead = run_in_advance(self.kernel_manager, options.students + SPARE)
            self.in_advance = asyncio.ensure_future(ahead)
            return settings

        def init_handlers(self) -> Any:
            asking = self.identity_provider.get_handlers()
            # Voila has the page that asks for the token outside its base URL.
            login = [(self.base_url + path[1:], *rest) for path, *rest in asking]
            return handlers.for_students(login + super().init_handlers())

        def listen(self) -> None:
            invite(self.ip, f"{self.port}{self.base_url}?token={self.token}")
            super().listen()

        def stop(self) -> None:
            handlers.StudentSocket.end()
            print(f"The class has ended; the answers are in {options.answers}.", flush=True)
            super().stop()

    token = options.token or secrets.token_urlsafe(9)
    own = [
        f"--port={options.port}",
        f"--Voila.ip={options.address}",
        f"--Voila.token={token}",
        *VOILA,
    ]
    with TemporaryDirectory(prefix="knnviz-turns-") as turns:
        shared = share_machine(turns)
        arguments = [str(options.lesson), *own, *shared, *options.voila_arguments]
        ClassVoila.launch_instance(argv=arguments)


def get_page(
    get: Callable[..., Any], number: int | None, covered: bool, checked_up: bool = False
) -> Callable[..., Any]:
    """The method ``get`` of a contents manager, with a notebook as a class sees it, without a menu:
    one sitting, or with None all; opening pictures that are new to it ``covered``, or none; and
    with a check-up or without.
    """

    def got(*arguments: Any, **options: Any) -> Any:
        model = get(*arguments, **options)
        if model["type"] == "notebook":
            notebook = model["content"]
            if number is not None:
                notebook.cells = sitting(notebook.cells, number)
            for cell in notebook.cells:
                if cell.cell_type == "markdown":
                    cell.source = re.sub(RUN_ALL, "", cell.source)
            if covered:
                opened = [cell for cell in notebook.cells if OPENING.search(cell.source)]
                if number not in (None, 1):
                    # Whoever comes to a second sitting has seen the picture of the lesson.
                    opened = opened[1:]
                for cell in opened:
                    cell.source = OPENING.sub(r"opening(\1, cover=True)", cell.source)
            if checked_up:
                notebook.cells = with_check_up(notebook.cells, model["name"], number)
        return model

    return got


def with_check_up(cells: list[Any], name: str, number: int | None) -> list[Any]:
    """The cells with a check-up before all of them but the title, and one before the last part."""
    lesson = name[:2]
    asked = by_name()[lesson]
    about = lesson if number is None else asked[number - 1]
    before, after = (
        new_code_cell(f'from knnviz import lessons\nlessons.check_up("{about}"{option})')
        for option in ("", ", after=True")
    )
    last = [at for at, cell in enumerate(cells) if cell.source.startswith(ALWAYS[-1])]
    end = last[0] if last else len(cells)
    return [*cells[:1], before, *cells[1:end], after, *cells[end:]]


class OneLine(logging.Filter):
    """Makes a record of a log a line of printable characters, without a traceback, and shows one a
    second at most.
    """

    due = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage().split("\n")[0]
        if record.exc_info:
            text = f"{text}: {record.exc_info[1]!r}"
        record.msg = "".join(each if each.isprintable() else "?" for each in text)
        record.args = record.exc_info = record.exc_text = None
        shown = time.monotonic() >= self.due
        if shown:
            self.due = time.monotonic() + 1
        return shown


def invite(address: str, rest: str) -> None:
    """Print the link of the students by the name of this machine and by its addresses, the first
    also as a QR code.
    """
    hosts = [socket.gethostname(), *public_ips()] if address == "0.0.0.0" else [address]
    links = [f"http://{host}:{rest}" for host in hosts]
    print("Students open this link once all kernels are ready:", *links, sep="\n", flush=True)
    with suppress(ImportError):
        import segno

        if sys.stdout.isatty():
            segno.make(links[:2][-1]).terminal(compact=True)


async def run_in_advance(manager: Any, n_kernels: int) -> None:
    """Have kernels run the lesson in advance, one per processor at a time to limit memory."""
    remaining = iter(range(n_kernels))
    failed = list[str]()

    async def run() -> None:
        for _ in remaining:
            lesson = manager.notebook_path
            size = manager.get_pool_size(lesson) + 1
            manager.kernel_pools_config = {"default": {"pool_size": size}}
            manager.fill_if_needed(delay=0, notebook_name=lesson)
            # From now on Voila replaces the kernels that students take only while fewer than
            # ``SPARE`` are ready.
            manager.kernel_pools_config = {"default": {"pool_size": SPARE}}
            pool = manager._pools[lesson]
            kernel = pool[-1]
            try:
                started = await kernel
                await started["task"]
                cells = started["renderer"].executor.nb.cells
                for at, cell in enumerate(cells, 1):
                    shown = [output.output_type for output in cell.get("outputs", ())]
                    require("error" not in shown, f"In the others, cell {at} fails; see above.")
            except Exception as error:
                failed.append(str(error))
                if kernel in pool:
                    pool.remove(kernel)

    # Not ``threads.processors``, which by ``THREADS`` is 1 here.
    await asyncio.gather(*[run() for _ in range(os.cpu_count() or 1)])
    ready = n_kernels - len(failed)
    done = f"{ready} of {n_kernels} kernels have run the lesson."
    print(done, *sorted(set(failed)), sep="\n")
    if ready:
        print(READY, flush=True)


def share_machine(turns: str) -> list[str]:
    """On Linux, have kernels fork, take turns by locks in a folder, and use local sockets; returns
    options of Voila.
    """
    if sys.platform != "linux":
        return []
    installed = entry_points(group="jupyter_client.kernel_provisioners", name=PROVISIONER)
    require(installed, "knnviz is to be installed again: pip install -e .")
    os.environ |= {"JUPYTER_DEFAULT_PROVISIONER_NAME": PROVISIONER, TURNS: turns}
    # Not TCP, where another program may take a port before the kernel does.
    return ["--KernelManager.transport=ipc"]
