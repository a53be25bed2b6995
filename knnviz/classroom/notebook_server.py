"""What ``jupyter_server_config.json`` names: a connection without delay, and an extension of the
server that has its kernels keep little freed memory.
"""

import os
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

#: Environment variable of glibc, 1 in each kernel: else each thread has an arena of its own, which
#: keeps freed memory.
ARENAS = "MALLOC_ARENA_MAX"


def _load_jupyter_server_extension(server: Any) -> None:
    """Called when the server starts, before its kernels, which inherit its environment."""
    os.environ.setdefault(ARENAS, "1")


class NoDelayConnection(ZMQChannelsWebsocketConnection):
    """A kernel's connection to a page, with the TCP option "no delay".

    Without it a message of several small packets waits up to 40 ms for the page to acknowledge the
    first one.
    """

    def connect(self) -> Any:
        """Connect to the kernel; the caller awaits the result."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
