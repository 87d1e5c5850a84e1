"""The page in a real headless Chromium, over the whole simulated board."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import (
    BrowserContext,
    WebSocketRoute,
    expect,
)

from engine.games import make
from firmware_host.cli import replay
from firmware_host.session.record import RecordEntry
from firmware_host.storage import recording
from firmware_host.storage.journal import Journal
from firmware_host.web import view
from tests.support.browser import (
    IN_A_BROWSER,
    PATIENCE,
    VISITED,
    Running,
    Table,
    box_of,
    clean,
    running,
)
from tests.support.sampling import a_few

pytestmark = IN_A_BROWSER


@pytest.mark.deep
def test_a_whole_game_by_dragging(table: Table, board: Running) -> None:
    """A capture, a drop, a promotion asked and answered on the board, a Try that wins; then the
    same game again from its recording.
    """
    table.drag("B4", "A3")
    table.has_moves("B4A3")
    table.drag("B1", "C2")
    table.has_moves("B4A3", "B1C2")
    table.drag("B2", "hand.A.C")  # the captured piece first, then the captor
    table.drag("B3", "B2")
    table.has_moves("B4A3", "B1C2", "B3B2")
    table.drag("A1", "B1")
    table.drag("hand.A.C", "A1")  # a drop
    table.drag("C2", "C3")
    table.has_moves("B4A3", "B1C2", "B3B2", "A1B1", "C*A1", "C2C3")

    table.drag("B1", "hand.A.G")
    table.drag("B2", "B1")
    expect(table.page.locator("#question .choice")).to_have_count(2)
    lit = {choice.move: choice.place for choice in board.ask(lambda h: h.status()).question}
    answer = lit["B2B1+"]
    assert answer not in (None, "B1")
    table.page.wait_for_timeout(700)  # until people have seen the lights
    for _ in range(2):
        table.press_place(str(answer))
    expect(table.page.locator("#question")).to_be_hidden()
    table.has_moves("B4A3", "B1C2", "B3B2", "A1B1", "C*A1", "C2C3", "B2B1+")

    table.drag("C4", "hand.B.G")
    table.drag("C3", "C4")
    table.says("B wins")
    expect(table.page.locator("#card")).to_be_visible()

    played = board.ask(lambda h: (h.status(), h.game.position_text(h.position())))
    with table.page.expect_download() as saving:
        table.go("builders")
        table.page.locator("#save").click()
    again = recording.read(saving.value.path())
    session = replay.begin(again)
    for _ in replay.replay(again, session):
        pass
    ending = replay.ending(session)
    assert ending["moves"] == [ply.text for ply in played[0].plies]
    assert ending["position"] == played[1]
    assert ending["outcome"] is not None


def test_moves_by_clicking_and_by_dragging_with_light_and_without_a_focus_ring(
    table: Table, board: Running
) -> None:
    table.says("It is A's turn")
    blue, white = (table.page.locator(f".signs .sign-{word}") for word in ("BLUE", "WHITE"))
    expect(blue).to_have_count(0)  # those of the legend are elsewhere
    table.click("C4")
    hand = table.page.locator("#hand")
    expect(hand).to_contain_text("In your hand: giraffe of A")
    expect(blue).to_have_count(1)
    expect(white).not_to_have_count(0)
    is_lit_under_the_pieces(table, board, "F4")
    table.keys("Escape")
    expect(hand).to_be_hidden()
    table.has_moves()
    table.click("C4")
    expect(hand).to_be_visible()
    table.click("C3")
    table.has_moves("C4C3")
    table.says("It is B's turn")
    ring = "place => getComputedStyle(place.querySelector('.ring')).stroke !== 'none'"
    expect(table.place("C3")).to_be_focused()
    assert not table.place("C3").evaluate(ring)
    table.keys("ArrowUp")
    expect(table.place("C2")).to_be_focused()
    assert table.place("C2").evaluate(ring)
    table.drag("A1", "A2")
    table.has_moves("C4C3", "A1A2")


def is_lit_under_the_pieces(table: Table, board: Running, place: str) -> None:
    """Find the blue light of a place of the board, and others."""
    glow = table.page.locator(".glow:visible")
    pixel = board.host.layout.places[place].pixels[0]
    gradient = table.page.locator(f"#led-{pixel}")
    expect(gradient).to_have_attribute("style", re.compile(r"rgb\(72, 109, 255\)"))
    assert glow.count() >= 2
    lamp = table.page.locator(f'.glow[fill="url(#led-{pixel})"]')
    order = "(a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING"
    piece = table.page.locator("[data-piece]").first.element_handle()
    assert lamp.evaluate(f"(lamp, piece) => ({order})(lamp, piece)", piece)


def test_hands_that_are_quicker_than_the_page(table: Table, board: Running) -> None:
    """A step that is done before the page shows the previous one is based on the table after it."""
    page = table.page
    page.evaluate(
        """() => {
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) {
                setTimeout(() => send.call(this, text), 300);
            };
        }"""
    )
    begun = board.ask(lambda host: host.table.rev)
    for start, end in (("C4", "C3"), ("A1", "A2"), ("A2", "A1"), ("A1", "A2")):
        table.pull(start, end)
    for _ in range(PATIENCE // 50):  # each of the four lifts a piece and puts it
        if board.ask(lambda host: host.table.rev) >= begun + 8:
            break
        page.wait_for_timeout(50)
    table.has_moves("C4C3", "A1A2")
    table.place("B3").focus()
    table.keys("Enter", "ArrowLeft", " ", "f")
    expect(table.place("A3")).to_have_attribute("aria-label", re.compile("hen of A"))


def test_a_move_by_touch(window: Callable[..., BrowserContext], board: Running) -> None:
    table = Table(window(412, 860, has_touch=True, is_mobile=True), board)
    for place in ("C4", "C3"):
        table.place(place).scroll_into_view_if_needed()
        box = box_of(table.place(place))
        assert min(box["width"], box["height"]) >= 44
        table.page.touchscreen.tap(*table.middle(place))
        table.page.wait_for_timeout(100)
    table.has_moves("C4C3")
    assert table.errors == []


def test_a_move_by_keyboard_alone_and_arrows_that_reach_every_place(
    table: Table, board: Running
) -> None:
    for _ in range(20):
        table.keys("Tab")
        if table.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    focused = table.page.locator("[role=gridcell]:focus")
    expect(focused).to_have_count(1)
    for _ in range(12):
        name = focused.get_attribute("data-name") or ""
        if name == "C4":
            break
        table.keys("ArrowDown" if name[1] != "4" else "ArrowRight")
    expect(focused).to_have_attribute("aria-label", "C4, giraffe of A")
    table.keys("Enter", "ArrowUp")
    expect(focused).to_have_attribute("aria-label", "C3, you may put it here")
    table.keys(" ")
    table.has_moves("C4C3")
    table.keys("u")
    table.says(re.compile("back|Move|Put", re.I))
    reached: set[str] = set()
    table.place("B3").focus()
    where = "document.activeElement.dataset.place"
    table.page.locator("#whole").evaluate("box => box.click()")
    table.place("B3").focus()
    for _ in range(14):
        table.keys("ArrowUp")
    for _ in range(9):
        table.keys("ArrowLeft")
    for row in range(11):
        for _ in range(10):
            reached.add(table.page.evaluate(where))
            table.keys("ArrowRight" if row % 2 == 0 else "ArrowLeft")
        reached.add(table.page.evaluate(where))
        table.keys("ArrowDown")
    layout = board.host.layout
    assert set(layout.cells) <= reached
    assert reached & set(layout.slots)


UPRIGHT = """(letters) => letters.every((letter) => {
  const { a, b } = letter.getScreenCTM();
  return a > 0 && Math.abs(b) < 1e-6;
})"""


def test_pieces_are_drawn_and_without_drawings_they_show_their_letters(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path / "drawn", "shogi") as board:
        table = Table(context, board)
        expect(table.page.locator(".piece use")).to_have_count(40)
        expect(table.page.locator(".plain-letters")).to_have_count(0)
    monkeypatch.setattr(view, "game_file", lambda game, name: tmp_path / "nothing")
    with running(tmp_path / "plain", "shogi") as board:
        table = Table(context, board)
        expect(table.page.locator(".piece use")).to_have_count(0)
        letters = table.page.locator(".piece .plain-letters").all_text_contents()
        kinds = [piece.kind for piece in board.host.table.pieces]
        assert sorted(letters) == sorted(kinds)
        for _ in range(2):  # also when the board is rotated
            assert table.page.locator(".piece .plain-letters").evaluate_all(UPRIGHT)
            table.keys("v")
        table.click("7g")
        expect(table.page.locator(".ghost .plain-letters")).to_have_text("P")
        assert table.errors == []


def test_a_piece_turned_over_on_a_polarity_board(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path, layout="square-hall") as board:
        table = Table(context, board)
        table.place("B3").focus()
        table.keys("f")
        expect(table.place("B3")).to_have_attribute("aria-label", re.compile("hen of A"))
        table.keys("f")
        table.says("It is A's turn")
        table.has_moves()
        assert table.errors == []


def test_a_wrongly_put_piece_a_move_in_notation_and_a_name(table: Table, board: Running) -> None:
    """An arrow guides the piece back; then hands make a move that is written."""
    page = table.page
    table.drag("B4", "A2")
    table.says("Move the lion from A2 to B4.")
    expect(page.locator(".signs .repair-arrow")).to_have_count(1)  # an arrow along the way
    expect(table.place("A2")).to_have_attribute("aria-label", re.compile("from A2 to B4"))
    table.drag("A2", "B4")
    table.says("It is A's turn")
    expect(page.locator(".signs .repair-arrow")).to_have_count(0)
    table.has_moves()

    table.place("B3").focus()
    table.keys("/")
    expect(page.locator("#command-text")).to_be_focused()
    page.keyboard.type("B3B2")
    table.keys("Enter")
    table.has_moves("B3B2")
    expect(page.locator("#say")).to_be_hidden()
    table.keys("/")
    page.keyboard.type("A4A3")
    table.keys("Enter")
    expect(page.locator("#command-refused")).not_to_be_empty()
    table.has_moves("B3B2")
    table.keys("Escape")

    table.seat(1).locator(".name").type("Jan")  # it stays while others write
    board.ask(lambda host: host.seating.rename(0, "Anna"))  # the dialog is filled again
    expect(page.locator("#seats strong").first).to_have_text("Anna")
    field = page.locator("#seat .name")
    expect(field).to_be_focused()
    field.press("a")
    field.press("Enter")
    expect(page.locator("#seats strong").nth(1)).to_have_text("Jana")


@pytest.mark.deep
def test_two_browsers_stay_in_step(table: Table, context: BrowserContext, board: Running) -> None:
    other = Table(context, board)
    table.click("C4")
    expect(other.page.locator(".piece.held")).to_have_count(1)
    table.click("C3")
    other.has_moves("C4C3")
    expect(other.page.locator(".piece.held")).to_have_count(0)
    other.drag("A1", "A2")
    table.has_moves("C4C3", "A1A2")
    shown = [
        each.page.locator(".piece").evaluate_all(
            "pieces => pieces.map(m => m.dataset.piece).sort().join()"
        )
        for each in (table, other)
    ]
    assert shown[0] == shown[1]
    other.page.close()


def test_a_stale_command_is_refused_with_the_reason(
    context: BrowserContext, board: Running
) -> None:
    page_hears = True

    def listen(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: (
                socket.send(message) if page_hears or "refused" in str(message) else None
            )
        )

    context.add_init_script(VISITED)
    page = context.new_page()
    page.route_web_socket(re.compile("/ws"), listen)
    page.goto(f"{board.url}#/play")
    other = Table(context, board)
    other.drag("C4", "C3")
    expect(page.locator("#plies .move")).to_have_text("C4C3")
    page_hears = False  # the page keeps its last state
    other.drag("A1", "A2")
    other.has_moves("C4C3", "A1A2")
    page.locator("[data-press=back]").click()
    expect(page.locator("#refused")).to_contain_text("The game has gone on meanwhile")
    other.has_moves("C4C3", "A1A2")


def test_a_lost_connection_is_reported_and_comes_back(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path) as board:
        table = Table(context, board)
        table.drag("C4", "C3")
        table.has_moves("C4C3")
        port = board.port
    expect(table.page.locator("#lost")).to_be_visible()
    table.click("A4")
    with Running.again(tmp_path, port) as board:
        table.board = board
        expect(table.page.locator("#lost")).to_be_hidden(timeout=15000)
        table.has_moves("C4C3")
        table.drag("A1", "A2")
        table.has_moves("C4C3", "A1A2")


def test_a_chip_pulled_off_and_put_back(table: Table) -> None:
    page = table.page
    table.go("builders")
    page.get_by_label("Fault", exact=True).select_option("missing")
    page.get_by_label("Chip").select_option(label="0x22")
    page.get_by_role("button", name="Let it happen").click()
    expect(page.locator("#fault-list")).to_contain_text("0x22")
    table.go("play")
    table.says("0x22")
    table.go("builders")
    page.get_by_role("button", name="Repair everything").click()
    expect(page.locator("#fault-list")).to_have_text("Everything works.")
    expect(page.locator("#fault-past")).to_contain_text("The chip at 0x22 does not answer")
    table.go("play")
    table.says("It is A's turn")
    table.drag("C4", "C3")
    table.has_moves("C4C3")


def test_a_saved_match_is_resumed(context: BrowserContext, tmp_path: Path) -> None:
    journal = Journal.begin(tmp_path / "match-1.jsonl", make("shogi"), "square-reed")
    journal.write((RecordEntry("move", 0, ("7g7f",)),))
    journal.close()
    (tmp_path / "match.jsonl").write_bytes(b"")  # it cannot be read
    with running(tmp_path) as board:
        table = Table(context, board)
        table.says("Choose a saved match to continue")
        table.page.get_by_role("button", name=re.compile(r"^Shogi, .*, 1 move$")).click()
        table.has_moves("7g7f")
        expect(table.page.locator("#saved-matches")).to_be_hidden()
        assert table.errors == []


def test_seats_show_the_colours_that_they_are_named_after(
    tmp_path: Path, context: BrowserContext
) -> None:
    colours = {"red": "#b8322a", "yellow": "#f2c230"}
    paint = "each => getComputedStyle(each).getPropertyValue('--seat')"
    with running(tmp_path, "chaturaji", options={"seats": "red,yellow,black,green"}) as board:
        table = Table(context, board)
        page = table.page
        seats = page.locator("#seats .seat")
        expect(seats.locator("strong")).to_have_text(["red", "yellow", "black", "green"])
        expect(seats.locator(".points b")).to_have_text(["0"] * 4)
        for number, colour in enumerate(colours.values()):
            assert seats.nth(number).locator(".seat-sign g").evaluate(paint) == colour
        field = table.seat(0).locator(".name")
        field.fill("Anna <b>")
        field.press("Enter")
        table.says("Anna <b> throws the die.")
        table.keys("Escape")
        expect(page.locator("#turn")).to_have_text("Your throw, Anna <b>")
        expect(seats.nth(0).locator("strong")).to_have_text("Anna <b>")
        expect(seats.nth(0).locator(".side")).to_have_text("red")
        page.get_by_role("button", name="The dice show 3").click()
        table.drag("b1", "c3")
        expect(page.locator("#plies .words")).to_have_text("horse from b1 to c3")
        table.has_moves("b1c3")
        expect(page.locator("#plies .by")).to_have_text("Anna <b>")
        assert page.locator("#plies .mini g[class]").evaluate(paint) == colours["red"]
        assert table.errors == []


class Evening(NamedTuple):
    """A game that hands play at a page."""

    game: str
    layout: str
    options: dict[str, str]
    work: str
    """What they do, step by step."""
    moves: str
    """The moves that the board reads."""
    end: str
    """What the board says then."""


EVENINGS = [
    Evening(
        "chaturaji",
        "square-reed",
        {"end": "n_rounds", "rounds": "1"},
        "throw>5 b2>b3 throw>2 a8>c6 throw>5 g7>g6 throw>4",
        "b2b3 a8c6 g7g6 --",
        "rounds",
    ),
    Evening(
        "robotory",
        "hex-hall",
        {},
        "stock.light.w>c3 c3>box b3>c3 stock.light.w>d4",
        "P_w_c3 M_W_b3-c3 P_w_d4",
        "turn",
    ),
    Evening("abalone", "hex-reed", {}, "a1>d4 i5>f5 d4>e5", "a1b2 i5h5 d4e5", "turn"),
    Evening(
        "shogi",
        "square-hall",
        {},
        "7g>7f 4a>4b 3c>hand.sente.P 8h>3c 6a>7b "
        "4b>hand.sente.G 3c>4b flip>4b 5a>6a hand.sente.G>5b",
        "7g7f 4a4b 8h3c 6a7b 3c4b+ 5a6a G*5b",
        "mated",
    ),
]


@pytest.mark.parametrize(
    "evening", a_few(EVENINGS, 1), ids=lambda evening: f"{evening[0]} {evening[1]}"
)
def test_every_game_on_its_board(context: BrowserContext, tmp_path: Path, evening: Evening) -> None:
    with running(tmp_path, evening.game, evening.layout, evening.options) as board:
        table = Table(context, board)
        for work in evening.work.split():
            first, second = work.split(">")
            if first == "throw":
                dice = table.page.locator("#dice")
                dice.get_by_role("button", name=f"The dice show {second}").click()
            elif first == "flip":
                table.place(second).focus()
                table.keys("f")
            else:
                table.drag(first, second)
            table.page.wait_for_timeout(350)  # a pause, so that each move is read by itself
        table.has_moves(*(move.replace("_", " ") for move in evening.moves.split()))
        table.says(evening.end)
        clean(table.page)
        assert table.errors == []


def some_game(game: Any, seed: int) -> list[str]:
    """Return a whole game of random moves that push marbles off whenever possible."""
    rng, position, past, texts = Random(seed), game.start(), [], []
    while not game.outcome(position, past):
        moves = game.legal(position)
        left = [len(set(game.pieces(game.play(position, m))) - set(game.trays())) for m in moves]
        if game.name == "abalone":
            moves = [m for m, count in zip(moves, left, strict=True) if count == min(left)]
        move = rng.choice(moves)
        texts.append(game.move_text(position, move))
        past.append(position)
        position = game.play(position, move)
    return texts


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "seed", "options"),
    [("robotory", 204, {}), ("abalone", 237, {"layout": "dutch_daisy"})],
)
def test_a_game_of_many_moves_to_its_end(
    context: BrowserContext, tmp_path: Path, name: str, seed: int, options: dict[str, str]
) -> None:
    """Simulated hands make the moves; questions of the board are answered on the page."""
    moves = some_game(make(name, options), seed)
    with running(tmp_path, name, "hex-hall", options) as board:
        table = Table(context, board)
        for number, move in enumerate(moves, 1):
            table.say(move)
            plies = table.page.locator("#plies .ply")
            expect(plies.nth(number - 1)).to_be_attached()
            expect(table.page.locator("body")).to_have_attribute("data-moving", "false")
            table.page.wait_for_timeout(400)  # for second thoughts: a move nobody can see …
            answer = table.page.locator(f'#question [data-move="{move}"]')
            if answer.count():
                answer.click()
            expect(plies).to_have_count(number)
        table.has_moves(*moves)
        expect(table.page.locator("#card")).to_be_visible()
        assert table.errors == []


def test_a_wrongly_reported_throw_is_corrected(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path, "chaturaji", "square-reed", {}) as board:
        table = Table(context, board)
        dice = table.page.locator("#dice")
        dice.get_by_role("button", name="The dice show 4").click()
        table.has_moves("--")
        table.says("the turn is lost")
        expect(table.page.locator("#sentence")).to_contain_text("Black cannot move")
        expect(dice).to_contain_text("Thrown: 4")
        dice.locator(".corrections summary").click()
        dice.get_by_role("button", name="The dice show 3 instead").click()
        table.has_moves()
        table.says("plays 3")
        expect(dice).to_contain_text("Thrown: 3")
        assert table.errors == []


def breathes(table: Table, whether: bool) -> bool:
    """Wait until the first light breathes or stands still; return whether it breathes."""
    glow = table.page.locator(".light .glow:visible").first
    for _ in range(PATIENCE // 600):
        seen = set()
        for _ in range(6):
            seen.add(glow.get_attribute("style"))
            table.page.wait_for_timeout(100)
        if (len(seen) > 2) is whether:
            break
    return len(seen) > 2


@pytest.mark.parametrize("motion", a_few(["reduce", "no-preference"]))
def test_lights_stand_still_with_reduced_motion(
    window: Callable[..., BrowserContext], tmp_path: Path, motion: str
) -> None:
    with running(tmp_path, "chaturaji") as board:
        table = Table(window(reduced_motion=motion), board)
        glow = table.page.locator(".light .glow:visible")
        expect(glow.first).to_be_visible()  # of the seat that is to throw; it breathes on the board
        moves = motion != "reduce"
        assert breathes(table, moves) is moves
        box = table.settings().get_by_label("Calm lights")
        assert box.is_checked() is not moves
        box.click()
        assert breathes(table, not moves) is not moves
        assert table.errors == []
