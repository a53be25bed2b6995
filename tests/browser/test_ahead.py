"""A page that is ahead of its kernel: what it draws by itself is what the kernel draws afterwards,
and never another picture than that of the values beside it.
"""

from contextlib import contextmanager

import pytest
from apart import moved, two_pages
from knobs import (
    STEPS,
    TITLES,
    drawn_early,
    early,
    has_all,
    let_go,
    running_cell,
    seen,
    stand,
    watch,
    wrong,
)
from session import PAGE


@pytest.fixture
def knobs(standing):
    """The small lab as it begins, on a page that is watched."""
    standing.page.set_viewport_size(PAGE)
    stand(standing)
    yield standing
    let_go(standing)
    agree(standing)
    assert standing.message == ""
    assert wrong(standing) == []
    errors = standing.errors
    standing.errors = []
    assert errors == []


def agree(session):
    """Kernel and picture hold the same values; these."""
    session.settle()
    values = session.told("lab.values")
    assert session.state == values
    return values


def touch(session, name):
    """Take a control into the hand, and wait until the page has its frames."""
    session.page.get_by_label(TITLES[name], exact=True).focus()
    has_all(session, name)


def drawn_by_itself(session, folder, act, **values):
    """What a page draws while its kernel is busy equals what it draws once the kernel has
    answered.
    """
    before = early(session)
    with running_cell(session, folder):
        act()
        drawn_early(session, before, **values)
        ours = seen(session)
    session.settle()
    assert seen(session) == ours


def test_a_page_draws_a_lab_as_the_kernel_does(lab, tmp_path):
    lab.slider("neighbors k").focus()
    has_all(lab, "k")
    drawn_by_itself(lab, tmp_path, lambda: lab.pull("neighbors k", 0.4, 0.2, -0.1), k=1)


def test_a_page_draws_keys_drags_options_and_play_as_the_kernel_does(knobs, tmp_path):
    touch(knobs, "a")
    drawn_by_itself(knobs, tmp_path, lambda: knobs.press(TITLES["a"], *["ArrowRight"] * 3), a=33)
    drawn_by_itself(knobs, tmp_path, lambda: knobs.pull(TITLES["a"], 0.9, 0.5, 1.1), a=40)
    touch(knobs, "many")
    drawn_by_itself(knobs, tmp_path, lambda: knobs.press(TITLES["many"], "End"), many=10**6)
    touch(knobs, "mode")
    drawn_by_itself(knobs, tmp_path, lambda: knobs.choose("mode", "spare"), mode="spare")
    knobs.press(TITLES["a"], "Home")
    let_go(knobs)
    touch(knobs, "a")

    def play():
        knobs.press_play()
        knobs.until_true("({ a }) => a >= 3")
        knobs.press_play()

    drawn_by_itself(knobs, tmp_path, play)


@contextmanager
def hand_on(session, name):
    """A hand holds a slider within the block; what moves it along its track."""
    slider = session.slider(TITLES[name])
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    mouse = session.page.mouse

    def along(*fractions):
        for fraction in fractions:
            mouse.move(box["x"] + fraction * box["width"], box["y"] + box["height"] / 2)

    low, high, at = slider.evaluate("({ min, max, value }) => [min, max, value].map(Number)")
    along((at - low) / (high - low))
    mouse.down()
    yield along
    mouse.up()


def test_a_phone_is_ahead_under_a_finger(knobs, finger, tmp_path):
    knobs.page.set_viewport_size({"width": 390, "height": 844})
    slider = knobs.slider(TITLES["a"])
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()

    def on_track(kind, fraction):
        finger(kind, {"x": box["x"] + fraction * box["width"], "y": box["y"] + box["height"] / 2})

    on_track("touchStart", 0.75)
    has_all(knobs, "a")
    drawn_by_itself(knobs, tmp_path, lambda: on_track("touchMove", 0.99), a=40)
    finger("touchEnd")
    assert agree(knobs)["a"] == 40


