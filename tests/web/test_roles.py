"""What host, players and watchers may do: over HTTP, over the WebSocket, in a real match."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest
import segno
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from engine.game import CHANCE, Outcome
from engine.games import NAMES
from firmware_host.__main__ import main
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.i18n.messages import RefusedError, say
from firmware_host.lights.advice import OpponentsStatus
from firmware_host.session import events
from firmware_host.storage.lesson_progress import LessonProgress
from firmware_host.storage.puzzle_progress import PuzzleProgress
from firmware_host.text.status import OfferedMove, Ply, ReviewNow
from firmware_host.web import protocol, roles, server
from firmware_host.web.keys import Keys, links
from firmware_host.web.roles import FOR_ALL, HOST, PLAYERS, ROLES, WATCHER, Role
from firmware_host.web.server import LOOPBACK, create_app
from hardware.layout import serving as boards_for
from tests.web.stub_host import HOME, Page, StubHost, page_of

KEYS = Keys("0123456789abcdef")
FIRST, SECOND = PLAYERS[:2]
COMMANDS: dict[str, dict[str, Any]] = {
    "lift": {"piece": 1},
    "put": {"piece": 1, "place": "E5"},
    "back": {"piece": 1},
    "flip": {"piece": 1},
    "turn": {"piece": 1},
    "press": {"button": "back"},
    "choose": {"move": "B3B2"},
    "report": {"move": "B3B2"},
    "claim": {"seat": 0, "claim": "resign"},
    "throw": {},
    "assist": {"seat": 0, "level": 3},
    "player": {"seat": 0, "name": "Anna"},
    "seat": {"seat": 0, "player_kind": "person"},
    "grading": {"seat": 0, "pieces": 1},
    "hands": {"on": True},
    "match": {},
    "clock": {"control": "5m+3s"},
    "pause": {"on": True},
    "game": {"game": "robot-duel", "layout": "square-reed", "options": {}},
    "resume": {"match": "match-1.jsonl"},
    "continue": {"match": "match-1", "ply": 1},
    "review": {"match": "match-1", "at": 1},
    "delete": {"match": "match-1"},
    "restore": {"match": "match-1"},
    "lesson": {"lesson": "robot-duel-01"},
    "play": {"move": "B3B2"},
    "request": {"move": "B3B2"},
    "setup": {},
    "fault": {"fault": "none"},
    "light": {"place": "A1"},
    "off": {},
    "motion": {"reduced": True},
    "language": {"language": "en"},
}
WATCHING = "You are watching: only players and the host may do that."
FOR_HOST = "Only the host may do that."
FOR_ANOTHER = "only another player may do that now."


class Rooms(StubHost):
    """A host that also accepts what other tests never do."""

    lesson_mode = SimpleNamespace(
        lesson=None,
        learn=lambda name, learner: None,
        done=LessonProgress(Path("/nowhere")),
        tried=PuzzleProgress(Path("/nowhere")),
        today=date.today,
        own=SimpleNamespace(look=lambda learner: ()),
    )


@pytest.fixture
def host() -> StubHost:
    return Rooms()


@pytest.fixture
def enter(host: StubHost) -> Iterator[Any]:
    """Open the page in a role, each time in another browser."""
    with ExitStack() as opened:
        client = opened.enter_context(TestClient(create_app(host, LOOPBACK, KEYS), base_url=HOME))

        def enter(role: Role) -> Page:
            address = f"ws://localhost/ws?token={KEYS.token(role)}"
            return Page(opened.enter_context(client.websocket_connect(address)))

        enter.client = client  # type: ignore[attr-defined]
        yield enter


def refused(page: Page, kind: str, **fields: Any) -> str:
    """Return why a command was refused for the page's role; "" if it was for another reason, or
    was done.
    """
    command = {"rev": page.state["rev"], **COMMANDS[kind], **fields}
    why = page.answer(kind, **command)
    return why if why in (WATCHING, FOR_HOST) or FOR_ANOTHER in why else ""


# ---- the table


def test_every_command_is_in_the_table() -> None:
    known = set(get_args(protocol.AnyCommand))
    assert known == set(roles.PLAYER_MAY)
    assert {kind.__struct_config__.tag for kind in known} == set(COMMANDS)
    assert known > roles.WATCHER_MAY


def test_a_command_that_is_not_in_the_table_is_the_hosts(
    enter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, owner = enter(FIRST), enter(HOST)
    assert refused(first, "player", seat=0) == ""
    monkeypatch.setattr(roles, "PLAYER_MAY", {})
    for kind in COMMANDS.keys() - {"language"}:
        assert refused(first, kind) == FOR_HOST
    assert refused(owner, "player", seat=1) == ""


def test_without_keys_every_page_is_the_hosts(host: StubHost) -> None:
    with page_of(host) as page:
        assert page.board["role"] == {"name": "host", "seat": None, "text": ""}
        assert not page.board["shared"]
        assert [refused(page, kind) for kind in COMMANDS] == [""] * len(COMMANDS)


# ---- watchers


def test_a_watcher_can_do_nothing_to_the_match(host: StubHost, enter: Any) -> None:
    page = enter(WATCHER)
    assert page.board["role"] == {"name": "watcher", "seat": None, "text": "You are watching."}
    before = host.says.rev, host.table.rev
    for kind in COMMANDS:
        allowed = kind in ("motion", "language")
        assert refused(page, kind) == ("" if allowed else WATCHING), kind
    assert (host.posted, host.started, (host.says.rev, host.table.rev)) == ([], [], before)


def test_a_player_of_a_seat_that_the_game_lacks_watches(enter: Any) -> None:
    page = enter(PLAYERS[5])
    assert page.board["role"]["text"] == "You are watching."
    assert refused(page, "claim", seat=0) == WATCHING


# ---- over HTTP


def test_paths_that_are_not_for_all_are_the_hosts(enter: Any) -> None:
    paths = {getattr(route, "path", "") for route in server_routes()} - {
        "/ws",
        "/static/{name:path}",
        "/api/events",  # an answer without end: test_event_stream.py
    }
    paths = {path.replace("{game}", "shogi").replace("{match}", "nowhere") for path in paths}
    assert paths >= FOR_ALL - {"/ws", "/static/", "/api/matches/", "/api/events"}
    for role in ROLES:
        for path in (*sorted(paths), "/static/app.js", "/nowhere"):
            answer = TestClient(enter.client.app, base_url=HOME).get(
                path, params={"token": KEYS.token(role)}
            )
            found = 404 if "/nowhere" in path else 200
            ours = role == HOST or path in FOR_ALL or path.startswith(("/static/", "/api/matches/"))
            assert answer.status_code == (found if ours else 403), (role, path)


def server_routes() -> list[Any]:
    app: Any = create_app(StubHost(), LOOPBACK, KEYS)
    return list(app._app.routes)


def test_the_cookie_carries_the_role_and_another_link_changes_it(enter: Any) -> None:
    browser = TestClient(enter.client.app, base_url=HOME)
    for role in (WATCHER, FIRST, HOST, WATCHER):
        assert browser.get("/", params={"token": KEYS.token(role)}).status_code == 200
        with browser.websocket_connect("ws://localhost/ws") as session:
            assert Page(session).board["role"]["name"] == role.name
        assert browser.get("/api/links").status_code == (200 if role == HOST else 403)


def test_only_the_host_gets_the_links_of_all_roles(enter: Any) -> None:
    token = {"token": KEYS.token(HOST), "lang": "en"}
    told = enter.client.get("/api/links", params=token, headers={"host": "127.0.0.1"}).json()
    assert [each["recipient"] for each in told] == [
        "the host",
        "the player of A",
        "the player of B",
        "watchers",
    ]
    shown = [KEYS.role(each["url"].partition("?token=")[2]) for each in told]
    assert shown == [HOST, FIRST, SECOND, WATCHER]
    assert not any("127.0.0.1" in each["url"] or "localhost" in each["url"] for each in told)
    assert [each["url"] for each in told] == [
        each.address for each in links(KEYS, told[0]["url"].partition("?")[0], ("A", "B"))
    ]


def test_each_link_is_a_qr_code_of_its_own() -> None:
    found = links(KEYS, "http://192.168.1.20:8710/", ("A", "B"))
    assert len({each.qr_svg() for each in found}) == len({each.qr_text() for each in found}) == 4
    for each in found:
        dark = segno.make_qr(each.address).matrix
        rows = each.qr_text().splitlines()[1:]  # after the border, two rows of the code a line
        for y, row in enumerate(dark):
            light = "█▀" if y % 2 == 0 else "█▄"
            text = rows[y // 2][2:-2]
            assert [char not in light for char in text] == [bool(each) for each in row], y
        assert each.qr_svg().startswith("<svg")


def test_links_are_printed_and_renewed_by_a_command(tmp_path: Path, capsys: Any) -> None:
    def printed(*more: str) -> list[str]:
        assert main(["links", "--state", str(tmp_path), "--port", "8712", *more]) == 0
        lines: list[str] = capsys.readouterr().out.splitlines()
        return lines

    first = printed()
    assert len(first) == 4
    assert all(":8712/?token=" in line for line in first)
    assert printed() == first
    assert [line for line in printed("--qr") if "token=" in line] == first
    renewed = printed("--renew")
    assert not set(renewed) & set(first)
    assert printed() == renewed
    assert main(["links", "--state", str(tmp_path / "nowhere")]) == 1
    assert "no board keeps its matches here" in capsys.readouterr().err


def ask_on(page: Page) -> None:
    """Ask for a while, until the connection is closed."""
    for _ in range(200):
        page.answer("motion", reduced=False, rev=0)
        time.sleep(0.02)


def test_a_page_with_an_outdated_link_is_disconnected(
    host: StubHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "RENEWAL_CHECK_S", 0.02)
    keys = Keys.stored_in(tmp_path)
    with (
        TestClient(create_app(host, LOOPBACK, keys), base_url=HOME) as client,
        client.websocket_connect(f"ws://localhost/ws?token={keys.token(HOST)}") as session,
    ):
        page = Page(session)
        Keys.stored_in(tmp_path, renew=True)
        with pytest.raises(WebSocketDisconnect) as caught:
            ask_on(page)
        assert caught.value.code == 1008
        assert "have changed" in (caught.value.reason or "")
        with pytest.raises(WebSocketDenialResponse):
            client.websocket_connect(f"ws://localhost/ws?token={page.state['page']}").__enter__()


# ---- players


OWN_SEAT = ("claim", "assist", "player", "seat", "grading")


@pytest.mark.parametrize("kind", OWN_SEAT)
def test_commands_about_a_seat_are_for_its_player(enter: Any, kind: str) -> None:
    first, second = enter(FIRST), enter(SECOND)
    assert first.board["role"] == {"name": "player", "seat": 0, "text": "You play A."}
    assert refused(second, kind, seat=0) == f"You play B: {FOR_ANOTHER}"
    assert refused(first, kind, seat=1) == f"You play A: {FOR_ANOTHER}"
    assert refused(first, kind, seat=0) == ""


@pytest.mark.parametrize(
    "kind",
    [
        "hands",
        "match",
        "clock",
        "game",
        "resume",
        "continue",
        "review",
        "delete",
        "restore",
        "lesson",
        "fault",
        "light",
        "off",
    ],
)
def test_commands_that_concern_everybody_are_the_hosts(
    host: StubHost, enter: Any, kind: str
) -> None:
    assert refused(enter(FIRST), kind) == FOR_HOST
    assert host.posted == host.started == []
    assert refused(enter(HOST), kind) == ""


def test_the_buttons_of_a_past_match_are_the_hosts(host: StubHost, enter: Any) -> None:
    shown = ReviewNow("one", 3, 7, goes_on=True)
    host.now_says(review=shown, buttons={"hint": say("one move on")})
    assert FOR_ANOTHER in refused(enter(FIRST), "press", button="hint")
    assert refused(enter(HOST), "press", button="hint") == ""
    assert [each.button for each in host.posted] == ["hint"]


@pytest.mark.parametrize("by_hands", [True, False])
def test_a_step_back_past_a_machine_takes_back_no_move_of_another_player(
    by_hands: bool,
) -> None:
    host = Rooms("chaturaji", "square-reed")
    kinds = ("person", "person", "level:plans", "level:plans")
    opponents = OpponentsStatus(kinds, (0,) * 4, {}, by_hands)
    plies = Ply(1, 0, "b1c3"), Ply(2, 1, "a7b7"), Ply(3, 2, "h7h6")
    host.now_says(plies=plies, turn=3, opponents=opponents)
    back = protocol.PressCommand(n=0, rev=0, button="back", to_own_turn=True)
    roles.check(PLAYERS[1], back, "page-1", host)
    assert ("back" in roles.allowed_buttons(FIRST, "page-1", host)) is not by_hands
    if by_hands:
        with pytest.raises(RefusedError, match="only another player may do that now"):
            roles.check(FIRST, back, "page-1", host)
    else:  # it takes back only the machine's move
        roles.check(FIRST, back, "page-1", host)


@pytest.mark.parametrize("kind", ["play", "report", "throw", "setup"])
def test_moves_are_for_the_seat_whose_turn_it_is(enter: Any, kind: str) -> None:
    assert FOR_ANOTHER in refused(enter(SECOND), kind)
    assert refused(enter(FIRST), kind) == ""


def test_buttons_are_for_the_player_concerned(host: StubHost, enter: Any) -> None:
    first, second = enter(FIRST), enter(SECOND)

    def may(button: str) -> tuple[bool, bool]:
        pages = (first, second)
        return tuple(refused(page, "press", button=button) == "" for page in pages)  # type: ignore[return-value]

    assert (may("A"), may("B")) == ((True, False), (False, True))
    assert may("hint") == (True, False)
    assert may("yes") == (True, False), "nothing is asked: it says that the board is right"
    host.now_says(plies=(Ply(1, 0, "B3B2"),))
    assert (may("back"), may("wrong")) == ((True, False), (True, False))
    host.now_says(plies=(Ply(1, 0, "B3B2"), Ply(1, 1, "resign")))
    assert may("back") == (False, False), "the claim of the other would go, too"
    host.now_says(plies=(Ply(1, 0, "B3B2"),), dice=(3,), turn=1)
    assert (may("back"), may("wrong")) == ((False, False),) * 2, "so would the other's throw"
    host.now_says(plies=(), turn=0)
    assert may("back") == (True, False), "a player takes back only their own throw"
    host.now_says(dice=())
    open_move = (Ply(1, 0, "B3B2"), Ply(2, 1, "?", candidates=("B2B1", "B2B1+")))
    host.now_says(plies=open_move, question=(OfferedMove("B2B1", None, "no"),))
    assert (may("yes"), may("no")) == ((False, True), (False, True))
    assert FOR_ANOTHER in refused(first, "choose", move="B2B1")
    assert refused(second, "choose", move="B2B1") == ""
    host.now_says(
        plies=(Ply(1, 0, "B3B2"),), question=(), outcome=Outcome(frozenset({1}), "resign")
    )
    assert may("yes") == (False, False), "that would begin another match"
    assert refused(enter(HOST), "press", button="yes") == ""


def test_only_the_player_who_moved_reports_another_move(host: StubHost, enter: Any) -> None:
    first, second = enter(FIRST), enter(SECOND)  # the first player is to move
    host.now_says(plies=(Ply(1, 1, "B2B1"),))
    assert FOR_ANOTHER in refused(first, "report", move="B2B1+")
    assert refused(second, "report", move="B2B1+", rev=host.says.rev) == ""
    assert host.posted == [events.Choose(7.5, "B2B1+")]


def test_dice_are_thrown_by_the_seat_that_plays_them() -> None:
    host = Rooms("chaturaji", "square-reed")
    throw = protocol.ThrowCommand(n=0, rev=0)
    roles.check(FIRST, throw, "page-1", host)
    for role in PLAYERS[1:4]:
        with pytest.raises(RefusedError, match="only another player may do that now"):
            roles.check(role, throw, "page-1", host)


def test_a_throw_without_moves_is_corrected_by_the_player_who_lost_the_turn(
    host: StubHost, enter: Any
) -> None:
    first, second = enter(FIRST), enter(SECOND)  # the first player is to move
    host.now_says(plies=(Ply(1, 1, "--", dice=(4,)),), corrections=((5,),))
    assert FOR_ANOTHER in refused(first, "throw", dice=[5], correction=True)
    assert refused(second, "throw", dice=[5], correction=True) == ""
    host.now_says(dice=(4,))  # now the first player has thrown
    assert refused(first, "throw", dice=[5], correction=True) == ""
    assert FOR_ANOTHER in refused(second, "throw", dice=[5], correction=True)


def test_a_page_gets_the_buttons_that_it_may_press(host: StubHost, enter: Any) -> None:
    first, second, watcher, owner = map(enter, (FIRST, SECOND, WATCHER, HOST))
    assert owner.state["allowed"] == list(roles.BUTTONS)
    assert watcher.state["allowed"] == []
    assert "back" not in first.state["allowed"]
    assert {"hint", "play", "report", "throw", "setup", "choose"} <= {*first.state["allowed"]}
    assert second.state["allowed"] == []
    host.now_says(plies=(Ply(1, 1, "B2B1"),))
    assert {"back", "wrong", "report", "choose"} <= {*second.json("state")["allowed"]}
    for role, page in ((WATCHER, watcher), (FIRST, first)):
        answer = enter.client.get("/api/state", params={"token": KEYS.token(role)})
        assert answer.json()["allowed"] == page.state["allowed"]


@pytest.mark.parametrize("game", NAMES)
def test_every_game_has_allowed_buttons(game: str) -> None:
    host = Rooms(game, boards_for(game)[0].name)
    turn = host.game.turn(host.game.start())
    seat = turn if turn != CHANCE else 0
    assert {"play", "report"} <= {*roles.allowed_buttons(PLAYERS[seat], "page-1", host)}
    assert roles.allowed_buttons(PLAYERS[seat + 1], "page-1", host) == []


def test_places_are_reserved_for_players(enter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_PAGES", 3)
    monkeypatch.setattr(server, "FOR_PLAYERS", 2)
    enter(WATCHER)
    for role in (WATCHER, PLAYERS[5]):  # a player of a seat that the game lacks is a watcher
        with pytest.raises(WebSocketDenialResponse):
            enter(role)
    enter(FIRST)
    enter(HOST)
    with pytest.raises(WebSocketDenialResponse):
        enter(HOST)


def test_any_player_acts_for_a_machine(host: StubHost, enter: Any) -> None:
    second = enter(SECOND)
    assert FOR_ANOTHER in refused(second, "play")
    machine = OpponentsStatus(("level:plans", "person"), (0, 0), {}, True)
    host.now_says(opponents=machine, plies=(Ply(1, 0, "B3B2"),))
    assert refused(second, "press", button="back") == ""
    assert refused(second, "play") == ""
    assert FOR_ANOTHER in refused(second, "claim", seat=0), "it speaks for itself"


def test_pieces_are_touched_by_the_player_whose_turn_it_is(host: StubHost, enter: Any) -> None:
    first, second = enter(FIRST), enter(SECOND)
    theirs, ours = (first.piece(place)["id"] for place in ("E4", "E5"))  # a chick of each
    for kind in ("lift", "flip", "turn"):
        assert FOR_ANOTHER in refused(second, kind, piece=theirs)
    assert refused(first, "lift", piece=theirs, rev=host.table.rev) == ""
    assert FOR_ANOTHER in refused(second, "put", piece=theirs, place="E5")
    assert refused(first, "put", piece=theirs, place="E5") == ""  # takes the other chick
    assert host.table.held_by(first.state["page"]).number == ours
    assert refused(first, "back", piece=ours) == ""


def test_out_of_turn_a_player_can_only_complete_the_last_move(host: StubHost, enter: Any) -> None:
    second = enter(SECOND)  # the first player is to move
    own, theirs = second.piece("E5")["id"], second.piece("E4")["id"]

    def done(kind: str, piece: int, **fields: Any) -> bool:
        return refused(second, kind, piece=piece, rev=host.table.rev, **fields) == ""

    assert done("lift", own)
    assert not done("put", own, place="E4"), "that would take a piece of the other"
    assert done("put", own, place="D5")
    assert host.table.at("D5")
    host.table.lift(theirs, second.state["page"])  # it was lifted in time
    assert not done("put", theirs, place="E6"), "no piece of the other on a cell"
    assert done("put", theirs, place="box")
    assert done("lift", theirs)
    assert done("put", theirs, place="north.3")
    assert not done("lift", piece_of_a(second))


def piece_of_a(page: Page) -> int:
    """Return the number of a piece of A on the board."""
    pieces = page.state["pieces"]
    return next(
        int(piece["id"]) for piece in pieces if piece["owner"] == "A" and piece["place"] != "box"
    )


# ---- a match on the simulated board


def test_two_players_play_and_a_watcher_watches(tmp_path: Path) -> None:
    with closing(SimulatedHost(tmp_path)) as host:
        host.open(Start("robot-duel", {}, "square-reed"))
        app = create_app(host, LOOPBACK, KEYS)
        with TestClient(app, base_url=HOME) as client, ExitStack() as opened:
            pages = []
            for role in (FIRST, SECOND, WATCHER):
                address = f"ws://localhost/ws?token={KEYS.token(role)}"
                pages.append(Page(opened.enter_context(client.websocket_connect(address))))
            first, second, watcher = pages
            running = client.portal.start_task_soon(host.run)  # type: ignore[union-attr]

            def until(moves: list[str]) -> None:
                for page in pages:
                    while [ply["text"] for ply in page.state["plies"]] != moves:
                        page.json("state")

            places = host.layout.game("robot-duel").places
            for number, (mover, other, move) in enumerate(
                ((first, second, "C4C3"), (second, first, "A1A2"), (first, second, "B3B2"))
            ):
                piece = mover.piece(places[move[:2]])["id"]
                for page in (other, watcher):
                    assert refused(page, "lift", piece=piece, rev=page.state["table_rev"])
                    assert refused(page, "play", move=move)
                assert mover.answer("lift", piece=piece, rev=host.table.rev) == ""
                assert mover.answer("put", piece=piece, place=places[move[2:]], rev=0) == ""
                taken = host.table.held_by(mover.state["page"])
                if taken is not None:  # the turn may be the other's by now
                    assert mover.answer("put", piece=taken.number, place="box", rev=0) == ""
                until(["C4C3", "A1A2", "B3B2"][: number + 1])
            assert refused(second, "claim", seat=0)
            assert second.answer("claim", seat=1, claim="resign", rev=second.state["rev"]) == ""
            running.cancel()
        assert host.status().outcome is not None
