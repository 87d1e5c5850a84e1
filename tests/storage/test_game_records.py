"""`lampion export`, `lampion import`: matches as other programs and people read them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Claim, GameError, IllegalMoveError, Throw
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.notation import standard
from firmware_host.__main__ import main
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.session.record import RecordEntry
from firmware_host.storage import game_records
from tests.support.journals import keep, moves_in, recorded

RANDOM = 40


def played(game: AnyGame, seed: int = 1, plies: int = RANDOM) -> Match:
    """Return a random match of `plies` plies; then the seat to move resigns, if it may."""
    match, rng = Match.begin(game), Random(seed)
    while match.plies < plies and match.legal:
        match = match.play(rng.choice(match.legal))
    while match.turn < 0:
        match = match.play(match.legal[0])
    with contextlib.suppress(IllegalMoveError):
        match = match.play(Claim(match.turn, "resign"))
    return match


def kept(state: Path, match: Match, file: str = "match.jsonl") -> Path:
    """Keep a match in the state directory as boards do."""
    return keep(state / file, match.game, recorded(match))


# ---- what is written, and read again


@pytest.mark.parametrize(
    ("name", "form"), [(name, form) for name in NAMES for form in standard.formats(make(name))]
)
def test_what_is_written_has_all_moves(name: str, form: str) -> None:
    match = played(make(name))
    text = standard.write(match, form, {})
    assert text.endswith("\n")
    if form == standard.TEXT:
        lines = [line for line in text.splitlines() if line[:1].isdigit()]
        assert [line.split()[-1] for line in lines] == [m.split()[-1] for m in match.moves()]
    again = standard.read(text.encode(), form)
    assert again.match.moves() == match.moves()
    assert again.notes == ()
    assert form == "usi" or again.match.outcome == match.outcome


def test_engines_read_robot_duel_as_dobutsu() -> None:
    match = Match.begin(make("robot-duel"))
    match = match.play(match.game.parse_move(match.position, "B3B2"))
    assert standard.write(match, "usi", {}) == "position startpos moves 2c2b\n"


def test_people_read_dice_lost_turns_and_claims() -> None:
    game = make("chaturaji", {"dice": 1, "parade": False})
    match = Match.begin(game)
    for word in (3, "b1c3", 4, "--"):
        if isinstance(word, int):
            match = match.play(Throw((word,)))
        elif word == "--":
            assert match.forced_pass() is not None
            match = match.play(match.forced_pass())
        else:
            match = match.play(game.parse_move(match.position, word))
    match = match.play(Claim(2, "resign"))
    assert standard.write(match, "text", {"green": "Ada"}).splitlines() == [
        "[Game] Chaturaji",
        "[parade] false",
        "[green] Ada",
        "",
        f"1. {game.seats[0]} 3 b1c3",
        f"2. {game.seats[1]} 4 --",
        f"{game.seats[2]} resign",
    ]


def test_a_name_that_a_format_cannot_hold_is_left_out() -> None:
    match = Match.begin(make("shogi"))
    players = {"sente": "Ada", "gote": "Bo,N-Cy"}
    text = standard.write(match, "csa", players)
    assert "N+Ada" in text
    assert "Bo" not in text
    assert "後手：Bo,N-Cy" in standard.write(match, "kif", players)


def test_a_game_is_written_only_as_its_programs_read_it() -> None:
    with pytest.raises(GameError, match="robotory is written as text"):
        standard.write(Match.begin(make("robotory")), "kif", {})


def test_what_is_still_asked_is_not_written() -> None:
    match = played(make("shogi"), plies=6)
    record = recorded(match)
    asked = (*record[:4], RecordEntry("move", 0, (record[4].texts[0], "9i9h")), *record[5:])
    assert game_records.settled(match, record) is match
    assert game_records.settled(match, asked).moves() == match.moves()[:4]
    assert game_records.settled(match, (RecordEntry("move", 0, ("7g7f", "2g2f")),)).plies == 0


# ---- the commands


def test_the_match_in_play_is_printed_with_its_players(tmp_path: Path, capsys: Any) -> None:
    match = played(make("shogi"), plies=4)
    kept(tmp_path, match)
    (tmp_path / "players.json").write_text(json.dumps(["Ada ", ""]))
    assert main(["export", "--state", str(tmp_path)]) == 0
    text = capsys.readouterr()
    assert text.err == ""
    assert text.out.splitlines()[:3] == [
        "#KIF version=2.0 encoding=UTF-8",
        "手合割：平手",
        "先手：Ada",
    ]
    assert standard.read(text.out.encode(), "kif").match.moves() == match.moves()


def test_a_kept_match_is_printed_by_its_name_or_its_path(tmp_path: Path, capsys: Any) -> None:
    path = kept(tmp_path, played(make("abalone")), file="match-20260101-120000.jsonl")
    assert main(["export", path.name, "--state", str(tmp_path), "--to", "text"]) == 0
    by_name = capsys.readouterr().out
    assert main(["export", str(path), "--to", "text"]) == 0
    assert capsys.readouterr().out == by_name
    assert by_name.startswith("[Game] Abalone\n")


def test_where_a_question_is_open_the_record_ends_and_says_so(tmp_path: Path, capsys: Any) -> None:
    start = Match.begin(make("shogi"))
    first = start.play(start.game.parse_move(start.position, "7g7f"))
    asked = RecordEntry("move", 1, ("8c8d", "3c3d"))
    keep(tmp_path / "match.jsonl", start.game, (*recorded(first), asked))
    assert main(["export", "--state", str(tmp_path), "--to", "usi"]) == 0
    text = capsys.readouterr()
    assert text.out == "position startpos moves 7g7f\n"
    assert "move number 2" in text.err


def refused(capsys: Any, *words: str) -> str:
    assert main(words) == 1
    text = capsys.readouterr()
    assert text.out == ""
    assert text.err.count("\n") == 1
    return str(text.err)


def test_what_cannot_be_had_is_said_in_one_line(tmp_path: Path, capsys: Any) -> None:
    state = ("--state", str(tmp_path))
    assert f"{tmp_path}: no match has been played here" in refused(capsys, "export", *state)
    assert "no such match" in refused(capsys, "export", str(tmp_path / "away.jsonl"), *state)
    kept(tmp_path, played(make("robotory")))
    assert "written as text" in refused(capsys, "export", "--to", "csa", *state)
    record = tmp_path / "a.kif"
    record.write_text("手合割：平手\n   1 ５五歩(77)\n")
    assert f"{record}: line 2" in refused(capsys, "import", str(record), *state)
    for missing in ("a.pgn", "b.csa"):
        assert "No such file" in refused(capsys, "import", str(tmp_path / missing), *state)
    other = tmp_path / "a.pgn"
    other.write_text("1. e4")
    assert f"{other}: say what it is with --from" in refused(capsys, "import", str(other), *state)
    record.write_text("手合割：平手\n")
    assert "serves" in refused(capsys, "import", str(record), "--layout", "hex-reed", *state)
    assert [*tmp_path.glob("match-*")] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_plain_text_is_read_again(name: str) -> None:
    for seed in range(3):
        match = played(make(name), seed)
        text = standard.write(match, standard.TEXT, {match.game.seats[0]: "Ada [1] --"})
        read = standard.read(text.encode(), "aba-pro")  # as a file named .txt is taken
        assert [each.move for each in read.match.steps()] == [each.move for each in match.steps()]
        assert read.match.position == match.position


def test_a_plain_text_tells_how_the_game_was_begun() -> None:
    game = make("robot-duel", {"first_player": "B", "repetition": "3"})
    start = game.parse_position("g1e/l1C/3/1L1 b CEG 1")
    match = Match.begin(game, start).play(game.parse_move(start, "C2C1+"))
    read = standard.read(standard.write(match, standard.TEXT, {}).encode(), standard.TEXT).match
    assert read.game.options == game.options
    assert (read.position, read.first.position) == (match.position, start)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[Game] Chess", "line 1: expected"),
        ("[Game] Robotory\n\n1. white P w b2", "line 3: 'white P w b2' does not begin with"),
        ("[Game] Robotory\n\n1. dark P w b2", "line 3: .* not the turn of dark"),
        ("[Game] Robotory\n\n1. light --", "line 3: --: there are moves"),
        ("[Game] Robotory\n\nlight hooray", "line 3: "),
        ("[Game] Robotory\n\n1. light nowhere", "line 3: "),
        ("[Game] Chaturaji\n\n1. black 9 a1c3", "line 3: "),
        ("[Game] Chaturaji\n[dice] 7", "dice"),
    ],
)
def test_a_line_of_a_plain_text_that_is_wrong_is_named(text: str, wrong: str) -> None:
    with pytest.raises(GameError, match=wrong):
        standard.read(text.encode(), standard.TEXT)


@pytest.mark.parametrize(
    ("text", "wrong"), [("[Game] Go\n", "line 1: expected .Game. and one of"), (" \n", "nothing")]
)
def test_what_tells_of_no_game_known_here_is_no_empty_match(text: str, wrong: str) -> None:
    with pytest.raises(GameError, match=wrong):
        standard.read(text.encode(), "aba-pro")  # as a file named .txt is taken


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("shogi", "csa"),
        ("shogi", "usi"),
        *((name, "") for name in NAMES if name != "shogi"),
    ],
)
def test_a_record_is_gone_on_with_on_the_board(
    tmp_path: Path, capsys: Any, name: str, form: str
) -> None:
    game = make(name)
    form = form or standard.formats(game)[0]
    match = played(game, plies=9).back(1)
    record = tmp_path / f"record{standard.SUFFIXES[form]}"
    record.write_text(standard.write(match, form, {}))
    state = tmp_path / "state"
    for _ in range(2):  # the second is kept beside the first
        assert main(["import", str(record), "--state", str(state)]) == 0
    by_time = sorted(state.glob("match-*.jsonl"), key=lambda path: (len(path.name), path.name))
    first, second = by_time
    said = f"play on with: lampion sim --match {second.name} --state {state}\n"
    assert capsys.readouterr().out.endswith(said)
    with contextlib.closing(SimulatedHost(state, None)) as host:
        host.open(Start(match=first.name))
        assert host.controller.session.view.match.moves() == match.moves()
        file, text = host.as_record()
        assert file == name + standard.SUFFIXES[standard.formats(game)[0]]
        assert (
            standard.read(text.encode(), standard.formats(game)[0]).match.moves() == match.moves()
        )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "\0" * 500),
        ("a.txt", "{}"),
        ("a.txt", "\x1a"),
        ("a.txt", "[Black] Ada\n"),
        ("a.txt", "[Game] Shogi\n"),
        ("a.kif", "手合割：平手\n   1 ？？？\n"),
        ("a.kif", "手合割：香落ち\n   1 ？？？\n"),
        ("a.kif", "手合割：平手\n先手：甲\n"),
        ("a.csa", "PI\n+\n"),
        ("a.csa", "PI\n+\n%TORYO\n"),
        ("a.usi", "position startpos\n"),
        ("a.usi", "position startpos moves resign\n"),
    ],
)
def test_a_match_of_nothing_is_not_kept(tmp_path: Path, capsys: Any, name: str, text: str) -> None:
    record, state = tmp_path / name, tmp_path / "state"
    record.write_text(text)
    assert main(["import", str(record), "--state", str(state)]) == 1
    text = capsys.readouterr()
    assert text.out == ""
    assert text.err.count("\n") == 1
    assert f"{name}: no move is in it" in text.err
    assert not state.exists()


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("4k4/9/4P4/9/9/9/9/9/9 b G 1", "sente has no king"),
        ("4k4/9/4P4/4P4/9/9/9/9/4K4 b G 1", "sente has two pawns on file 5"),
    ],
)
def test_a_problem_that_no_game_leads_to_is_not_kept(
    tmp_path: Path, capsys: Any, position: str, why: str
) -> None:
    record, state = tmp_path / "a.usi", tmp_path / "state"
    record.write_text(f"position sfen {position} moves G*5b\n")
    assert main(["import", str(record), "--state", str(state)]) == 1
    assert why in capsys.readouterr().err
    assert not state.exists()


def test_a_position_without_moves_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "a.kif"
    record.write_text("手合割：香落ち\n")
    assert main(["import", str(record), "--state", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("end", "moves", "notes"),
    [
        ("", ("B3B2", "B1B2"), 0),
        (" resign", ("B3B2", "B1B2", "resign"), 0),
        (" timeout now", ("B3B2", "B1B2"), 1),
    ],
)
def test_words_behind_the_moves_of_robot_duel(end: str, moves: Any, notes: int) -> None:
    found = standard.read(f"position startpos moves 2c2b 2a2b{end}\n".encode(), "usi")
    assert [step.text for step in found.match.steps()][:2] == list(moves[:2])
    assert (found.match.outcome is not None) == ("resign" in moves)
    assert len(found.notes) == notes


def test_what_was_passed_over_is_said(tmp_path: Path, capsys: Any) -> None:
    record = tmp_path / "a.kif"
    record.write_text("手合割：平手\n何か変な行\n   1 ７六歩(77)\nまで1手で中断\n")
    assert main(["import", str(record), "--state", str(tmp_path)]) == 0
    text = capsys.readouterr()
    assert "a.kif: line 2" in text.err
    assert "--match match-" in text.out


# ---- many at once


def test_imports_at_once_keep_a_match_each(tmp_path: Path) -> None:
    form = standard.formats(make("robot-duel"))[0]
    games = [played(make("robot-duel"), seed, plies=6) for seed in range(8)]
    for number, match in enumerate(games):
        (tmp_path / f"{number}.usi").write_text(standard.write(match, form, {}))
    state, ready = tmp_path / "state", threading.Barrier(len(games))

    def take(number: int) -> Path:
        ready.wait(20)
        return game_records.imported(state, str(tmp_path / f"{number}.usi"), None, None)[0]

    with ThreadPoolExecutor(len(games)) as threads:
        paths = list(threads.map(take, range(len(games))))
    assert len(set(paths)) == len(games)
    assert sorted(state.iterdir()) == sorted(paths)
    assert [moves_in(path) for path in paths] == [match.moves() for match in games]


@pytest.mark.deep
def test_a_hundred_programs_import_at_once(tmp_path: Path) -> None:
    match = played(make("robot-duel"), plies=6)
    (tmp_path / "game.usi").write_text(standard.write(match, "usi", {}))
    command = [sys.executable, "-m", "firmware_host", "import", str(tmp_path / "game.usi")]
    state = tmp_path / "state"
    programs = [
        subprocess.Popen([*command, "--state", str(state)], stdout=subprocess.PIPE, text=True)
        for _ in range(100)
    ]
    said = [program.communicate()[0].splitlines()[0] for program in programs]
    assert [program.returncode for program in programs] == [0] * 100
    assert len(set(said)) == 100
    assert sorted(said) == sorted(f"kept as {path}" for path in state.iterdir())
    assert {tuple(moves_in(path)) for path in state.iterdir()} == {tuple(match.moves())}
