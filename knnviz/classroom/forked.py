"""Kernels that are copies of one process which has imported everything: they start at once, and share its memory.

A class's server names the provisioner of this file; it takes Linux.
"""

import os
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

#: What all kernels share: what runs them, and this library with its kernels compiled.
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["ipykernel.kernelapp", "knnviz.classroom.warmed"])


def run_kernel(arguments: list[str], environment: dict[bytes, bytes], folder: str) -> None:
    """Be a kernel: what a new process does that copies another one."""
    from ipykernel.kernelapp import IPKernelApp

    # A group of its own, for signals; not a session, which would have a share of the processors for itself.
    os.setpgrp()
    os.environ.clear()
    os.environb.update(environment)
    os.chdir(folder)
    Thread(target=end_with_server, daemon=True).start()
    # With 1 ipykernel watches nobody: the process that this one is a copy of lives as long as its copies.
    watch_nobody = "--IPKernelApp.parent_handle=1"
    # Widgets were imported where no kernel was that could be told of them.
    IPKernelApp.launch_instance(argv=[*arguments, watch_nobody, "--ext=ipywidgets"])


def end_with_server() -> None:
    """End when the server ends, however it does."""
    server = parent_process()
    if server:
        server.join()
    os._exit(1)


class Forked:
    """A forked process with the methods of ``subprocess.Popen`` that a provisioner calls."""

    stdin = stdout = stderr = None

    def __init__(self, *arguments: Any) -> None:
        self.process = CONTEXT.Process(target=run_kernel, args=arguments, daemon=True)
        self.process.start()

    @property
    def pid(self) -> int | None:
        return self.process.pid

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self) -> int | None:
        self.process.join()
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        if self.pid:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.process.kill()

    def terminate(self) -> None:
        self.process.terminate()


class ForkedProvisioner(LocalProvisioner):
    """Starts kernels as copies of a process that has imported everything."""

    async def launch_kernel(self, cmd: list[str], **given: Any) -> KernelConnectionInfo:
        """Copy the process; ``cmd`` ends with the options of the kernel, the first of which is ``-f``."""
        self.cwd = given.get("cwd") or os.getcwd()
        # As bytes, since names of other classes than text would bring the modules of these with them.
        environment = {
            os.fsencode(name): os.fsencode(value) for name, value in given["env"].items() if value is not None
        }
        forked: Any = Forked(cmd[cmd.index("-f") :], environment, self.cwd)
        self.process, self.pid, self.pgid = forked, forked.pid, forked.pid
        return self.connection_info
