"""The command that draws a poll of a class, once or while answers come in."""

import time
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path

from knnviz.classroom import poll_page
from knnviz.classroom.poll import Poll, poll
from knnviz.outputs import write_atomic


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files of answers are")
    parser.add_argument("--output", type=Path, default=Path("poll.html"), help="the page; its table lies beside it")
    parser.add_argument("--watch", action="store_true", help="draw again while answers come in, until Ctrl + C")


def run(options: Namespace) -> None:
    """Read the answers, write the page and its table, and print which files are left out; ValueError if it fails."""
    if options.output.suffix != ".html":
        raise ValueError(f"--output must end in .html, got {options.output}")
    if options.watch:
        with suppress(KeyboardInterrupt):
            watch(options)
    found = write_poll(options)
    print(*found.skipped, sep="\n", end="\n" * bool(found.skipped))
    table = options.output.with_suffix(".csv")
    print(f"{poll_page.counted(found.files, 'file')} of answers are in {options.output} and {table}")


def watch(options: Namespace) -> None:
    """Draw again and again. An error is printed once, and the poll tried again: a folder may come back."""
    print(f"{options.output} follows the answers in {options.folder}. Ctrl + C ends it.", flush=True)
    printed: set[str] = set()
    while True:
        try:
            sentences = set(write_poll(options, time.strftime("%H:%M:%S")).skipped)
        except ValueError as problem:
            sentences = {f"{problem}; trying again"}
        for sentence in sorted(sentences - printed):
            print(sentence, flush=True)
        printed = sentences
        time.sleep(poll_page.RELOAD)


def write_poll(options: Namespace, as_of: str = "") -> Poll:
    """Write the page and the table of the poll, and return it."""
    found = poll(options.folder)
    try:
        write_atomic(options.output, poll_page.page(found, as_of))
        write_atomic(options.output.with_suffix(".csv"), poll_page.table(found))
    except OSError as problem:
        raise ValueError(f"{options.output} cannot be written ({problem.strerror})") from problem
    return found
