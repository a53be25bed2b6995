"""A student with the link who sends what no page sends, to have the server of a class stand still.

``python attack.py ADDRESS SECONDS`` prints as JSON how often it tried, and what was not as is due.
"""

import asyncio
import json
import os
import sys
import time
from contextlib import suppress
from typing import Any

from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1
from students import opened
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from knnviz.classroom.handlers import LIST_OF_WIDGETS, PROTOCOL

CONTROL = {"comm_id": "mine", "target_name": LIST_OF_WIDGETS, "data": {}}
ALL_STATES = {"comm_id": "mine", "data": {"method": "request_states"}}
WIDGET = {"comm_id": "new", "target_name": "jupyter.widget", "data": {"state": {}}}

#: Addresses below that of the class, and the answer that is due.
ASKED = {
    "?template=base": 200,
    "?theme=dark": 200,
    "%00": 404,
    "voila/static/%00": 404,
    "voila/files/%00.png": 404,
    "voila/templates/%00": 404,
    "voila/files/01-nearest-neighbors.ipynb": 403,
    "voila/files/secret.png": 403,
}


#: What is due otherwise: the connection is refused or ends with this code.
DUE = {
    "older_protocol": "400",
    "parts_without_end": "1008",
    "text": "1008",
    "new_widget": "1008",
    "code": "1008",
    "large_message": "None",
    "many_connections": "3 at most",
    "flood": "ended",
}


class Attacker:
    """One student: a page, and its kernel."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.session = Session()

    async def come(self) -> None:
        """Open the lesson, for a kernel and a cookie."""
        page, self.kernel = await opened(self.address)
        self.cookie = page.headers["Set-Cookie"].split(";")[0]

    async def connect(self, *protocols: str) -> WebSocketClientConnection:
        query = f"session_id={Session().session}"
        channels = f"ws://{self.address}/api/kernels/{self.kernel}/channels?{query}"
        request = HTTPRequest(channels, headers={"Cookie": self.cookie})
        return await websocket_connect(
            request, subprotocols=protocols, max_message_size=2**30, ping_interval=None
        )

    def message(self, kind: str, content: dict[str, Any]) -> dict[str, Any]:
        return self.session.msg(kind, content)

    def packed(self, kind: str, content: dict[str, Any]) -> bytes:
        return serialize_msg_to_ws_v1(self.message(kind, content), "shell", pack=self.session.pack)

    async def older_protocol(self) -> str:
        """The server would take the first bytes of an answer for a number, and count up to it."""
        try:
            socket = await self.connect()
        except HTTPClientError as error:
            return str(error.code)
        for kind, content in {"comm_open": CONTROL, "comm_msg": ALL_STATES}.items():
            message = {**self.message(kind, content), "channel": "shell"}
            await socket.write_message(json.dumps(message, default=str))
        await asyncio.sleep(5)
        return "connected"

    async def sent(self, message: bytes | str, binary: bool = True) -> str:
        """Send a message that no page sends; the code with which the connection ends."""
        socket = await self.connect(PROTOCOL)
        with suppress(WebSocketClosedError):
            await socket.write_message(message, binary=binary)
        with suppress(asyncio.TimeoutError):
            while await asyncio.wait_for(socket.read_message(), 10) is not None:
                pass
            return str(socket.close_code)
        return "open"

    async def parts_without_end(self) -> str:
        return await self.sent((2**62).to_bytes(8, "little"))

    async def text(self) -> str:
        return await self.sent("[" * 50_000, binary=False)

    async def new_widget(self) -> str:
        return await self.sent(self.packed("comm_open", WIDGET))

    async def code(self) -> str:
        return await self.sent(self.packed("execute_request", {"code": "1"}))

    async def large_message(self) -> str:
        return await self.sent(bytes(20_000_000))

    async def flood(self) -> str:
        """Ask for everything, again and again, and read nothing."""
        socket = await self.connect(PROTOCOL)
        with suppress(WebSocketClosedError):
            await socket.write_message(self.packed("comm_open", CONTROL), binary=True)
            end = time.monotonic() + 10
            while time.monotonic() < end:
                await socket.write_message(self.packed("comm_msg", ALL_STATES), binary=True)
        socket.close()
        return "ended"

    async def many_connections(self) -> str:
        tries = [self.connect(PROTOCOL) for _ in range(50)]
        found = await asyncio.gather(*tries, return_exceptions=True)
        sockets = [each for each in found if isinstance(each, WebSocketClientConnection)]
        for each in sockets:
            each.close()
        await asyncio.sleep(1)
        if len(sockets) <= 3:
            return "3 at most"
        return str(len(sockets))

    async def asks(self, path: str) -> str:
        request = HTTPRequest(
            f"http://{self.address}/{path}", headers={"Cookie": self.cookie}, request_timeout=60
        )
        answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        return str(answer.code)


async def attack(address: str, seconds: float) -> tuple[int, list[str]]:
    """All kinds again and again, for some seconds: how often, and what was not as is due."""
    one = Attacker(address)
    end = time.monotonic() + seconds
    tried = 0
    found = []
    await one.come()
    while time.monotonic() < end:
        for kind, due in [*DUE.items(), *ASKED.items()]:
            if kind in DUE:
                got = await getattr(one, kind)()
            else:
                got = await one.asks(kind)
            tried += 1
            if got != str(due):
                found.append(f"{kind}: {got}, not {due}")
    return tried, found


if __name__ == "__main__":
    # An attacker has a machine of its own.
    os.nice(19)
    address, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(attack(address, float(seconds)))))
