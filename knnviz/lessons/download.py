"""The last cell of a lesson: a button that downloads the answers of a reader."""

from collections.abc import Callable

from knnviz.lessons.card import HERE, Card
from knnviz.lessons.record import RECORD
from knnviz.memory import return_memory


class Download(Card):
    """A button that saves a text as a file; at each press a page asks for what ``read`` returns."""

    _esm = HERE / "download.js"

    def __init__(self, read: Callable[[], str]) -> None:
        super().__init__()
        self.on_msg(lambda *_: self.send(read()))


def answers() -> None:
    """Show a button that downloads all answers so far.

    Examples
    --------
    >>> from knnviz.lessons import answers
    >>> answers()
    Run > Run All Cells to use it.
    """
    Download(RECORD.text).present("answers")
    return_memory()
