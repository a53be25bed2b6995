"""The server of a class: what it prints is so; a small class over its websockets loses nothing."""

import asyncio
import logging
import re
import socket
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from knnviz.classroom import handlers
from knnviz.classroom.server import OneLine, get_page, invite

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import students
from rows import table

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.mark.full
def test_a_class_at_work_has_no_error_and_loses_no_move_while_a_student_attacks(capsys):
    """The table is printed, with the time that others' sliders take."""
    rows = students.rows(3, 0.5)
    with capsys.disabled():
        print("", table(rows), sep="\n")
    found = {row.what.partition("minutes")[2]: row.ours for row in rows}
    assert found[": attacks"] >= 16
    for part in (": ", ", while another attacks: "):
        assert found[f"{part}steps"] > 100
        assert found[f"{part}errors"] == 0
        assert found[f"{part}lost moves"] == 0


def test_a_page_waits_once_it_is_two_seconds_ahead_of_its_rates(monkeypatch):
    """200 messages a second are taken, and each 20 MB that the page gets take one."""
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    base = handlers.VoilaKernelWebsocketHandler
    monkeypatch.setattr(base, "on_message", lambda *_: None)
    monkeypatch.setattr(base, "write_message", lambda *_: None)
    monkeypatch.setattr(handlers, "is_of_page", lambda _: True)
    monkeypatch.setattr(handlers.time, "monotonic", lambda: 50.0)
    monkeypatch.setattr(handlers.asyncio, "sleep", sleep)
    page = object.__new__(handlers.StudentSocket)

    async def send(count):
        for _ in range(count):
            await page.on_message(b"a move")

    asyncio.run(send(402))
    assert waited == pytest.approx([0] * 400 + [1 / 200, 2 / 200], abs=1e-9)
    page.write_message(bytes(10_000_000))
    asyncio.run(send(1))
    assert waited[-1] == pytest.approx(3 / 200 + 1 / 2)


def test_students_get_the_pictures_that_the_lesson_shows_and_no_other_file():
    shown = (
        "![a map](map.png) and ![](<figures/a b.svg>), "
        """<img alt="" src='photo.jpg'>, [not this](solutions.png)"""
    )
    lesson = new_notebook(cells=[new_markdown_cell(shown), new_code_cell("'![](code.png)'")])
    patterns = handlers.pictures(lesson)

    def is_sent(name):
        return any(re.fullmatch(each, name) for each in patterns)

    asked = ["map.png", "figures/a b.svg", "photo.jpg", "solutions.png", "code.png", "map_png"]
    assert list(filter(is_sent, asked)) == asked[:3]


def seen_by_class(path, *options):
    """What stands in the cells of a notebook."""

    def get():
        notebook = nbformat.read(path, as_version=4)
        return {"type": "notebook", "name": path.name, "content": notebook}

    return "\n".join(cell.source for cell in get_page(get, *options)()["content"].cells)


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("0*.ipynb")), ids=lambda path: path.stem)
def test_a_class_sees_the_opening_picture_under_its_question_unless_told_otherwise(path):
    shown, covered = (seen_by_class(path, None, cover) for cover in (False, True))
    assert "cover=" not in shown
    assert "Run All" not in shown, "the page has no menu"
    assert covered.count("cover=") == shown.count("\nopening(") > 0
    assert covered.replace(", cover=True)", ")") == shown


def test_in_a_second_sitting_only_a_new_picture_is_covered():
    shown = seen_by_class(NOTEBOOKS / "08-learnability.ipynb", 2, True)
    assert re.findall(r'^opening\((".+?".*)\)', shown, re.MULTILINE) == [
        '"learnability"',
        '"across_the_lessons", cover=True',
    ]


def test_a_class_is_checked_up_before_its_sitting_and_after_it():
    shown = seen_by_class(NOTEBOOKS / "02-label-noise.ipynb", 2, False, True)
    asked = re.findall(r'^(?:lessons\.check_up|quiz)\("02-.*', shown, re.MULTILINE)
    assert asked[0] == 'lessons.check_up("02-second")'
    assert asked[-1] == 'lessons.check_up("02-second", after=True)'
    assert len([each for each in asked if "check_up" not in each]) == len(asked) - 2 > 0


def test_a_log_shows_no_traceback_and_obeys_no_character():
    shown = OneLine()
    try:
        raise ValueError("of\na file")
    except ValueError:
        first = error_record("GET /\x1b[2J\nmore", sys.exc_info())
    assert shown.filter(first)
    assert logging.Formatter().format(first) == "GET /?[2J: ValueError('of\\na file')"
    assert not shown.filter(error_record("again", None))


def error_record(message, error):
    return logging.LogRecord("tornado", logging.ERROR, "", 0, message, (), error)


def test_kernels_that_stop_in_the_lesson_are_not_ready(tmp_path):
    cells = [new_code_cell("1 + 1"), new_code_cell("1 / 0")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), tmp_path / "fails.ipynb")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "knnviz", "class", "fails.ipynb"]
    command += ["--students=1", "--address=127.0.0.1", f"--port={port}"]
    said = []
    with subprocess.Popen(
        command, cwd=tmp_path, encoding="utf-8", stdout=subprocess.PIPE
    ) as server:
        for line in server.stdout:
            said.append(line)
            if "kernels have run" in line:
                server.terminate()

    at = next(at for at, line in enumerate(said) if line.startswith("0 of 4"))
    assert "cell 2 " in said[at + 1]
    assert not any("may come" in line for line in said)


def test_students_may_come_by_name_or_by_address_or_with_a_camera(monkeypatch, capsys):
    pytest.importorskip("segno")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    invite("0.0.0.0", "8866/user/a/?token=t")
    said = capsys.readouterr().out
    hosts = re.findall("^http://(.+):8866/user/a/[?]token=t$", said, re.MULTILINE)
    assert len(hosts) >= 2
    assert re.fullmatch("[0-9.]+", hosts[-1])
    assert "█▀" in said
