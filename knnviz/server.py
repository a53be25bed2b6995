"""Settings of the notebook server: it sends what a kernel says at once, and its kernels keep little freed memory."""

import os
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

#: For glibc in each kernel: threads would allocate from an arena each, which keeps what they free.
KERNELS = {"MALLOC_ARENA_MAX": "1"}
for name, value in KERNELS.items():
    os.environ.setdefault(name, value)


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel's connection to a page that does not wait to fill a packet.

    By default a message of several small packets waits for the page to acknowledge the first one, up to 40 ms. A value
    of ``ServerApp.kernel_websocket_connection_class``.
    """

    def connect(self) -> Any:
        """Connect to the kernel, without the wait; what is returned is awaited."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
