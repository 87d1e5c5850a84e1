"""The command line: output, exit codes, and one line for each error."""

from __future__ import annotations

import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.games import NAMES, make
from engine.notation import standard
from firmware_host import cli
from firmware_host.__main__ import COMMANDS, main
from hardware import layout

LAMPION = (sys.executable, "-m", "firmware_host")
RECORDING = '{"lampion": "recording", "version": 1, "game": "shogi", "sensing": "presence"}\n'


# ---- perft and legal


def test_perft_prints_the_number(run: Any) -> None:
    assert run("perft", "robot-duel", "0") == ["1"]
    assert run("perft", "robot-duel", "4") == [str(make("robot-duel").perft(_start(), 4))]
    assert run("perft", "chaturaji", "1") == [str(make("chaturaji").perft(_start("chaturaji"), 1))]


def _start(name: str = "robot-duel") -> Any:
    return make(name).start()


def test_perft_of_a_position_and_with_options(run: Any) -> None:
    here = ("--position", "1l1/C2/3/1L1 b EGegc 1")
    optional = int(run("perft", "robot-duel", "1", *here)[0])
    mandatory = int(run("perft", "robot-duel", "1", *here, "--set", "promotion=mandatory")[0])
    assert optional == mandatory + 1


def test_perft_divided_adds_up(run: Any) -> None:
    *parts, total = run("perft", "robot-duel", "3", "--divide")
    assert [part.split()[0] for part in parts] == run("legal", "robot-duel")
    assert sum(int(part.split()[1]) for part in parts) == int(total)
    assert run("perft", "robot-duel", "3") == [total]


@pytest.mark.parametrize("name", NAMES)
def test_legal_moves_one_a_line_sorted(run: Any, name: str) -> None:
    game = make(name)
    lines = run("legal", name)
    assert lines == sorted(game.move_text(_start(name), move) for move in game.legal(_start(name)))
    assert lines


def test_legal_moves_of_a_position(run: Any) -> None:
    assert run("legal", "robot-duel", "--position", "gle/1c1/1C1/ELG w - 1") == [
        "A1A2", "B1A2", "B1C2", "B2B3",
    ]  # fmt: skip
    assert run("legal", "robot-duel", "--set", "first_player=B")[0] == "A1A2"


# ---- games and layouts


def test_the_games(run: Any) -> None:
    lines = run("games")
    assert [line.split()[0] for line in lines] == list(NAMES)
    about = "\n".join(run("games", "robot-duel"))
    for option in make("robot-duel").known_options:
        assert f"{option.name} = {option.default}" in about
        assert option.about in about
        assert option.title in about
        assert all(option.said(value) in about for value in option.values)
        assert all(value in about for value in option.values)


def test_the_layouts(run: Any) -> None:
    lines = run("layouts")
    named = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert named == list(layout.NAMES)
    (caution,) = (line for line in lines if line.startswith(" "))
    assert "robotory: Reed switches cannot see the colour" in caution
    assert lines.index(caution) == 1 + lines.index(
        next(n for n in lines if n.startswith("hex-reed"))
    )
    assert "hex-hall     abalone, robotory. Hall sensors see which side is up." in lines
    wiring = "\n".join(run("layouts", "square-reed"))
    assert "0x20" in wiring
    assert "</svg>" in wiring
    picture = "\n".join(run("layouts", "hex-hall", "--svg"))
    assert picture.startswith("<svg")
    assert picture.rstrip().endswith("</svg>")
    circuit = "\n".join(run("layouts", "hex-hall", "--wiring", "--svg"))
    assert "<title>hex-hall: wiring</title>" in circuit
    first = "\n".join(run("layouts", "hex-hall", "--wiring", "--svg", "--step", "first-chip"))
    assert "<title>hex-hall, first-chip: wiring</title>" in first
    assert "[ ]   69 x DRV5055A2" in run("layouts", "hex-hall", "--bom")
    assert run("layouts", "--wiring")[0] == run("layouts", "hex-hall", "--wiring")[0]
    assert "## square-reed" in run("layouts", "--wiring")
    assert "## square-reed" not in run("layouts", "hex-hall", "--wiring")


# ---- the commands themselves


