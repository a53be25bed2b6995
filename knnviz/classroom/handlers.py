"""What the server of a class answers: the page of the lesson, the connection of its labs, and its
pictures.

A student has the link and may send anything. A page may only move widgets that are there: it can
neither run code nor make widgets, nor keep the server, which has one thread for all, at work.
"""

import asyncio
import json
import re
import time
from pathlib import Path
from typing import Any, ClassVar

from jupyter_server.base.handlers import AuthenticatedFileHandler
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1
from tornado import web
from tornado.iostream import StreamBufferFullError
from tornado.websocket import WebSocketClosedError
from voila.request_info_handler import RequestInfoSocketHandler
from voila.static_file_handler import AllowListFileHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from knnviz.classroom.notebook_server import NoDelayConnection
from knnviz.lessons.record import NO_PREDICTION, NOT_ANSWERED, Record

#: How a message is packed. Of the older way, the server would believe any size that a page states.
PROTOCOL = "v1.kernel.websocket.jupyter.org"

#: Largest message of a page, in bytes; a move takes some hundred.
LARGEST = 100_000

#: Parts of a message that a page sends: a channel, four of JSON, and few buffers.
MOST_PARTS = 20

#: Messages a second that are taken from a page, and bytes that it gets; a hand makes 60 moves, of
#: up to 10 MB. For so many seconds a page may be ahead of that, as when it opens.
RATE = 200
BYTES = 20_000_000
AHEAD = 2

#: Bytes that wait for a page that does not read, at most; a lesson takes some million.
UNREAD = 50_000_000

#: Connections to one kernel at a time; a page has one.
MOST_CONNECTIONS = 3

#: With this code a connection is closed when the class ends.
ENDED = 4000

#: What a page may send; of comms, the channels of widgets, it may only open the one that lists
#: them.
MESSAGES = {
    "comm_close",
    "comm_msg",
    "comm_info_request",
    "kernel_info_request",
    "shutdown_request",
}
LIST_OF_WIDGETS = "jupyter.widget.control"


def is_of_page(message: str | bytes) -> bool:
    """Whether a message is one that a page of the lesson sends."""
    if not isinstance(message, bytes):
        return False
    n_parts = int.from_bytes(message[:8], "little")
    if not 0 < n_parts <= MOST_PARTS:
        return False
    try:
        _, (header, _, _, content, *_) = deserialize_msg_from_ws_v1(message)
        kind = json.loads(header)["msg_type"]
        if kind == "comm_open":
            return bool(json.loads(content)["target_name"] == LIST_OF_WIDGETS)
        return kind in MESSAGES
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


class StudentConnection(NoDelayConnection):
    """A connection in a class: the kernel learns in which file of ``answers`` the student's answers
    are.

    The server names a student by a cookie, so the name stays when a page is loaded again.
    """

    answers: ClassVar[Path]

    #: Files by kernel: one that another student connects to keeps its first.
    files: ClassVar[dict[str, Path]] = {}

    def connect(self) -> Any:
        """Connect to the kernel, and run code there ahead of all messages of the page, which cannot
        have code run.
        """
        connected = super().connect()
        if connected is not None:
            name = f"{self.websocket_handler.current_user.username}.json"
            file = self.files.setdefault(self.kernel_id, self.answers / name)
            code = f"from knnviz.lessons.card import keep_in; keep_in({str(file)!r})"
            request = {"code": code, "silent": True}
            self.session.send(self.channels["shell"], "execute_request", request)
        return connected

    @classmethod
    def kept(cls, kernel: str) -> int:
        """How many questions the student of a kernel has answered."""
        found = Record(file=cls.files.get(kernel))
        found.restore()
        parts = (found.predictions, found.quizzes, found.check_ups)
        said = [each for part in parts for each in part.values()]
        return sum(each not in (NO_PREDICTION, NOT_ANSWERED) for each in said)


