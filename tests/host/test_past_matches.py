"""Past matches on a real board: one goes on, and the lights show how to set up its pieces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.games import make
from firmware_host.storage.journal import Head, Journal, Player
from tests.support.journals import played

MOVES = ("B3B2", "B1B2", "C4C3")


def test_a_match_goes_on_from_a_move_on_a_real_board(
    stand: Callable[..., None], tmp_path: Path
) -> None:
    game = make("robot-duel")
    journal = Journal(tmp_path / "match-1.jsonl", Head(game, "square-hall", None, "one"))
    journal.players = (Player("Ania", "person"), Player("Ola", "person"))
    journal.write(played(game, MOVES))
    journal.close()

    async def story(board: Any) -> None:
        host = board.host
        await board.ready()
        await board.move("C4", "C3")
        await board.until(lambda: board.moves == ["C4C3"])
        host.library.update()
        assert {match.id for match in host.library.page().matches} > {"one"}
        host.continue_from("one", 2)
        assert board.moves == list(MOVES[:2])
        assert host.status().players == ("Ania", "Ola")
        assert host.layout.name == "square-reed"  # the board that stands here
        await board.until(lambda: host.status().to_fill and host.status().to_empty)
        for place in list(board.board.save()):
            for _ in board.board.lying(place):
                board.board.lift(place)
        await board.ready()
        await board.until(lambda: not host.status().to_fill and not host.status().to_empty)
        await board.move("C4", "C3")
        await board.until(lambda: board.moves == list(MOVES))
        host.library.update()
        files = {match.file for match in host.library.page().matches}
        assert {"match.jsonl", "match-1.jsonl"} < files
        assert len(files) == 3  # the match that was left is kept, too

    stand(story)
