"""What lesson 00 states in words is what is computed."""

from lesson_pages import Page, because

from knnviz import LabelNoise, checkerboard, risk
from knnviz.labs import NeighborLab

PAGE = Page("00-start-here.ipynb")
FLIPPED = LabelNoise(p0=0.0, p1=0.4)


def test_no_number_of_votes_repairs_noise_that_takes_sides():
    limit = risk.vote_limit(checkerboard(), FLIPPED)
    assert f"the risk tends to {limit:.3f}" in because("noisy-labels")
    assert f"endless data and votes: {limit:.2f}" in PAGE.texts["noise-look"]


def test_the_risks_read_off_the_lab():
    lab = NeighborLab(problem="checkerboard")

    def read(p1=0.0, **values):
        return f"{lab.set(p1=p1, **values).readout()['risk']:.2f}"

    text = PAGE.texts["noise-look"]
    small, wide, more = {"n": 2000, "k": 25}, {"n": 2000, "k": 200}, {"n": 8000, "k": 100}
    assert f"The risk rises from {read(**small)} to {read(**small, p1=0.4)}." in text
    assert f"The risk rises to {read(**wide, p1=0.4)}, and the circle" in text
    assert f"The risk is still {read(**more, p1=0.4)}." in text
    assert f"takes it from {read(**small)} to {read(**more)}." in text