def helped(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints for `--help`, in words that one space separates."""
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    assert ended.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def test_help_lists_each_command_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(capsys)
    for command, about in COMMANDS.items():
        assert f" {command} {about}" in text
        assert f"usage: lampion {command} [-h]" in (own := helped(capsys, command))
        assert about in own


def test_each_module_of_the_commands_is_a_command() -> None:
    """Except `arguments`, which the commands share."""
    modules = {each.name.rstrip("_") for each in pkgutil.iter_modules(cli.__path__)}
    assert modules - {"arguments"} == set(COMMANDS)


@pytest.mark.parametrize(
    ("words", "own", "others"),
    [
        ("--help", "firmware_host.console", "firmware_host.cli engine hardware msgspec"),
        ("games", "firmware_host.cli.games", "firmware_host.cli.sim hardware msgspec"),
        ("legal shogi", "firmware_host.cli.legal", "firmware_host.doctor hardware msgspec"),
        ("doctor --break list", "firmware_host.doctor", "firmware_host.cli.sim starlette"),
    ],
)
def test_a_command_imports_only_what_it_needs(words: str, own: str, others: str) -> None:
    program = (
        "import sys\n"
        "from firmware_host.__main__ import main\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words.split()], capture_output=True, text=True
    )
    imported = done.stderr.split()
    assert own in imported
    assert not set(others.split()) & set(imported)


# ---- wrong usage: 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "COMMAND"),
        (("fly",), "'fly'"),
        (("perft",), "G, DEPTH"),
        (("perft", "chess", "3"), "'chess'"),
        (("perft", "robot-duel"), "DEPTH"),
        (("perft", "robot-duel", "deep"), "'deep' is no number of plies"),
        (("perft", "robot-duel", "-1"), "'-1' is no number of plies"),
        (("perft", "robot-duel", "1e3"), "'1e3' is no number of plies"),
        (("perft", "robot-duel", "9" * 30), "is no number of plies"),
        (("perft", "robot-duel", "100"), "is no number of plies from 0 to 99"),
        (("legal", "robot-duel", "--set", "promotion"), "'promotion' is not written as option="),
        (("legal", "robot-duel", "--set"), "--set"),
        (("legal", "robot-duel", "--speed", "2"), "arguments: --speed 2; see lampion legal --help"),
        (("--speed", "2", "legal", "robot-duel"), "lampion --help"),
        (("games", "chess"), "'chess'"),
        (("sim", "--port", "web"), "--port"),
        (("sim", "--game", "chess"), "'chess'"),
        (("sim", "--seed", "x"), "--seed"),
        (("replay",), "FILE"),
        (("replay", "x", "--speed", "0"), "'0' is no number above 0"),
        (("replay", "x", "--speed", "-2"), "'-2' is no number above 0"),
        (("replay", "x", "--speed", "nan"), "'nan' is no number above 0"),
        (("replay", "x", "--speed", "fast"), "'fast' is no number above 0"),
    ],
)
def test_wrong_usage(refused: Any, words: tuple[str, ...], said: str) -> None:
    assert said in refused(2, *words)


# ---- refused: 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("legal", "robot-duel", "--set", "speed=1"), "no option 'speed'"),
        (("legal", "robot-duel", "--set", "promotion=never"), "option promotion: 'never'"),
        (("legal", "robot-duel", "--set", "=1"), "no option ''"),
        (("legal", "robot-duel", "--set", "promotion=a\nb"), "option promotion"),
        (("legal", "robot-duel", "--position", ""), "position"),
        (("legal", "robot-duel", "--position", "gle/1c1/1C1/ELG"), ""),
        (("legal", "robot-duel", "--position", "gle/1c1/1C1/ELG b - 1 \ud800"), ""),
        (("perft", "shogi", "1", "--position", "9/9/9/9/9/9/9/9/9 b - 1"), ""),
        (("layouts", "round-table"), "no layout 'round-table'"),
        (("layouts", "/nowhere/board.toml"), "/nowhere/board.toml: No such file"),
        (("sim", "--layout", "round-table", "--port", "0"), "no layout 'round-table'"),
        (("sim", "--layout", "hex-reed", "--game", "robot-duel", "--port", "0"), "robot-duel"),
        (("sim", "--set", "promotion=never", "--port", "0"), "option promotion"),
        (("sim", "--port", "65536"), "65536"),
        (("replay", "/nowhere/match.jsonl"), "/nowhere/match.jsonl: No such file"),
        (("replay", "/"), "/: Is a directory"),
        (("replay", "\0"), ""),
    ],
)
def test_refused(refused: Any, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    if words[0] == "sim":
        words = (*words, "--state", str(tmp_path))
    assert said in refused(1, *words)


def test_a_board_file_that_is_none(refused: Any, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("name = [\n")
    assert "board.toml" in refused(1, "layouts", str(file))
    file.write_bytes(b"\xff\xfe\0")
    assert "UTF-8" in refused(1, "layouts", str(file))
    file.write_text('name = "x"\ncolour = "red"\n')
    assert "board.toml" in refused(1, "sim", "--layout", str(file), "--state", str(tmp_path / "s"))


def test_a_recording_that_is_none(refused: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text('{"lampion": "recording"}\n')
    assert "match.jsonl: line 1: version None" in refused(1, "replay", str(file))
    file.write_text(RECORDING + '{"t": 1, "places": {"0x": 1}}\n{"t": 2}\n')
    assert "line 2: '0x' is no place of shogi" in refused(1, "replay", str(file), "--json")


@pytest.mark.parametrize("where", ["file", "file/below", "/proc/nowhere/x"])
def test_a_place_where_nothing_can_be_kept(refused: Any, tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    said = refused(1, "sim", "--state", str(tmp_path / where), "--port", "0")
    assert where.removeprefix("/") in said


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    file = tmp_path / "match.jsonl"
    file.touch(mode=0)
    done = subprocess.run([*LAMPION, "replay", file], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"lampion: {file}: Permission denied\n"


def test_a_port_that_is_taken(refused: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(1, "sim", "--port", port, "--state", str(tmp_path))
    assert f"port {port}" in said
    assert said.endswith("choose another port with --port\n")


# ---- what other people wrote


def test_control_characters_are_printed_as_text(refused: Any, tmp_path: Path) -> None:
    assert r"\u001b[31mred.toml: No such file" in refused(1, "layouts", "/\x1b[31mred.toml")
    assert r"\u202eno" in refused(1, "replay", "/\u202eno")
    file = tmp_path / "match.jsonl"
    file.write_text(RECORDING + r'{"t": 1, "\u001b[2J": 1}' + "\n")
    assert r"\u001b[2J" in refused(1, "replay", str(file))


def test_replay_prints_control_characters_as_text(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    head = '{"lampion": "recording", "version": 1, "game": "robot-duel", "sensing": "presence"}\n'
    pieces = json.dumps(dict.fromkeys(("A1", "B1", "C1", "B2", "B3", "A4", "B4", "C4"), 1))
    wrong = '{"t": 2, "name": "\\u001b[2J\\u009b1m\\ud800"}\n'
    file.write_text(f'{head}{{"t": 0, "places": {pieces}}}\n{wrong}')
    for words in ((), ("--json",)):
        told = "\n".join(run("replay", str(file), *words))
        assert told.isprintable() or told.replace("\n", "").isprintable()


def test_a_pipe_is_no_file_to_wait_for(refused: Any, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for words in (("replay", str(pipe)), ("layouts", str(pipe)), ("sim", "--layout", str(pipe))):
        state = ("--state", str(tmp_path / "state"), "--port", "0") if words[0] == "sim" else ()
        assert "pipe.toml: Not a regular file" in refused(1, *words, *state)


def test_deep_nesting_is_refused(refused: Any, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text("name = " + "[" * 50_000 + "]" * 50_000)
    assert "board.toml" in refused(1, "layouts", str(board))
    board.write_text("[" + ".".join("a" * 5_000) + "]\n")
    assert "board.toml" in refused(1, "layouts", str(board))
    board.write_text("x" * 2_000_000)
    assert "longer than" in refused(1, "layouts", str(board))
    match = tmp_path / "match.jsonl"
    for depth in (400, 900, 3000, 9000):
        match.write_text(f'{RECORDING}{{"t": 1, "dice": {"[" * depth}{"]" * depth}}}\n')
        assert "match.jsonl: line 2" in refused(1, "replay", str(match))


def test_words_of_any_length_are_one_short_line(refused: Any) -> None:
    long = "x" * 100_000
    for code, words in (
        (1, ("layouts", long)),
        (1, ("layouts", f"/{long}.toml")),
        (1, ("replay", long)),
        (1, ("legal", "shogi", "--position", long)),
        (1, ("legal", "shogi", "--set", f"{long}=1")),
        (2, ("legal", long)),
        (2, ("sim", "--port", "9" * 10_000)),
        (2, ("perft", "shogi", "9" * 10_000)),
    ):
        assert len(refused(code, *words)) <= len("lampion: ") + 200 + 1


@pytest.mark.parametrize(
    ("command", "ends"),
    [
        ("games >&-", 0),
        ("--help >&-", 0),
        ("replay /nowhere 2>&-", 1),
        ("replay /nowhere 2>/dev/full", 1),
        ("legal chess 2>&-", 2),
    ],
)
def test_a_missing_output_is_no_error(command: str, ends: int) -> None:
    shell = f"{sys.executable} -m firmware_host {command}"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (ends, "", "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_reported_once(unbuffered: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m firmware_host --help >/dev/full"],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        text=True,
    )
    said = "lampion: standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize("buffer", [0, -1])
@pytest.mark.parametrize(
    "command",
    ["sim --help", "games", "layouts --wiring", "legal shogi", "hint robot-duel --time 0.01"],
)
def test_every_command_reports_a_full_disk(
    command: str, buffer: int, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    with monkeypatch.context() as patch, open("/dev/full", "wb", buffering=buffer) as full:
        out = io.TextIOWrapper(full, write_through=buffer == 0)
        patch.setattr(sys, "stdout", out)
        try:
            code = main(command.split())
        finally:
            out.detach()
    said = "lampion: standard output: No space left on device\n"
    assert (code, capsys.readouterr().err) == (1, said)


# ---- files that are anything at all

ODD = {
    "zeros": bytes(500),
    "no-text": b"\xff\xfe\xfd" * 50,
    "object": b"{}",
    "list": b"[]",
    "deep-list": b"[" * 3000 + b"]" * 3000,
    "deep-object": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "long-number": b"9" * 5000,
    "long-line": b"a" * 100_000,
    "toml-deep-list": b"a = " + b"[" * 3000 + b"]" * 3000 + b"\n",
    "toml-deep-table": b"a = " + b"{a=" * 3000 + b"1" + b"}" * 3000 + b"\n",
    "toml-long-number": b"game = " + b"9" * 5000 + b"\n",
    "toml-other-types": b"game = [1]\nlayout = {a = 1}\nlesson = 3\nid = nan\n",
}


@pytest.mark.parametrize(
    "command",
    [
        "lessons FILE",
        "config show --config FILE",
        "run --config FILE",
        "doctor --config FILE",
        "layouts FILE",
        "sim --layout FILE --state DIR",
        "sim --match FILE --state DIR",
        "calibrate --layout FILE",
        "replay FILE",
        "export FILE --state DIR",
        "tablebase FILE --state DIR",
        *(f"import FILE --from {form} --state DIR" for form in standard.READ),
    ],
)
def test_a_file_that_is_anything_at_all_is_refused_in_one_line(
    refused: Any, tmp_path: Path, command: str
) -> None:
    for name, data in ODD.items():
        file = tmp_path / f"{name}.odd"
        file.write_bytes(data)
        known = {"FILE": str(file), "DIR": str(tmp_path / "state")}
        said = refused(1, *(known.get(word, word) for word in command.split()))
        assert f"{name}.odd" in said


@pytest.mark.parametrize(
    "command",
    [
        "legal shogi --position",
        "hint robot-duel --position",
        "perft chaturaji 1 --position",
        "legal robotory --position",
        "legal abalone --position",
    ],
)
def test_a_position_that_is_anything_at_all_is_refused_in_one_line(
    refused: Any, command: str
) -> None:
    for text in (
        "",
        "\0",
        "9" * 5000,
        "[" * 5000,
        "\x1b[31m",
        "\ud800",
        "٣",
        f"/ b {'9' * 5000}P 1",
    ):
        refused(1, *command.split(), text)


# ---- as programs of their own


def test_the_console_script_and_the_module_are_the_same() -> None:
    script = Path(sys.executable).with_name("lampion")
    for command in ((str(script),), LAMPION):
        done = subprocess.run(
            [*command, "perft", "robot-duel", "2"], capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "17\n", "")


def test_a_reader_that_stops_causes_no_error_message(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    head = {"lampion": "recording", "version": 1, "game": "robot-duel", "sensing": "presence"}
    pieces = ("A1", "B1", "C1", "B2", "B3", "A4", "B4", "C4")
    lines: list[Any] = [head, {"t": 0, "places": dict.fromkeys(pieces, 1)}]
    for turn in range(400):
        lines.append({"t": turn + 1, "places": {"C4": turn % 2, "C3": 1 - turn % 2}})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with subprocess.Popen(
        [*LAMPION, "replay", str(file), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        assert json.loads(done.stdout.readline())["event"] == "move"
        done.stdout.close()
        assert done.stderr.read() == b""
        assert done.wait() in (0, 1)


def test_two_boards_cannot_share_a_state_directory(tmp_path: Path) -> None:
    words = [*LAMPION, "sim", "--port", "0", "--state", str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as first:
        try:
            assert first.stdout is not None
            assert first.stdout.readline().startswith("Robot Duel on square-reed: open http://")
            second = subprocess.run(words, capture_output=True, text=True)
        finally:
            first.terminate()
        assert first.wait() == 0
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith(f"lampion: {tmp_path}: another board keeps its match here")
    assert second.stderr.endswith("choose another state directory with --state\n")
    assert second.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["sim", "run"])
def test_a_clock_is_named_in_its_notation(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as wrong:
        main([command, "--clock", "five minutes"])
    assert wrong.value.code == 2
    assert "write none, 10m, 5m+3s" in capsys.readouterr().err


def test_a_simulated_match_has_the_clock_that_is_named(tmp_path: Path) -> None:
    words = [*LAMPION, "sim", "--port", "0", "--state", str(tmp_path), "--clock", "300s+3s"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as board:
        try:
            assert board.stdout is not None
            assert "open http://" in board.stdout.readline()
        finally:
            board.terminate()
    head = json.loads((tmp_path / "match.jsonl").read_bytes().splitlines()[0])
    assert head["clock"] == "5m+3s"
