"""Random moves on two pages of one lab, far from their kernel by a way that takes now more, now
less time.
"""

import random
from contextlib import contextmanager

import numpy as np
from knobs import TITLES, let_go, stand, watch, wrong
from relay import delayed
from session import Session

#: Longest time of a piece on its way, in seconds.
LONGEST = 0.15

#: How often a hand takes a control between two looks at whether all moves have come.
HANDS = 20

#: What each page moves, so that all of its moves come in their order.
OWN = (("a", "mode", "a"), ("many", "seed", "many"))

#: How often a page moves several controls at once, or Python does; of these nobody knows which
#: comes last.
OFTEN = 0.25

#: What a control shows.
SHOWN = """title => {
  const labels = [...document.querySelectorAll('.knnviz-controls label')];
  const made = document.getElementById(
    labels.find(({ textContent }) => textContent === title).htmlFor);
  if (made.type !== 'range') return made.value;
  return made.previousElementSibling.textContent.replaceAll(',', '');
}"""


@contextmanager
def two_pages(server, browser, seed):
    """Two pages of one lab, as soon as they are open at a distance."""
    rng = random.Random(seed)
    opened = []
    context = browser.new_context()

    def delay():
        return rng.uniform(0, LONGEST) if len(opened) == 2 else 0.0

    with delayed(server, delay) as address:
        one = Session(address, context)
        one.write("apart.ipynb", "")
        one.open("apart.ipynb")
        stand(one)
        one.save()
        # A page behind another one in a window is not painted.
        other = Session(address, browser.new_context())
        other.open("apart.ipynb")
        other.page.locator(".knnviz-figure[data-state]").wait_for()
        watch(other)
        opened += [one, other]
        yield opened
        other.page.context.close()
        one.close()
        context.close()


def move(page, name, rng):
    """Move a control as a quick hand does; how many moves that are."""
    title = TITLES[name]
    if name == "mode":
        page.choose(title, str(rng.choice(["plain", "odd", "spare"])))
        return 1
    if name == "seed":
        page.page.get_by_label(title, exact=True).fill(str(rng.integers(50)))
        page.press(title, "Enter")
        return 1
    if rng.random() < 0.5:
        keys = rng.choice(["ArrowLeft", "ArrowRight", "Home", "End"], rng.integers(1, 5))
        page.press(title, *keys.tolist())
        return len(keys)
    fractions = rng.uniform(-0.1, 1.1, rng.integers(2, 8)).round(2).tolist()
    page.pull(title, *fractions, pause=float(rng.choice([0, 20])))
    return len(fractions)


def disturb(page, rng):
    """What moves several controls at once."""
    kind = rng.integers(4)
    if kind == 0:
        page.choose("preset", str(rng.choice(["Forty", "Spare"])))
    elif kind == 1:
        name = str(rng.choice(["New sample", "Reset", "Stop"]))
        page.page.get_by_role("button", name=name, exact=True).press("Enter")
    elif kind == 2:
        page.begin(f"lab.set(seed={rng.integers(50)}, b=0)")
    else:
        page.press(TITLES["b"], "ArrowLeft", "ArrowRight")


def round_of_moves(pages, rng):
    """Moves on both pages, by turns, until all have come; how many, and what was lost or wrong."""
    count = 0
    asked = {}
    disturbed = rng.random() < OFTEN
    for _ in range(HANDS):
        which = rng.integers(2)
        page = pages[which]
        name = str(rng.choice(OWN[which]))
        if rng.random() < 0.3:
            page.page.get_by_label(TITLES[name], exact=True).focus()
            page.page.wait_for_timeout(float(rng.uniform(0, 600)))
        count += move(page, name, rng)
        asked[name] = page.page.evaluate(SHOWN, TITLES[name])
        if disturbed and rng.random() < OFTEN:
            disturb(page, rng)
    for page in pages:
        page.settle()
    values = pages[0].told("lab.values")
    found = []
    for page in pages:
        page.settle()
        if page.state != values:
            found.append({"lost": page.state, "kernel": values})
        found += wrong(page)
        let_go(page)
    if not disturbed:
        for name, value in asked.items():
            if str(values[name]) != value:
                found.append({"lost": name, "asked": value, "kernel": values[name]})
    return count, found


def moved(pages, least, seed):
    """What is lost or wrong of so many random moves, or a few more."""
    rng = np.random.default_rng(seed)
    count = 0
    found = []
    while count < least:
        more, problems = round_of_moves(pages, rng)
        count += more
        found += problems
    for page in pages:
        found += page.errors
    return found