class Plain:
    """A handler whose errors are a line of text."""

    def write_error(self: Any, status_code: int, exc_info: Any = (None, None), **_: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(getattr(exc_info[1], "log_message", None) or self._reason)


class StudentSocket(Plain, VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """The connection of a page to its kernel. Messages that no page sends end it, and too many at a
    time wait.
    """

    #: Those that are open.
    everyone: ClassVar[set["StudentSocket"]] = set()

    #: When the next message is due at these rates, on the monotonic clock.
    due = 0.0

    async def pre_get(self) -> None:
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in offered:
            raise web.HTTPError(400, f"a connection needs the protocol {PROTOCOL}")
        self.check_room()
        await super().pre_get()
        # Others may have come in the meantime.
        self.check_room()

    def check_room(self) -> None:
        """Refuse more connections to a kernel than pages of a student can have."""
        to_kernel = [each for each in self.everyone if each.kernel_id == self.kernel_id]
        if len(to_kernel) >= MOST_CONNECTIONS:
            raise web.HTTPError(429, "too many connections to a kernel")

    async def open(self, kernel_id: str) -> None:
        self.everyone.add(self)
        self.ws_connection.stream.max_write_buffer_size = UNREAD
        await super().open(kernel_id)

    async def on_message(self, message: str | bytes) -> None:
        if not is_of_page(message):
            self.close(1008, "no message of a lesson's page")
            return
        super().on_message(message)
        now = time.monotonic()
        self.due = max(self.due, now) + 1 / RATE
        # The next message is read when this has ended.
        await asyncio.sleep(max(0, self.due - now - AHEAD))

    def write_message(self, message: Any, binary: bool = False) -> None:
        self.due += len(message) / BYTES
        try:
            sent = super().write_message(message, binary)
        except StreamBufferFullError:
            self.ws_connection.stream.close()
        except WebSocketClosedError:
            pass
        else:
            if sent is not None:
                # It may also end with this error later, which nobody is to hear of.
                sent.add_done_callback(lambda sent: sent.cancelled() or sent.exception())

    def on_close(self) -> None:
        self.everyone.discard(self)
        super().on_close()

    @classmethod
    def end(cls) -> None:
        """Tell every page that the class has ended, and how many of its answers are kept."""
        for each in cls.everyone:
            each.close(ENDED, str(StudentConnection.kept(each.kernel_id)))


class StudentPage(Plain, TornadoVoilaHandler):  # type: ignore[misc]
    """The lesson, for each page with a kernel of its own."""

    #: Kernels that the machine may run at a time.
    most_kernels: ClassVar[int]

    @web.authenticated
    async def get(self, path: str | None = None) -> None:
        """Write the page; for someone else, make another student first."""
        if self.get_argument("someone-else", None) is not None:
            another = self.identity_provider.generate_anonymous_user(self)
            self.identity_provider.set_login_cookie(self, another)
            self.redirect(self.base_url)
            return
        if len(self.kernel_manager) >= self.most_kernels:
            raise web.HTTPError(
                503, "All kernels are taken. Close pages of this lesson, and load this one again."
            )
        # With a template or theme of its own, a page would have a kernel run the lesson while it
        # waits.
        for name in ("template", "theme"):
            self.request.arguments.pop(name, None)
        await super().get(path)


class LessonPicture(Plain, AuthenticatedFileHandler, AllowListFileHandler):  # type: ignore[misc]
    """Pictures beside the lesson, for students."""


def pictures(lesson: Any) -> list[str]:
    """Patterns of the files that the text of a notebook shows."""
    text = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    in_brackets = re.findall(r"!\[[^\]]*\]\(\s*(?:<([^>]+)>|([^\s)]+))", text)
    in_tags = re.findall(r"""<img\b[^>]*\bsrc=["']([^"']+)()""", text)
    return [re.escape(name) for found in in_brackets + in_tags for name in found if name]


def for_students(rules: list[Any]) -> list[Any]:
    """Voila's rules of which handler answers where, with those here in place of its own.

    Without the one that tells a kernel how the page was asked for, token included.
    """
    ours = {
        VoilaKernelWebsocketHandler: StudentSocket,
        TornadoVoilaHandler: StudentPage,
        AllowListFileHandler: LessonPicture,
    }
    # No file has this character in its name, and the system refuses it in ways of its own.
    kept: list[Any] = [(".*%00.*", web.ErrorHandler, {"status_code": 404})]
    for path, handler, *settings in rules:
        if handler is not RequestInfoSocketHandler:
            kept.append((path, ours.get(handler, handler), *settings))
    return kept
