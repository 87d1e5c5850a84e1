"""The README and the pages of docs/: the names in them exist, and every feature is documented."""

from __future__ import annotations

import importlib.util
import re
import struct
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from engine.games import FINISHED, make
from firmware_host.__main__ import COMMANDS, main
from hardware import layout
from hardware.wiring import drawing

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAPERS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
PAGES = [
    *(ROOT / name for name in PAPERS),
    *sorted(DOCS.rglob("*.md")),
]
PICTURES = sorted(DOCS.glob("*.png"))

LARGEST_PICTURE = 300_000
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```\n(.*?)^```$|`([^`\n]+)`", re.DOTALL | re.MULTILINE)


def ids(path: Path) -> str:
    return path.name


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def code(path: Path) -> list[str]:
    """Return every line of code in a page, blocks and spans."""
    return [
        line.split(" #")[0].strip()
        for match in CODE.finditer(text(path))
        for line in (match[1] or match[2]).splitlines()
    ]


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(text(page)):
        if link.startswith("https://"):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name}: {link}"
        assert target.is_relative_to(ROOT), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {link}"


@cache
def usage(*command: str) -> str:
    """Return the output of `lampion COMMAND --help`."""
    import contextlib
    import io

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    return printed.getvalue()


def commands() -> set[str]:
    return set(re.findall(r"^    ([a-z]+)(?: |$)", usage(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_command_and_flag_exists(page: Path) -> None:
    for line in code(page):
        words = line.removeprefix(".venv/bin/").split()
        if len(words) < 2 or words[0] != "lampion":
            continue
        if words[1].startswith("--"):  # an option of the program itself
            assert re.search(rf"{words[1]}\b", usage()), f"{page.name}: {line}"
            continue
        assert words[1] in commands(), f"{page.name}: {line}"
        for word in words[2:]:
            if word.startswith("--"):
                assert re.search(rf"{word}\b", usage(words[1])), f"{page.name}: {line}"


def test_the_readme_names_every_command() -> None:
    named = re.findall(r"^\| `lampion (\w+)", text(ROOT / "README.md"), re.MULTILINE)
    assert sorted(named) == sorted(commands())
    assert len(named) >= 6


def test_the_readme_says_of_a_command_what_its_help_says() -> None:
    row = re.compile(r"^\| `lampion (\w+)[^`]*` \| (.+) \|$", re.MULTILINE)
    linked = re.compile(r"\[([^\]]+)\]\([^)]+\)")
    told = {name: linked.sub(r"\1", about) for name, about in row.findall(text(ROOT / "README.md"))}
    assert list(told.items()) == list(COMMANDS.items())


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text(ROOT / "Makefile"), re.MULTILINE))
    for line in code(page):
        words = line.split()
        if len(words) > 1 and words[0] == "make":
            assert words[1] in targets, f"{page.name}: {line}"


def test_the_named_benchmarks_and_their_flags_exist() -> None:
    names = import_module("benchmarks.__main__").NAMES
    seen = 0
    for page in PAGES:
        for line in code(page):
            _, found, rest = line.partition("-m benchmarks")
            words = rest.partition("#")[0].split() if found else []
            files = [ROOT / "benchmarks" / f"{word}.py" for word in words if word in names]
            source = "".join(map(text, files or [ROOT / "benchmarks" / "reading.py"]))
            for word in words:
                known = word in names or word.isdigit() or word.isupper() or word == "--help"
                named = f'"{word}"' in source or f"def {word}(" in source
                assert known or named, f"{page.name}: {line}"
                seen += 1
    assert seen >= 3


