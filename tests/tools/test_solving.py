"""Solving Robot Duel backwards: its numbers, counts and steps back against the rules."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.games.robot_duel import RobotDuel, RobotDuelPosition
from engine.games.robot_duel.moves import ARMIES
from engine.search.solved.losses import BLOCK, BLOCKS, packed
from engine.search.solved.numbering import LIONS, POSITIONS, SIZE, number_of
from firmware_host.storage import tablebase
from firmware_host.storage.tablebase import table_path

STRICT = RobotDuel({"promotion": "mandatory"})
MIDDLE = {n for n, (mine, theirs) in enumerate(LIONS) if mine % 3 == theirs % 3 == 1}


@pytest.fixture(scope="module")
def backwards() -> Any:
    pytest.importorskip("numpy")
    from tools.solving.backwards import Backwards

    return Backwards()


def open_positions(count: int) -> list[RobotDuelPosition]:
    """Return positions of random games in which the lion cannot be taken."""
    chance, found = Random(5), list[RobotDuelPosition]()
    while len(found) < count:
        position = STRICT.start()
        for _ in range(60):
            legal = STRICT.legal(position)
            if not legal:
                break
            if number_of(position) is not None and not takes_the_lion(position):
                found.append(position)
            position = STRICT.play(position, chance.choice(legal))
    return found[:count]


def takes_the_lion(position: RobotDuelPosition) -> bool:
    armies = ARMIES["mandatory"]
    return bool(armies[position.mine].attacked & armies[position.theirs].lion)


def mirrored(position: RobotDuelPosition) -> RobotDuelPosition:
    text = STRICT.position_text(position)
    board, rest = text.split(" ", 1)
    rows = [row.replace("+C", "H").replace("+c", "h")[::-1] for row in board.split("/")]
    return STRICT.parse_position(f"{'/'.join(rows)} {rest}")


def turned(position: RobotDuelPosition) -> RobotDuelPosition:
    """Return the same with the sides exchanged."""
    board, side, hands, number = STRICT.position_text(position).split()
    rows = [row.replace("+C", "H").replace("+c", "h")[::-1] for row in board.split("/")][::-1]
    side = "bw"["wb".index(side)]
    return STRICT.parse_position(f"{'/'.join(rows).swapcase()} {side} {hands.swapcase()} {number}")


def children(position: RobotDuelPosition) -> list[RobotDuelPosition]:
    """Return the positions after its moves where the game goes on and the lion is safe."""
    after = [STRICT.play(position, move) for move in STRICT.legal(position)]
    return [each for each in after if STRICT.legal(each) and not takes_the_lion(each)]


def test_positions_that_are_the_same_have_the_same_number() -> None:
    assert POSITIONS == 249_442_767
    numbers: dict[int, set[tuple[int, ...]]] = {}
    for position in open_positions(3000):
        number = number_of(position)
        assert number is not None
        assert 0 <= number < POSITIONS
        assert number_of(mirrored(position)) == number_of(turned(position)) == number
        numbers.setdefault(number, set()).add(min(each[:4] for each in images(position)))
    assert len(numbers) > 1000
    assert all(len(each) == 1 for each in numbers.values())


def images(position: RobotDuelPosition) -> list[RobotDuelPosition]:
    return [position, mirrored(position), turned(position), turned(mirrored(position))]


def test_it_counts_the_moves_that_do_not_lose_the_lion(backwards: Any) -> None:
    from tools.solving.counting import DECIDED, beginnings

    known = {pair: beginnings(backwards, pair) for pair in (1, 8, 19)}
    seen = Counter[str]()
    for position in open_positions(8_000):
        pair, place = divmod(number_of(position) or 0, SIZE)
        if pair not in known:
            continue
        after = [STRICT.play(position, move) for move in STRICT.legal(position)]
        ended = any(STRICT.outcome(each) and number_of(each) is None for each in after)
        count = len(children(position))
        found = known[pair][place]
        assert found == (DECIDED + 1 if ended else count or DECIDED + 2)
        seen["tries" if ended else "some" if count else "none"] += 1
    assert min(seen[each] for each in ("tries", "some", "none")) > 10


def test_it_goes_back_every_move(backwards: Any) -> None:
    for position in open_positions(200):
        number = number_of(position)
        moves = Counter(number_of(after) for after in children(position))
        for after, count in moves.items():
            assert after is not None
            if after // SIZE in MIDDLE:
                continue  # the way back may begin at the mirror image's number
            back = numbers_before(backwards, after)
            if number // SIZE in MIDDLE:
                assert back[number] >= 1
            else:
                assert back[number] == count


def numbers_before(backwards: Any, number: int) -> Counter[int]:
    import numpy as np

    found = backwards.before(number // SIZE, np.array([number]))
    return Counter(int(each) for some in found for each in some)


# ---- what is kept while solving


@pytest.fixture
def solving(backwards: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A half solved game of only a thousand positions."""
    import numpy as np

    from tools.solving import checkpoint, robot_duel

    monkeypatch.setattr(checkpoint, "POSITIONS", 1000)
    monkeypatch.setattr(robot_duel, "Backwards", lambda: backwards)
    whole = np.arange(robot_duel.HEAD_BYTES + 1000).astype(np.uint8)
    return robot_duel.Solving(whole, 17)


