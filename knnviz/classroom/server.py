"""A server for a class on one machine: Voila with a lesson that has been run for each student before they come."""

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

from knnviz.labs.engine.turns import TURNS
from knnviz.lessons.record import ANSWERS

#: A kernel has a share of few processors: none of its libraries starts threads of its own.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "LOKY_MAX_CPU_COUNT")

#: Seconds without a page or a message after which a kernel is ended, and how often the server looks.
IDLE, LOOK = 3600, 60

#: How many kernels wait once the class is there, for a page that is loaded again.
SPARE = 3

#: Extends Voila's own page.
TEMPLATE = Path(__file__).parent / "template"

LESSON = Path("notebooks") / "01-nearest-neighbors.ipynb"

EVERYWHERE, PROVISIONER = "0.0.0.0", "knnviz-forked"


def add_options(parser: ArgumentParser) -> None:
    """Options of ``python -m knnviz class``; what follows them goes to Voila."""
    parser.add_argument(
        "lesson", type=Path, nargs="?", default=LESSON, metavar="NOTEBOOK", help=f"the lesson; by default {LESSON}"
    )
    parser.add_argument("--students", type=int, default=30, help="how many kernels run the lesson in advance")
    parser.add_argument("--answers", type=Path, default=Path("answers"), help="the folder that answers go to")
    parser.add_argument("--port", type=int, default=8866)
    parser.add_argument("--address", default=EVERYWHERE, help="127.0.0.1 admits this machine alone")
    parser.add_argument("--token", help="what a student's link ends with; by default a new one")


def serve(given: Namespace, others: list[str]) -> None:
    """Serve a lesson until Ctrl + C. Raises ValueError without the notebook or without Voila."""
    try:
        from voila.app import Voila
    except ImportError as problem:
        raise ValueError("a class needs Voila: pip install voila") from problem
    from knnviz.server import KERNELS

    if not given.lesson.is_file():
        raise ValueError(f"there is no notebook {given.lesson}")
    if given.students < 1:
        raise ValueError(f"--students must be at least 1, got {given.students}")
    given.answers.mkdir(parents=True, exist_ok=True)
    os.environ |= dict.fromkeys(THREADS, "1") | KERNELS | {ANSWERS: str(given.answers.resolve())}

    class ClassVoila(Voila):  # type: ignore[misc]
        def setup_template_dirs(self) -> None:
            super().setup_template_dirs()
            self.template_paths.insert(0, str(TEMPLATE))

        def init_settings(self) -> Any:
            settings = super().init_settings()
            work = run_in_advance(self.kernel_manager, given.students + SPARE)
            self.in_advance = asyncio.get_event_loop().create_task(work)
            return settings

    token = given.token or secrets.token_urlsafe(9)
    host = socket.gethostname() if given.address == EVERYWHERE else given.address
    with TemporaryDirectory(prefix="knnviz-turns-") as turns:
        options = [str(given.lesson), *voila_options(given, token), *share_machine(turns), *others]
        link = f"http://{host}:{given.port}/?token={token}"
        print(f"Students open {link} once all kernels have run the lesson.", flush=True)
        ClassVoila.launch_instance(argv=options)


async def run_in_advance(manager: Any, students: int) -> None:
    """Have so many kernels run the lesson, one for each processor at a time: they need more memory then than later."""
    left = iter(range(students))

    async def run() -> None:
        for _ in left:
            manager.kernel_pools_config = {"default": {"pool_size": manager.get_pool_size(manager.notebook_path) + 1}}
            manager.fill_if_needed(delay=0, notebook_name=manager.notebook_path)
            # Kernels that students take are not replaced, but for a few.
            manager.kernel_pools_config = {"default": {"pool_size": SPARE}}
            try:
                started = await manager._pools[manager.notebook_path][-1]
                await started["task"]
            except Exception:
                manager.log.exception("A kernel did not run the lesson in advance.")

    await asyncio.gather(*[run() for _ in range(os.cpu_count() or 1)])
    print("All kernels have run the lesson.", flush=True)


def share_machine(turns: str) -> list[str]:
    """Where the system can, have kernels fork, take turns by files in a folder, and speak over files; Voila's options.

    Raises ValueError if the package was installed before its kernels could fork.
    """
    if sys.platform != "linux":
        return []
    if not entry_points(group="jupyter_client.kernel_provisioners", name=PROVISIONER):
        raise ValueError("knnviz is to be installed again: pip install -e .")
    os.environ |= {"JUPYTER_DEFAULT_PROVISIONER_NAME": PROVISIONER, TURNS: turns}
    # Of ports that are free when they are chosen, another program may take one before the kernel does.
    return ["--KernelManager.transport=ipc"]


def voila_options(given: Namespace, token: str) -> list[str]:
    """One kernel a student; idle ones are ended."""
    return [
        "--no-browser",
        f"--port={given.port}",
        f"--Voila.ip={given.address}",
        f"--Voila.token={token}",
        "--preheat_kernel=True",
        "--pool_size=0",
        f"--MappingKernelManager.cull_idle_timeout={IDLE}",
        f"--MappingKernelManager.cull_interval={LOOK}",
        "--Voila.kernel_websocket_connection_class=knnviz.server.PromptConnection",
    ]
