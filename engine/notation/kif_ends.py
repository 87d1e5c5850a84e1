"""The ends of games in KIF: a word in place of a move, a comment, or the last line.

All texts are without blanks. The words are those of Kifu for Windows, ShogiGUI, ShogiHome, 81Dojo
and lishogi.
"""

from __future__ import annotations

import re
from typing import Final

from engine.game import Outcome, Seat
from engine.notation.japanese import SIDES
from engine.notation.shogi_record import ending_words, outcome_of, won_by

WORDS: Final = {
    "resign": "投了",
    "flag": "切れ負け",
    "repetition": "千日手",
    "jishogi": "持将棋",
    "declare": "入玉勝ち",
    "agreement": "引き分け",
    "mate": "詰み",
    "no-move": "詰み",
}
"""By reason: the word that is written."""
PAUSES: Final = (
    *("中断", "封じ手", "不詰", "中止", "待った", "エラー", "無勝負"),
    *("打ち掛け", "打掛け", "打掛", "指し掛け", "指掛け", "指掛"),
    *("最大手数", "最大手数到達", "優等局面", "劣等局面"),
)
"""Words without a winner; moves may follow."""
_BY_MOVES: Final = ("連続王手の千日手", "連続王手千日手", "王手の千日手", "王手千日手")
"""Words after which the moves or the last line show the winner."""
_MEANINGS: Final = ending_words(
    losses={
        "resign": "投了 投 負け 不戦敗 接続切れ 接続切れ負け",
        "flag": "切れ負け 時間切れ 時間切れ負け 時間切負け 時間切 time-up timeup timeout",
        "mate": "詰み 詰 つみ",
        "illegal-move": "反則負け 反則敗け 反則",
        "declare": "トライ",
    },
    wins={
        "resign": "勝ち 不戦勝 不戦勝ち 接続切れ勝ち",
        "flag": "切れ勝ち 時間切れ勝ち",
        "declare": "入玉勝ち 入玉宣言 入玉宣言勝ち 宣言勝ち 勝ち宣言",
        "illegal-move": "反則勝ち 反則手",
    },
    draws={
        "repetition": "千日手",
        "jishogi": "持将棋",
        "agreement": "引き分け 引分け 引分 ひきわけ",
    },
)
_KNOWN: Final = frozenset((*PAUSES, *_BY_MOVES, *_MEANINGS))
NOT_PLAYED: Final = (
    *("不戦敗", "不戦勝", "不戦勝ち"),
    *("接続切れ", "接続切れ負け", "接続切れ勝ち"),
)
"""Words by which the absent side loses; the nearest rule is resignation."""

_WON: Final = re.compile("(先手|下手|後手|上手)の?(?:反則|時間切れ|入玉|不戦)?(勝|負|敗)")
_REASONS: Final = (
    ("切れ", "flag"),
    ("反則", "illegal-move"),
    ("二歩", "illegal-move"),
    ("王手放置", "illegal-move"),
    ("打ち歩詰", "illegal-move"),
    ("連続王手", "perpetual-check"),
    ("王手千日手", "perpetual-check"),
    ("王手の千日手", "perpetual-check"),
    ("入玉", "declare"),
    ("宣言", "declare"),
    ("持将棋", "jishogi"),
    ("詰", "mate"),
)
"""By part of the last line: the reason."""
_UNTIL: Final = re.compile("(?:まで|以上)[、,]?(?:[0-9]+手)?(?:で|にて)?")
_COMMENTED: Final = re.compile("[*＊](.+?)(?:にて|により|のため|で)終局[。.]?")
"""A comment in place of the word for the end, as 81Dojo writes it."""
_OUT_OF_TURN: Final = ("resign", "flag", "jishogi", "illegal-move", "declare")


def is_known(word: str) -> bool:
    """Return whether a word means an end or a pause."""
    return word.lower() in _KNOWN


def word_in_comment(line: str) -> str:
    """Return the word in a comment that ends the game; empty if there is none."""
    found = _COMMENTED.fullmatch(line)
    return found[1] if found and is_known(found[1]) else ""


def ending(word: str, turn: Seat) -> Outcome | None:
    """Return the outcome of a word when it is that seat's turn.

    None if nobody has won, if only the moves show the winner, or if the word is unknown.
    """
    return outcome_of(_MEANINGS, word.lower(), turn)


def corrected_by_last_line(line: str, outcome: Outcome) -> Outcome:
    """Return the outcome with the winner from the last line.

    It may differ from the outcome so far after a resignation out of turn, or after an impasse that
    points decided.
    """
    winner = _winner(line)
    if winner is None or outcome.reason not in _OUT_OF_TURN:
        return outcome
    return won_by(outcome.reason, winner)


def outcome_of_last_line(line: str, turn: Seat, word: str = "") -> Outcome | None:
    """Return the outcome in the last line, None if nobody won.

    `word`: an earlier word for the end that does not show the winner.
    """
    winner = _winner(line)
    if winner is None:
        return ending(_UNTIL.sub("", line), turn)
    reason = next((reason for mark, reason in _REASONS if mark in word + line), "resign")
    return won_by(reason, winner)


def _winner(line: str) -> Seat | None:
    found = _WON.search(line)
    if found is None:
        return None
    side = SIDES[found[1]]
    return side if found[2] == "勝" else 1 - side
