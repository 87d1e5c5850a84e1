"""The two protocols of engines, USI and UCI: their words for a match, a position and a move.

They differ in few words, so `EngineProcess` speaks both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from engine.match import AnyGame, Match
from engine.notation.usi import (
    IMPASSE_OPTION,
    IMPASSES,
    VARIANT_OPTIONS,
    VARIANTS,
    move_of,
    position_word,
)

RESIGNS: Final = "resign"
DECLARES: Final = "declare"


class EngineProtocol(Protocol):
    """The words of a protocol."""

    name: str
    """`usi` or `uci`; its first word to an engine, and part of others: `usiok`, `usinewgame`."""

    def settings(self, game: AnyGame) -> Sequence[tuple[str, str]]:
        """Return the options that make an engine play a game, each with its value. Only those that
        the engine offers are set.
        """

    def position(self, match: Match) -> str:
        """Return the position of a match, with the moves before it, so that repetitions count."""

    def go(self, seconds: float) -> str:
        """Return the line that asks for a move after that time."""

    def chosen(self, match: Match, word: str) -> str:
        """Return the move or the claim that a word means, in the game's notation; GameError if the
        rules do not allow it.
        """

    def chosen_by_rule(self, match: Match) -> str:
        """Return a move that ends the game, so that no engine is asked; empty if there is none."""


class Usi:
    """USI, for Shogi and Robot Duel."""

    name = "usi"

    def settings(self, game: AnyGame) -> Sequence[tuple[str, str]]:
        """Return the variant of Robot Duel, or Shogi's rule of impasse."""
        if game.name != "shogi":  # they play shogi by default
            return [(name, VARIANTS[game.name]) for name in VARIANT_OPTIONS]
        return [(IMPASSE_OPTION, IMPASSES[game.options["impasse"]])]

    def position(self, match: Match) -> str:
        """Return the position and, in Shogi, the moves before it. Robot Duel is sent without moves:
        engines reject a move that leaves a lion to be taken.
        """
        game = match.game
        if game.name != "shogi":
            return position_word(game, match.position)
        return position_word(game, match.first.position) + _moves(match)

    def go(self, seconds: float) -> str:
        """Return the line with byoyomi, which every engine knows, and movetime, which some obey."""
        time = round(1000 * seconds)
        return f"go btime 0 wtime 0 byoyomi {time} movetime {time}"

    def chosen(self, match: Match, word: str) -> str:
        """Return the move of a word, or the claim: `resign`, `win`."""
        game = match.game
        claim = {"resign": RESIGNS, "win": DECLARES}.get(word)
        allowed = [each.text for each in game.claims(match.position, match.turn)]
        if claim is not None and (claim == RESIGNS or claim in allowed):
            return claim
        return game.move_text(match.position, move_of(game, match.position, word))

    def chosen_by_rule(self, match: Match) -> str:
        """Return a move of Robot Duel that wins at once: no engine lets a lion be taken."""
        game = match.game
        for move in match.legal if game.name != "shogi" else ():
            outcome = game.outcome(game.play(match.position, move))
            if outcome is not None and match.turn in outcome.winners:
                return game.move_text(match.position, move)
        return ""


class Uci:
    """UCI, for games whose positions are FEN and whose moves are UCI words."""

    name = "uci"

    def settings(self, game: AnyGame) -> Sequence[tuple[str, str]]:
        """Return the variant, for engines that know several."""
        return [("UCI_Variant", game.name)]

    def position(self, match: Match) -> str:
        """Return the first position and the moves after it."""
        game, start = match.game, match.first.position
        first = "startpos" if start == game.start() else f"fen {game.position_text(start)}"
        return first + _moves(match)

    def go(self, seconds: float) -> str:
        """Return the line with movetime, which every engine knows."""
        return f"go movetime {round(1000 * seconds)}"

    def chosen(self, match: Match, word: str) -> str:
        """Return the move of a word."""
        game = match.game
        return game.move_text(match.position, game.parse_move(match.position, word))

    def chosen_by_rule(self, match: Match) -> str:
        """Return nothing: engines make every move."""
        return ""


PROTOCOLS: Final[dict[str, EngineProtocol]] = {each.name: each for each in (Usi(), Uci())}
"""The protocols by name."""


def _moves(match: Match) -> str:
    """Return the moves of a match, which both protocols write as the game does."""
    words = match.moves()
    return f" moves {' '.join(words)}" if words else ""
