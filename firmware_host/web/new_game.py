"""Beginning a game as a page asks: everything is checked before anything changes."""

from __future__ import annotations

from engine.game import OptionError
from engine.games import make
from engine.match import AnyGame
from firmware_host.i18n.messages import RefusedError, say
from firmware_host.players.kinds import PlayerKind, player_kind
from firmware_host.players.names import problem
from firmware_host.players.time_control import TimeControl, time_control
from firmware_host.text.labels import option_message
from firmware_host.web.host_api import HostApi
from firmware_host.web.protocol import GameCommand


def begin(host: HostApi, command: GameCommand) -> None:
    """Begin a game with its players and its clock; RefusedError if any of it is impossible."""
    try:
        game = make(command.game, command.options)
        names = None if command.names is None else _names(game, command.names)
        kinds = None
        if command.player_kinds is not None:
            kinds = _kinds(host, game, command.player_kinds)
        control = None if command.clock is None else clock_named(command.clock)
        host.new_game(command.game, command.options, command.layout)
    except OptionError as error:
        raise RefusedError(option_message(error)) from error
    except ValueError as error:
        raise RefusedError(say("{why}", why=str(error))) from error
    # The match before is kept by now, with its own players.
    for seat, name in enumerate(names or ()):
        host.seating.rename(seat, name)
    for seat, who in enumerate(kinds or ()):
        host.seating.set_kind(seat, who)
    if command.clock is not None:
        host.time_with(control)


def _names(game: AnyGame, names: list[str]) -> list[str]:
    found = [name.strip() for name in names]
    _check_seats(game, found)
    for name in found:
        check_name(name)
    return found


def _kinds(host: HostApi, game: AnyGame, texts: list[str]) -> list[PlayerKind]:
    """Return the kinds of those texts, among those offered: no page may start just any program."""
    _check_seats(game, texts)
    if not set(texts) <= host.seating.choices(game).keys():
        raise RefusedError(say("No player of that name can play here."))
    return [player_kind(text) for text in texts]


def _check_seats(game: AnyGame, texts: list[str]) -> None:
    if len(texts) != len(game.seats):
        raise RefusedError(say("This game has {n} seats.", n=len(game.seats)))


def check_name(name: str) -> None:
    """RefusedError if no player may have that name."""
    if (why := problem(name)) is not None:
        raise RefusedError(why)


def clock_named(text: str) -> TimeControl | None:
    """Return the time control of a text, None for none; RefusedError if there is no such clock."""
    try:
        return time_control(text)
    except ValueError as error:
        raise RefusedError(
            say("{clock} is no clock: write 10m, 5m+3s, 10m+30s*3 or 30s/move.", clock=text)
        ) from error
