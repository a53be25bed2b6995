"""What a cell's output holds of something live: what stands in for it on a saved page, and the live view itself."""

from typing import Any

from IPython.display import publish_display_data

#: On a page that is opened later JupyterLab writes in place of a live view that its model is missing; in the outputs
#: of ours this says what to do.
HINT = """<style>
.jp-OutputArea:has(.knnviz-live) > .jp-OutputArea-child > .jp-OutputArea-output.jupyter-widgets { font-size: 0; }
.jp-OutputArea:has(.knnviz-live) > .jp-OutputArea-child > .jp-OutputArea-output.jupyter-widgets::after {
  font-size: 14px;
  content: "To use this live, run the cell again. If that does not help, reload the page.";
}
</style><span class="knnviz-live"></span>"""

VIEW = "application/vnd.jupyter.widget-view+json"


def publish_still(data: dict[str, Any], metadata: dict[str, Any] | None = None) -> None:
    """Put what stands in for a live view into the running cell's output, ahead of ``publish_live``."""
    publish_display_data({"text/html": HINT})
    publish_display_data(data, metadata)


def publish_live(model_id: str, words: str) -> None:
    """Put a live view into the running cell's output, with words for whoever cannot show it."""
    view = {"version_major": 2, "version_minor": 0, "model_id": model_id}
    publish_display_data({VIEW: view, "text/plain": words})
