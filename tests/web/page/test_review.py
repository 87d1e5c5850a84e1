"""A past match on the page: stepped through, judged, and played on."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from engine.games import make
from engine.match import Match
from firmware_host.storage.journal import Head, Journal, Player
from hardware.layout import serving
from tests.support.browser import IN_A_BROWSER, PATIENCE, VISITED, Running, box_of, clean, running
from tests.support.journals import recorded

pytestmark = IN_A_BROWSER

DUEL = ("B3B2", "B1B2", "C4C3", "A1A2", "C3C2", "B2B3", "A4B3")
"""A takes the lion of B, which came beside it with its sixth move."""


def keep(state: Path, name: str, match: Match, players: Sequence[str]) -> None:
    journal = Journal(
        state / f"match-{name}.jsonl",
        Head(match.game, serving(match.game.name)[0].name, None, name),
    )
    journal.players = tuple(Player(each, "person") for each in players)
    journal.write(recorded(match))
    journal.close()


def duel() -> Match:
    match = Match.begin(make("robot-duel"))
    for text in DUEL:
        match = match.play(match.game.parse_move(match.position, text))
    return match


def wait_until(so: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while not so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Review:
    """A person who looks at a past match."""

    def __init__(self, context: BrowserContext, board: Running, name: str) -> None:
        context.add_init_script(VISITED)
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        with self.page.expect_response(re.compile(rf"/api/matches/{name}\?")) as answer:
            self.page.goto(f"{board.url}#/review/{name}")
        self.told = answer.value.json()
        self.turn = self.page.locator("#review-turn")
        self.sentence = self.page.locator("#review-sentence")
        self.turning = self.page.locator("#review-turning button")
        expect(self.turn).not_to_be_empty()

    def judged(self) -> None:
        """Wait until all moves are judged."""
        expect(self.page.locator("#review-progress")).to_be_empty(timeout=60_000)

    def step(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def stands(self, piece: int) -> str:
        """Return where a piece is drawn."""
        drawn = self.page.locator(f'#review-board [data-piece="{piece}"]')
        return str(drawn.evaluate("each => each.style.transform"))

    @property
    def current(self) -> Locator:
        return self.page.locator('#review-plies [aria-current="step"]')


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    return window(1280, 800, reduced_motion="reduce")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Running]:
    keep(tmp_path, "one", duel(), ("Ania", "Ola"))
    dice, rng = Match.begin(make("chaturaji")), Random(1)
    while dice.plies < 5:
        dice = dice.play(rng.choice(list(dice.legal)))
    keep(tmp_path, "four", dice, ("Ania", "Ola", "Tomek", "Jan"))
    with running(tmp_path) as board:
        yield board


@pytest.fixture
def review(context: BrowserContext, board: Running) -> Iterator[Review]:
    review = Review(context, board, "one")
    yield review
    assert review.errors == []


def test_it_begins_at_the_end_and_buttons_keys_and_the_list_step_through_it(
    review: Review,
) -> None:
    expect(review.turn).to_have_text("Move 7, Ania")
    expect(review.sentence).to_contain_text("Ania wins.")
    expect(review.page.locator("#review-seats .has-won strong")).to_have_text("Ania")
    expect(review.page.get_by_role("button", name="One move on")).to_be_disabled()
    expect(review.current).to_contain_text("7")
    review.step("One move back")
    expect(review.turn).to_have_text("Move 6, Ola")
    review.page.keyboard.press("ArrowLeft")
    expect(review.turn).to_have_text("Move 5, Ania")
    review.page.keyboard.press("Home")
    expect(review.turn).to_have_text("The start")
    expect(review.current).to_have_count(0)
    expect(review.page.get_by_role("button", name="To the start")).to_be_disabled()
    review.page.keyboard.press("]")
    expect(review.turn).to_have_text("Move 1, Ania")
    review.page.locator("#review-plies button").nth(3).click()
    expect(review.turn).to_have_text("Move 4, Ola")
    review.step("To the end")
    expect(review.turn).to_have_text("Move 7, Ania")


def test_the_pieces_stand_as_they_did_after_the_move_that_is_shown(review: Review) -> None:
    expect(review.turn).to_have_text("Move 7, Ania")
    told = review.told
    review.page.keyboard.press("Home")
    before = {piece["id"]: review.stands(piece["id"]) for piece in told["first"]}
    for shown, ply in enumerate(told["plies"], 1):
        review.page.keyboard.press("ArrowRight")
        expect(review.turn).to_contain_text(f"Move {shown},")
        after = {piece["id"]: review.stands(piece["id"]) for piece in ply["pieces"]}
        moved = {piece for piece in after if after[piece] != before[piece]}
        first = told["plies"][shown - 2]["pieces"] if shown > 1 else told["first"]
        where = {piece["id"]: piece["place"] for piece in first}
        assert moved == {
            piece["id"] for piece in ply["pieces"] if piece["place"] != where[piece["id"]]
        }
        before = after


def test_the_search_shows_who_was_ahead_and_where_it_turned(review: Review) -> None:
    review.judged()
    expect(review.page.locator("#review-curve .chance")).to_have_count(1)
    turned = review.turning.filter(has_text="Move 6, Ola")
    expect(turned).to_contain_text("Better: ")
    turned.click()
    expect(review.turn).to_have_text("Move 6, Ola")
    expect(review.sentence).to_contain_text("Better: ")
    expect(review.page.locator("#review-change")).to_have_text(re.compile(r"Ola: from \d+ to 0"))
    expect(review.page.locator(".review-arrow.played")).to_have_count(1)
    expect(review.page.locator(".review-arrow.better")).to_have_count(1)
    review.step("To the start")
    expect(review.page.locator(".review-arrow")).to_have_count(0)


def test_a_match_is_played_on_from_the_move_that_is_shown(review: Review, board: Running) -> None:
    review.page.locator("#review-plies button").nth(4).click()
    review.page.get_by_role("button", name="Play on from here").click()
    expect(review.page.locator('[data-view="play"]')).to_be_visible()
    expect(review.page.locator("#plies .ply")).to_have_count(5)
    assert board.ask(lambda host: host.status().outcome) is None
    assert board.moves() == list(DUEL[:5])
    review.page.goto(f"{board.url}#/review/one")
    expect(review.turn).to_have_text("Move 7, Ania")  # the first one is as it was


def test_each_player_is_told_of_good_moves(review: Review) -> None:
    review.judged()
    expect(review.page.locator("#review-good")).to_contain_text(
        re.compile(r"Ania found \d+( of \d+)? good moves?\.")
    )


def test_a_turning_point_is_played_again(review: Review, board: Running) -> None:
    review.judged()
    on = review.page.locator("#review-on")
    expect(review.turn).to_have_text("Move 7, Ania")
    expect(on).to_be_hidden()  # the match is over there
    line, list_ = box_of(review.current), box_of(review.page.locator("#review-moves"))
    assert line["y"] + line["height"] <= list_["y"] + list_["height"], "the move is seen whole"
    assert review.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    review.step("One move back")
    expect(on).to_have_text("Play it again from here")
    review.step("To the start")
    expect(on).to_have_text("Play on from here")
    turned = review.turning.filter(has_text="Move 6, Ola")
    expect(turned).to_contain_text(re.compile(r"takes your lion on [A-C][1-4] and wins\."))
    turned.click()
    expect(review.turn).to_have_text("Move 6, Ola")
    expect(on).to_have_text("Play it again from here")
    on.click()
    expect(review.page.locator('[data-view="play"]')).to_be_visible()
    expect(review.page.locator("#plies .ply")).to_have_count(5)
    assert board.moves() == list(DUEL[:5])


def test_with_dice_a_turning_point_is_played_again_with_its_throw(
    context: BrowserContext, board: Running
) -> None:
    thrown = dice_blunder()
    board.ask(lambda host: keep(host.library.state, "dice", thrown, ("Ania", "Ola", "Jan", "Eva")))
    review = Review(context, board, "dice")
    ends = [str(points) for points in thrown.game.points(thrown.position)]
    expect(review.page.locator("#review-seats .points b")).to_have_text(ends)
    review.judged()
    turned = review.turning.last
    expect(turned).to_contain_text("Better: boat from c3 takes raja on a5.")
    turned.click()
    on = review.page.locator("#review-on")
    expect(on).to_have_text("Play it again from here")
    on.click()
    expect(review.page.locator('[data-view="play"]')).to_be_visible()
    before = thrown.steps()[-1].before
    assert before is not None
    wait_until(lambda: board.ask(lambda host: host.position()) == before.position)
    assert review.errors == []


def dice_blunder() -> Match:
    """A match of Chaturaji whose last move is that of another piece than takes a raja on a5."""
    match, rng = Match.begin(make("chaturaji")), Random(2)
    while "c3a5" not in texts(match):
        match = match.play(rng.choice(list(match.legal)))
    return match.play(match.game.parse_move(match.position, "c3e5"))


def texts(match: Match) -> list[str]:
    return [match.game.move_text(match.position, move) for move in match.legal]


def test_a_game_for_four_has_turning_points_but_no_curve(
    context: BrowserContext, board: Running
) -> None:
    review = Review(context, board, "four")
    expect(review.turn).to_contain_text("Move 5,")
    expect(review.page.locator("#review-seats .seat")).to_have_count(4)
    expect(review.page.locator("#review-curve")).to_be_hidden()
    review.judged()
    assert review.errors == []


def test_a_match_that_is_gone_is_reported_with_a_link_to_the_others(
    context: BrowserContext, board: Running
) -> None:
    board.ask(lambda host: host.library.delete("one"))
    review = Review(context, board, "one")
    expect(review.sentence).to_have_text("There is no such match any more. Games")
    expect(review.turn).to_have_text("Cannot be read")
    for useless in ("#review-on", "#review-moves", "#review-steps"):
        expect(review.page.locator(useless)).to_be_hidden()
    clean(review.page)
    review.sentence.get_by_role("link").click()
    expect(review.page.locator('[data-view="games"]')).to_be_visible()
    review.page.evaluate("location.hash = '#/review/four'")
    expect(review.turn).to_contain_text("Move 5,")
    expect(review.page.locator("#review-steps")).to_be_visible()
    assert review.errors == []


DEEP = pytest.mark.deep


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ((1280, 800), "dark"),
        *(
            pytest.param(size, scheme, marks=DEEP)
            for size in ((1280, 800), (390, 844), (844, 390), (320, 640))
            for scheme in ("dark", "light")
        ),
    ],
)
def test_nothing_keeps_anybody_from_looking(
    window: Callable[..., BrowserContext], board: Running, size: tuple[int, int], scheme: str
) -> None:
    context = window(*size, reduced_motion="reduce", color_scheme=scheme)
    review = Review(context, board, "one")
    review.judged()
    clean(review.page)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert review.page.evaluate(wide) == 0
    small = review.page.evaluate(
        """Array.from(document.querySelectorAll('[data-view="review"] button'))
            .filter((each) => each.checkVisibility())
            .map((each) => each.getBoundingClientRect())
            .filter(({width, height}) => Math.min(width, height) < 44).length"""
    )
    assert small == 0


@DEEP
def test_the_board_shows_the_step_that_pages_show(context: BrowserContext, board: Running) -> None:
    """Two pages, one at the match and one at the past match, and the buttons of the board."""

    def push(button: str) -> None:
        board.ask(lambda host: host.board.press(button))
        wait_until(lambda: board.ask(lambda host: host.controller.seen.pressed))
        board.ask(lambda host: host.board.release(button))

    review = Review(context, board, "one")
    on_board = review.page.get_by_role("button", name="Show it on the board")
    at_match = context.new_page()
    at_match.goto(f"{board.url}#/play")
    title = at_match.locator("#past-title")
    turn = at_match.locator("#turn")
    expect(turn).not_to_be_empty()
    expect(title).to_be_hidden()
    review.page.bring_to_front()  # a page behind another one may be drawn too seldom for a click
    review.step("One move back")
    on_board.click()
    expect(on_board).to_have_attribute("aria-pressed", "true")
    expect(title).to_have_text("A past match: 6 of 7")
    expect(turn).to_have_text("Move 6, Ola")
    expect(at_match.locator("#plies .ply")).to_have_count(6)
    review.page.keyboard.press("ArrowLeft")
    expect(turn).to_have_text("Move 5, Ania")
    expect(review.turn).to_have_text("Move 5, Ania")
    push("back")
    expect(turn).to_have_text("Move 4, Ola")
    expect(review.turn).to_have_text("Move 4, Ola")
    at_match.bring_to_front()
    at_match.get_by_role("button", name="One move back").click()
    expect(review.turn).to_have_text("Move 3, Ania")
    at_match.keyboard.press("]")
    expect(review.turn).to_have_text("Move 4, Ola")
    expect(at_match.locator("#curve .chance")).to_have_count(1)
    clean(at_match)
    at_match.get_by_role("button", name="Let hands do it").click()
    expect(at_match.locator("#repair-by-hands")).to_be_hidden()
    assert board.ask(lambda host: host.status().repair_plan) == ()
    assert board.moves() == list(DUEL[:4])
    at_match.get_by_role("button", name="Back to the match").click()
    expect(title).to_be_hidden()
    expect(on_board).to_have_attribute("aria-pressed", "false")
    assert board.moves() == []
    review.page.bring_to_front()
    on_board.click()
    expect(title).to_have_text("A past match: 4 of 7")
    at_match.bring_to_front()
    at_match.get_by_role("button", name="Play on from here").click()
    expect(title).to_be_hidden()
    expect(at_match.locator("#plies .ply")).to_have_count(4)
    assert board.ask(lambda host: host.status().review) is None
    assert board.moves() == list(DUEL[:4])
    board.ask(lambda host: host.review_mode.show("four"))
    expect(title).to_have_text("A past match: 5 of 5")
    expect(at_match.locator("#seats .seat")).to_have_count(4)
    expect(at_match.locator("#curve")).to_be_hidden()