def test_solving_goes_on_where_it_was_left_off(solving: Any, tmp_path: Path) -> None:
    from tools.solving import checkpoint

    path = tmp_path / "kept"
    assert checkpoint.load(path) is None
    for _ in range(2):  # the second time over the first one
        checkpoint.save(path, solving)
    again = checkpoint.load(path)
    assert again is not None
    assert again.level == 17
    assert (again.known == solving.known).all()
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-1] + b"!", bytes])
def test_what_was_kept_and_is_damaged_is_not_gone_on_with(
    solving: Any, tmp_path: Path, damage: Any
) -> None:
    from tools.solving import checkpoint

    path = tmp_path / "kept"
    checkpoint.save(path, solving)
    data = path.read_bytes()
    path.write_bytes(bytes(len(data)) if damage is bytes else damage(data))
    with pytest.raises(checkpoint.CheckpointError, match="kept: "):
        checkpoint.load(path)


def test_a_table_that_is_there_is_checked_instead_of_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numpy")
    from tools.solving import __main__ as command

    empty = (bytes(min(BLOCK, POSITIONS - number * BLOCK)) for number in range(BLOCKS))
    digest = hashlib.sha256()
    *parts, head = packed(digest.update(block) or block for block in empty)
    table_path(tmp_path).write_bytes(head)
    assert command.main(["--state", str(tmp_path)]) == 1
    assert "robot-duel.losses: " in capsys.readouterr().err
    table_path(tmp_path).write_bytes(head + b"".join(parts))
    monkeypatch.setattr(tablebase, "DIGEST", digest.hexdigest())
    assert command.main(["--state", str(tmp_path)]) == 0
    assert "solved already" in capsys.readouterr().out


@pytest.mark.deep
def test_the_whole_game_comes_out_as_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In two parts: it is killed when the first checkpoint is there. Two minutes or more."""
    pytest.importorskip("numpy")
    from tools.solving import __main__ as command
    from tools.solving import checkpoint

    class Killed(BaseException):
        pass

    real = checkpoint.save
    with monkeypatch.context() as patch:
        patch.setattr(command, "CHECKPOINT_EVERY_S", 0.0)

        def killed(path: Path, solving: Any) -> None:
            real(path, solving)
            raise Killed

        patch.setattr(checkpoint, "save", killed)
        with pytest.raises(Killed):
            command.solve(tmp_path)
    command.solve(tmp_path)
    assert "won 67,590,540, lost 57,707,893, drawn 3,357,850" in capsys.readouterr().out
    assert [each.name for each in tmp_path.iterdir()] == ["robot-duel.losses"]
    assert (tmp_path / "robot-duel.losses").stat().st_size < 33_000_000


def test_without_numpy_it_ends_in_one_line() -> None:
    code = "import sys; sys.modules['numpy'] = None; import tools.solving"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert ran.stderr == "solving needs numpy: make .venv/dev installs it\n"
