"""The rules card: every piece has a picture, and the picture shows the game's legal moves."""

from __future__ import annotations

import pytest

from engine.game import Pass, Throw
from engine.games import FINISHED, make
from firmware_host.i18n.messages import LANGUAGES
from firmware_host.lights.preview import lifted, targets
from firmware_host.lights.signals import Signal
from firmware_host.rules_card.rules import rules_of
from firmware_host.web.learning import rules_card


@pytest.mark.parametrize("name", FINISHED)
def test_every_kind_of_piece_has_a_picture(name: str) -> None:
    game, rules = make(name), rules_of(name)
    shown = {kind for picture in rules.pictures for kind in picture.kinds}
    assert shown == game.kinds.keys() - {"X", "t"}  # what is taken, or spent, moves no more
    assert rules.aim
    assert rules.notes
    for picture in rules.pictures:
        assert {Signal.BLUE, Signal.RED} & {light.signal for light in picture.lights.values()}
        assert picture.says


def test_a_picture_shows_the_moves_of_a_piece() -> None:
    boat = next(each for each in rules_of("chaturaji").pictures if each.kinds == ("B",))
    assert targets(dict(boat.lights)) == ({"c3", "c7", "g3", "g7"}, set())
    pawn = next(each for each in rules_of("chaturaji").pictures if each.kinds == ("P",))
    assert targets(dict(pawn.lights)) == ({"e6"}, {"d6", "f6"})
    assert set(pawn.pieces) == {"e5", "d6", "f6"}


@pytest.mark.parametrize("kind", ["P", "L", "N", "S", "G", "B", "R", "+P", "+B", "+R"])
def test_what_glows_is_what_is_legal(kind: str) -> None:
    game = make("shogi")
    position = game.parse_position(f"2k6/9/9/9/4{kind}4/9/9/9/6K2 b - 1")
    moves = [m for m in game.legal(position) if not isinstance(m, Throw | Pass)]
    texts = {game.move_text(position, move) for move in moves}
    legal = {text[2:4] for text in texts if text.startswith("5e")}
    assert targets(lifted(game, position, "5e")) == (legal, set())


def test_the_options_in_force_are_told() -> None:
    told = rules_card(make("robot-duel", {"repetition": "3"}), "en")
    options = {each["label"]: each["value"] for each in told["options"]}
    assert options["same position until it is a draw"] == "3"
    assert "The lion is captured." in told["endings"]


@pytest.mark.parametrize("name", FINISHED)
def test_they_are_told_in_every_language(name: str) -> None:
    aims = {rules_card(make(name), language)["aim"][0] for language in LANGUAGES}
    assert len(aims) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("name", "options", "told", "untold"),
    [
        ("robot-duel", {"try_rule": "none"}, "The lion is captured.", "last row and"),
        ("robot-duel", {"promotion": "mandatory"}, "must be turned over", "may be turned over"),
        ("shogi", {}, "The points are counted", "illegal move."),
        ("shogi", {"illegal_move": "king_capture"}, "The king is captured.", "left in check"),
        ("chaturaji", {}, "the most points wins", "throne"),
        ("chaturaji", {"end": "last_army"}, "the last army wins", "brings points"),
        ("chaturaji", {"end": "n_rounds"}, "The agreed rounds", "A raja is captured."),
        ("chaturaji", {"teams": "true"}, "points for a throne", "end of the game"),
        (
            "chaturaji",
            {"teams": "true", "team_goal": "both_rajas"},
            "Both rajas of a team are captured.",
            "brings points",
        ),
        ("chaturaji", {"dice": "0"}, "pieces without a raja cannot move", "The die says"),
        ("abalone", {}, "Six marbles", "flag"),
        ("abalone", {"clock": "10", "flag_rule": "ejections"}, "Time is up", "flag falls"),
    ],
)
def test_only_what_holds_under_the_options_is_told(
    name: str, options: dict[str, str], told: str, untold: str
) -> None:
    rules = rules_card(make(name, options), "en")
    labels = [each["label"] for each in rules["options"]]
    all_of_it = " ".join([*rules["aim"], *rules["notes"], *rules["endings"], *labels])
    assert told in all_of_it
    assert untold not in all_of_it
    assert rules["aim"]


@pytest.mark.parametrize("name", FINISHED)
def test_what_holds_sometimes_is_what_there_is(name: str) -> None:
    game, rules = make(name), rules_of(name)
    values = {option.name: option.values for option in game.known_options}
    said = {each.text for each in (*rules.aim, *rules.notes)}
    for only in rules.only:
        assert set(only.says) <= said
        assert set(only.endings) <= game.endings.keys()
        assert all(set(wanted) < set(values[option]) for option, wanted in only.when.items())
