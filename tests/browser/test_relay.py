"""The relay that stands for a distant server."""

import random
import socket
import socketserver
from threading import Thread

from relay import delayed


class Echo(socketserver.BaseRequestHandler):
    """Sends back what comes."""

    def handle(self):
        while data := self.request.recv(1 << 14):
            self.request.sendall(data)


def test_bytes_come_in_their_order_however_long_each_piece_takes():
    rng = random.Random(0)
    sent = rng.randbytes(1 << 20)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        near = f"http://127.0.0.1:{server.server_address[1]}"
        with (
            delayed(near, lambda: rng.uniform(0, 0.02)) as far,
            socket.create_connection(("127.0.0.1", int(far.rsplit(":", 1)[1]))) as client,
        ):
            Thread(target=client.sendall, args=(sent,)).start()
            found = b""
            while len(found) < len(sent) and (data := client.recv(1 << 16)):
                found += data
        server.shutdown()
    assert found == sent
