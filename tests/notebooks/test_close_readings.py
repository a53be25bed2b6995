"""A finding of a close reading has a number, a grade and the sentence of the paper that it is about."""

import re
from itertools import pairwise

import nbformat
import pytest
from make import NOTEBOOKS, close_readings
from test_lesson_form import words

#: Words of a finding, its quotation among them.
WORDS = 90

GRADES = ("Slip", "Needs a condition", "False", "Remark")
OPENING = re.compile(
    rf"## (\d+)\. [^\n]+ \([^\n]+\)\n\n\*\*({'|'.join(GRADES)})\.\*\* As printed in the version we have:\s+\".+?\"",
    re.DOTALL,
)


@pytest.fixture(params=close_readings(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def cells(request):
    return nbformat.read(request.param, as_version=4).cells


def test_every_finding_quotes_its_sentence_and_is_graded(cells):
    findings = [cell.source for cell in cells if re.match(r"## \d", cell.source)]
    opened = [OPENING.match(source) for source in findings]
    assert [source[:40] for source, found in zip(findings, opened, strict=True) if not found] == []
    assert [int(found[1]) for found in opened] == list(range(1, len(findings) + 1))


def test_a_finding_is_short(cells):
    texts = [cell.source.partition("\n") for cell in cells if re.match(r"## \d", cell.source)]
    assert {title: words(text) for title, _, text in texts if words(text) > WORDS} == {}


def test_every_finding_computes_its_number(cells):
    for text, code in pairwise(cells):
        if re.match(r"## \d", text.source):
            assert code.cell_type == "code"
            assert "".join(output.get("text", "") for output in code.outputs).strip()


def test_findings_that_are_pointed_to_are_there(cells):
    texts = "\n".join(cell.source for cell in cells)
    count = len(re.findall(r"^## \d+\.", texts, re.MULTILINE))
    pointed = {
        int(number) for span in re.findall(r"findings? ([\d, and]+)", texts) for number in re.findall(r"\d+", span)
    }
    assert pointed <= set(range(1, count + 1))