@cache
def script(name: str) -> ModuleType:
    """Return a script that writes part of the pages."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "file", "part"),
    [
        ("options", "games.md", "`safe_any_time`"),
        ("config_page", "config.md", '\nlayout = "square-reed"\n'),
        ("power", "building.md", "| 4B, 400: 3 A | 1.30 + 0.02 = 1.32 A"),
        ("power", "battery.md", "| Zero 2 W | 0.47 A: 13 h |"),
        ("power", "battery.md", "| 0.3 | 0.20 A |"),
    ],
)
def test_what_a_script_writes_into_a_page_is_there(name: str, file: str, part: str) -> None:
    page = text(DOCS / file)
    assert script(name).written(page) == page, f"python docs/{name}.py writes it"
    assert part in page
    assert script(name).written(page.replace(part, "never")) == page


def test_every_game_and_option_is_listed() -> None:
    page = text(DOCS / "games.md")
    for game in map(make, FINISHED):
        assert f"## {game.title}" in page
        assert all(f"| `{option.name}` | " in page for option in game.known_options)


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_pictures_of_the_boards_are_those_of_the_layouts(name: str) -> None:
    picture = text(DOCS / f"{name}.svg").strip()
    assert picture == drawing.layout_svg(layout.load(name)).strip(), (
        f"lampion layouts {name} --svg > docs/{name}.svg"
    )
    assert f"({name}.svg)" in text(DOCS / "building.md")


@pytest.mark.parametrize("name", ["prepare", "nothing-wired", "hands", "report"])
def test_the_pictures_of_terminals_show_what_the_commands_print(name: str) -> None:
    terminals = script("terminals")
    assert name in terminals.PICTURES
    assert text(DOCS / f"{name}.svg").strip() == terminals.terminal_svg(name).strip(), (
        f"python docs/terminals.py {name}"
    )
    assert f"({name}.svg)" in text(DOCS / "building.md")


def test_every_step_of_building_has_a_picture_or_shows_what_is_printed() -> None:
    steps = text(DOCS / "building.md").split("## Step by step")[1].split("\n### ")[0]
    each = re.split(r"^(?=\d+\. \*\*)", steps, flags=re.MULTILINE)[1:]
    assert len(each) == 10
    bare = [step[:30] for step in each if "![" not in step and "   $ lampion" not in step]
    assert bare == []


def test_the_games_to_watch_are_those_that_were_played_on_the_page() -> None:
    table = text(DOCS / "recordings.md").split("## Games to watch")[1].split("\n## ")[0]
    there = {each.stem for each in (ROOT / "tests" / "recordings").glob("page-*.jsonl")}
    assert set(re.findall(r"`(page-[\w-]+)`", table)) == there
    played = {name.removeprefix("page-").removesuffix("-lesson") for name in there}
    assert played >= set(FINISHED)
    assert "docs/recordings.md#games-to-watch" in text(ROOT / "README.md")


@pytest.mark.parametrize("picture", PICTURES, ids=ids)
def test_the_screenshots_are_there_and_small(picture: Path) -> None:
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert width >= 600
    assert height >= 400
    assert len(data) <= LARGEST_PICTURE
    assert f'"{picture.stem}": Picture(' in text(DOCS / "screenshots.py")
    assert any(picture.name in text(page) for page in PAGES)


def test_the_readme_and_the_start_page_show_a_move() -> None:
    data = (DOCS / "move.webp").read_bytes()
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    assert b"ANIM" in data[:64]
    assert len(data) <= 2 * LARGEST_PICTURE
    assert "](docs/move.webp)" in text(ROOT / "README.md")
    assert "](move.webp)" in text(DOCS / "index.md")


def test_the_page_of_commands_is_that_of_the_program() -> None:
    assert script("commands_page").written() == text(DOCS / "commands.md"), (
        "python docs/commands_page.py writes it"
    )


def test_the_readme_gives_a_reason_for_every_dependency() -> None:
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["pi"], *extras["ws281x"]]
    needed = {re.split(r"[^\w-]", each)[0] for each in wanted}
    table = text(ROOT / "README.md").split("## What it needs to run")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| ([\w-]+) \| \w", table, re.MULTILINE)) - {"package"} == needed


CONSTANT = r"^([A-Z][A-Z_]+)(?:: Final)? = [\d.]"


def test_the_numbers_of_reading_stand_where_the_page_says() -> None:
    page = text(DOCS / "reading.md")
    files = ("engine/reading/evidence.py", "firmware_host/session/settle_times.py")
    assert all(f"`{file}`" in page for file in files)
    files += ("firmware_host/session/debounce.py",)
    known = {
        name for file in files for name in re.findall(CONSTANT, text(ROOT / file), re.MULTILINE)
    }
    assert set(re.findall(r"`([A-Z][A-Z_]+)`", page)) <= known


def test_no_other_file_that_reads_hands_has_a_number_of_its_own() -> None:
    for file in (ROOT / "engine" / "reading").glob("*.py"):
        if file.name not in ("evidence.py", "fewest_moves.py"):
            assert not re.findall(CONSTANT, text(file), re.MULTILINE), file.name


def test_the_navigation_has_every_page() -> None:
    listed = re.findall(r"^ +- .+: (\S+\.md)$", text(ROOT / "mkdocs.yml"), re.MULTILINE)
    source = text(ROOT / "tools" / "docs_site.py")
    elsewhere = dict(re.findall(r'^    "(\S+\.md)": "(\S+\.md)",$', source, re.MULTILINE))
    assert all((ROOT / page).is_file() for page in elsewhere)
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted({*pages, *elsewhere.values()} - {"readme.md"})


FILE = re.compile(
    r"(?<![\w./-])((?:benchmarks|drivers|engine|firmware_host|hardware|tests|tools)/[\w/.-]*\w)"
)


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    if page.name != "CHANGELOG.md":  # it names files that no longer exist
        for name in FILE.findall(text(page)):
            if re.search(r"/[A-Z]+\b", name):  # a placeholder
                continue
            assert (ROOT / name).exists(), f"{page.name}: {name}"


@pytest.mark.parametrize(
    "file",
    [*PAGES, ROOT / "mkdocs.yml", *sorted(DOCS.glob("*.svg")), *sorted(DOCS.glob("*.py"))],
    ids=ids,
)
def test_nothing_of_one_machine_is_in_it(file: Path) -> None:
    found = re.findall(
        r"/(?:home|root|work|tmp|Users|opt|mnt)/|pypi\.|pythonhosted|127\.0\.0\.1|\.\./shared",
        text(file),
    )
    assert found == []
