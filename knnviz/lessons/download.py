"""The last cell of a lesson: a button that downloads the answers of a reader."""

from knnviz.lessons.card import HERE, Card
from knnviz.lessons.record import RECORD
from knnviz.memory import return_memory


class Download(Card):
    """A button that saves all answers so far as a file; at each press a page asks for them."""

    _esm = HERE / "download.js"

    def __init__(self) -> None:
        super().__init__()
        self.on_msg(lambda *_: self.send(RECORD.text()))


def answers() -> None:
    """Show a button that downloads all answers so far.

    Examples
    --------
    >>> from knnviz.lessons import answers
    >>> answers()
    Run > Run All Cells to use it.
    """
    Download().present("answers")
    return_memory()
