"""The contract that every game keeps, tested by seeded random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from engine.game import (
    CHANCE,
    Attempt,
    Claim,
    Game,
    GameError,
    IllegalMoveError,
    MoveError,
    Option,
    OptionError,
    Outcome,
    Pass,
    PositionError,
    Throw,
)
from engine.games import NAMES, make

GAMES_PLAYED = 20
PLIES = 120
THREATS = {"check", "attacked", "undefended", "free", "edge", "reach"}


@dataclass(frozen=True)
class Moment:
    """A position of a random game, with what came before it."""

    position: Any
    earlier: tuple[Any, ...]


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game[Any, Any]:
    return make(request.param)


def random_game(game: Game[Any, Any], rng: random.Random, plies: int) -> Iterator[Moment]:
    """Yield the moments of one random game, the start and the end included."""
    position, earlier = game.start(), []
    for _ in range(plies):
        yield Moment(position, tuple(earlier))
        moves = game.legal(position)
        if not moves or game.outcome(position, earlier):
            return
        earlier.append(position)
        position = game.play(position, rng.choice(list(moves)))


@cache
def all_moments(game: Game[Any, Any]) -> list[list[Moment]]:
    return [
        list(random_game(game, random.Random(f"{game.name} {seed}"), PLIES))
        for seed in range(GAMES_PLAYED)
    ]


def some_moments(game: Game[Any, Any], count: int) -> list[Moment]:
    """Return the start, the last moment of every game, and others between."""
    played = all_moments(game)
    rng = random.Random(f"{game.name} some")
    flat = [moment for moments in played for moment in moments]
    ends = [moments[-1] for moments in played]
    return [flat[0], *ends, *rng.sample(flat, min(count, len(flat)))]


def some_of(things: Any, count: int, rng: random.Random) -> list[Any]:
    things = list(things)
    return things if len(things) <= count else rng.sample(things, count)


def one_line(error: BaseException) -> str:
    text = str(error)
    assert text.strip() == text
    assert text
    assert "\n" not in text
    return text


# ---- what a game says of itself


def test_it_is_found_by_its_name(game: Game[Any, Any]) -> None:
    assert game.name in NAMES
    assert game.title
    assert make(game.name) == game
    assert hash(make(game.name)) == hash(game)
    assert make(game.name, dict(game.options)) == game


def test_an_unknown_game_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(GameError) as caught:
        make("chess")
    message = one_line(caught.value)
    assert "chess" in message
    assert all(name in message for name in NAMES)


def test_its_seats_places_and_words_are_fit_for_use(game: Game[Any, Any]) -> None:
    assert len(game.seats) >= 2
    assert len(set(game.seats)) == len(game.seats)
    places = game.places()
    assert len(set(places)) == len(places)
    assert set(game.cells()).isdisjoint(game.trays())
    assert game.unsensed <= set(game.trays())
    for words in (game.kinds, game.reasons, game.endings):
        assert words
        assert all(sentence.strip() == sentence and sentence for sentence in words.values())
    assert len({option.name for option in game.known_options}) == len(game.known_options)
    assert all(option.about.endswith(".") for option in game.known_options)


def test_every_value_of_every_option_makes_a_game(game: Game[Any, Any]) -> None:
    for option in game.known_options:
        for value in option.values:
            low, dots, high = value.partition("..")
            for given in (low, high) if dots else (value,):
                other = make(game.name, {option.name: given})
                assert other.options[option.name] == given
                assert other.outcome(other.start()) is None
                assert other.legal(other.start())
                assert (other == game) is (given == option.default)


def test_a_wrong_option_or_value_is_named(game: Game[Any, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        make(game.name, {"gravity": "on"})
    assert "gravity" in one_line(caught.value)
    for option in game.known_options:
        with pytest.raises(OptionError) as caught:
            make(game.name, {option.name: "sideways"})
        assert option.name in one_line(caught.value)
        assert "sideways" in one_line(caught.value)


def test_an_option_is_called_by_its_name_with_blanks_unless_it_says_otherwise() -> None:
    plain = Option("must_move", ("true", "false", "now_and_then"), "Whether one must.")
    assert plain.title == "must move"
    assert [plain.said(value) for value in plain.values] == ["yes", "no", "now and then"]
    said = Option("end", ("points", "1..9"), "How.", label="the end", values_said=("by points", ""))
    assert (said.title, said.said("points"), said.said("7")) == ("the end", "by points", "7")


def test_every_option_has_words_for_all_its_values(game: Game[Any, Any]) -> None:
    for option in game.known_options:
        assert option.label
        assert len(option.values_said) in (0, len(option.values)), option.name


def test_an_option_matters_only_under_values_that_can_be_chosen(game: Game[Any, Any]) -> None:
    known = {option.name: option.values for option in game.known_options}
    for option in game.known_options:
        assert option.name not in option.only_if
        for name, values in option.only_if.items():
            assert set(values) < set(known[name]), option.name


def test_an_option_matters_if_all_options_that_it_needs_are_chosen() -> None:
    needs = {"teams": ("false",), "end": ("n_rounds", "points")}
    rounds = Option("rounds", ("20", "1..9"), "How many.", only_if=needs)
    assert rounds.matters({"teams": "false", "end": "points", "rounds": "20"})
    assert not rounds.matters({"teams": "true", "end": "points", "rounds": "20"})
    assert not rounds.matters({"teams": "false", "end": "last_army", "rounds": "20"})
    assert Option("dice", ("1", "2"), "How many.").matters({"dice": "1"})


def test_each_preset_is_another_way_to_play_the_first_as_on_the_sheet(
    game: Game[Any, Any],
) -> None:
    ways = [make(game.name, preset.options) for preset in game.presets]
    assert len(set(ways)) == len(ways) >= 2
    assert ways[0] == game
    assert len({preset.label for preset in game.presets}) == len(ways)
    for preset, way in zip(game.presets, ways, strict=True):
        assert preset.about.endswith(".")
        for option in way.known_options:
            if option.name in preset.options:
                assert option.matters(way.options), option.name
                assert preset.options[option.name] != option.default


# ---- turns, moves and ends


def test_it_goes_on_exactly_while_there_is_no_outcome(game: Game[Any, Any]) -> None:
    for moments in all_moments(game):
        for moment in moments:
            position = moment.position
            turn = game.turn(position)
            assert turn == CHANCE or turn in range(len(game.seats))
            moves = list(game.legal(position))
            assert bool(moves) is (game.outcome(position) is None)
            assert len(set(moves)) == len(moves)
            for move in moves:
                assert isinstance(move, Throw) is (turn == CHANCE)
            if Pass() in moves:
                assert moves == [Pass()]


def test_nothing_can_be_done_once_it_is_over(game: Game[Any, Any]) -> None:
    over = [moments[-1].position for moments in all_moments(game)]
    over = [position for position in over if game.outcome(position)]
    resigned = game.start()
    while (left := [seat for seat in range(len(game.seats)) if game.claims(resigned, seat)])[1:]:
        resigned = game.play(resigned, Claim(left[-1], "resign"))
    for position in (*over, *([] if left else [resigned])):
        assert not game.legal(position)
        assert game.leaves(position) == game.perft(position, 2) == 0
        assert not any(game.claims(position, seat) for seat in range(len(game.seats)))
        assert game.threats(position) == ()
        lifted = frozenset({next(iter(game.pieces(position)))})
        reason = game.why_not(position, Attempt(lifted, frozenset()))
        assert reason is not None
        assert reason.code == "over"
        for text in (game.move_text(game.start(), game.legal(game.start())[0]), "resign"):
            with pytest.raises(IllegalMoveError):
                game.parse_move(position, text)


def test_a_seat_of_two_that_resigns_has_lost(game: Game[Any, Any]) -> None:
    start = game.start()
    for seat, name in enumerate(game.seats if len(game.seats) == 2 else ()):
        claim = Claim(seat, "resign")
        assert claim in game.claims(start, seat)
        named = f"{name} resign"
        assert game.move_text(start, claim) == ("resign" if seat == game.turn(start) else named)
        assert game.parse_move(start, named) == claim
        ended = game.outcome(game.play(start, claim))
        assert ended is not None
        assert (ended.winners, ended.reason) == ({1 - seat}, "resign")


def test_an_outcome_names_its_winners_and_its_reason(game: Game[Any, Any]) -> None:
    for moments in all_moments(game):
        ended = game.outcome(moments[-1].position, moments[-1].earlier)
        if ended is not None:
            check_outcome(game, ended)


def check_outcome(game: Game[Any, Any], ended: Outcome) -> None:
    assert ended.reason in game.endings
    assert ended.winners < set(range(len(game.seats)))
    assert len(ended.points) in (0, len(game.seats))


def test_the_same_move_makes_the_same_position(game: Game[Any, Any]) -> None:
    rng = random.Random(1)
    for moment in some_moments(game, 40):
        position = moment.position
        before = hash(position)
        for move in some_of(game.legal(position), 6, rng):
            once, again = game.play(position, move), game.play(position, move)
            assert once == again
            assert hash(once) == hash(again)
            assert once != position
        assert hash(position) == before


def test_different_moves_make_different_positions(game: Game[Any, Any]) -> None:
    for moment in some_moments(game, 20):
        moves = game.legal(moment.position)
        if game.turn(moment.position) != CHANCE:
            assert len({game.play(moment.position, move) for move in moves}) == len(moves)


def test_play_refuses_what_is_not_legal(game: Game[Any, Any]) -> None:
    rng = random.Random(2)
    moments = some_moments(game, 60)
    elsewhere = {move for moment in moments for move in game.legal(moment.position)}
    elsewhere |= {Pass(), Throw((97,)), Throw(())}
    ordered = sorted(elsewhere, key=repr)
    refused = 0
    for moment in moments:
        legal = set(game.legal(moment.position))
        for move in some_of(ordered, 25, rng):
            if move not in legal:
                with pytest.raises(IllegalMoveError) as caught:
                    game.play(moment.position, move)
                one_line(caught.value)
                if caught.value.reason is not None:
                    check_reason(game, caught.value.reason)
                refused += 1
    assert refused > 100


def test_a_pass_and_a_throw_have_no_text_where_there_are_no_dice(game: Game[Any, Any]) -> None:
    start = game.start()
    for move in (Pass(), Throw((3,))) if game.turn(start) != CHANCE else ():
        with pytest.raises(IllegalMoveError):
            game.move_text(start, move)


def test_counting_agrees_with_playing(game: Game[Any, Any]) -> None:
    for moment in some_moments(game, 3)[-3:]:
        assert game.perft(moment.position, 0) == 1
        for depth in (1, 2):
            assert game.perft(moment.position, depth) == Game.perft(game, moment.position, depth)


@pytest.mark.deep
def test_every_random_game_ends(game: Game[Any, Any]) -> None:
    for seed in range(3):
        rng = random.Random(f"{game.name} to the end {seed}")
        position, earlier = game.start(), []
        while not (ended := game.outcome(position, earlier)):
            assert len(earlier) < 20_000, f"seed {seed} goes on and on"
            earlier.append(position)
            position = game.play(position, rng.choice(list(game.legal(position))))
        check_outcome(game, ended)


# ---- what stands where


def test_pieces_stand_on_places_and_are_of_known_kinds(game: Game[Any, Any]) -> None:
    places, cells = set(game.places()), set(game.cells())
    for moments in all_moments(game):
        for moment in moments[::3]:
            for place, piece in game.pieces(moment.position).items():
                assert place in places
                assert piece.kind in game.kinds
                assert piece.pole in (1, -1)
                assert piece.owner is None or piece.owner in range(len(game.seats))
                assert piece.count == 1 or (place not in cells and piece.count > 1)


def test_changes_are_the_difference_that_a_move_makes(game: Game[Any, Any]) -> None:
    rng = random.Random(3)
    places = set(game.places())
    for moment in some_moments(game, 40):
        position = moment.position
        for move in some_of(game.legal(position), 12, rng):
            changed = game.changes(position, move)
            assert changed == Game.changes(game, position, move)
            between = game.path(position, move)
            assert between <= places
            assert between.isdisjoint(changed)


def test_changes_of_an_illegal_move_are_refused(game: Game[Any, Any]) -> None:
    position = game.start()
    if Pass() not in game.legal(position):
        with pytest.raises(IllegalMoveError):
            game.changes(position, Pass())


def test_callers_may_alter_the_dict_of_pieces(game: Game[Any, Any]) -> None:
    position = game.start()
    game.pieces(position).clear()
    assert game.pieces(position)


def test_threats_are_of_known_kinds_and_places(game: Game[Any, Any]) -> None:
    places = set(game.places())
    for moment in some_moments(game, 60):
        threats = game.threats(moment.position)
        assert len(set(threats)) == len(threats)
        standing = game.pieces(moment.position)
        for threat in threats:
            assert threat.kind in THREATS
            assert threat.place in standing
            assert set(threat.by) <= places


# ---- why not


def check_reason(game: Game[Any, Any], reason: Any) -> None:
    assert reason.code in game.reasons
    assert set(reason.places) <= set(game.places())
    sentence = game.reasons[reason.code].format(*reason.places)
    assert "{" not in sentence


def test_whatever_a_hand_does_the_reason_is_a_known_one(game: Game[Any, Any]) -> None:
    rng = random.Random(4)
    places = game.places()
    reasons = 0
    for moment in some_moments(game, 60):
        standing = game.pieces(moment.position)
        full = [place for place in places if place in standing]
        free = [place for place in places if place not in standing]
        for _ in range(12):
            lifted = some_of(full, rng.choice((0, 1, 1, 1, 2)), rng)
            rest = [place for place in full if place not in lifted]
            attempt = Attempt(
                lifted=frozenset(lifted),
                placed=frozenset(some_of(free, rng.choice((0, 1, 1, 2)), rng)),
                swapped=frozenset(some_of(rest, rng.choice((0, 0, 1)), rng)),
                seat=rng.choice((None, *range(len(game.seats)))),
            )
            reason = game.why_not(moment.position, attempt)
            if reason is not None:
                check_reason(game, reason)
                reasons += 1
    assert reasons > 0 or type(game).why_not is Game.why_not


# ---- claims


def test_claims_can_be_played_and_written(game: Game[Any, Any]) -> None:
    for moment in some_moments(game, 30):
        position = moment.position
        for seat in range(len(game.seats)):
            for claim in game.claims(position, seat):
                assert isinstance(claim, Claim)
                assert claim.seat == seat
                assert claim not in game.legal(position)
                after = game.play(position, claim)
                assert after != position
                text = game.move_text(position, claim)
                assert game.parse_move(position, text) == claim
                assert game.parse_position(game.position_text(after)) == after
                ended = game.outcome(after, moment.earlier)
                if ended is not None:
                    check_outcome(game, ended)
                    assert not game.legal(after)
                    assert not game.claims(after, seat)


def test_a_claim_that_nobody_can_make_is_refused(game: Game[Any, Any]) -> None:
    for claim in (Claim(0, "abracadabra"), Claim(len(game.seats), "resign"), Claim(-1, "resign")):
        with pytest.raises(IllegalMoveError) as caught:
            game.play(game.start(), claim)
        one_line(caught.value)


# ---- texts


def test_move_texts_go_there_and_back(game: Game[Any, Any]) -> None:
    rng = random.Random(5)
    for moment in some_moments(game, 40):
        position = moment.position
        moves = list(game.legal(position))
        texts = {game.move_text(position, move) for move in moves}
        assert len(texts) == len(set(moves))
        for move in some_of(moves, 12, rng):
            text = game.move_text(position, move)
            assert text == " ".join(text.split())
            assert game.parse_move(position, text) == move


def test_position_texts_go_there_and_back(game: Game[Any, Any]) -> None:
    for moment in some_moments(game, 120):
        text = game.position_text(moment.position)
        assert text == " ".join(text.split())
        assert game.parse_position(text) == moment.position
        assert game.position_text(game.parse_position(text)) == text


def test_a_game_replays_from_its_texts(game: Game[Any, Any]) -> None:
    rng = random.Random(6)
    position = game.start()
    texts, positions = [], []
    for _ in range(60):
        moves = game.legal(position)
        if not moves:
            break
        move = rng.choice(list(moves))
        texts.append(game.move_text(position, move))
        position = game.play(position, move)
        positions.append(position)
    assert list(game.replay(game.start(), texts)) == positions


@pytest.mark.parametrize("text", ["", " ", "?", "resign everything", "é*é", "--" * 500, "a1\nb2"])
def test_a_text_that_is_no_move_is_refused(game: Game[Any, Any], text: str) -> None:
    with pytest.raises(MoveError) as caught:
        game.parse_move(game.start(), text)
    one_line(caught.value)


@pytest.mark.parametrize("text", ["", " ", "?", "no such position", "9/9/9 x y z", "é" * 500])
def test_a_text_that_is_no_position_is_refused(game: Game[Any, Any], text: str) -> None:
    with pytest.raises(PositionError) as caught:
        game.parse_position(text)
    one_line(caught.value)


def mangled(text: str, signs: str, rng: random.Random) -> str:
    """Return the text with one to three signs dropped, doubled, replaced or put in."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        new = rng.choice(("", rng.choice(signs), text[at : at + 1] * 2))
        text = text[:at] + new + text[at + rng.randint(0, 1) :]
    return text


