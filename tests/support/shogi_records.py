"""What was read of a record of Shogi, in short."""

from __future__ import annotations

from engine.games.shogi import ShogiMove
from engine.notation.shogi_record import ShogiRecord

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
TWO = "   1 ７六歩(77)   ( 0:05/00:00:05)\n   2 ３四歩(33)   ( 0:02/00:00:02)\n"
DRAWN = """\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ ・ ・ ・ ・v歩|二
| ・ ・ ・ ・ ・ ・ ・ 歩 ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| 玉 ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：飛　金
"""
BOARD = "8k/8p/7P1/9/9/9/9/9/K8"


def moves(record: ShogiRecord) -> str:
    return " ".join(move.text for move in record.moves if isinstance(move, ShogiMove))


def notes(record: ShogiRecord) -> list[str]:
    return [str(note) for note in record.notes]


def result(record: ShogiRecord) -> str:
    outcome = record.outcome
    if outcome is None:
        return "none"
    winner = [record.game.seats[seat] for seat in outcome.winners] or ["-"]
    return f"{outcome.reason} {winner[0]}"
