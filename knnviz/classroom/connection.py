"""Settings of the notebook server: its kernels send messages without delay, and keep little freed
memory.
"""

import os
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

#: For glibc in each kernel: without it each thread has an arena of its own, which keeps freed
#: memory.
KERNEL_ENVIRONMENT = {"MALLOC_ARENA_MAX": "1"}
os.environ |= KERNEL_ENVIRONMENT | dict(os.environ)


class NoDelayConnection(ZMQChannelsWebsocketConnection):
    """A kernel's connection to a page, with the TCP option "no delay".

    Without it a message of several small packets waits up to 40 ms for the page to acknowledge the
    first one. A value of ``ServerApp.kernel_websocket_connection_class``.
    """

    def connect(self) -> Any:
        """Connect to the kernel; the caller awaits the result."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
