"""Lines of text in a panel of their own."""

from collections.abc import Iterable, Iterator

from knnviz.labs.old_engine import Panel, stage
from knnviz.views import marks
from knnviz.views.layers import Axes, Layer


class TextPanel(Panel):
    """Colored lines of text in a panel without axes."""

    title: str

    #: On a screen and on a projector, before the text is magnified.
    font_sizes = (14.0, 12.0)

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        """Text and color of each line."""
        raise NotImplementedError

    def axes(self) -> Axes:
        return Axes(self.name, self.title, "", "", (0, 1), (0, len(self.lines)), bare=True)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        yield self.draw(marks.text_lines, self.name, self.lines, self.font_sizes[self.lab.on_projector])

    def alt_text(self) -> str:
        return f"{'. '.join(text for text, _ in self.lines if text)}."
