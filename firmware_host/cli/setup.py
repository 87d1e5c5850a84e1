"""`lampion setup`: asks what a board needs to know, and writes its configuration."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from firmware_host.cli.arguments import language_of
from firmware_host.cli.config import add_config_file, config_path
from firmware_host.config import config as configs
from firmware_host.config.as_toml import as_toml
from firmware_host.config.config import PORT, Config
from firmware_host.console.terminal import print_line
from firmware_host.i18n.messages import LANGUAGES, Message, render, say
from firmware_host.storage import files
from hardware import layout as layouts

FOR_PHONES: Final = "0.0.0.0"
FOR_THIS: Final = "localhost"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion setup`."""
    add_config_file(parser)
    parser.add_argument("--layout", metavar="L", help="the board; default: asks")
    parser.add_argument("--language", choices=tuple(LANGUAGES), help="default: asks")
    parser.add_argument(
        "--phones",
        choices=("yes", "no"),
        help="whether other devices in the network may open the page; default: asks",
    )


def run(arguments: argparse.Namespace) -> int:
    """Ask what was not given, write the file, and say what to do next."""
    path = config_path(arguments)
    config = configs.read(path) if path.exists() else Config()
    spoken = arguments.language or language_of(None)
    language = arguments.language or _ask(
        say("Which language does the board speak?"), LANGUAGES, config.language, spoken
    )
    board = arguments.layout or _ask(
        say("Which board is it? Name a layout file with --layout for a board of your own."),
        {name: layouts.load(name).title for name in layouts.NAMES}
        | ({} if config.layout in layouts.NAMES else {config.layout: config.layout}),
        config.layout,
        language,
    )
    layouts.load(board)
    if board not in layouts.KNOWN:
        board = str(Path(board).absolute())  # the service starts in another folder
    shared = config.page != "off" and config.address[0] == FOR_PHONES
    phones = arguments.phones or _ask(
        say("May phones and other computers in your network open the page, with a link?"),
        {"yes": render(say("Yes"), language), "no": render(say("No"), language)},
        "yes" if shared else "no",
        language,
    )
    port = PORT if config.page == "off" else config.address[1]
    page = f"{FOR_PHONES if phones == 'yes' else FOR_THIS}:{port}"
    chosen = msgspec.structs.replace(config, layout=str(board), language=language, page=page)
    _write(path, chosen)
    for line in _next(path, chosen):
        print_line(render(line, language))
    return 0


def _ask(question: Message, choices: Mapping[str, str], present: str, language: str) -> str:
    """Return the choice of a person; Enter keeps the present one. ValueError if nobody is there to
    answer.
    """
    print_line(render(question, language), flush=True)
    for number, (name, text) in enumerate(choices.items(), 1):
        print_line(f"  {number}  {text}{' *' if name == present else ''}", flush=True)
    numbers = {str(number): name for number, name in enumerate(choices, 1)}
    known = {"": present, **numbers, **{name: name for name in choices}}
    while True:
        try:
            typed = input("> ").strip()
        except EOFError:
            raise ValueError(
                "nobody answers: give --layout, --language and --phones instead"
            ) from None
        if typed in known:
            return known[typed]


def _write(path: Path, config: Config) -> None:
    """Write the file, all or nothing; what it said otherwise stays."""
    text = as_toml(config)
    path.parent.mkdir(parents=True, exist_ok=True)
    files.put(path, text.encode(), mode=files.READABLE)


def _next(path: Path, config: Config) -> list[Message]:
    lines = [
        say("{file} is written.", file=str(path)),
        say("Restart the board: {command}", command="sudo systemctl restart lampion"),
    ]
    if config.address[0] == FOR_PHONES:
        where, port = shlex.quote(config.state), config.address[1]
        at = "" if port == PORT else f" --port {port}"
        command = f"sudo lampion links --state {where}{at} --card card.html"
        lines.append(say("A card with the links for phones, to print: {command}", command=command))
    return lines
