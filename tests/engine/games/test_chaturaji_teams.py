"""Chaturaji with partners opposite: the rules T1 … T11, numbered as in the rule sheet's list."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Claim, IllegalMoveError
from engine.games.chaturaji import Chaturaji, ChaturajiPosition
from tests.support.chaturaji import E, N, S, W, after, at, claimed, ended, team_game
from tests.support.rules import moves

GAME = team_game()


def more(game: Chaturaji, position: ChaturajiPosition) -> str:
    """Return what the text of a position says beside the five fields."""
    return " ".join(game.position_text(position).split()[5:])


# ---- partners


def test_partners_block_each_other_like_own_pieces() -> None:
    pieces = "sKd1,wKa5,nKe8,eKh4,sEd3,nHd5,wHf3"
    assert moves(GAME, at(GAME, pieces, "S 4 0,0,0,0 -")) == {
        *("d3a3", "d3b3", "d3c3", "d3e3", "d3f3", "d3d2", "d3d4")
    }
    alone = Chaturaji()
    assert "d3d5" in moves(alone, at(alone, pieces, "S 4 0,0,0,0 -"))


def test_partners_may_take_each_other_where_that_is_chosen_for_no_points() -> None:
    game = team_game(friendly_capture=True)
    position = at(game, "sKd1,wKa5,nKe8,eKh4,sEd3,nHd5,wHf3", "S 4 0,0,0,0 -")
    taken = after(game, position, "d3d5")
    assert taken.scores == (0, 0, 0, 0)
    assert game.pieces(taken)["graveyard"].count == 32 - 6
    assert taken.quiet == 0


# ---- T1, T2, T5: points for a throne, for a raja killed on it, and for an empire

T1 = "sKb4,sHb1,wKc8,wBa8,nKe8,nBh8,eKh4,eBh1"
AGAIN = "b4a5;3;--;3;--;3;--;5;a5a4;3;--;3;--;3;--;5;a4a5"
T2 = "sKb4,sEa1,wKa5,wBa8,nKe8,nBh8,eKh4,eBh1"
BY_RAJA = {"throne_kill_by": "raja"}
INSTEAD = {"throne_kill_additive": False}
EMPIRE = "sKd4,sEb1,nKe8,nBh8,wKb4,wEa8,eHh3"
ON_THRONE = EMPIRE.replace("wKb4", "wKa5").replace("sEb1", "sEb5")
LED = "command=S>N lost=E"
LATE = "sKd8,sHb1,nKc6,nHg8,wEa8,eHh3"


@pytest.mark.parametrize(
    ("options", "pieces", "die", "more", "way", "points"),
    [
        # T1: a raja that enters an enemy throne scores once, or each time where that is chosen
        ({}, T1, 5, "", "b4a5", 1),
        ({}, T1, 5, "", AGAIN, 1),
        ({"throne_points": "every_entry"}, T1, 5, "", AGAIN, 2),
        ({}, T1.replace("wKc8", "wHa5"), 5, "lost=W", "b4a5", 3 + 1),  # though W's raja is dead
        ({}, T1.replace("sKb4", "sKd2"), 5, "", "d2d1", 0),  # its own throne
        ({}, T1.replace("sHb1", "sHb3"), 3, "", "b3a5", 0),  # another piece
        ({"teams": False}, T1, 5, "", "b4a5", 0),
        # T2: a raja that is killed on its throne, and no T1 beside it
        ({}, T2, 4, "", "a1a5", 7),
        ({}, T2, 5, "", "b4a5", 7),
        (BY_RAJA, T2, 4, "", "a1a5", 5),
        (BY_RAJA, T2, 5, "", "b4a5", 7),
        (INSTEAD, T2, 4, "", "a1a5", 2),
        (INSTEAD, T2, 5, "", "b4a5", 2),
        (INSTEAD | BY_RAJA, T2, 4, "", "a1a5", 5),
        (INSTEAD | BY_RAJA, T2, 5, "", "b4a5", 2),
        ({}, T2.replace("wKa5", "wKa4"), 5, "", "b4a4", 5),  # elsewhere
        ({}, "sKb4,wBa8,nKe8,nBh8,eKa5,eBh1", 5, "lost=W", "b4a5", 5 + 1),  # on another's
        # T5: an empire, by any piece, by its own raja, and with a raja on its throne
        ({}, EMPIRE, 4, LED, "b1b4", 5 + 1),
        ({}, EMPIRE.replace("wKb4", "wKc4"), 5, LED, "d4c4", 5 + 2),
        ({}, ON_THRONE.replace("sKd4", "sKb4"), 5, LED, "b4a5", 5 + 4),  # neither T2 nor T1
        ({}, ON_THRONE, 4, LED, "b5a5", 5 + 4),
        (BY_RAJA, ON_THRONE, 4, LED, "b5a5", 5 + 4),
        ({}, EMPIRE.replace("nKe8", "nKa3"), 5, LED, "a3b4", 5 + 1),  # by the partner's raja
        ({}, EMPIRE, 4, "lost=E", "b1b4", 5),  # without command
        ({}, EMPIRE.replace("sKd4,", ""), 4, "command=S>N lost=S,E", "b1b4", 5),  # or raja
        ({}, LATE, 5, "lost=W,E", "d8e8", 1),  # also when command comes last, and once
        ({}, LATE, 5, "lost=W,E", "d8e8;2;--;2;--;2;--;5;e8d8;2;--;2;--;2;--;5;d8e8", 1),
    ],
)
def test_t1_t2_t5_score(
    options: dict[str, Any], pieces: str, die: int, more: str, way: str, points: int
) -> None:
    game = team_game(**options)
    position = at(game, pieces, f"S {die} 0,0,0,0 - {more}")
    assert after(game, position, way).scores == (points, 0, 0, 0)


def test_a_throne_is_used_up_unless_every_entry_scores() -> None:
    rest = "S 5 0,0,0,0 -"
    assert more(GAME, after(GAME, at(GAME, T1, rest), "b4a5")) == "thrones=S:a5 quiet=1"
    assert "thrones=S:a5" in more(GAME, after(GAME, at(GAME, T2, rest), "b4a5"))
    every = team_game(throne_points="every_entry")
    assert more(every, after(every, at(every, T1, rest), "b4a5")) == "quiet=1"


# ---- T3, T4, T7: command over the pieces of the partner

T3 = "sKd8,sHb1,sPa2,wKa5,wHa7,nKc6,nHg8,nPg7,eKh4,eHh2"
THERE = T3.replace("sKd8", "sKe8")
COMMANDER_DIES = "sKe4,sHb1,wKa5,wEa4,nKc6,nHg8,eKh4,eHh2"
COMMANDS = "W 4 0,0,0,0 - command=S>N"
FRAGILE = {"command_lost_with_raja": True}
EXCHANGE = "sHb1,sEa1,wKa4,wHa7,nKe8,nBh8,eKh4,eHh2"
EXCHANGED = "a1a4;S exchange?;W exchange d1 a5"
TWO_LOST = "S 4 0,0,0,0 - command=N>S:lost,W>E:lost lost=S,E"
PARADE = "sKd1,sHb1,wKa5,wHa7,nKe8,nHg8,eKh4,eHh2,sBc3,wBe4,nBd4,eBd5"
SWAPPED = PARADE.replace("sBc3", "nBc3").replace("nBd4", "sBd4")
BOAT = "sKd1,sHb1,wKa5,wHb6,nKe8,nHg8,nBd5,eKh4,eHh2,sBe5"
LENT = "sKd1,sBc3,wKa5,wHa7,nKe8,nBd4,eKh4,eHh2"


@pytest.mark.parametrize(
    ("options", "pieces", "rest", "way", "expected"),
    [
        # T3: command is permanent, and the partner's raja on the other throne changes nothing
        ({}, T3, "S 5 0,0,0,0 -", "d8e8;2;--;2;--;2;--;5;e8d7", "command=S>N quiet=5"),
        (
            {},
            THERE.replace("nKc6", "nKd2"),
            "N 5 0,0,0,0 - command=S>N",
            "d2d1",
            "command=S>N quiet=1",
        ),
        # a commander keeps command without its raja unless chosen otherwise
        ({}, COMMANDER_DIES, COMMANDS, "a4e4", "command=S>N lost=S"),
        (FRAGILE, COMMANDER_DIES, COMMANDS, "a4e4", "command=N>S:lost lost=S"),  # by T4
        (FRAGILE, COMMANDER_DIES.replace("nKc6,", ""), f"{COMMANDS} lost=N", "a4e4", "lost=S,N"),
        # T4: a seat without pieces commands nothing, nor one whose last piece dies
        ({}, "sKe4,sHb1,wKc8,wEa4,eKh4,eHh2", "W 4 0,0,0,0 - lost=N", "a4e4", "lost=S,N"),
        (
            {},
            "sHb1,wKc8,wEa4,nKe4,eKh4,eHh2",
            "W 4 0,0,0,0 - command=N>S:lost lost=S",
            "a4e4",
            "lost=S,N",
        ),
        # T6: command by the throne outlasts an exchange; E's raja does not come back
        ({}, EXCHANGE, "S 4 0,0,0,0 - command=N>S lost=S", EXCHANGED, "command=N>S"),
        ({}, EXCHANGE.replace("eKh4,", ""), TWO_LOST, EXCHANGED, "command=W>E:lost lost=E"),
        # T7: what a parade lends ends with the boat; a commander of the partner needs no loan
        ({}, BOAT, "W 3 0,0,0,0 - boat=S>N", "b6d5", ""),
        ({}, SWAPPED, "S 2 0,0,0,0 - command=S>N", "c3e5", "command=S>N"),
        # a seat that resigned neither commands nor follows
        ({}, THERE, "S - 0,0,0,0 - command=S>N", "S resign", "out=S"),
        ({}, THERE, "S - 0,0,0,0 - command=S>N", "N resign", "out=N"),
        ({}, LENT, "S - 0,0,0,0 - boat=S>N", "N resign", "out=N"),
    ],
)
def test_who_commands_afterwards(
    options: dict[str, Any], pieces: str, rest: str, way: str, expected: str
) -> None:
    game = team_game(**options)
    assert more(game, after(game, at(game, pieces, rest), way)) == expected


# ---- T3: a raja on the partner's throne commands both armies


def test_t3_a_raja_on_the_partners_throne_commands_both_armies() -> None:
    united = after(GAME, at(GAME, T3, "S 5 0,0,0,0 -"), "d8e8")
    assert more(GAME, united) == "command=S>N quiet=1"
    assert united.scores == (0, 0, 0, 0)
    # The partner still throws, and the commander moves either piece, each its own way.
    partner = after(GAME, united, "2;--;5")
    assert partner.seat == N
    assert GAME.turn(partner) == S
    assert {"a2a3", "g7g6", "c6c5", "e8e7"} <= moves(GAME, partner)
    own = after(GAME, united, "2;--;2;--;2;--;3")
    assert GAME.turn(own) == S
    assert {"b1c3", "g8f6"} <= moves(GAME, own)
    captured = after(GAME, at(GAME, T3.replace("wHa7", "wHf6"), "S 5 0,0,0,0 -"), "d8e8;2;--;3")
    assert after(GAME, captured, "g8f6").scores == (3, 0, 0, 0)  # the commander's points


def test_t3_pawns_keep_their_origin_under_command() -> None:
    pieces = "sKe8,sHb1,wKa5,wHa7,nKc6,nPg2:H,nEd5,eKh4,eHh3"
    position = at(GAME, pieces, "S 5 0,0,0,0 - command=S>N")
    assert {"g2g1", "g2g1=H"} <= moves(GAME, position)
    promoted = after(GAME, position, "g2g1=H")
    assert GAME.pieces(promoted)["g1"].owner == N


# ---- T4: the partner of a raja that is lost commands


def test_t4_the_partner_of_a_lost_raja_commands_both_armies() -> None:
    pieces = "sKe4,sHb1,wKc8,wEa4,nKe8,nHg8,nBh8,eKh4,eHh2"
    killed = after(GAME, at(GAME, pieces, "W 4 0,0,0,0 -"), "a4e4")
    assert more(GAME, killed) == "command=N>S:lost lost=S"
    thrown = after(GAME, killed, "3")
    assert GAME.turn(thrown) == N
    assert {"b1c3", "g8f6"} <= moves(GAME, thrown)
    # On S's throw N decides as well.
    own = after(GAME, killed, "3;b1c3;2;--;3")
    assert (own.seat, GAME.turn(own)) == (S, N)


# ---- T6: exchange of rajas

LOST_ONE = "S 4 0,0,0,0 - command=N>S:lost lost=S"


def test_t6_both_rajas_return_to_their_thrones() -> None:
    killed = after(GAME, at(GAME, EXCHANGE, LOST_ONE), "a1a4")
    assert killed.scores == (0, 0, 5, 0)
    assert more(GAME, killed) == "command=N>S:lost,E>W:lost lost=S,W killed=S>W"
    assert claimed(GAME, killed, S) == claimed(GAME, killed, N) == {"exchange?"}
    assert claimed(GAME, killed, W) == claimed(GAME, killed, E) == set()

    offered = after(GAME, killed, "N exchange?")
    assert more(GAME, offered).endswith("killed=S>W offer=N")
    answers = {"exchange d1 a5", "exchange no"}
    said = [claimed(GAME, offered, seat) for seat in (S, N, W, E)]
    assert said == [set(), set(), answers, answers]

    done = after(GAME, offered, "E exchange d1 a5")
    assert GAME.pieces(done)["d1"].owner == S
    assert GAME.pieces(done)["a5"].owner == W
    assert done.scores == killed.scores
    assert more(GAME, done) == ""  # nobody's raja is lost, and what T4 gave has ended
    assert done.seat == W


def test_t6_an_offer_can_be_refused_or_passed_over() -> None:
    offered = after(GAME, at(GAME, EXCHANGE, LOST_ONE), "a1a4;S exchange?")
    for answer in ("W exchange no", "3"):
        refused = after(GAME, offered, answer)
        assert more(GAME, refused) == "command=N>S:lost,E>W:lost lost=S,W"
        assert not any(claimed(GAME, refused, seat) for seat in range(4))
    without_dice = team_game(dice=0, freeze_on_raja_loss=False)
    rest = LOST_ONE.replace("S 4", "S -")
    offered = after(without_dice, at(without_dice, EXCHANGE, rest), "a1a4;S exchange?")
    assert "killed" not in more(without_dice, after(without_dice, offered, "h4h5"))


def test_t6_an_occupied_throne_leaves_the_choice_of_any_empty_square() -> None:
    on_throne = after(GAME, at(GAME, EXCHANGE.replace("wKa4", "wKa5"), LOST_ONE), "a1a5")
    offered = after(GAME, on_throne, "S exchange?")
    answers = claimed(GAME, offered, W)
    assert len(answers) == 1 + (64 - 7 - 1)
    assert "exchange d1 g5" in answers
    assert "exchange d1 a5" not in answers
    assert "exchange d1 d1" not in answers
    assert GAME.pieces(after(GAME, offered, "W exchange d1 g5"))["g5"].owner == W


def test_t6_only_after_a_kill_by_a_team_that_had_lost_exactly_one() -> None:
    unhurt = after(GAME, at(GAME, "sKd1," + EXCHANGE, "S 4 0,0,0,0 -"), "a1a4")
    assert unhurt.teams.killed is None
    pieces = EXCHANGE.replace("nKe8,", "")
    both = after(GAME, at(GAME, pieces, "S 4 0,0,0,0 - lost=S,N"), "a1a4")
    assert both.teams.killed is None
    later = after(GAME, at(GAME, EXCHANGE, LOST_ONE), "a1a4;2;--")
    assert later.teams.killed is None
    with pytest.raises(IllegalMoveError):
        GAME.play(later, Claim(S, "exchange?"))


def test_t6_a_seat_that_comes_back_gets_its_turn() -> None:
    pieces = EXCHANGE.replace("wHa7,", "")
    killed = after(GAME, at(GAME, pieces, LOST_ONE), "a1a4")
    assert killed.seat == N
    assert after(GAME, killed, "N exchange?;E exchange d1 a5").seat == W


def test_t6_between_the_moves_of_two_dice() -> None:
    game = team_game(dice=2)
    killed = after(game, at(game, EXCHANGE, LOST_ONE.replace("S 4", "S 4+3")), "a1a4")
    assert (killed.seat, killed.dice) == (S, (3,))
    done = after(game, killed, "S exchange?;W exchange d1 a5")
    assert (done.seat, done.dice) == (S, (3,))
    assert "b1c3" in moves(game, done)


def test_t6_a_leaver_withdraws_the_offer() -> None:
    offered = after(GAME, at(GAME, EXCHANGE, LOST_ONE), "a1a4;N exchange?")
    assert after(GAME, offered, "W resign").teams.killed is None
    assert after(GAME, offered, "N resign").teams.killed is None
    assert after(GAME, offered, "E resign").teams.killed is not None


# ---- T7: a parade lends the partner's boat


def test_t7_a_parade_takes_two_boats_and_commands_the_partners() -> None:
    paraded = after(GAME, at(GAME, PARADE, "S 2 0,0,0,0 -"), "c3e5")
    assert paraded.scores == (4, 0, 0, 0)
    boats = {at for at, piece in GAME.pieces(paraded).items() if piece.kind == "B"}
    assert boats == {"e5", "d4"}
    assert more(GAME, paraded) == "boat=S>N"
    assert moves(GAME, after(GAME, paraded, "2;--;2")) == {"--"}  # N may not move its boat
    own = after(GAME, paraded, "2;--;2;--;2;--;2")
    assert moves(GAME, own) == {
        *("e5c3", "e5c7", "e5g3", "e5g7"),
        *("d4b2", "d4b6", "d4f2", "d4f6"),
    }
    assert after(GAME, own, "d4b2").seat == W


# ---- T8, T9: out, retired


def test_t8_a_player_without_pieces_is_passed_over_and_the_partner_plays_on() -> None:
    pieces = "sKd1,sEa3,wBa8,nKe8,nBh8,eKh4,eHh2"
    position = at(GAME, pieces, "S 4 0,0,0,0 - lost=W")
    result = after(GAME, position, "a3a8")
    assert result.seat == N
    assert GAME.outcome(result) is None
    assert after(GAME, result, "3;--").seat == E
    assert after(GAME, result, "3;--;2;--").seat == S


def test_t9_a_lone_raja_may_leave_and_the_partner_plays_on() -> None:
    position = at(GAME, "sKd1,wKa5,wHa7,nKe8,nBh8,eKh4,eHh2", "S - 0,0,0,0 -")
    assert claimed(GAME, position, S) == {"retire d1"}
    left = after(GAME, position, "retire d1")
    assert more(GAME, left) == "out=S"
    assert left.scores == (0, 0, 0, 0)
    assert after(GAME, left, "2;--;3;--;2;--").seat == W
    assert claimed(team_game(retire=False), position, S) == set()


# ---- T10, T11: what a team plays for

LAST_ENEMY = "sKd1,sEa1,nKe8,nHg8,wBa8"
RAJAS_DIE = "sKd1,sEa1,wKa4,wHa7,nKe8,nHg8,eHh2"
KILL, BOTH = {"team_goal": "annihilation"}, {"team_goal": "both_rajas", "dice": 0}


@pytest.mark.parametrize(
    ("options", "pieces", "rest", "way", "result"),
    [
        ({}, LAST_ENEMY, "S 4 3,9,2,1 - lost=W,E", "a1a8", "WE last-army 5,9,2,1"),
        ({}, LAST_ENEMY, "S 4 3,9,4,0 - lost=W,E", "a1a8", "- last-army 5,9,4,0"),
        ({}, LAST_ENEMY, "S 4 3,0,0,2 - lost=W,E quiet=99", "a1b1", "SN stagnation 3,0,0,2"),
        (KILL, LAST_ENEMY, "S 4 3,9,2,1 - lost=W,E", "a1a8", "SN last-army 5,9,2,1"),
        (KILL, LAST_ENEMY, "S 4 3,0,0,2 - lost=W,E quiet=99", "a1b1", "- stagnation 3,0,0,2"),
        (BOTH, RAJAS_DIE, "S - 0,9,0,0 - lost=E", "a1a4", "SN both-rajas 5,9,0,0"),
        # T10: only rajas on the board are a draw
        ({}, "sKd1,wKa5,nKe8,eBe2,eKh4", "S 5 9,0,0,0 -", "d1e2", "- only-rajas 11,0,0,0"),
        # a team has resigned when both have
        ({}, f"{RAJAS_DIE},eKh4", "S - 9,0,0,0 -", "resign;N resign", "WE resign 9,0,0,0"),
    ],
)
def test_t10_t11_how_it_ends(
    options: dict[str, Any], pieces: str, rest: str, way: str, result: str
) -> None:
    game = team_game(**options)
    assert ended(game, after(game, at(game, pieces, rest), way)) == result


@pytest.mark.parametrize(
    ("options", "pieces", "rest", "way"),
    [
        (BOTH, f"{RAJAS_DIE},eKh4", "S - 0,9,0,0 -", "a1a4"),  # one raja of two
        (BOTH, "sKd1,sEa1,wKa4,nKe8,nHg8,eHh2", "W - 0,9,0,0 - lost=E", "retire a4"),  # not lost
        ({}, f"{RAJAS_DIE},eKh4", "S - 9,0,0,0 -", "resign"),
    ],
)
def test_t11_it_goes_on(options: dict[str, Any], pieces: str, rest: str, way: str) -> None:
    game = team_game(**options)
    assert game.outcome(after(game, at(game, pieces, rest), way)) is None


# ---- resignation, agreement


def test_late_promotion_is_the_commanders_to_say() -> None:
    pieces = "sKe8,sHb1,wKa5,wHa7,nKc6,nPg1:H,eKh4,eHh3"
    position = at(GAME, pieces, "N - 0,0,0,0 - command=S>N")
    assert claimed(GAME, position, S) == {"promote g1=H"}
    assert claimed(GAME, position, N) == set()
    assert GAME.pieces(after(GAME, position, "S promote g1=H"))["g1"].owner == N
    at_once = team_game(deferred_promotion="immediate")
    position = at(at_once, pieces, "W - 0,0,0,0 - command=S>N")
    assert claimed(at_once, position, S) == {"promote g1=H"}
    assert claimed(at_once, position, N) == set()


def test_a_frozen_partner_is_not_commanded() -> None:
    game = team_game(dice=0)
    position = at(game, "sKe4,sHb1,wKc8,wEa4,nKe8,nHg8,eKh4,eHh2", "W - 0,0,0,0 -")
    killed = after(game, position, "a4e4")
    assert killed.seat == N
    assert not any(text.startswith("b1") for text in moves(game, killed))
    assert after(game, killed, "g8f6;h2g4").seat == W
