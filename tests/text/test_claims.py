"""What is said of a claim before it is made is what happens when it is made."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from engine.games import NAMES, make
from engine.match import Match
from firmware_host.i18n.messages import LANGUAGES, render
from firmware_host.session.chess_clock import ChessClock
from firmware_host.session.shown_clock import ShownClock
from firmware_host.text import announcements
from firmware_host.text.claims import NEED_A_CLOCK, claim_label, offers


class Case(NamedTuple):
    """A position in which something may be claimed."""

    game: str
    options: dict[str, str]
    position: str | None
    says: tuple[str, ...] = ()
    """The seat, the claim, a colon, and what is said of it."""


ENTERED = "4K4/9/9/9/9/9/9/9/4k4 b {} 1"
DECLARING = "4K4/+P8/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 b {} 1"
EXCHANGE = (
    "4,nK,2,nB/wH,7/8/8/sE,6,eK/8/7,eH/1,sH,6 W - 0,0,5,0 - "
    "command=N>S:lost,E>W:lost lost=S,W killed=S>W"
)

CASES = [
    Case("robot-duel", {}, None, ("B resign: B resigns: A wins.",)),
    Case("robotory", {}, None, ("light resign: light resigns: dark wins.",)),
    Case("abalone", {"clock": "10"}, None, ("black resign: black resigns: white wins.",)),
    Case(
        "shogi",
        {"allow_draw_offer": "true"},
        None,
        (
            "sente resign: sente resigns: gote wins.",
            "sente draw?: sente offers a draw: gote may accept or refuse.",
        ),
    ),
    Case(
        "shogi",
        {"allow_draw_offer": "true"},
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 asked:sente:draw?",
        (
            "gote agree: gote agrees to end the game: it is a draw.",
            "gote decline: gote declines the draw: the game goes on.",
        ),
    ),
    Case(
        "shogi",
        {"illegal_move": "loses"},
        None,
        ("gote illegal: gote claims an illegal move of the opponent: gote wins.",),
    ),
    Case(
        "shogi",
        {"impasse": "declaration27"},
        DECLARING.format("2RB3P"),
        ("sente declare: sente declares the win with the king in the enemy camp: sente wins.",),
    ),
    Case(
        "shogi",
        {},
        ENTERED.format("2R2B10P"),
        ("gote jishogi: gote wants to count the points: sente must say the same.",),
    ),
    Case(
        "shogi",
        {},
        ENTERED.format("Rr2b17p") + " asked:sente:jishogi",
        ("gote jishogi: gote wants to count the points: points 5 : 32, gote wins.",),
    ),
    Case(
        "chaturaji",
        {},
        None,
        (
            "red resign: red resigns: the others play on, and the pieces of this side stay "
            "where they are.",
            "red agree: red agrees to end the game: black, green, yellow must say the same.",
        ),
    ),
    Case(
        "chaturaji",
        {},
        "4,nK,1,nH,1/wH,7/8/wK,7/7,eK/8/8/3,sK,4 S - 9,0,0,0 -",
        (
            "black retire d1: black takes the last raja off d1, and nobody scores for it: "
            "the game goes on.",
        ),
    ),
    Case(
        "chaturaji",
        {},
        "1,sP,2,nK,2,nH/8/8/wK,7/7,eK/2,wE,5/8/3,sK,2,sH,eH S - 0,2,0,0 b8:B quiet=2",
        ("black promote b8=B: black promotes a pawn: boat of black on b8, the game goes on.",),
    ),
    Case(
        "chaturaji",
        {"teams": "true"},
        EXCHANGE,
        ("red exchange?: red offers to exchange rajas: green, yellow may accept or refuse.",),
    ),
    Case(
        "chaturaji",
        {"teams": "true"},
        f"{EXCHANGE} offer=N",
        (
            "yellow exchange d1 a5: yellow agrees to exchange rajas: raja of black on d1, "
            "raja of green on a5, the game goes on.",
            "green exchange no: green refuses to exchange rajas: the game goes on.",
        ),
    ),
]


def on_the_way(name: str, options: dict[str, str], seed: int) -> str:
    """Return a position that a game of moves and claims at random leads to, if it goes on."""
    game = make(name, options)
    rng, match, going_on = Random(seed), Match.begin(game), [game.start()]
    for _ in range(rng.randrange(5, 120)):
        said = [
            claim
            for seat in range(len(game.seats))
            for claim in game.claims(match.position, seat)
            if claim.text not in ("resign", "flag", "illegal")
        ]
        match = match.play(rng.choice(said if said and rng.random() < 0.2 else match.legal))
        if match.outcome is not None:
            break
        going_on.append(match.position)
    return game.position_text(going_on[-1])


CHANCES = [
    Case(name, options, on_the_way(name, options, seed))
    for name, options in [
        ("robot-duel", {}),
        ("shogi", {"allow_draw_offer": "true", "illegal_move": "loses"}),
        ("chaturaji", {}),
        ("chaturaji", {"teams": "true"}),
        ("chaturaji", {"end": "last_army", "deferred_promotion": "immediate"}),
        ("robotory", {}),
        ("abalone", {"clock": "15"}),
    ]
    for seed in range(3)
]


@pytest.mark.parametrize("case", CASES + CHANCES, ids=lambda case: f"{case.game}-{case.options}")
def test_what_a_claim_says_is_what_happens(timeline: Any, case: Case) -> None:
    def begin() -> Any:
        return timeline(case.game, position=case.position, **case.options)

    board = begin()
    seats, said = board.game.seats, announcements.status(board.session.view, 1).claims
    for each in case.says:
        claimed, says = each.split(": ", 1)
        seat, claim = claimed.split(" ", 1)
        assert render(said[seats.index(seat)][claim]) == says
    for seat, claims in said.items():
        allowed = board.game.claims(board.session.view.match.position, seat)
        hidden = frozenset() if board.game.options.get("clock", "none") != "none" else NEED_A_CLOCK
        assert set(claims) == {claim.text for claim in allowed} - hidden
        for claim, does in claims.items():
            made = begin().claim(claim, seat)
            assert "refused" not in made.events
            after = announcements.status(made.session.view, 2)
            says, then = render(does), " ".join(map(render, after.says))
            if after.outcome is None:
                assert " win" not in says.partition(": ")[2]
                assert "it is a draw" not in says
                continue
            winners = ", ".join(seats[each] for each in sorted(after.outcome.winners))
            if winners:
                assert says.endswith((f" {winners} wins.", f" {winners} win."))
                assert then.startswith((f"{winners} wins: ", f"{winners} win: "))
            else:
                assert says.endswith(" it is a draw.")
                assert then.startswith("Nobody wins: ")


def test_what_only_a_clock_knows_is_said_where_people_play_with_one(timeline: Any) -> None:
    shogi = timeline("shogi")
    start = shogi.session.view.match.position
    assert "flag" in {claim.text for claim in shogi.game.claims(start, 0)} & NEED_A_CLOCK
    assert "flag" not in announcements.status(shogi.session.view, 1).claims[0]
    timed = announcements.status(timeline("abalone", clock="10").session.view, 1).claims[1]
    assert render(timed["flag"]) == "white has no time left: black wins."
    assert "flag" not in announcements.status(timeline("abalone").session.view, 1).claims[1]


def test_on_a_clock_that_the_board_knows_only_a_flag_that_has_fallen_is_claimed(
    timeline: Any,
) -> None:
    view = timeline("abalone", clock="10").session.view
    clock = ShownClock(ChessClock(1, (60.0, 5.0), 0.0))
    before = announcements.status(view, 1, now=4.0, clock=clock)
    after = announcements.status(view, 1, now=5.0, clock=clock)
    assert ["flag" in before.claims[seat] for seat in (0, 1)] == [False, False]
    assert ["flag" in after.claims[seat] for seat in (0, 1)] == [False, True]


def test_what_means_another_thing_in_another_line_is_not_offered() -> None:
    game = make("shogi", {"impasse": "declaration27"})
    enough, less = (game.parse_position(DECLARING.format(h)) for h in ("2RB3P", "2RB2P"))
    alone, both = (
        offers([Match.begin(game, position) for position in several])
        for several in ([enough], [enough, less])
    )
    assert set(alone[0]) == {"resign", "declare"}
    assert set(both[0]) == {"resign"}


def test_after_the_end_there_is_nothing_to_claim(timeline: Any) -> None:
    board = timeline().claim("resign", 0)
    assert not any(announcements.status(board.session.view, 1).claims.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_claim_is_said_in_every_language(name: str, language: str) -> None:
    match = Match.begin(make(name))
    for claims in offers([match]).values():
        for claim, does in claims.items():
            assert render(claim_label(claim), language)
            assert "{" not in render(does, language)
            assert language == "en" or render(does, language) != render(does)
