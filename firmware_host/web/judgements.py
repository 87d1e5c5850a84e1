"""The judgements of a past match for a page: lines of JSON that come as the search knows them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import msgspec

from engine.game import Throw
from engine.match import Match
from engine.search.turning_points import (
    JudgedPly,
    choices,
    curve,
    is_good,
    turning_points,
)
from firmware_host.i18n.messages import render, sentence
from firmware_host.opponents.look_back import LookBacks
from firmware_host.players.kinds import people, seated_called
from firmware_host.storage.journal import Players
from firmware_host.text.look_back import better_message, good_moves_messages, played_message
from firmware_host.text.moves import move_message
from firmware_host.web.pieces import FollowingPieces
from hardware.layout import Layout


async def judgements(
    look_backs: LookBacks, match: Match, players: Players, layout: Layout, language: str
) -> AsyncIterator[bytes]:
    """Yield a line for each move that a player chose, then one with the `turning_points` and a
    sentence about the `good_moves` of each player. The turning points are moves of people, unless
    only machines played.

    The first line has the `number` of moves to come. A move has its `index` as in the plies of the
    match, its `step` (the first is 1; a throw is none), the `seat` that moved, its `loss` of
    winning chance, whether it is `good`, and the `best` move in its place. `share` is the winning
    chance of the first of two seats; None with more seats.
    """
    plies: list[JudgedPly] = []
    yield _line({"number": len(choices(match))})
    async for ply in look_backs.follow(match):
        plies.append(ply)
        yield _line(_move(ply, match, layout, language))
        await asyncio.sleep(0)  # all of them may be known already: the board has its turn
    seats = people(player.kind for player in players) or None
    good = good_moves_messages(match, plies, partial(seated_called, match.game, players))
    yield _line(
        {
            "turning_points": [each.number for each in turning_points(match, plies, seats)],
            "good_moves": [sentence(each, language) for each in good],
        }
    )


def _move(ply: JudgedPly, match: Match, layout: Layout, language: str) -> dict[str, Any]:
    line, game = match.steps(), match.game
    before = line[ply.number].before
    assert before is not None  # a move was played
    best = game.parse_move(before.position, ply.best)
    pieces = FollowingPieces(game, layout)
    pieces.follow(before.position)
    seat = game.seats[before.turn]
    moved = pieces.follow(game.play(before.position, best))
    moved = [each for each in moved if each.end in pieces.cells]  # others were captured
    own = [each for each in moved if each.owner == seat] or moved
    share = curve(match, [ply])
    bad = played_message(game, ply)
    good = better_message(game, ply) if bad is None else None
    return {
        "index": ply.number,
        "step": sum(not isinstance(each.move, Throw) for each in line[: ply.number + 1]),
        "seat": before.turn,
        "share": share[0][1] if share else None,
        "loss": round(ply.loss, 4),
        "good": is_good(game, ply),
        "chance": ply.chance,
        "best": {
            "text": ply.best,
            "sentence": render(move_message(game, before.position, best), language),
            "from": own[0].start if own else None,
            "to": own[0].end if own else None,
            "why": "" if good is None else render(good, language),
        },
        "why": "" if bad is None else render(bad, language),
    }


def _line(data: Any) -> bytes:
    return msgspec.json.encode(data) + b"\n"
