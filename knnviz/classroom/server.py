"""The server of a class on one machine: Voila, with kernels that have run the lesson before the students come."""

import asyncio
import os
import secrets
import socket
import sys
from argparse import ArgumentParser, Namespace
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from knnviz.checks import check_int, require
from knnviz.labs.engine.turns import TURNS
from knnviz.lessons.record import ANSWERS

#: Environment variables, all set to 1: many kernels share few processors, so none of their libraries starts threads.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "LOKY_MAX_CPU_COUNT")

#: Seconds after which a kernel without pages or messages is ended, and between two checks for such kernels.
IDLE_TIMEOUT, IDLE_CHECK = 3600, 60

#: How many further kernels stay ready, for pages that are loaded again.
SPARE = 3

#: A template that extends Voila's own page.
TEMPLATE = Path(__file__).parent / "template"

LESSON = Path("notebooks") / "01-nearest-neighbors.ipynb"

#: The address that admits students from all machines.
ANY_ADDRESS = "0.0.0.0"

PROVISIONER = "knnviz-forked"

#: What the server prints once students may come.
READY = "Students may come."


def add_options(parser: ArgumentParser) -> None:
    """Options of ``python -m knnviz class``; further ones are passed on to Voila."""
    parser.add_argument(
        "lesson", type=Path, nargs="?", default=LESSON, metavar="NOTEBOOK", help=f"the lesson; by default {LESSON}"
    )
    parser.add_argument("--students", type=int, default=30, help="how many kernels run the lesson in advance")
    parser.add_argument("--answers", type=Path, default=Path("answers"), help="the folder that answers go to")
    parser.add_argument("--port", type=int, default=8866)
    parser.add_argument("--address", default=ANY_ADDRESS, help="127.0.0.1 admits this machine alone")
    parser.add_argument("--token", help="what a student's link ends with; by default a new one")


def run(options: Namespace) -> None:
    """Serve a lesson until Ctrl + C."""
    try:
        from voila.app import Voila
    except ImportError as error:
        raise ValueError("a class needs Voila: pip install voila") from error
    require(options.lesson.is_file(), f"there is no notebook {options.lesson}")
    check_int("--students", options.students, 1)
    check_int("--port", options.port, 1, 65535)
    options.answers.mkdir(parents=True, exist_ok=True)
    os.environ |= dict.fromkeys(THREADS, "1") | {ANSWERS: str(options.answers.resolve())}

    class ClassVoila(Voila):  # type: ignore[misc]
        def setup_template_dirs(self) -> None:
            super().setup_template_dirs()
            self.template_paths.insert(0, str(TEMPLATE))

        def init_settings(self) -> Any:
            settings = super().init_settings()
            self.in_advance = asyncio.ensure_future(run_in_advance(self.kernel_manager, options.students + SPARE))
            return settings

    token = options.token or secrets.token_urlsafe(9)
    host = socket.gethostname() if options.address == ANY_ADDRESS else options.address
    with TemporaryDirectory(prefix="knnviz-turns-") as turns:
        own = [*voila_options(options, token), *share_machine(turns)]
        print(f"Students open http://{host}:{options.port}/?token={token} once all kernels are ready.", flush=True)
        ClassVoila.launch_instance(argv=[str(options.lesson), *own, *options.voila_arguments])


async def run_in_advance(manager: Any, n_kernels: int) -> None:
    """Have kernels run the lesson before students come, one per processor at a time to limit memory."""
    remaining, failed = iter(range(n_kernels)), list[Exception]()

    async def run() -> None:
        for _ in remaining:
            manager.kernel_pools_config = {"default": {"pool_size": manager.get_pool_size(manager.notebook_path) + 1}}
            manager.fill_if_needed(delay=0, notebook_name=manager.notebook_path)
            # From now on Voila replaces the kernels that students take only while fewer than ``SPARE`` are ready.
            manager.kernel_pools_config = {"default": {"pool_size": SPARE}}
            try:
                started = await manager._pools[manager.notebook_path][-1]
                await started["task"]
            except Exception as error:
                failed.append(error)
                manager.log.exception("A kernel did not run the lesson in advance.")

    # Not ``threads.processors``, which by ``THREADS`` is 1 here.
    await asyncio.gather(*[run() for _ in range(os.cpu_count() or 1)])
    if failed:
        print(f"Kernels that did not run the lesson: {len(failed)}; see above.", flush=True)
    print(READY, flush=True)


def share_machine(turns: str) -> list[str]:
    """On Linux, have kernels fork, take turns by locks in a folder, and use local sockets; returns options of Voila."""
    if sys.platform != "linux":
        return []
    installed = entry_points(group="jupyter_client.kernel_provisioners", name=PROVISIONER)
    require(installed, "knnviz is to be installed again: pip install -e .")
    os.environ |= {"JUPYTER_DEFAULT_PROVISIONER_NAME": PROVISIONER, TURNS: turns}
    # Not TCP, where another program may take a port before the kernel does.
    return ["--KernelManager.transport=ipc"]


def voila_options(options: Namespace, token: str) -> list[str]:
    """Options of Voila: one kernel per student, and idle kernels are ended."""
    return [
        "--no-browser",
        f"--port={options.port}",
        f"--Voila.ip={options.address}",
        f"--Voila.token={token}",
        "--preheat_kernel=True",
        "--pool_size=0",
        f"--MappingKernelManager.cull_idle_timeout={IDLE_TIMEOUT}",
        f"--MappingKernelManager.cull_interval={IDLE_CHECK}",
        # Its module also sets the environment of the kernels.
        "--Voila.kernel_websocket_connection_class=knnviz.classroom.connection.NoDelayConnection",
    ]
