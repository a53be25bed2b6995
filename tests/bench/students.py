"""A class on one server: students who drag sliders over websockets, by the protocol of a page.

``make bench ARGS=--class`` starts the server of ``make class`` on this machine and has 30 students
at work in the first lesson for three minutes; ``--students`` and ``--minutes`` change that.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import psutil
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from rows import Row
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

from knnviz.classroom.handlers import PROTOCOL
from knnviz.classroom.server import READY

ROOT = Path(__file__).parents[2]
LESSON = ROOT / "notebooks" / "01-nearest-neighbors.ipynb"
PORT = 18866
TOKEN = "bench"

#: What a student does: seconds of thought, then a drag of so many steps, each some seconds after
#: the last.
THINK = 2.0
STEPS = 20
STEP = 0.03

#: How often a drag ends with a new sample, and seconds until a student goes on to the next lab.
NEW_SAMPLE = 0.2
STAY = 40

#: Seconds without an answer after which a move counts as lost.
LOST = 20

#: What a lab says when something went wrong.
TROUBLE = ("Something went wrong", "cannot be shown", "was interrupted")


@dataclass
class Log:
    """What happened: seconds from each step to its frame, moves that are lost, errors, gigabytes,
    attacks.
    """

    waits: list[float] = field(default_factory=list)
    lost: int = 0
    errors: list[str] = field(default_factory=list)
    memory: float = 0.0
    attacks: int = 0

    def rows(self, what):
        p50, p95 = np.percentile([1000 * wait for wait in self.waits], [50, 95]).tolist()
        return [
            Row(f"{what}: from a step of the hand to its frame, median", p50),
            Row(f"{what}: 95th percentile", p95, bar=300),
            Row(f"{what}: steps", len(self.waits), "steps"),
            Row(f"{what}: server and kernels, at most", self.memory, "GB", bar=6),
            Row(f"{what}: errors", len(self.errors), "errors", bar=0),
            Row(f"{what}: lost moves", self.lost, "moves", bar=0),
        ]


@dataclass
class Page:
    """A lab as its page knows it."""

    comm: str
    state: dict[str, Any]
    name: str = field(default_factory=lambda: uuid4().hex)
    seq: int = 0

    def sliders(self):
        """The sliders on the first screen, and the places where each can go."""
        found = {}
        for each in self.state["controls"]["parameters"]:
            name = each["name"]
            limits = self.state["limits"][name]
            if name not in self.state["controls"]["first"]:
                continue
            if each["kind"] == "steps":
                found[name] = [value for _, value in limits]
            elif each["kind"] == "slider":
                low, high, step, stride = limits
                each_place = step * stride
                places = np.arange(low, high + each_place / 2, each_place)
                places = places.clip(low, high).round(12)
                if isinstance(step, int):
                    places = places.astype(int)
                found[name] = places.tolist()
        return found


class Client:
    """The lesson in a browser: its text, its cookie, and connections to its kernel."""

    def __init__(self, address):
        self.address = address
        self.session = Session()

    async def come(self):
        """Open the lesson."""
        asked = f"http://{self.address}/?token={TOKEN}"
        page = await AsyncHTTPClient().fetch(asked, request_timeout=300)
        self.text = page.body.decode()
        self.cookie = page.headers["Set-Cookie"].split(";")[0]
        self.kernel = re.search(r'"?kernelId"?\s*:\s*"([^"]+)"', self.text)[1]

    async def connect(self, *protocols):
        query = f"session_id={Session().session}"
        channels = f"ws://{self.address}/api/kernels/{self.kernel}/channels?{query}"
        request = HTTPRequest(channels, headers={"Cookie": self.cookie})
        return await websocket_connect(
            request, subprotocols=protocols, max_message_size=2**30, ping_interval=None
        )

    def packed(self, kind, content):
        message = self.session.msg(kind, content)
        return serialize_msg_to_ws_v1(message, "shell", pack=self.session.pack)


class Student(Client):
    """Opens the lesson, and moves its labs one after the other."""

    def __init__(self, address, seed, log):
        super().__init__(address)
        self.rng = np.random.default_rng(seed)
        self.log = log
        self.pages = {}
        self.waiting = {}

    async def come(self):
        """Open the lesson and its labs, as the page does."""
        await super().come()
        self.socket = await self.connect(PROTOCOL)
        self.reading = asyncio.ensure_future(self.read())
        comms = re.findall(r'"model_id":\s*"([^"]+)"', self.text)
        for comm in dict.fromkeys(comms):
            reply = self.waiting[comm] = asyncio.get_running_loop().create_future()
            self.send(comm, {"method": "request_state"})
            state = await asyncio.wait_for(reply, 300)
            if "whole" in state:
                (frame, _) = state["whole"]
                self.pages[comm] = Page(comm, frame)
                self.custom(self.pages[comm], hello=frame["number"])

    def send(self, comm, data):
        message = self.packed("comm_msg", {"comm_id": comm, "data": data})
        self.socket.write_message(message, binary=True)

    def custom(self, page, **content):
        self.send(page.comm, {"method": "custom", "content": {"page": page.name, **content}})

    async def read(self):
        """Take every message of the kernel, until the server closes the connection."""
        while (message := await self.socket.read_message()) is not None:
            _, (header, _, _, content, *_) = deserialize_msg_from_ws_v1(message)
            kind = json.loads(header)["msg_type"]
            if kind == "error":
                self.log.errors.append(content.decode()[:300])
            elif kind == "comm_msg":
                self.heard(json.loads(content))
        self.log.errors.append("the server closed the connection")

    def heard(self, content):
        comm = content["comm_id"]
        data = content["data"]
        if data.get("method") == "update" and comm in self.waiting:
            self.waiting.pop(comm).set_result(data["state"])
        elif data.get("method") == "custom" and comm in self.pages:
            page = self.pages[comm]
            frame = data["content"]
            if "ahead" in frame:
                return
            page.state |= {key: value for key, value in frame.items() if key != "layers"}
            if any(each in page.state["message"] for each in TROUBLE):
                self.log.errors.append(page.state["message"])
            if frame["ask"]:
                self.custom(page, drawn=frame["number"])

    async def study(self, end):
        """Think, drag and now and then draw a new sample, one lab after the other."""
        await asyncio.sleep(self.rng.uniform(0, THINK))
        labs = list(self.pages.values())
        started = time.monotonic() - self.rng.uniform(0, STAY * len(labs))
        while time.monotonic() < end:
            page = labs[int((time.monotonic() - started) / STAY) % len(labs)]
            await self.drag(page)
            actions = [text for text, _ in page.state["controls"]["actions"]]
            if "New sample" in actions and self.rng.random() < NEW_SAMPLE:
                await self.sent(page, [["act", "New sample"]])
            await asyncio.sleep(self.rng.exponential(THINK))

    def leave(self):
        self.reading.cancel()
        self.socket.close()

    async def drag(self, page):
        """Steps of a hand; what it does while a frame is on its way is sent with the next message,
        as a page does.
        """
        sliders = list(page.sliders().items())
        name, places = sliders[self.rng.integers(len(sliders))]
        start = int(np.argmin([abs(each - page.state["values"][name]) for each in places]))
        way = np.linspace(start, self.rng.integers(len(places)), STEPS + 1)
        steps = [places[round(at)] for at in way[1:]]
        self.custom(page, hand=name)

        began = time.monotonic()
        made = 0
        sending = None
        while made < STEPS:
            due = min(STEPS, int((time.monotonic() - began) / STEP))
            if due > made and (sending is None or sending.done()):
                times = [began + STEP * (step + 1) for step in range(made, due)]
                move = ["move", {name: steps[due - 1]}]
                sending = asyncio.ensure_future(self.sent(page, [move], times))
                made = due
            await asyncio.sleep(STEP / 3)

        answered = await sending
        value = page.state["values"][name]
        if answered and value != steps[-1]:
            self.log.errors.append(f"{name} is {value}, not {steps[-1]}: {page.state['message']}")
            self.log.lost += 1

    async def sent(self, page, steps, times=None):
        """Send steps and wait for their frame; ``times`` are those at which a hand made them."""
        now = time.monotonic()
        page.seq += 1
        self.custom(page, seq=page.seq, steps=steps)
        while page.state["applied"].get(page.name, 0) < page.seq:
            await asyncio.sleep(0.002)
            if time.monotonic() > now + LOST:
                self.log.errors.append(f"no answer to {steps} within {LOST} seconds")
                self.log.lost += 1
                return False
        self.log.waits += [time.monotonic() - each for each in times or [now]]
        return True


def total(server, measure):
    """The sum of a measure over the server and its kernels, of which some may be gone."""
    found = 0.0
    for each in [server, *server.children(recursive=True)]:
        with suppress(psutil.Error):
            found += measure(each)
    return found


def memory(server):
    """Gigabytes of server and kernels, what they share counted once."""
    return total(server, lambda each: each.memory_full_info().pss / 1e9)


def at_rest(server, said):
    """Wait until the kernels have run the lesson and filled in its curves; the most gigabytes that
    they have had.
    """
    used = 0.0
    now = -1.0
    most = 0.0
    while READY not in said.read_text("utf-8") or now - used > 0.5:
        if server.poll() is not None:
            raise RuntimeError(f"the server has ended: {said.read_text('utf-8')[-2000:]}")
        time.sleep(5)
        used = now
        now = total(server, lambda each: sum(each.cpu_times()[:2]))
        most = max(most, memory(server))
    return most


async def in_class(address, students, seconds, server):
    """All students at work, then once more while another attacks; both logs."""
    calm = Log()
    attacked = Log()
    everyone = [Student(address, seed, calm) for seed in range(students)]
    await asyncio.gather(*[each.come() for each in everyone])
    await at_work(everyone, calm, seconds, server)

    command = [sys.executable, Path(__file__).with_name("attack.py"), address, str(seconds)]
    attacker = await asyncio.create_subprocess_exec(*map(str, command), stdout=subprocess.PIPE)
    await at_work(everyone, attacked, seconds, server)
    tried, found = json.loads((await attacker.communicate())[0])
    attacked.errors += found
    attacked.attacks = tried
    for each in everyone:
        each.leave()
    return calm, attacked


async def at_work(everyone, log, seconds, server):
    """Students at work for some seconds, with what happens in a log."""
    end = time.monotonic() + seconds
    for each in everyone:
        each.log = log
    working = asyncio.gather(*[each.study(end) for each in everyone])
    while time.monotonic() < end:
        await asyncio.sleep(min(20, end - time.monotonic()))
        log.memory = max(log.memory, await asyncio.to_thread(memory, server))
    await working


def rows(students, minutes):
    """Start the server, hold the class, and tell what it was like."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "knnviz", "class", str(LESSON)]
        command += [f"--students={students}", f"--port={PORT}", "--address=127.0.0.1"]
        command += [f"--token={TOKEN}", f"--answers={folder}/answers"]
        said = Path(folder) / "log"
        with said.open("w", encoding="utf-8") as output:
            server = psutil.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        try:
            before = at_rest(server, said)
            held = in_class(f"127.0.0.1:{PORT}", students, 60 * minutes, server)
            calm, attacked = asyncio.run(held)
        finally:
            server.terminate()
            server.wait(60)
        trouble = re.compile(r"^.*(?:Traceback|ERROR).*$", re.MULTILINE)
        attacked.errors += trouble.findall(said.read_text("utf-8"))

    print(*sorted({*calm.errors, *attacked.errors}), sep="\n")
    what = f"{students} students for {minutes:g} minutes"
    return [
        *calm.rows(what),
        *attacked.rows(f"{what}, while another attacks"),
        Row(f"{what}: attacks", attacked.attacks, "attacks"),
        Row(f"{what}: server and kernels before the class, at most", before, "GB", bar=6),
    ]