def test_an_observer_that_sets_the_control_in_the_hand_and_another_one(knobs):
    knobs.evaluate("lab.observe(lambda to: lab.set(a=to.new // 2 * 2, seed=to.new // 2), 'a')")
    touch(knobs, "a")
    knobs.pull(TITLES["a"], 0.1, 0.9, 0.2, 0.8, 0.33, 0.47)
    values = agree(knobs)
    assert (values["a"] % 2, values["seed"]) == (0, values["a"] // 2)
    knobs.press(TITLES["a"], "End", *["ArrowLeft"] * 4)
    values = agree(knobs)
    assert (values["a"] % 2, values["seed"]) == (0, values["a"] // 2)
    knobs.evaluate("lab.unobserve_all()")


def test_what_python_sets_during_a_drag(knobs):
    """Also another value of the control that is in the hand."""
    touch(knobs, "a")
    with hand_on(knobs, "a") as along:
        for seed in range(1, 5):
            along(0.9, 0.3, 0.6)
            knobs.begin(f"lab.set(seed={seed})")
            along(0.8, 0.2)
            knobs.begin("lab.set(a=7)")
            along(0.7, 0.4)
        # Cells and moves may run in two threads of the kernel, in either order.
        knobs.evaluate("")
        along(0.5, 1.1)
    values = agree(knobs)
    assert (values["a"], values["seed"]) == (40, 4)


def not_drawn(session, *keys):
    """Keys that move the first number, and whose picture only the kernel knows."""
    before = early(session)
    state = session.state
    session.press(TITLES["a"], *keys)
    session.page.wait_for_timeout(200)
    assert (early(session), session.state) == (before, state)


def test_a_page_waits_for_what_else_was_set_or_asked_for(knobs, tmp_path):
    """In Python, where pages have no other frames yet; on the page itself, before the move."""
    touch(knobs, "a")
    with running_cell(knobs, tmp_path, "lab.set(seed=5)"):
        knobs.until(seed=5)
        not_drawn(knobs, "ArrowRight")
    assert agree(knobs)["a"] == 31
    touch(knobs, "a")
    with running_cell(knobs, tmp_path):
        before = early(knobs)
        knobs.press(TITLES["a"], "ArrowRight")
        drawn_early(knobs, before, a=32)
        knobs.choose("mode", "odd")
        not_drawn(knobs, "ArrowRight", "ArrowRight")
    values = agree(knobs)
    assert (values["a"], values["mode"], values["seed"]) == (34, "odd", 5)


def test_buttons_and_presets_during_a_drag(knobs):
    """What was pressed last has the last word, whatever the page has drawn by then."""
    touch(knobs, "a")
    with hand_on(knobs, "a") as along:
        for name in ("Projector", "New sample", "Stop", "Reset", "Projector"):
            along(0.9, 0.3, 0.6)
            knobs.page.get_by_role("button", name=name, exact=True).evaluate("made => made.click()")
            along(0.8, 0.2)
        knobs.choose("preset", "Spare")
        along(0.7, 1.1)
    values = agree(knobs)
    assert (values["a"], values["mode"], values["seed"]) == (40, "spare", 3)
    knobs.press("Reset", "Enter")
    knobs.until(a=30, mode="plain", seed=0)


def test_a_page_that_is_loaded_anew_while_frames_come(knobs):
    """It is ahead again once a hand touches the same control."""
    touch(knobs, "a")
    knobs.save()
    knobs.evaluate("PAUSE = 0.02\nlab.set(seed=2)")
    knobs.press(TITLES["a"], "ArrowRight")
    knobs.reload()
    knobs.figure.wait_for()
    watch(knobs)
    knobs.evaluate("PAUSE = 0")
    knobs.settle()
    touch(knobs, "a")
    knobs.press(TITLES["a"], "ArrowLeft")
    drawn_early(knobs, 0, a=30)


#: Whether the only step is ticked, and whether it says what was found.
TICKED = """() => {
  const [tick, row] = ['.knnviz-marks button', '.knnviz-strip li'].map(
    (name) => document.querySelector(name).innerText);
  return [tick.includes('✓'), row.includes('It is 35')];
}"""


def test_the_kernel_alone_ticks_a_step_and_tells_a_screen_reader(knobs, tmp_path):
    stand(knobs, STEPS)
    touch(knobs, "a")
    spoken = knobs.page.locator(".knnviz-status")
    knobs.page.wait_for_function(
        "() => document.querySelector('.knnviz-status').textContent.includes('told 30')"
    )
    with running_cell(knobs, tmp_path):
        before = early(knobs)
        knobs.press(TITLES["a"], *["ArrowRight"] * 5)
        drawn_early(knobs, before, a=35)
        # Longer than a picture must stand until it is told.
        knobs.page.wait_for_timeout(1000)
        assert knobs.page.evaluate(TICKED) == [False, False]
        assert "told 30" in spoken.inner_text()
        assert "told 35" in knobs.alt
    knobs.page.wait_for_function(f"({TICKED})().every(Boolean)")
    knobs.page.wait_for_function(
        "() => document.querySelector('.knnviz-status').textContent.includes('told 35')"
    )


@pytest.mark.parametrize("end", ["restart()", pytest.param("SIGKILL", marks=pytest.mark.full)])
def test_nothing_is_drawn_as_if_the_kernel_lived(knobs, end):
    touch(knobs, "a")
    before = early(knobs)
    knobs.press(TITLES["a"], "ArrowRight")
    drawn_early(knobs, before, a=31)
    knobs.settle()
    knobs.expect("Canceled future|Cannot send")
    if end == "restart()":
        knobs.ask_kernel(end)
    else:
        knobs.begin("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    knobs.page.locator(".knnviz-dead").wait_for()
    before = early(knobs)
    knobs.press(TITLES["a"], "ArrowLeft", "Home")
    knobs.page.wait_for_timeout(200)
    assert (knobs.state["a"], early(knobs)) == (31, before)
    knobs.idle()
    if end == "SIGKILL":
        knobs.page.get_by_role("button", name="Ok", exact=True).click()
    knobs.standing = ""
    stand(knobs)


#: Take controls in turn, with a pause, so that the kernel has sent some frames of each.
TOUCH = """async ([titles, times]) => {
  const labels = [...document.querySelectorAll('.knnviz-controls label')];
  const made = titles.map((title) =>
    document.getElementById(labels.find(({ textContent }) => textContent === title).htmlFor));
  for (let i = 0; i < times; i += 1) {
    made[i % made.length].focus();
    await new Promise((done) => setTimeout(done, 25));
  }
}"""


@pytest.mark.full
def test_memory_does_not_grow_when_controls_are_touched_again_and_again(knobs):
    """Objects of the kernel that are no garbage, and MB of the page with its buffers."""
    devtools = knobs.page.context.new_cdp_session(knobs.page)
    found = []
    for count in (20, 1000):
        knobs.page.evaluate(TOUCH, [[TITLES[name] for name in ("a", "b", "many", "mode")], count])
        touch(knobs, "a")
        knobs.settle()
        objects = int(knobs.evaluate("import gc; gc.collect(); print(len(gc.get_objects()))"))
        devtools.send("HeapProfiler.collectGarbage")
        used = devtools.send("Runtime.getHeapUsage")
        found.append((objects, (used["usedSize"] + used["backingStorageSize"]) / 2**20))
    devtools.detach()
    assert found[1][0] - found[0][0] < 1000
    assert found[1][1] - found[0][1] < 10


@pytest.mark.full
@pytest.mark.timeout(7200)
def test_random_moves_of_two_pages_far_from_their_kernel(server, browser):
    """None is lost, and no repaint has a picture of other values than those beside it."""
    with two_pages(server, browser, seed=0) as pages:
        found = moved(pages, 10_000, seed=0)
        drawn = [early(each) for each in pages]
    assert found == []
    assert min(drawn) > 0
