"""The past matches over the page's server, with a whole simulated board behind it."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from engine.game import Claim
from engine.games import FINISHED, make
from engine.match import Match
from engine.notation import standard
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.i18n.messages import LANGUAGES
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import Head, Journal, Resumed
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST, WATCHER
from firmware_host.web.server import LOOPBACK, create_app
from hardware.layout import serving
from tests.web.conftest import DUEL, NOW, listing, random_match, simulated_host
from tests.web.stub_host import HOME, Page

KEYS = Keys("7" * 32)


host = simulated_host


def ids(client: TestClient, **query: Any) -> list[str]:
    return [each["id"] for each in listing(client, **query)["matches"]]


GONE = "There is no such match any more."
PEOPLE = (("Ania", "person"), ("Ola", "person"))
MACHINE = (("Ania", "person"), ("", "level:plans"))


# ---- the list


def test_the_list_says_who_played_what_and_how_it_ended(keep: Any, client: TestClient) -> None:
    keep("match-1", players=PEOPLE)
    told = listing(client)
    (match,) = told["matches"]
    assert match | {"pieces": [], "date": ""} == {
        "id": "match-1",
        "file": "match-1.jsonl",
        "game": "robot-duel",
        "title": "Robot Duel",
        "date": "",
        "in_play": False,
        "problem": "",
        "names": ["Ania", "Ola"],
        "seats": [
            {"seat": "A", "name": "Ania", "kind": "person", "level": "", "points": None},
            {"seat": "B", "name": "Ola", "kind": "person", "level": "", "points": None},
        ],
        "result": "Ania wins",
        "outcome": {"winners": [0], "reason": "The lion is captured.", "points": []},
        "plies": 7,
        "unfinished": False,
        "origin": "",
        "origin_match": "",
        "pieces": [],
        "formats": ["usi", "text", "json", "journal"],
    }
    assert {"place": "B3", "face": "E", "owner": "A"} in match["pieces"]
    assert match["date"].startswith(time.strftime("%Y-%m-%dT%H:%M", time.localtime(NOW)))
    assert (told["total"], told["next"], told["reading"]) == (1, "", None)


def test_players_without_a_name_are_called_by_seat_or_machine(
    keep: Any, client: TestClient
) -> None:
    keep("match-1", DUEL[:3], players=MACHINE)
    keep("match-2", at=NOW - 9)
    with_machine, unnamed = listing(client)["matches"]
    assert with_machine["names"] == ["Ania", "the machine (plans)"]
    assert with_machine["seats"][1]["name"] == "the machine"
    assert [seat["level"] for seat in with_machine["seats"]] == ["", "plans"]
    assert (with_machine["result"], with_machine["unfinished"]) == ("Not finished", True)
    assert (unnamed["names"], unnamed["result"]) == (["A", "B"], "A wins")


def test_a_past_match_tells_the_level_that_fitted(keep: Any, client: TestClient) -> None:
    keep("match-1", DUEL[:3], players=(("Ania", "person"), ("", "level:fits-you first-steps")))
    (match,) = listing(client)["matches"]
    assert match["names"] == ["Ania", "the machine (first steps)"]
    assert match["seats"][1]["level"] == "first steps"
    assert match["seats"][1]["kind"] == "level:fits-you"


def test_several_machines_are_told_apart_by_their_seats(keep: Any, client: TestClient) -> None:
    machines = [("", "level:sees-one")] * 3
    keep("match-1", random_match("chaturaji", 3), players=(("Ania", "person"), *machines))
    (match,) = listing(client)["matches"]
    assert [seat["name"] for seat in match["seats"]] == ["Ania", "green", "red", "yellow"]
    assert [seat["level"] for seat in match["seats"]] == ["", *["the machine: sees one move"] * 3]


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_the_list_speaks_the_language_of_the_page(
    keep: Any, client: TestClient, language: str
) -> None:
    keep("match-1", DUEL[:3], players=PEOPLE)
    (match,) = listing(client, lang=language)["matches"]
    assert match["result"] != "Not finished"


def test_the_list_is_filtered_searched_and_read_on(keep: Any, client: TestClient) -> None:
    for number in range(5):
        keep(f"match-{number}", players=PEOPLE, at=NOW - number)
    others = (("Tomek", "person"), ("Ola", "person"))
    keep("match-5", random_match("shogi", 3), players=others, at=NOW - 9)
    assert ids(client, game="shogi") == ["match-5"]
    assert ids(client, search="tomek ola") == ["match-5"]
    first = listing(client, limit=4)
    assert [each["id"] for each in first["matches"]] == [f"match-{n}" for n in range(4)]
    assert ids(client, limit=4, after=first["next"]) == ["match-4", "match-5"]
    assert listing(client, limit=0)["total"] == 6
    assert len(ids(client, limit="many", after="nonsense")) == 6


def test_numbers_of_any_length_are_read(keep: Any, client: TestClient) -> None:
    keep("match-1", origin="match 5f0c " + "9" * 5000)
    (match,) = listing(client, limit="9" * 5000)["matches"]
    assert (match["id"], match["origin"]) == ("match-1", "")


def test_a_journal_that_cannot_be_read_is_listed(
    tmp_path: Path, keep: Any, client: TestClient
) -> None:
    damaged = keep("match-1")
    damaged.write_bytes(damaged.read_bytes().replace(b"C4C3", b"CxCx") + b"\0")
    (tmp_path / "match-2.jsonl").write_bytes(b"nonsense\n")
    told = {each["file"]: each for each in listing(client)["matches"]}
    assert "damaged" in told["match-1.jsonl"]["problem"]
    unread = told["match-2.jsonl"]
    assert unread["problem"].startswith("This file cannot be read: line 1")
    assert (unread["title"], unread["result"]) == ("match-2.jsonl", "Cannot be read")
    assert client.get("/api/matches/match-2").status_code == 404
    assert client.get("/api/matches/match-2/file").content == b"nonsense\n"


def test_the_match_in_play_is_in_the_list(keep: Any, tmp_path: Path) -> None:
    keep("5f0c", DUEL[:2]).rename(tmp_path / "match.jsonl")
    host = SimulatedHost(tmp_path)
    host.open(Start())
    with (
        TestClient(create_app(host, LOOPBACK), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws") as session,
    ):
        page = Page(session)
        (match,) = listing(client)["matches"]
        assert (match["id"], match["in_play"], match["plies"]) == ("5f0c", True, 2)
        for name in ("5f0c", "match"):
            told = client.get(f"/api/matches/{name}").json()
            assert (told["id"], len(told["plies"])) == ("5f0c", 2)
        rev = page.state["rev"]
        for kind in ("delete", "restore"):
            assert page.answer(kind, rev=rev, match=match["id"]) == "This match is in play."
        assert page.answer("resume", rev=rev, match=match["id"]) == ""  # it goes on as it is
        assert len(host.status().plies) == 2
    host.close()
    assert (tmp_path / "match.jsonl").exists()


# ---- the evening


def test_the_score_of_the_evening(keep: Any, client: TestClient) -> None:
    keep("match-1", players=PEOPLE)
    keep("match-2", players=(("OLA", "person"), ("Ania", "person")))
    keep("match-3", players=MACHINE)
    keep("match-4", players=PEOPLE, at=NOW - 2 * 86_400)
    keep("match-5", players=PEOPLE, origin="file game.usi")
    keep("match-6", DUEL[:2], players=PEOPLE)
    keep("match-7")
    told = listing(client)
    scores = {each["name"].casefold(): each["wins"] for each in told["evening"]}
    assert scores == {"ania": 2, "ola": 1, "the machine": 0}
    assert [each["wins"] for each in told["evening"]] == [2, 1, 0]
    assert told["this_evening"] == 6


# ---- one match


@pytest.mark.parametrize("name", FINISHED)
def test_a_match_can_be_looked_at_ply_by_ply(keep: Any, client: TestClient, name: str) -> None:
    match = random_match(name, 40)
    keep("match-1", match)
    told = client.get("/api/matches/match-1").json()
    game, layout = match.game, serving(name)[0]
    places = layout.game(name).places
    steps = [step for step in match.steps() if entry_of(step).kind != "throw"]
    assert [ply["number"] for ply in told["plies"]] == [step.plies for step in steps]
    assert all(ply["sentence"] for ply in told["plies"])
    assert told["board"]["layout"] == layout.name
    assert {option["label"] for option in told["options"]} == {
        option.title for option in game.known_options
    }
    for ply, step in zip(told["plies"], steps, strict=True):
        assert match.steps()[ply["index"]] is step
        assert (ply["seat"], ply["text"]) == (
            step.seat,
            entry_of(step).texts[0].replace("--", ply["text"]),
        )
        standing = {(each["place"], each["face"]) for each in ply["pieces"]}
        pieces = game.pieces(step.position)
        assert standing == {
            (places[place], piece.kind) for place, piece in pieces.items() if place in places
        }
        if ply["to"]:
            assert ply["to"] in layout.cells


def test_a_piece_keeps_its_number_and_says_from_where_to_where(
    keep: Any, client: TestClient
) -> None:
    keep("match-1")
    told = client.get("/api/matches/match-1").json()
    places = serving("robot-duel")[0].game("robot-duel").places
    assert [(ply["from"], ply["to"]) for ply in told["plies"]] == [
        (places[text[:2]], places[text[2:4]]) for text in DUEL
    ]
    lions = [
        {each["id"] for each in ply["pieces"] if each["face"] == "L" and each["owner"] == "A"}
        for ply in told["plies"]
    ]
    assert all(lions[0] <= each for each in lions)
    assert told["plies"][0]["sentence"].startswith("chick from B3 takes chick on B2")


def test_a_match_of_another_game_than_the_one_in_play(keep: Any, client: TestClient) -> None:
    keep("match-1", random_match("abalone", 4))
    told = client.get("/api/matches/match-1").json()
    assert (told["board"]["game"], told["board"]["shape"]) == ("abalone", "hex")


def test_claims_and_questions_in_a_match(tmp_path: Path, client: TestClient) -> None:
    match = Match.begin(make("robot-duel"))
    match = match.play(match.game.parse_move(match.position, "C4C3")).play(Claim(1, "resign"))
    path = tmp_path / "match-1.jsonl"
    journal = Journal(path, Head(match.game, "square-reed", None, "one"))
    journal.write(tuple(map(entry_of, match.steps())))
    journal.close()
    told = client.get("/api/matches/one").json()
    assert [(ply["text"], ply["sentence"]) for ply in told["plies"]][1] == ("resign", "Resign")
    assert told["result"] == "A wins"


@pytest.mark.parametrize("name", ["match-9", "..%2Fmatch-1", "match-1.jsonl", "%00", "x" * 5000])
def test_there_is_no_such_match(keep: Any, client: TestClient, name: str) -> None:
    keep("match-1")
    assert client.get(f"/api/matches/{name}").status_code == 404
    assert client.get(f"/api/matches/{name}/file").status_code == 404


# ---- as files


@pytest.mark.parametrize("name", FINISHED)
def test_a_match_is_saved_in_all_formats_and_imported_again(
    keep: Any, client: TestClient, name: str
) -> None:
    match = random_match(name, 12)
    keep("match-1", match, players=[("Ania", "person")] * len(match.game.seats))
    (told,) = listing(client)["matches"]
    for form in told["formats"]:
        answer = client.get("/api/matches/match-1/file", params={"format": form})
        assert answer.status_code == 200
        file = answer.headers["Content-Disposition"].rpartition("''")[2]
        if form in standard.READ:
            assert standard.read(answer.content, form).match.moves() == match.moves()
        if form == "json":
            assert len(answer.json()["plies"]) == 12
            continue
        put = client.post("/api/matches", params={"name": file}, content=answer.content)
        assert put.status_code == 200, put.text
        (found,) = put.json()["matches"]
        assert client.get(f"/api/matches/{found}").json()["plies"][-1]["number"] == 12
        if form == "journal":
            assert found == "match-1"  # it is the same match
        else:
            assert client.get(f"/api/matches/{found}").json()["origin"] == f"Imported from {file}."


def test_names_in_a_record_are_those_of_the_match(
    host: SimulatedHost, keep: Any, client: TestClient
) -> None:
    keep("match-1", random_match("shogi", 4), players=PEOPLE)
    host.seating.rename(0, "Tomek")
    text = client.get("/api/matches/match-1/file?format=kif").text
    assert "Ania" in text
    assert "Tomek" not in text
    (found,) = client.post("/api/matches?name=a.kifu", content=text.encode()).json()["matches"]
    assert client.get(f"/api/matches/{found}").json()["names"] == ["Ania", "Ola"]


def test_a_format_that_the_game_has_not_is_refused(keep: Any, client: TestClient) -> None:
    keep("match-1")
    answer = client.get("/api/matches/match-1/file?format=kif")
    assert answer.status_code == 400
    assert "usi, text" in answer.json()["reason"]


WRONG = {
    "a.exe": (b"MZ", "no saved game"),
    "": (b"", "no saved game"),
    "a.kif": (b"nonsense", "a.kif: "),
    "a.csa": (b"\xff\xfe", "a.csa: "),
    "a.jsonl": (b'{"lampion": "recording"}\n', "a.jsonl: line 1: this is no journal"),
    "b.jsonl": (b"", "b.jsonl: line 1: this is no journal"),
    "a.zip": (b"PK nonsense", "no archive"),
    "a.txt": (b"x" * ((1 << 21) + 1), "too long"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_in_one_sentence(
    tmp_path: Path, client: TestClient, name: str
) -> None:
    data, why = WRONG[name]
    before = sorted(tmp_path.iterdir())
    answer = client.post("/api/matches", params={"name": name}, content=data)
    assert answer.status_code == 400
    reason = answer.json()["reason"]
    assert why in reason
    assert "\n" not in reason
    assert str(tmp_path) not in reason
    assert [each for each in sorted(tmp_path.iterdir()) if "sqlite" not in each.name] == before


def test_a_file_that_is_too_long_is_refused_while_it_comes(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware_host.web import library_api

    monkeypatch.setattr(library_api, "ARCHIVE_BYTES", 1000)
    sent = []

    def body() -> Iterator[bytes]:
        for number in range(5):
            sent.append(number)
            yield bytes(600)

    answer = client.post("/api/matches?name=a.zip", content=body())
    assert answer.status_code == 413
    assert "too long" in answer.json()["reason"]


def test_an_imported_match_is_as_old_as_its_file(keep: Any, client: TestClient) -> None:
    changed = 1_700_000_000
    answer = client.post(
        f"/api/matches?name=a.usi&changed={changed}000",
        content=b"position startpos moves 7g7f 3c3d",
    )
    (found,) = answer.json()["matches"]
    (match,) = listing(client)["matches"]
    assert match["id"] == found
    assert match["date"].startswith(time.strftime("%Y-%m-%dT%H:%M", time.localtime(changed)))


# ---- all of them


def test_all_matches_are_saved_as_one_archive_and_come_back(
    keep: Any, tmp_path: Path, client: TestClient
) -> None:
    paths = [keep(f"match-{n}", at=NOW - 1000 * n, players=PEOPLE) for n in range(1, 4)]
    bad = tmp_path / "match-bad.jsonl"
    bad.write_bytes(b"nonsense\n")
    contents = {path.name: path.read_bytes() for path in (*paths, bad)}
    answer = client.get("/api/archive")
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    assert {info.filename: packed.read(info) for info in packed.infolist()} == contents
    assert packed.testzip() is None
    same = client.post("/api/matches?name=all.zip", content=answer.content).json()
    assert set(same["matches"]) >= {"match-1", "match-2", "match-3"}
    for path in (*paths, *tmp_path.glob("match-*")):
        path.unlink(missing_ok=True)
    assert ids(client) == []
    told = client.post("/api/matches?name=all.zip", content=answer.content).json()
    assert (len(told["matches"]), told["notes"]) == (4, [])
    matches = {each["id"]: each for each in listing(client)["matches"]}
    assert {"match-1", "match-2", "match-3"} < set(matches)
    day = time.strftime("%Y-%m-%dT%H:%M", time.localtime(NOW - 1000))
    assert matches["match-1"]["date"].startswith(day)


def test_an_archive_of_something_else(client: TestClient, tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        packed.writestr("../../match-evil.txt", "x")
        packed.writestr("../../match-1.jsonl", "x")
    told = client.post("/api/matches?name=all.zip", content=data.getvalue()).json()
    assert told["notes"] == ["all.zip: ../../match-evil.txt is no match and is left out"]
    assert not (tmp_path.parent.parent / "match-1.jsonl").exists()
    assert len(told["matches"]) == 1


@pytest.mark.parametrize("how", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_a_damaged_archive_is_refused(client: TestClient, tmp_path: Path, how: int) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", how) as packed:
        packed.writestr("match-1.jsonl", bytes(1000))
    damaged = data.getvalue()[:45] + b"\xff" * 20 + data.getvalue()[65:]
    answer = client.post("/api/matches?name=all.zip", content=damaged)
    assert answer.status_code == 400
    assert "damaged" in answer.json()["reason"]
    assert not list(tmp_path.glob("match-*"))


def test_an_archive_that_would_fill_the_disk(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware_host.storage import match_archive

    monkeypatch.setattr(match_archive, "MOST_UNPACKED", 100)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("match-1.jsonl", bytes(10_000))
    answer = client.post("/api/matches?name=all.zip", content=data.getvalue())
    assert answer.status_code == 400
    assert "too long" in answer.json()["reason"]


# ---- commands


def test_a_match_is_deleted_and_restored(keep: Any, client: TestClient, page: Page) -> None:
    keep("match-1")
    keep("match-2", at=NOW - 9)
    assert ids(client) == ["match-1", "match-2"]
    rev = page.state["rev"]
    assert page.answer("delete", rev=rev, match="match-1") == ""
    assert ids(client) == ["match-2"]
    for rest in ("", "/file", "/judgements"):
        answer = client.get(f"/api/matches/match-1{rest}", params={"lang": "en"})
        assert (answer.status_code, answer.json()["reason"]) == (404, GONE)
    assert page.answer("restore", rev=rev, match="match-1") == ""
    assert ids(client) == ["match-1", "match-2"]
    assert client.get("/api/matches/match-1").status_code == 200
    for kind in ("delete", "restore"):
        assert "not in the list" in page.answer(kind, rev=rev, match="match-9")


def test_an_earlier_match_is_resumed(
    host: SimulatedHost, keep: Any, client: TestClient, page: Page
) -> None:
    keep("match-1", random_match("shogi", 5), players=PEOPLE)
    ids(client)
    assert page.answer("resume", rev=page.state["rev"], match="match-1") == ""
    assert (host.game.name, len(host.status().plies)) == ("shogi", 5)
    assert host.status().players == ("Ania", "Ola")
    (match,) = listing(client)["matches"]
    assert (match["title"], match["in_play"]) == ("Shogi", True)


def test_a_deleted_match_is_not_resumed(keep: Any, client: TestClient, page: Page) -> None:
    keep("match-1")
    ids(client)
    rev = page.state["rev"]
    page.answer("delete", rev=rev, match="match-1")
    assert "no match" in page.answer("resume", rev=rev, match="match-1")


@pytest.mark.parametrize("ply", [0, 3, 7])
def test_a_match_goes_on_from_any_of_its_moves(
    host: SimulatedHost, keep: Any, client: TestClient, page: Page, ply: int
) -> None:
    path = keep("match-1", players=PEOPLE)
    data = path.read_bytes()
    ids(client)
    assert page.answer("continue", rev=page.state["rev"], match="match-1", ply=ply) == ""
    assert [each.text for each in host.status().plies] == list(DUEL[:ply])
    assert host.status().players == ("Ania", "Ola")
    assert path.read_bytes() == data
    kept = Resumed(path.with_name("match.jsonl"))
    assert kept.head.origin == f"match match-1 {ply}"
    assert kept.head.id != "match-1"
    matches = {each["id"]: each for each in listing(client)["matches"]}
    assert "match-1" in matches
    if ply:
        (other,) = [each for name, each in matches.items() if name != "match-1"]
        assert other["origin"] == f"Goes on from move {ply} of another match."
        assert other["origin_match"] == "match-1"


def test_a_match_with_dice_goes_on_before_the_next_throw(
    host: SimulatedHost, keep: Any, client: TestClient, page: Page
) -> None:
    keep("match-1", random_match("chaturaji", 9))
    ids(client)
    assert page.answer("continue", rev=page.state["rev"], match="match-1", ply=4) == ""
    status = host.status()
    assert (status.plies[-1].number, status.dice, status.turn) == (4, (), -1)


def test_no_match_goes_on_from_a_move_that_it_has_not(
    keep: Any, tmp_path: Path, client: TestClient, page: Page
) -> None:
    keep("match-1")
    ids(client)
    before = sorted(path.name for path in tmp_path.glob("match*"))
    rev = page.state["rev"]
    assert "only 7 moves" in page.answer("continue", rev=rev, match="match-1", ply=8)
    assert sorted(path.name for path in tmp_path.glob("match*")) == before


# ---- roles


def test_a_watcher_may_look_and_save_but_not_change(host: SimulatedHost, keep: Any) -> None:
    keep("match-1")
    with TestClient(create_app(host, LOOPBACK, KEYS), base_url=HOME) as client:
        watcher, owner = ({"token": KEYS.token(role)} for role in (WATCHER, HOST))
        for path in ("", "/match-1", "/match-1/file"):
            client.cookies.clear()
            assert client.get(f"/api/matches{path}", params=watcher).status_code == 200
        for query, status in ((watcher, 403), (owner, 200)):
            client.cookies.clear()
            assert client.get("/api/archive", params=query).status_code == status
            body = b"position startpos moves 7g7f"
            params = query | {"name": "a.usi"}
            answer = client.post("/api/matches", params=params, content=body)
            assert answer.status_code == status


def test_another_site_can_import_nothing(client: TestClient) -> None:
    answer = client.post(
        "/api/matches?name=a.usi",
        content=b"position startpos moves 7g7f",
        headers={"Origin": "http://evil.example"},
    )
    assert answer.status_code == 403
    assert ids(client) == []


def test_the_list_is_json_without_anything_else(keep: Any, client: TestClient) -> None:
    keep("match-1", players=(("</script>", "person"), ("Ola", "person")))
    answer = client.get("/api/matches")
    assert answer.headers["content-type"] == "application/json"
    assert json.loads(answer.text)["matches"][0]["names"][0] == "</script>"
