"""A class on one server: a kernel for each student, answers in the folder of the lecturer, and a
token at the door.
"""

import os
import re
import signal
import time

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell as code
from nbformat.v4 import new_markdown_cell as text
from playwright.sync_api import expect
from server import PAGE, notebook_of, running
from session import PATIENCE

from knnviz.classroom.poll import read_poll
from knnviz.lessons import content

NAME = "wide-ball"
RIGHT = content.predictions()[NAME].answer
[WRONG, _] = content.predictions()[NAME].wrong
CELLS = (
    code("from knnviz.labs import NeighborLab\nfrom knnviz.lessons import check, predict"),
    code("NeighborLab(n=200, k=5)"),
    text("See [another lesson](00-start-here.ipynb)."),
    code(f'predict("{NAME}")'),
    text("## Exercises\n\nPut your code in place of the dots."),
    code('check("bayes-risk", ...)'),
    text("## Going further"),
    code(
        "import os, sys\nprint('shares', 'KNNVIZ_TURNS' in os.environ, 'carries', {'voila'} & "
        "sys.modules.keys())"
    ),
    code(
        "from comm import get_comm_manager\nprint('told of', *sorted(get_comm_manager().targets), "
        "'.')"
    ),
    code("print('process', os.getpid(), '.')"),
)
OPTIONS = (
    "--students=2",
    "--address=127.0.0.1",
    "--token=secret",
    "--answers=said",
    "--base_url=/user/a",
)
CLASS = ("knnviz", "class", "lesson.ipynb", *OPTIONS), "/user/a/login"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with the lesson."""
    home = tmp_path_factory.mktemp("class")
    write_lesson(home)
    return home


def write_lesson(home):
    nbformat.write(notebook_of(*CELLS), home / "lesson.ipynb")


def process_in(home):
    """The server of the class in a folder."""
    here = [each for each in psutil.process_iter(["cmdline", "cwd"]) if each.info["cwd"] == home]
    [server] = [each for each in here if "class" in each.info["cmdline"]]
    return server


def own_groups(server):
    """Kernels, each in a group of processes of its own: those of students, and three to spare."""
    return [each for each in server.children(recursive=True) if each.pid == os.getpgid(each.pid)]


@pytest.fixture(scope="module")
def address(home):
    """The server of the class; in the end it is killed, and its kernels end with it."""
    with running(home, CLASS) as address:
        yield address
        server = process_in(str(home))
        while len(kernels := own_groups(server)) < 3:
            time.sleep(0.2)
        server.kill()
        assert psutil.wait_procs(kernels, timeout=30)[1] == []


@pytest.fixture
def student(browser, address):
    """Opens the lesson as another student."""
    contexts = []

    def come(token="secret", script=""):
        contexts.append(browser.new_context(viewport=PAGE))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(script)
        # A network that never answers for the Internet.
        page.route(re.compile("^https:"), lambda _: None)
        page.goto(f"{address}/user/a/?token={token}")
        return page

    yield come
    for each in contexts:
        each.close()


def moved(page, key, k):
    figure = page.locator(".knnviz-figure[data-state]")
    figure.wait_for()
    page.get_by_label("neighbors k", exact=True).press(key)
    expect(figure).to_have_attribute("data-state", re.compile(rf'"k":{k}\b'))


#: A page that has no time for two seconds, where a view looks for its model ten times a second.
BUSY = (
    "const wait = setTimeout; setTimeout = (work, ms, ...given) => wait(work, ms === 100 ? 2100 : "
    "ms, ...given);"
)


def answered(page, choice):
    page.get_by_label(choice).check()
    page.get_by_role("button", name="Record my prediction").click()
    page.locator(".knnviz-verdict p").first.wait_for()


def test_each_student_has_a_kernel_and_answers_reach_the_lecturer(student, home):
    """Also of a page that is busy; and nobody comes in without the token."""
    one = student(script=BUSY)
    other = student()
    stranger = student(token="wrong")
    assert "login" in stranger.url
    assert stranger.locator(".knnviz-lab").count() == 0
    moved(one, "Home", 1)
    moved(other, "ArrowRight", 6)
    expect(one.locator(".knnviz-figure")).to_have_attribute("data-state", re.compile(r'"k":1\b'))
    answered(one, RIGHT)
    answered(other, WRONG)
    answers = read_poll(home / "said").table.set_index("choice").answers
    assert answers[[RIGHT, WRONG]].to_list() == [1, 1]


def test_answers_come_back_and_each_student_is_counted_once(student, home, address):
    """By those who answered, also someone else in the same browser; kernels that ran the lesson,
    and students who only came, are none.
    """
    before = read_poll(home / "said").files
    page = student()
    answered(page, WRONG)
    page.reload()
    expect(page.locator(".knnviz-verdict")).to_contain_text("Recorded")
    expect(page.get_by_label(WRONG)).to_be_checked()
    again = page.context.new_page()
    again.goto(f"{address}/user/a/?token=secret")
    expect(again.get_by_label(WRONG)).to_be_checked()
    again.get_by_role("link", name="I am someone else").click()
    expect(again.get_by_label(WRONG)).not_to_be_checked()
    assert read_poll(home / "said").files == before + 1
    answered(again, RIGHT)
    assert read_poll(home / "said").files == before + 2


@pytest.mark.full
def test_a_kernel_keeps_its_first_student(student, home):
    """Another one who connects to it writes no file of its own."""
    before = read_poll(home / "said").files
    page = student()
    other = student()
    page.locator(".knnviz-figure[data-state]").wait_for(timeout=60_000)
    other.evaluate(
        """kernel => new Promise((opened, failed) => {
          const socket = new WebSocket(`${location.origin}/user/a/api/kernels/${kernel}/channels`,
            "v1.kernel.websocket.jupyter.org");
          Object.assign(socket, { onopen: opened, onerror: failed });
        })""",
        page.evaluate(
            "() => JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
        ),
    )
    answered(page, RIGHT)
    page.reload()
    expect(page.get_by_label(RIGHT)).to_be_checked()
    assert read_poll(home / "said").files == before + 1


def test_a_page_has_its_lesson_nothing_of_the_server_and_no_kernel_that_it_lost(student):
    """What leads nowhere is left out; who lost the kernel is told to load the page again."""
    page = student()
    expect(page.get_by_text("Going further")).to_be_visible()
    expect(page.get_by_text("Lesson lesson.")).to_be_visible()
    assert page.locator('a[href*="ipynb"]').count() == 0
    assert page.get_by_text("dots").count() == page.get_by_text("not attempted").count() == 0
    expect(page.get_by_text("shares True carries set()")).to_be_visible()
    expect(page.get_by_text("told of jupyter.widget jupyter.widget.control .")).to_be_visible()
    moved(page, "Home", 1)
    process = page.get_by_text(re.compile(r"process \d+ \.")).inner_text()
    os.kill(int(process.split()[1]), signal.SIGKILL)
    expect(page.locator(".knnviz-dead")).to_contain_text("load the page again")
    page.reload()
    moved(page, "Home", 1)


@pytest.mark.full
def test_pages_say_that_the_class_has_ended_and_what_was_kept(browser, tmp_path):
    """When the lecturer presses Ctrl + C, those of a student who has answered, and of one who has
    not.
    """
    write_lesson(tmp_path)
    with (
        running(tmp_path, CLASS) as address,
        browser.new_context() as one,
        browser.new_context() as other,
    ):
        pages = [each.new_page() for each in (one, other)]
        for page in pages:
            page.goto(f"{address}/user/a/?token=secret")
            page.locator(".knnviz-figure[data-state]").wait_for(timeout=60_000)
        answered(pages[0], RIGHT)
        server = process_in(str(tmp_path))
        server.send_signal(signal.SIGINT)
        for page, kept in zip(
            pages, ("your answer to one question", "no answers of yours"), strict=True
        ):
            expect(page.get_by_text("The class has ended.")).to_contain_text(kept)
        server.wait(30)
    assert "The class has ended; the answers are in said." in (tmp_path / "server.log").read_text(
        "utf-8"
    )
