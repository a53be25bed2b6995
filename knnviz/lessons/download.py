"""The last cell of a lesson: a button that downloads the answers of a reader."""

from collections.abc import Callable

import traitlets

from knnviz.lessons.card import HERE, Card
from knnviz.lessons.record import RECORD
from knnviz.memory import return_memory


class Download(Card):
    """A button that saves a text as a file; ``read`` returns the text at each press, and ``asked``
    counts these.
    """

    _esm = HERE / "download.js"

    title = traitlets.Unicode("Download my answers").tag(sync=True)
    filename = traitlets.Unicode("my-answers.json").tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    content = traitlets.Dict().tag(sync=True)

    def __init__(self, read: Callable[[], str]) -> None:
        super().__init__()
        self.read = read
        self.observe(self._send_text, "asked")

    def _send_text(self, _: object) -> None:
        self.content = {"number": self.asked, "text": self.read()}


def answers() -> None:
    """Show a button that downloads all answers so far.

    Examples
    --------
    >>> from knnviz.lessons import answers
    >>> answers()
    Run this cell to use it.
    """
    Download(RECORD.text).present("answers")
    return_memory()
