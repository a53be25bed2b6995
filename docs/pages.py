"""From executed notebooks to pages of the book: pictures in files, recorded labs in their place, no
hidden code.
"""

import base64
import hashlib
import re
from html import escape
from importlib.util import find_spec
from pathlib import Path

import nbformat

from knnviz.cell_outputs import VIEW
from knnviz.lessons.sittings import ANSWERS, RUN_ALL, parts, sittings

#: MathJax in one file, which draws formulas without fonts.
MATHJAX = Path(find_spec("mathjax").origin).parent / "static" / "mathjax" / "es5" / "tex-svg.js"

#: What stands in for an exercise that nobody can try on a page.
EXERCISE = "An exercise: to try it, open the notebook. A page without Python cannot check it."

#: What stands under the title of a page with recorded labs.
NOTE = """```{{note}}
The labs on this page replay recordings. What is grey in a lab needs Python, as do clicks in its
picture, code and exercises: [open the notebook](path:/{file}) with
[knnviz installed]({up}docs/set-up.md){binder}.
```"""

#: A lesson on the first page.
CARD = """<div class="col"><div class="card h-100">{picture}<div class="card-body">
<p class="card-title">
<a class="stretched-link" href="notebooks/{name}.html">{title}</a></p><p>{question}</p></div>
<p class="card-footer mb-0">{takes}</p></div></div>"""

#: A link to a page of the repository that the book does not have.
ELSEWHERE = re.compile(r"\[([^]]+)\]\((?:\.\./)*(?:README|CONTRIBUTING|CHANGELOG)\.md[^)]*\)")

#: The head of a table. A column without a name gets one for those who hear it.
HEAD = re.compile(r"^(?:> )?\|.*\|(?=\n(?:> )?\|[-:| ]+\|$)", re.MULTILINE)
NAMELESS = re.compile(r"\| *(?=\|)")
NAMED = '| <span class="visually-hidden">column</span> '

#: What only someone with a notebook can do: left out, and what marks an item or a paragraph that
#: asks for it.
LEFT_OUT = re.compile(
    rf"{RUN_ALL}|\sA\s+folded\s+cell\s[^.]*\."
    r"|;\s\*Projector\*\smakes\severything\s+larger|,\sor\sthe\scross"
)
NEEDS_PYTHON = re.compile(
    r"New sample|under \*(?:problem|(?:risk )?curve)\*|\b[Pp]resets?\b|\b[Cc]lick |\b[Rr]un "
    r"the\s+cell|[Ii]n section \d, set"
    r"|All controls\*,?\s[^.]*\bchoose\b|\bpress\s+again\b|\btry \*seed\* \d"
    r"|\byour own lists\b|\byour\s+(?:own\s+)?code\b"
)

#: An item of a list, or a paragraph.
BLOCK = re.compile(r"^(?![|<>#`\s]).+(?:\n(?![-|<>#`]|\s*$).+)*", re.MULTILINE)

LINK = re.compile(r"(\]\([^)\s]*\.(?:ipynb|md))#([^)\s]+)\)")


def marked(text: str) -> str:
    """Prose of a notebook, where it asks for what a page cannot do."""

    def mark(block: re.Match[str]) -> str:
        if NEEDS_PYTHON.search(block[0]):
            return f"{block[0]} *(needs Python)*"
        return block[0]

    return BLOCK.sub(mark, LEFT_OUT.sub("", text))


def text_page(text: str) -> str:
    """A page of Markdown, without links to pages that the book does not have."""
    return slugged(ELSEWHERE.sub(r"\1", text))


def slugged(text: str) -> str:
    """Markdown whose links to headings of other pages are as the book names headings, and whose
    tables are whole.
    """
    text = HEAD.sub(lambda head: NAMELESS.sub(NAMED, head[0]), text)
    return LINK.sub(lambda link: f"{link[1]}#{slug(link[2])})", text)


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def linked(heading: str) -> str:
    """A heading as an item of the list of contents."""
    title = heading.removeprefix("## ")
    return f"- [{title}](#{slug(title)})"


def page_of(
    notebook: nbformat.NotebookNode, pictures: Path, up: str, **note: str
) -> nbformat.NotebookNode:
    """The notebook as a page; ``up`` is the way from there to the folder of ``pictures``.

    The ``note`` on recordings, if any, has the path of the notebook, ``file``, and a link to
    ``binder`` or nothing.
    """
    of_answers = (ANSWERS, "answers()")
    notebook.cells = [cell for cell in notebook.cells if not cell.source.startswith(of_answers)]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = marked(slugged(cell.source))
        elif cell.cell_type == "code":
            cell.outputs = shown(cell.outputs, pictures, up)
            tags = cell.metadata.setdefault("tags", [])
            if cell.metadata.get("jupyter", {}).get("source_hidden"):
                tags.append("remove-input")
            elif "data-recording" in str(cell.outputs):
                tags.append("hide-input")

    if sittings(notebook.cells):
        opening, *others = parts(notebook.cells).items()
        listed = "\n".join(linked(heading) for heading, _ in others)
        notebook.cells.insert(len(opening[1]), nbformat.v4.new_markdown_cell(listed))
    has_recording = any("data-recording" in str(cell.get("outputs")) for cell in notebook.cells)
    if note and has_recording:
        text = NOTE.format(up=up, **note)
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(text))
    return notebook


def shown(
    outputs: list[nbformat.NotebookNode], pictures: Path, up: str
) -> list[nbformat.NotebookNode]:
    """Outputs without those that only JupyterLab needs; a picture becomes a file, and stands in for
    its recording.
    """
    on_page: list[nbformat.NotebookNode] = []
    for output in outputs:
        data = output.get("data", {})
        html = data.get("text/html", "")
        is_live = "knnviz-live" in html or VIEW in data
        if is_live or "knnviz-waits" in html:
            continue
        if "image/png" in data:
            on_page.append(as_html(pictured(output, pictures, up)))
        elif "knnviz-told" in html:
            on_page[-1] = as_html(on_page[-1].data["text/html"] + html)
        elif "data-recording" in html:
            still = on_page[-1].data["text/html"]
            on_page[-1] = as_html(html.replace("></div>", f">{still}</div>"))
        elif "data-questions" in html:
            # In place of the still questions.
            on_page[-1] = as_html(html)
        elif data.get("text/plain", "").startswith("Exercise "):
            on_page.append(as_html(f"<p><em>{EXERCISE}</em></p>"))
        else:
            on_page.append(with_known_links(output))
    return on_page


def as_html(text: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_output("display_data", {"text/html": text})


def pictured(output: nbformat.NotebookNode, pictures: Path, up: str) -> str:
    """A picture as HTML, with its words and its size on a page."""
    png = base64.b64decode(output.data["image/png"])
    path = pictures / f"{hashlib.sha256(png).hexdigest()[:16]}.png"
    path.write_bytes(png)
    known = output.metadata.get("image/png", {})
    size = "".join(f' {side}="{known[side]}"' for side in ("width", "height") if side in known)
    words = escape(known.get("alt", output.data.get("text/plain", "")))
    source = f"{up}_static/pictures/{path.name}"
    return f'<img class="knnviz-still img-fluid" src="{source}" alt="{words}" loading="lazy"{size}>'


def with_known_links(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    if "text/markdown" in output.get("data", {}):
        output.data["text/markdown"] = marked(slugged(output.data["text/markdown"]))
    return output
