"""Settings of the notebook server: its kernels send messages without delay, and keep little freed memory."""

import os
from pathlib import Path
from typing import Any, ClassVar

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

#: For glibc in each kernel: without it each thread has an arena of its own, which keeps freed memory.
KERNEL_ENVIRONMENT = {"MALLOC_ARENA_MAX": "1"}
os.environ |= KERNEL_ENVIRONMENT | dict(os.environ)


class NoDelayConnection(ZMQChannelsWebsocketConnection):
    """A kernel's connection to a page, with the TCP option "no delay".

    Without it a message of several small packets waits up to 40 ms for the page to acknowledge the first one. A value
    of ``ServerApp.kernel_websocket_connection_class``.
    """

    def connect(self) -> Any:
        """Connect to the kernel; the caller awaits the result."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


class StudentConnection(NoDelayConnection):
    """The same in a class: the kernel learns in which file of ``answers`` the student's answers are.

    The server names a student by a cookie, so the name stays when a page is loaded again.
    """

    answers: ClassVar[Path]

    def connect(self) -> Any:
        """Connect to the kernel, and run code there ahead of all messages of the page, which cannot have code run."""
        connected = super().connect()
        if connected is not None:
            file = self.answers / f"{self.websocket_handler.current_user.username}.json"
            code = f"from knnviz.lessons.card import keep_in; keep_in({str(file)!r})"
            self.session.send(self.channels["shell"], "execute_request", {"code": code, "silent": True})
        return connected
