"""What lesson 00 states in words is what is computed."""

from lesson_pages import Page, because
from sklearn.datasets import load_digits

from knnviz import LabelNoise, checkerboard, risk
from knnviz.lessons.openings import start_here

PAGE = Page("00-start-here.ipynb")


def test_the_story_is_that_of_the_picture():
    _, words = start_here.draw()
    votes = words.split("labeled ")[1].rstrip(".").split(", ")
    assert votes.count("1") == 5
    assert len(votes) == start_here.K == 7
    assert load_digits().target[start_here.LABELED + start_here.new_scan()] == 1


def test_no_number_of_votes_repairs_asymmetric_noise():
    limit = risk.vote_limit(checkerboard(), LabelNoise(p0=0.0, p1=0.4))
    assert f"the risk tends to {limit:.2f}" in because("noisy-labels")
    assert f"without end: {limit:.2f}" in PAGE.texts["look2"]


def test_the_risks_read_off_the_lab():
    def read(**values):
        return f"{PAGE.read('lab2', **values)['risk']:.2f}"

    text = PAGE.texts["look2"]
    assert f"the risk goes from {read(p1=0.0)} to {read()}." in text
    assert f"the risk gets worse, {read(k=200)}." in text
    assert f"the risk is {read(n=8000, k=200)} again" in text
    assert read(n=8000, k=200) == read()
    assert f"the risk falls to {read(n=8000, k=200, p0=0.4)}:" in text


def test_the_hatching_disappears_when_both_classes_flip():
    both = PAGE.read("lab2", n=8000, k=200, p0=0.4)
    assert both["misled mass"] == 0 < PAGE.read("lab2")["misled mass"]
    assert both["limit of the vote"] == both["Bayes risk"]


def test_more_data_make_room_for_more_votes():
    assert PAGE.read("lab1", n=2000, k=200)["risk"] < PAGE.read("lab1")["risk"] < PAGE.read("lab1", k=200)["risk"]


def test_neither_class_leads_clearly_close_to_a_line():
    (middle, edge) = (PAGE.read("lab1", x1=x1, x2=0.75)["votes at x"].values() for x1 in (0.25, 0.48))
    assert abs(edge[0] - edge[1]) < 0.5 * abs(middle[0] - middle[1])


def test_few_and_many_neighbors_err_more():
    one, some, many = (PAGE.read("lab1", k=k)["risk"] for k in (1, 25, 200))
    assert some < min(one, many)
