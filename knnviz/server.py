"""How a notebook server sends what a kernel says: at once."""

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel's connection to a page that does not wait to fill a packet.

    By default a message of several small packets waits for the page to acknowledge the first one, up to 40 ms. A value
    of ``ServerApp.kernel_websocket_connection_class``.
    """

    def connect(self) -> Any:
        """Connect to the kernel, without the wait; what is returned is awaited."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
