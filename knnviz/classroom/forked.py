"""Kernels that are forks of one process which has imported everything: they start at once, and
share its memory.

On Linux, the server has Jupyter start kernels by the provisioner here.
"""

import os
from multiprocessing import get_context, parent_process
from multiprocessing.context import ForkServerProcess
from threading import Thread
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

# The process that is forked imports these modules first.
get_context("forkserver").set_forkserver_preload(
    ["ipykernel.kernelapp", "knnviz.classroom.preload"]
)


def run_kernel(arguments: list[str], environment: dict[bytes, bytes], folder: str) -> None:
    """Run a Jupyter kernel, whose labs take turns, in a forked process."""
    from ipykernel.kernelapp import IPKernelApp

    from knnviz.classroom.turns import machine_turn, spare_turn
    from knnviz.labs.engine.ahead import Ahead
    from knnviz.labs.engine.background import Background

    # A process group, for signals; not a session, since Linux divides processor time between
    # sessions.
    os.setpgrp()
    os.environ.clear()
    os.environb.update(environment)
    os.chdir(folder)
    Thread(target=end_with_server, daemon=True).start()
    Background.turn = staticmethod(machine_turn)
    Ahead.turn = staticmethod(spare_turn)
    # With the handle 1 ipykernel does not watch its parent, the process that was forked, which
    # outlives its forks. Widgets were imported before there was a kernel to register with. What a
    # kernel logs, such as a message that came while it ended, is nothing for the terminal of the
    # lecturer.
    own = ["--IPKernelApp.parent_handle=1", "--ext=ipywidgets", "--IPKernelApp.log_level=CRITICAL"]
    IPKernelApp.launch_instance(argv=[*arguments, *own])


def end_with_server() -> None:
    """End this process when the server has ended, even if it was killed."""
    # A forked process has a parent.
    parent_process().join()  # type: ignore[union-attr]
    os._exit(1)


class ForkedProcess(ForkServerProcess):
    """A forked process with the attributes of ``subprocess.Popen`` that a provisioner reads."""

    stdin = stdout = stderr = None

    def poll(self) -> int | None:
        return self.exitcode

    def wait(self) -> int | None:
        self.join()
        return self.exitcode

    def send_signal(self, number: int) -> None:
        if self.pid:
            os.kill(self.pid, number)


class ForkedProvisioner(LocalProvisioner):
    """Starts kernels as forks of a process that has imported everything."""

    async def launch_kernel(self, cmd: list[str], **settings: Any) -> KernelConnectionInfo:
        """Start a kernel; ``cmd`` ends with its options, the first of which is ``-f``."""
        self.cwd = settings.get("cwd") or os.getcwd()
        # As bytes: subclasses of str would have the process import the modules that define them.
        environment = {}
        for name, value in settings["env"].items():
            if value is not None:
                environment[os.fsencode(name)] = os.fsencode(value)
        options = cmd[cmd.index("-f") :]
        arguments = (options, environment, self.cwd)
        forked: Any = ForkedProcess(target=run_kernel, args=arguments, daemon=True)
        forked.start()
        self.process = forked
        self.pid = forked.pid
        self.pgid = forked.pid
        return self.connection_info