def test_a_mangled_position_is_another_one_or_refused(game: Game[Any, Any]) -> None:
    rng = random.Random(7)
    texts = [game.position_text(moment.position) for moment in some_moments(game, 30)]
    signs = "".join(sorted(set("".join(texts)))) + "+-*:9 zĸ²"
    refused = 0
    for text in texts:
        for _ in range(15):
            try:
                position = game.parse_position(mangled(text, signs, rng))
            except PositionError as error:
                one_line(error)
                refused += 1
            else:
                assert game.parse_position(game.position_text(position)) == position
                list(game.legal(position))
                game.outcome(position)
    assert refused > 100


def test_a_mangled_move_is_another_one_or_refused(game: Game[Any, Any]) -> None:
    rng = random.Random(8)
    for moment in some_moments(game, 30):
        position = moment.position
        moves = list(game.legal(position))
        texts = [game.move_text(position, move) for move in some_of(moves, 4, rng)]
        signs = "".join(sorted(set("".join(texts)))) + "+-*=9 zĸ²"
        for text in texts:
            for _ in range(5):
                try:
                    found = game.parse_move(position, mangled(text, signs, rng))
                except MoveError as error:
                    one_line(error)
                else:
                    claims = [game.claims(position, seat) for seat in range(len(game.seats))]
                    assert found in moves or any(found in each for each in claims)
