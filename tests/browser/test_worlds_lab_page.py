"""TwoWorldsLab in a real browser: a few rounds of its game, by mouse and by keys."""

#: The lab of the page.
LAB = "TwoWorldsLab"


def test_a_game(lab):
    for seed in (1, 2):
        lab.page.get_by_role("button", name="It is P+").click()
        lab.until_said("your guess was")
        lab.until_message("It is P")
        lab.page.get_by_role("button", name="New round").click()
        lab.until(seed=seed)
        lab.settle()
        assert "your guess was" not in lab.alt
        assert lab.message == ""
    assert "rounds 2;" in lab.alt
    lab.press("It is P-", "Enter")
    lab.until_said("rounds 3;")
    lab.screenshot("worlds-told")
    lab.press("It is P-", "Enter")
    lab.until_message("has been guessed")
    assert "rounds 3;" in lab.alt
    lab.press("Reset", "Enter")
    lab.until(seed=0)
    lab.settle()
    assert "rounds 0;" in lab.alt
