"""Command line: compile every kernel, serve a class, draw its poll."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any

#: The module of each command, which has ``add_options`` and ``run``, and what it does. Only the one
#: called is imported.
COMMANDS = {
    "warm": ("knnviz.warm", "compile every kernel into the cache"),
    "class": ("knnviz.classroom.server", "serve a lesson to the students of a class"),
    "poll": ("knnviz.classroom.poll", "draw what a class predicted and solved"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; ValueError and OSError end with the parser's message,
    exit code 2.
    """
    print_utf_8()
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = ArgumentParser(prog="python -m knnviz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    parsers = {}
    for name, (_, purpose) in COMMANDS.items():
        parsers[name] = commands.add_parser(name, help=purpose)
    if words and words[0] in COMMANDS:
        command_module(words[0]).add_options(parsers[words[0]])
    options, left = parser.parse_known_args(words)
    command = parsers[options.command]
    if left and options.command != "class":
        command.error(f"unrecognized arguments: {' '.join(left)}")
    options.voila_arguments = left
    try:
        command_module(options.command).run(options)
    except (ValueError, OSError) as error:
        command.error(str(error))
    return 0


def print_utf_8() -> None:
    """Have a command print UTF-8 whatever the code page, and what no encoding holds of a file's
    name as an escape.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def command_module(command: str) -> Any:
    """The module of a command, imported."""
    name, _ = COMMANDS[command]
    return import_module(name)


if __name__ == "__main__":
    sys.exit(main())
