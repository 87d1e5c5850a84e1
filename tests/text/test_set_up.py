"""What is in place while the board is set up."""

from __future__ import annotations

from typing import Any

from firmware_host.text.announcements import status


def test_pieces_in_place_are_counted_by_kind_and_owner_until_the_board_is_set_up(
    timeline: Any,
) -> None:
    def counted() -> dict[tuple[str, int | None], tuple[int, int]]:
        now = status(board.session.view, 1)
        return {(each.kind, each.owner): (each.in_place, each.count) for each in now.set_up}

    board = timeline("shogi").rest(1)
    assert counted() == {}
    board.hands("away 7g- 7e+ 5i- 5e+ 5 look 5 settling:yes")
    kinds = counted()
    assert sum(count for _, count in kinds.values()) == 40
    assert {kind: each for kind, each in kinds.items() if each[0] < each[1]} == {
        ("P", 0): (8, 9),
        ("K", 0): (0, 1),
    }
    board.hands("5e- 5i+ 7e- 7g+ 3 settling:no")
    assert counted() == {}


def test_before_the_first_move_they_are_counted_while_the_board_is_put_right(timeline: Any) -> None:
    def missing() -> int:
        return sum(each.count - each.in_place for each in status(board.session.view, 1).set_up)

    board = timeline().rest(1).hands("C4- A1- 5 guiding:yes settling:no")
    assert missing() == 2
    board.hands("A1+ C4+ 3 [] C4- C3+ 3 [C4C3] A4- B3- 5 guiding:yes")
    assert missing() == 0
