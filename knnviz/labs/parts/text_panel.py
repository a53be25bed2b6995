"""Lines of text in a panel of their own."""

from collections.abc import Iterable, Iterator

from knnviz.labs.engine import Panel, stage
from knnviz.views import marks
from knnviz.views.layers import Axes, Layer


class TextPanel(Panel):
    """Lines of text in their colors, one below the other, in a bare panel."""

    title: str

    #: Size of the letters on a screen and on a projector.
    sizes = (14.0, 12.0)

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        """Text and color of each line."""
        raise NotImplementedError

    def axes(self) -> Axes:
        return Axes(self.name, self.title, "", "", (0, 1), (0, len(self.lines)), bare=True)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        yield self.draw(marks.text_lines, self.name, self.lines, self.sizes[self.lab.on_projector])

    def alt_text(self) -> str:
        return f"{'. '.join(text for text, _ in self.lines if text)}."
