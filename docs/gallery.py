"""Draw the gallery of lights: `python docs/gallery.py`; `--check` only looks.

Each picture is what the LEDs of a board show at the end of a short scene that hands play there.
What they do is read by a session; what that lights is rendered, goes through gamma and the limit of
the current, and is drawn from the bytes that would be sent. What moves are worth is written here;
how that is shown, and which part of a hint, is for those to say who do so at a board.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from drivers import ws2812
from engine.games import FINISHED, make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.search.explain import MoveReason
from firmware_host.controller.controller import pockets_of
from firmware_host.i18n.messages import sentence as spoken
from firmware_host.lights.advice import NOTHING
from firmware_host.lights.scene import scene
from firmware_host.lights.signals import Light, render
from firmware_host.opponents.analysis import AnalysisClient, AnalysisRequest
from firmware_host.opponents.opponents import Opponents
from firmware_host.opponents.protocol import Analysis, RatedMove
from firmware_host.opponents.seating import Seating
from firmware_host.session.events import Assist, Dice, Event, Frame, Press, Tick
from firmware_host.session.session import Session
from firmware_host.text.announcements import status
from hardware import layout as layouts
from hardware.lighting import Lamps

HERE: Final = Path(__file__).parent
PAGE: Final = HERE / "gallery.md"
PICTURES: Final = HERE / "gallery"

LAYOUTS: Final = {
    "robot-duel": "square-reed",
    "shogi": "square-hall",
    "chaturaji": "square-reed",
    "robotory": "hex-hall",
    "abalone": "hex-reed",
}
COLUMNS: Final = {
    "moves": "legal moves",
    "worth": "what they are worth: best, fine, doubtful, losing (help level 3)",
    "hint-piece": "a hint: which piece",
    "hint-to": "once more: where to",
    "hint-why": "once more: why",
    "threats": "threats (help level 3)",
    "dice": "dice",
    "check": "check",
    "win": "a winning move",
    "refusal": "a refusal",
    "last": "the last move",
    "question": "a question: which move was it?",
    "astray": "the board must be put right",
}
GAP: Final = 0.3
"""Seconds between two acts of a hand."""
MOMENTS: Final = tuple(step / 10 for step in range(12))
"""When the lights are looked at, in seconds: a picture does not move."""


@dataclass(frozen=True)
class Scene:
    """What is played on a board, and what is lit then."""

    acts: str
    """`b1-`, `c3+`: lift and put; `throw:3`, `level:3`; `hint:2`: press the button so often; a
    number: wait this many seconds."""
    position: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    worth: Sequence[RatedMove] = ()
    """The moves as the analysis rates them, the best one first."""


BOAT_AT_RAJA: Final = (
    "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/2,sB,3,eP,eE/"
    "sP,sP,sP,sP,2,eP,eH/1,sH,sE,sK,2,eP,eB W - 0,0,0,0 -"
)
BOAT_ALONE: Final = (
    "1,wP,3,nE,nH,nB/wH,wP,1,nK,nP,nP,nP,nP/wE,wP,wB,5/wK,wP,6/6,eP,eK/sH,4,eB,eP,eE/"
    "sP,sP,sP,sP,2,eP,eH/2,sE,sK,2,eP,1 W - 0,0,0,0 -"
)
LAST_ROUND: Final = (
    "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/6,eP,eE/"
    "sP,sP,sP,sP,2,eP,eH/sB,sH,sE,sK,2,eP,eB E - 0,0,0,5 - round=1"
)
SUMITO: Final = "sssss/6/sss4/8/4s4/3S4/2S4/4SS/SSSSS 5 5 b 0 1"

HORSE: Final = (
    "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/3,sH,2,eP,eK/6,eP,eE/"
    "sP,sP,sP,sP,2,eP,eH/sB,1,sE,sK,2,eP,eB S - 0,0,0,0 -"
)
FOUR_TOKENS: Final = ".w...wWw...wB....R....../2w2b:2w2b 6w10b l"
AT_THE_RIM: Final = "ss1ss/1s1sss/s3s2/2ss4/2s6/1s6/SSS1SSS/S1SSS1/S1SSS 0 0 w 0 1"


def rated(best: str, fine: str, doubtful: str, losing: str) -> tuple[RatedMove, ...]:
    """Return moves with their grades; several of a grade have commas between them."""
    chances = {"best": 0.8, "fine": 0.75, "doubtful": 0.5, "losing": 0.1}
    graded = zip(chances.items(), (best, fine, doubtful, losing), strict=True)
    return tuple(
        RatedMove(move, chance, grade)
        for (grade, chance), moves in graded
        for move in moves.split(",")
    )


HINTS: Final = {
    "robot-duel": (
        "l2/2L/3/E1G b CEcg 1",
        RatedMove("C2C1", 1.0, "best", MoveReason("wins", ("C1",), ("L",), "try")),
    ),
    "shogi": (
        "4k4/9/9/4p4/4R4/9/9/9/3K5 b - 1",
        RatedMove("5e1e", 0.9, "best", MoveReason("saves", ("1e", "5e"), ("R",))),
    ),
    "chaturaji": (
        BOAT_AT_RAJA.replace(" W ", " S "),
        RatedMove("c3a5", 0.9, "best", MoveReason("takes-for-nothing", ("a5",), ("K",))),
    ),
    "robotory": (
        FOUR_TOKENS,
        RatedMove("M W b3-b2-c3", 0.8, "best", MoveReason("brings-home", ("c3",), ("W",))),
    ),
    "abalone": (
        AT_THE_RIM,
        RatedMove("f4e3", 0.8, "best", MoveReason("pushes-off", ("c1",), ("b",))),
    ),
}
"""By game: a position and its best move, for what a hint tells step by step."""

SCENES: Final[Mapping[tuple[str, str], Scene]] = {
    ("robot-duel", "moves"): Scene("B3- 0.2"),
    ("robot-duel", "worth"): Scene(
        "level:3 B3- 0.2",
        "g1l/3/1L1/E1G b Cce 1",
        worth=rated("B3A3", "B3C3", "B3B4", "B3A2,B3B2,B3C2"),
    ),
    ("robot-duel", "threats"): Scene("level:3 1", "1le/gC1/3/ELG b C 1"),
    ("robot-duel", "check"): Scene("1", "gl1/1C1/3/ELG w Ec 1"),
    ("robot-duel", "win"): Scene("C2- 0.2", "l2/2L/3/E1G b CEcg 1"),
    ("robot-duel", "refusal"): Scene("C4- C2+ 3"),
    ("shogi", "moves"): Scene("2h- 0.2"),
    ("shogi", "worth"): Scene(
        "level:3 5e- 0.2",
        "4k4/9/9/9/4S4/9/9/9/4K4 b - 1",
        worth=rated("5e5d", "5e4d,5e6d", "5e4f", "5e6f"),
    ),
    ("shogi", "threats"): Scene("level:3 1", "4k4/9/9/4r4/9/9/9/4G4/K8 b - 1"),
    ("shogi", "check"): Scene("1", "4k4/9/9/4r4/9/9/9/4K4/9 b - 1"),
    ("shogi", "win"): Scene("6c- 0.2", "4k4/9/3GP4/9/9/9/9/9/4K4 b - 1"),
    ("shogi", "refusal"): Scene("7g- 7e+ 3"),
    ("chaturaji", "moves"): Scene("throw:3 2 b1- 0.2"),
    ("chaturaji", "worth"): Scene(
        "level:3 throw:3 2 d4- 0.2",
        HORSE,
        worth=rated("d4f5", "d4e2,d4f3", "d4b3,d4e6", "d4b5,d4c6"),
    ),
    ("chaturaji", "threats"): Scene("level:3 1", BOAT_ALONE),
    ("chaturaji", "dice"): Scene("throw:5 0.5"),
    ("chaturaji", "check"): Scene("1", BOAT_AT_RAJA),
    ("chaturaji", "win"): Scene(
        "throw:3 2 h2- 0.2", LAST_ROUND, {"end": "n_rounds", "rounds": "1"}
    ),
    ("chaturaji", "refusal"): Scene("throw:3 2 d2- d3+ 3"),
    ("robotory", "moves"): Scene("b3- 0.2", "......Ww....B....R....../2w2b:2w2b 9w10b l"),
    ("robotory", "worth"): Scene(
        "level:3 b3- 0.2",
        FOUR_TOKENS,
        worth=rated(
            "M W b3-c3,M W b3-b2-c3,M W b3-a2-b2-c3",
            "M W b3-b2,M W b3-a2-b2,M W b3-c3-b2",
            "M W b3-a2,M W b3-b2-a2,M W b3-c3-b2-a2",
            "M W b3-b4",
        ),
    ),
    ("robotory", "threats"): Scene("level:3 1", "......W....wB....R....../1w2b:2w2b 10w10b d"),
    ("robotory", "refusal"): Scene(
        "b3- b4- 0.5 b4+ 3", "......Wb....B....R....../2w2b:2w2b 10w9b l"
    ),
    ("abalone", "moves"): Scene("a1- 0.2"),
    ("abalone", "worth"): Scene(
        "level:3 e5- 0.2",
        "sssss/ssssss/2sss2/8/4S4/8/2SS3/SSSSSS/SSSSS 0 0 b 0 1",
        worth=rated("e5d4", "e5d5", "e5e4,e5e6", "e5f5,e5f6"),
    ),
    ("abalone", "threats"): Scene(
        "level:3 1", "ss1ss/1s1sss/s3s2/2ss4/2s6/1s6/SSS1SSS/S1SSS1/S1SSS 0 0 b 0 1"
    ),
    ("abalone", "win"): Scene("c3- 0.2", SUMITO),
    ("abalone", "refusal"): Scene("a1- e4+ 3"),
    ("robot-duel", "last"): Scene("C4- C3+ 4"),
    ("shogi", "last"): Scene("7g- 7f+ 4"),
    ("chaturaji", "last"): Scene("throw:3 2 b1- c3+ 4"),
    ("robotory", "last"): Scene("b3- b4- 0.5 b4+ 4", "......Ww....B....R....../2w2b:2w2b 9w10b l"),
    ("abalone", "last"): Scene("a1- d4+ 4"),
    ("robot-duel", "question"): Scene("C2- C1+ 3", "gl1/2C/3/ELG b CE 1"),
    ("robot-duel", "astray"): Scene("A4- C1- 4"),
    ("shogi", "astray"): Scene("1i- 3a- 9"),
    ("chaturaji", "astray"): Scene("throw:3 2 b1- h8- 6"),
    ("robotory", "astray"): Scene("b3- c4- 6"),
    ("abalone", "astray"): Scene("a1- i9- 6"),
    **{
        (game, column): Scene(
            ("throw:2 3 " if game == "chaturaji" else "1 ") + f"hint:{times} 0.5",
            position,
            worth=(best,),
        )
        for game, (position, best) in HINTS.items()
        for times, column in enumerate(("hint-piece", "hint-to", "hint-why"), 1)
    },
}
NONE: Final[Mapping[str | tuple[str, str], str]] = {
    "dice": "This game has no dice.",
    "check": "This game has no check.",
    "question": "Every game asks in the same way.",
    ("robotory", "win"): "The refill that empties the pool ends it; nothing on the board is lit.",
}
"""What stands where a game has nothing to show."""


class Knowing(AnalysisClient):
    """An analysis that knows the answer."""

    def __init__(self, answer: Analysis) -> None:
        super().__init__(lambda: None)
        self._answer = answer

    def ask(self, about: object, match: Match, now: float, **more: Any) -> AnalysisRequest:
        """Answer at once."""
        return AnalysisRequest(self._answer.number, about, now, self._answer)


class Shown:
    """A scene that has been played: what stands where, what is lit, what is said."""

    def __init__(self, game: str, scene_: Scene) -> None:
        self.layout = layouts.load(LAYOUTS[game])
        self.game = make(game, dict(scene_.options))
        here = self.layout.game(game)
        self.names = dict(here.places)
        self.names |= {f"seat:{n}": here.seats[s].light for n, s in enumerate(self.game.seats)}
        trays = [tray for tray in self.game.trays() if tray not in here.places]
        self.sight = Sight(
            self.game, self.layout.sensing, trays, pockets_of(self.game, self.layout)
        )
        start = self.game.start()
        if scene_.position is not None:
            start = self.game.parse_position(scene_.position)
        self.session = Session(self.game, self.sight, [Match.begin(self.game, start)])
        self.pieces = {
            place: [piece] * piece.count for place, piece in self.game.pieces(start).items()
        }
        self.hand: list[Any] = []
        self.now, self.rev = 0.0, 0
        for event in self._events(scene_.acts.split()):
            self.session.handle(event)
        self.advice = NOTHING
        if scene_.worth:
            seating = Seating(HERE / "nowhere", {}, lambda seat: None, lambda: None)
            opponents = Opponents(seating, HERE, lambda: None)
            opponents.analysis = Knowing(Analysis(1, scene_.worth))
            opponents.begin(self.game)
            opponents.look(self, self.now)  # type: ignore[arg-type]  # it has what is looked at
        self.lights: Mapping[str, Light] = scene(self.session.view, self.now, advice=self.advice)
        self.says = [spoken(each) for each in status(self.session.view, 1).says]
        self._frames = [self._pixels(at) for at in MOMENTS]

    def _events(self, acts: Sequence[str]) -> Iterator[Event]:
        yield self._frame()
        for act in acts:
            kind, _, value = act.partition(":")
            if value:
                for seat in range(len(self.game.seats)) if kind == "level" else ():
                    yield Assist(self.now, int(value), seat)
                if kind == "throw":
                    yield Dice(self.now, (int(value),))
                for _ in range(int(value) if kind == "hint" else 0):
                    yield Press(self.now, "hint")
            elif act[-1] in "+-":
                place = act[:-1]
                if act[-1] == "-":
                    self.hand.append(self.pieces[place].pop())
                else:
                    self.pieces.setdefault(place, []).append(self.hand.pop(0))
                self.now += GAP
                yield self._frame()
            else:
                self.now += float(act)
            yield Tick(self.now)

    def _frame(self) -> Frame:
        readings = {}
        for place, pieces in self.pieces.items():
            if pieces and place in self.sight.places:
                readings[place] = min(len(pieces), self.sight.pockets.get(place, 1))
                if place in self.sight.cells:
                    readings[place] = self.sight.reading(place, pieces[-1])
        return Frame(self.now, readings)

    def _pixels(self, at: float) -> tuple[tuple[int, int, int], ...]:
        """Return the levels of all LEDs at a moment, decoded from what is sent."""
        colours = render(self.lights, at, len(self.sight.cells))
        placed = {self.names[p]: colour for p, colour in colours.items() if p in self.names}
        return ws2812.decode_frame(Lamps(self.layout).frame(placed), self.layout.led_order)

    def levels(self, place: str) -> list[tuple[int, int, int]]:
        """Return the mixtures that a place shows, the brightest of each hue, as they come."""
        pixel = self.layout.places[self.names[place]].pixels[0]
        hues: dict[tuple[bool, ...], tuple[int, int, int]] = {}
        for frame in self._frames:
            shown = frame[pixel]
            hue = tuple(level > 0 for level in shown)
            if any(hue) and max(shown) >= max(hues.get(hue, (0,))):
                hues[hue] = shown
        return list(hues.values())

    def lit(self) -> dict[str, str]:
        """Return the words that are seen on the places that are lit, as the LEDs show them;
        `blue/yellow` where they take turns.
        """
        found = {}
        for place in self.names:
            if words := [WORDS[tuple(level > 0 for level in each)] for each in self.levels(place)]:
                found[place] = "/".join(words)
        return found

    def moves(self, place: str) -> bool:
        """Whether the light of a place changes by itself."""
        pixel = self.layout.places[self.names[place]].pixels[0]
        return len({frame[pixel] for frame in self._frames}) > 1


WORDS: Final = {
    (True, True, True): "white",
    (False, False, True): "blue",
    (True, False, False): "red",
    (True, True, False): "yellow",
    (False, True, True): "teal",
}
PIXELS: Final = 27
"""So wide is a cell in a picture."""
PIECES: Final = ("#efe2c4", "#6d4c33", "#c98d5a", "#9a8f84")
COLOURS: Final = {"black": "#4a4a4a", "green": "#4f8a52", "red": "#b5493c", "yellow": "#d9b33c"}
STYLE: Final = (
    ".c{fill:#3a2d22;stroke:#1d1610}text{font:700 13px sans-serif;text-anchor:middle}"
    ".m{stroke:#14100c}.t{stroke:#fff;stroke-width:1.5;stroke-dasharray:3 3;fill:none}"
    ".s{font-size:17px;fill:#fff;stroke:#14100c;stroke-width:4;paint-order:stroke}"
)
SIGNS: Final = {"WHITE": "◎", "BLUE": "○", "RED": "✕", "YELLOW": "!", "TEAL": "★"}
GRADES: Final = {"best": "★", "doubtful": "?", "losing": "⁇"}
ROLES: Final = {"along": "»", "attacks": "↯", "pip": "●"}


def colour(levels: tuple[int, int, int]) -> str:
    """Return what levels look like on a screen; how dark they are shows in part."""
    most = max(levels)
    strength = min(1.0, (most / 255 / 0.30) ** 0.3)
    red, green, blue = (round(255 * strength * (level / most) ** 0.45) for level in levels)
    return f"#{red:02x}{green:02x}{blue:02x}"


def svg(shown: Shown) -> str:
    """Return the picture of a scene: cells with their light, pieces, and the signs beside."""
    places = {p: shown.layout.places[at] for p, at in shown.names.items()}
    pitch = shown.layout.pitch
    drawn = {p: at for p, at in places.items() if p in shown.sight.cells}
    drawn |= {p: places[p] for p in shown.lights if places[p].kind == "slot"}
    xs, ys = [at.x for at in drawn.values()], [at.y for at in drawn.values()]
    left, top, edge = min(xs), max(ys), pitch * 0.6
    signs = pitch * 0.4  # two beside a cell at the edge want room
    wide, high = max(xs) - left + 2 * edge + signs, top - min(ys) + 2 * edge
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PIXELS * wide / pitch:.0f}" '
        f'height="{PIXELS * high / pitch:.0f}" '
        f'viewBox="{-edge:.0f} {-edge:.0f} {wide:.0f} {high:.0f}"><style>{STYLE}</style>'
    ]
    for place, at in drawn.items():
        x, y = round(at.x - left), round(top - at.y)
        colours = [colour(levels) for levels in shown.levels(place)]
        size = pitch * (0.46 if at.kind == "cell" else 0.34)
        parts += _cell(x, y, size, shown.layout.shape == "hex", colours)
        if colours and shown.moves(place):
            parts.append(f'<circle class="t" cx="{x}" cy="{y}" r="{size * 0.94:.0f}"/>')
        if pieces := shown.pieces.get(place):
            parts += _piece(shown, x, y, pitch * 0.28, pieces[-1])
        if place in shown.lights:
            light = shown.lights[place]
            sign = ROLES.get(light.role.value) or (
                "" if light.role.value else SIGNS[light.signal.name]
            )
            if light.grade:
                sign += GRADES.get(light.grade, "")
            elif light.second:
                sign += SIGNS[light.second.name]
            if sign:
                corner = f'x="{x + size * 0.62:.0f}" y="{y - size * 0.4:.0f}"'
                parts.append(f'<text class="s" {corner}>{sign}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _cell(x: int, y: int, size: float, is_round: bool, colours: Sequence[str]) -> Iterator[str]:
    """Yield a place; two halves where two words take turns."""
    for half, fill in enumerate(colours or [""]):
        style = f' style="fill:{fill}"' if fill else ""
        if is_round:
            r = size * (1 - 0.4 * half)
            yield f'<circle class="c" cx="{x}" cy="{y}" r="{r:.0f}"{style}/>'
        else:
            wide = 2 * size / len(colours or [""])
            begin = x - size + half * wide
            box = f'x="{begin:.1f}" y="{y - size:.1f}" width="{wide:.1f}" height="{2 * size:.1f}"'
            yield f'<rect class="c" {box}{style}/>'


def _piece(shown: Shown, x: int, y: int, r: float, piece: Any) -> Iterator[str]:
    seats = shown.game.seats
    fill = (
        "#b9b0a4" if piece.owner is None else COLOURS.get(seats[piece.owner], PIECES[piece.owner])
    )
    if piece.kind in "wWbBR" and shown.game.name in ("abalone", "robotory"):
        fill = {"w": "#efe2c4", "b": "#4a4a4a", "r": "#b5493c"}[piece.kind.lower()]
    dark = sum(int(fill[i : i + 2], 16) for i in (1, 3, 5)) < 380
    yield f'<circle class="m" cx="{x}" cy="{y}" r="{r:.0f}" fill="{fill}"/>'
    ink = "#fff" if dark else "#14100c"
    yield f'<text x="{x}" y="{y + 4}" fill="{ink}">{piece.kind}</text>'


def table(shown: Mapping[tuple[str, str], Shown]) -> str:
    """Return the page's table: a row a sight, a column a game."""
    titles = [make(name).title for name in FINISHED]
    lines = [f"| | {' | '.join(titles)} |", "|---" * (len(FINISHED) + 1) + "|"]
    for column, title in COLUMNS.items():
        cells = []
        for name in FINISHED:
            found = shown.get((name, column))
            if found is None:
                cells.append(NONE.get((name, column)) or NONE[column])
                continue
            lit = [f"{p} {word}" for p, word in found.lit().items() if ":" not in p]
            alt = f"{make(name).title}, {title}: {', '.join(lit)}"
            said = " ".join(map(spoken, found.advice.says)) if "hint" in column else found.says[0]
            cells.append(f"![{alt}](gallery/{name}-{column}.svg)<br>{said}")
        lines.append(f"| **{title}** | {' | '.join(cells)} |")
    return "\n".join(lines)


def written(shown: Mapping[tuple[str, str], Shown]) -> dict[Path, str]:
    """Return every file of the gallery as it should be."""
    files = {PICTURES / f"{name}-{column}.svg": svg(each) for (name, column), each in shown.items()}
    begin, end = "<!-- the table -->", "<!-- end of the table -->"
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    tail = rest.partition(end)[2]
    return files | {PAGE: f"{head}{begin}\n\n{table(shown)}\n\n{end}{tail}"}


def play() -> dict[tuple[str, str], Shown]:
    """Play all scenes."""
    return {(name, column): Shown(name, each) for (name, column), each in SCENES.items()}


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` say which are not as they should be."""
    stale = 0
    for path, text in written(play()).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale += 1
            if "--check" in arguments:
                print(f"{path.name} is out of date: python docs/gallery.py", file=sys.stderr)
            else:
                path.write_text(text, encoding="utf-8")
    return int(stale > 0 and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
