"""The options of Chaturaji: its rule sheet itself says that there is no single set of rules."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from engine.game import Option, Preset

COLOURS: Final = ("black", "green", "red", "yellow")
"""The seats as they are called unless the option `seats` says otherwise."""
_BOOLEAN: Final = ("false", "true")
_DEFAULT_TRUE: Final = ("true", "false")
_ALONE: Final = {"teams": ("false",)}
_PARTNERS: Final = {"teams": ("true",)}
_PARTNERS_FOR_POINTS: Final = {"teams": ("true",), "team_goal": ("points",)}

OPTIONS: Final = (
    Option("teams", _BOOLEAN, "Partners sit opposite and play together.", label="partners"),
    Option(
        "seats",
        tuple(",".join(colours) for colours in permutations(COLOURS)),
        "The colours of the seats S, W, N, E; S moves first.",
        label="colours of the seats",
    ),
    Option(
        "must_move",
        _DEFAULT_TRUE,
        "A player who can move after a throw must move.",
        label="a player who can move must",
    ),
    Option(
        "parade",
        _DEFAULT_TRUE,
        "A boat that completes a square of four boats takes the other three.",
        label="parade of boats",
    ),
    Option(
        "promotion_kind",
        ("origin", "square"),
        "A pawn becomes the piece that started behind it, or the piece that starts on the file "
        "where the pawn arrives.",
        label="what a pawn becomes",
        values_said=("the piece that started behind it", "the piece of the file where it arrives"),
    ),
    Option(
        "deferred_promotion",
        ("free_before_own_roll", "immediate", "costs_the_move", "never"),
        "When a pawn on the last line may promote after its piece is lost: before its "
        "player's throw, at any time, instead of throwing and moving, or never.",
        label="late promotion",
        values_said=(
            "before your own throw",
            "at any time",
            "instead of throwing and moving",
            "never",
        ),
    ),
    Option(
        "end",
        ("points", "last_army", "first_raja_lost", "n_rounds"),
        "Everyone alone: points until the board is cleared, the last army wins, points "
        "until a raja is captured, or points for a number of rounds.",
        label="end of the game",
        values_said=(
            "when the board is cleared, by points",
            "when one army is left",
            "when a raja is captured, by points",
            "after some rounds, by points",
        ),
        only_if=_ALONE,
    ),
    Option(
        "stagnation_turns",
        ("100", "1..999"),
        "After how many turns without capture, pawn move or promotion the game ends.",
        label="quiet turns until the end",
    ),
    Option(
        "rounds",
        ("20", "1..999"),
        "How many rounds are played, if the game ends after some rounds.",
        label="number of rounds",
        only_if={"teams": ("false",), "end": ("n_rounds",)},
    ),
    Option(
        "retire",
        _DEFAULT_TRUE,
        "A player may take a lone raja off the board.",
        label="a lone raja may retire",
    ),
    Option(
        "throne_points",
        ("once_per_throne", "every_entry"),
        "Partners: how often a raja scores by entering the same enemy throne.",
        label="points for a throne",
        values_said=("once", "at every entry"),
        only_if=_PARTNERS_FOR_POINTS,
    ),
    Option(
        "throne_kill_by",
        ("any", "raja"),
        "Partners: which piece scores 2 points by taking an enemy raja on its throne.",
        label="which piece scores on a throne",
        values_said=("any piece", "only a raja"),
        only_if=_PARTNERS_FOR_POINTS,
    ),
    Option(
        "throne_kill_additive",
        _DEFAULT_TRUE,
        "Partners: those 2 points come on top of the 5 for a raja, not instead of them.",
        label="throne points on top",
        only_if=_PARTNERS_FOR_POINTS,
    ),
    Option(
        "command_lost_with_raja",
        _BOOLEAN,
        "Partners: a player who commands both armies loses that command when their own raja is "
        "taken.",
        label="command lost with the raja",
        only_if=_PARTNERS,
    ),
    Option(
        "team_goal",
        ("points", "annihilation", "both_rajas"),
        "Partners: points, all enemy pieces, or both enemy rajas at once.",
        label="goal of partners",
        values_said=("points", "all enemy pieces", "both enemy rajas"),
        only_if=_PARTNERS,
    ),
    Option(
        "friendly_capture",
        _BOOLEAN,
        "Partners may take each other's pieces, for no points.",
        label="taking a partner's pieces",
        only_if=_PARTNERS,
    ),
    Option(
        "ranks",
        _BOOLEAN,
        "Pawns and boats may not take horses, elephants and rajas.",
        label="weak and strong pieces",
    ),
    Option(
        "dice",
        ("1", "2", "0"),
        "How many dice are thrown; with none any piece may move.",
        label="dice",
    ),
    Option(
        "two_dice_order",
        ("free", "fixed"),
        "Whether two dice are used in any order or as thrown.",
        label="order of two dice",
        values_said=("in any order", "as thrown"),
        only_if={"dice": ("2",)},
    ),
    Option(
        "freeze_on_raja_loss",
        _DEFAULT_TRUE,
        "Without dice: the pieces of a player without a raja cannot move.",
        label="pieces without a raja cannot move",
        only_if={"dice": ("0",)},
    ),
)

PRESETS: Final = (
    Preset("Usual rules", "Everybody plays alone, with one die. The most points win."),
    Preset("Quick", "After 20 rounds the most points win.", {"end": "n_rounds"}),
    Preset("Two teams", "You and the player opposite play together.", {"teams": "true"}),
    Preset("Two dice", "A turn has two moves, one for each die.", {"dice": "2"}),
    Preset("No dice", "You choose yourself which piece moves.", {"dice": "0"}),
)
