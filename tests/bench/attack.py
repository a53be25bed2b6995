"""A student with the link who sends what no page sends, to have the server of a class stand still.

``python attack.py ADDRESS SECONDS`` prints as JSON how often it tried, and what was not as is due.
"""

import asyncio
import json
import os
import sys
import time
from contextlib import suppress

from students import Client
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError

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


#: What is due otherwise: the connection is refused or ends so.
DUE = {"older_protocol": "400", "many_connections": "3 at most", "flood": "ended"}


class Attacker(Client):
    """One student: a page, and its kernel."""

    def messages(self):
        """What no page sends, and the code with which the connection is due to end."""
        return {
            "parts without end": ((2**62).to_bytes(8, "little"), "1008"),
            "text": ("[" * 50_000, "1008"),
            "new widget": (self.packed("comm_open", WIDGET), "1008"),
            "code": (self.packed("execute_request", {"code": "1"}), "1008"),
            # The connection may break before its code is read.
            "large message": (bytes(20_000_000), "None or 1009"),
        }

    async def sent(self, message):
        """Send a message; the code with which the connection ends."""
        socket = await self.connect(PROTOCOL)
        with suppress(WebSocketClosedError):
            await socket.write_message(message, binary=isinstance(message, bytes))
        with suppress(asyncio.TimeoutError):
            while await asyncio.wait_for(socket.read_message(), 10) is not None:
                pass
            return str(socket.close_code)
        return "open"

    async def older_protocol(self):
        """The server would take the first bytes of an answer for a number, and count up to it."""
        try:
            socket = await self.connect()
        except HTTPClientError as error:
            return str(error.code)
        for kind, content in {"comm_open": CONTROL, "comm_msg": ALL_STATES}.items():
            message = {**self.session.msg(kind, content), "channel": "shell"}
            await socket.write_message(json.dumps(message, default=str))
        await asyncio.sleep(5)
        return "connected"

    async def flood(self):
        """Ask for everything, again and again, and read nothing."""
        socket = await self.connect(PROTOCOL)
        with suppress(WebSocketClosedError):
            await socket.write_message(self.packed("comm_open", CONTROL), binary=True)
            end = time.monotonic() + 10
            while time.monotonic() < end:
                await socket.write_message(self.packed("comm_msg", ALL_STATES), binary=True)
        socket.close()
        return "ended"

    async def many_connections(self):
        tries = [self.connect(PROTOCOL) for _ in range(50)]
        found = await asyncio.gather(*tries, return_exceptions=True)
        sockets = [each for each in found if isinstance(each, WebSocketClientConnection)]
        for each in sockets:
            each.close()
        await asyncio.sleep(1)
        if len(sockets) <= 3:
            return "3 at most"
        return str(len(sockets))

    async def asks(self, path):
        request = HTTPRequest(
            f"http://{self.address}/{path}", headers={"Cookie": self.cookie}, request_timeout=60
        )
        answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        return str(answer.code)


async def attack(address, seconds):
    """All kinds again and again, for some seconds: how often, and what was not as is due."""
    one = Attacker(address)
    await one.come()
    end = time.monotonic() + seconds
    tried = 0
    found = []

    def note(kind, got, due):
        nonlocal tried
        tried += 1
        if got not in str(due).split(" or "):
            found.append(f"{kind}: {got}, not {due}")

    while time.monotonic() < end:
        for kind, (message, due) in one.messages().items():
            note(kind, await one.sent(message), due)
        for kind, due in DUE.items():
            note(kind, await getattr(one, kind)(), due)
        for path, due in ASKED.items():
            note(path, await one.asks(path), due)
    return tried, found


if __name__ == "__main__":
    # An attacker has a machine of its own.
    os.nice(19)
    address, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(attack(address, float(seconds)))))
