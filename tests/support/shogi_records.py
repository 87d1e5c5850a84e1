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
KIF = """\
# ---- 棋譜ファイル ----
開始日時：2026/11/21 19:00:00
棋戦：クラブ対局
手合割：平手\u3000\u3000
先手：佐藤
後手：Bo Novák
備考：練習
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:16/00:00:16)
*よくある初手
   2 ３四歩(33)   ( 0:05/00:00:05)
   3 ２二角成(88) ( 1:02/00:01:18)+
   4 同　銀(31)   ( 0:03/00:00:08)
   5 ４五角打     ( 0:10/00:01:28)
&しおり
   6 投了         ( 0:01/00:00:09)
まで5手で先手の勝ち

変化：3手
   3 ２六歩(27)   ( 0:01/00:00:17)
"""
CSA = """\
'CSA encoding=UTF-8
V2.2
N+Ada
N-Bo
'a remark
$EVENT:Club evening
$START_TIME:2026/11/21 19:00:00
$X_OPENING:none
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
+7776FU
T12
-3334FU,T6
+8822UM
T0.9
-3122GI
+0045KA
%TORYO
T3
/
PI
+
"""
PLAYED = "7g7f 3c3d 8h2b+ 3a2b B*4e"
"""The moves of both samples."""


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
