"""A calibration through pages: their questions, answers and actions."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from firmware_host.__main__ import main
from firmware_host.calibrate import page, progress
from firmware_host.calibrate.page import AnswerCommand, Guide, HandCommand
from firmware_host.calibrate.procedure import calibrate
from firmware_host.doctor.asking import DONE, Asking, Question
from firmware_host.i18n.messages import RefusedError, render, say
from firmware_host.web.application import LOOPBACK
from firmware_host.web.keys import Keys
from hardware import layout
from tests.support.small_board import TEXT
from tests.support.stories import asynchronous
from tests.support.workshop import Workshop, same

HERE = {"host": "localhost", "cookie": "lampion-80=0123456789abcdef"}


class Phone:
    """A person at a simulated board who answers the page, with magnets where possible."""

    def __init__(self, guide: Guide, workshop: Workshop) -> None:
        self.guide, self.workshop = guide, workshop
        self.asked: list[str] = []
        self.messages: list[str] = []
        self.dead = ""
        """Places without a working sensor: there the person has to confirm each magnet."""

    def act(self, kind: type[Any], **fields: Any) -> None:
        self.guide.take(kind(n=0, rev=self.guide.rev, **fields))

    async def new(self, rev: int) -> Question:
        while self.guide.rev == rev or not self.guide._open:
            await asyncio.sleep(0.001)
        return self.guide.question

    async def answer(self, enough: int = 1000) -> None:
        """Answer until the work is over, or this number of questions."""
        rev = 0
        for _ in range(enough):
            question = await self.new(rev)
            rev = self.guide.rev
            self.asked.append(question.kind)
            self.messages += [render(each) for each in self.guide.messages]
            if question.kind == "over":
                return
            hands = self.workshop.hands
            if question.subject == self.dead and question.kind in ("put", "lift"):
                self.act(HandCommand, place=question.subject)
                await asyncio.sleep(0.06)
                assert self.guide.rev == rev  # no sensor shows that it was done
                self.act(AnswerCommand, answer=0)
            elif question.kind in ("put", "lift") and not hands._lit() - {question.subject}:
                self.act(HandCommand, place=question.subject)
            else:
                self.act(AnswerCommand, answer=hands.ask(question))

    def end(self) -> None:
        self.act(AnswerCommand, answer=self.guide.question.answers.index(page.END))


def guided(workshop: Workshop, state: Path) -> Guide:
    def begin() -> Asking[int]:
        return calibrate(workshop.bench, workshop.text, state, progress.fingerprint(board))

    board = workshop.believed
    return Guide(begin, board, workshop.wires.board)


@contextlib.asynccontextmanager
async def leading(guide: Guide) -> AsyncIterator[None]:
    """Run a guide while a test plays the pages."""
    task = asyncio.create_task(guide.lead())
    try:
        async with asyncio.timeout(60):
            yield
    finally:
        if guide.code is None:
            await asyncio.sleep(0.01)
            task.cancel() if guide.question.kind != "over" else None
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    "seed", [2, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(8))]
)
@asynchronous
async def test_a_board_is_recovered_by_what_pages_answer(seed: int, tmp_path: Path) -> None:
    workshop = Workshop("", seed, text=TEXT)
    guide = guided(workshop, tmp_path)
    phone = Phone(guide, workshop)
    async with leading(guide):
        await phone.answer()
        phone.end()
    assert guide.code == 0
    assert same(layout.load(tmp_path / "small.toml"), workshop.truth)
    again = phone.messages.count("It is seen somewhere else. Try again, please.")
    assert phone.asked.count("lift") == 18 + again
    assert "Nothing wrong was found." in phone.messages


@asynchronous
async def test_it_resumes_after_an_interruption_and_after_a_repair(tmp_path: Path) -> None:
    workshop = Workshop("", None, "sensor-dead", text=TEXT)
    guide = guided(workshop, tmp_path)
    phone = Phone(guide, workshop)
    phone.dead = "A1"
    async with leading(guide):
        await phone.answer(14)
    assert guide.code is None
    assert phone.asked.count("lift") >= 2
    workshop.wires.board.load({})
    guide = guided(workshop, tmp_path)
    phone = Phone(guide, workshop)
    phone.dead = "A1"
    async with leading(guide):
        await phone.answer()
        assert "This continues where it stopped" in phone.messages[0]
        assert any("A1" in line for line in phone.messages)
        assert guide.question.words == page.BROKEN_OFF.words
        workshop.wires.board.repair()
        phone.dead = ""
        rev, asked = guide.rev, len(phone.asked)
        phone.act(AnswerCommand, answer=guide.question.answers.index(page.AGAIN))
        await phone.new(rev)
        await phone.answer()
        assert phone.asked[asked:].count("put") == 1  # the one that was dead
        phone.end()
    assert guide.code == 0


@asynchronous
async def test_only_what_is_asked_now_takes_an_answer(tmp_path: Path) -> None:
    workshop = Workshop("", 1, text=TEXT)
    guide = guided(workshop, tmp_path)
    phone = Phone(guide, workshop)
    async with leading(guide):
        await phone.new(0)
        for wrong in (
            AnswerCommand(n=0, rev=guide.rev + 1, answer=0),
            AnswerCommand(n=0, rev=guide.rev, answer=99),
            HandCommand(n=0, rev=guide.rev, place="Z9"),
        ):
            with pytest.raises(RefusedError):
                guide.take(wrong)
        first = AnswerCommand(n=0, rev=guide.rev, answer=0)
        guide.take(first)
        await phone.new(first.rev)
        with pytest.raises(RefusedError):  # a second tap, when the next question is there
            guide.take(first)


@asynchronous
async def test_a_board_that_cannot_be_had_is_tried_again_or_left() -> None:
    tries: list[int] = []

    def begin() -> Asking[int]:
        tries.append(1)
        yield Question("clear", say("Take everything off."), (DONE,))
        raise OSError("I2C bus 1: no such device")

    workshop = Workshop("", None, text=TEXT)
    guide = Guide(begin, workshop.believed)
    phone = Phone(guide, workshop)

    async def told() -> None:
        await phone.new(0)
        phone.act(AnswerCommand, answer=0)
        await phone.new(1)
        assert [render(each) for each in guide.messages] == ["I2C bus 1: no such device"]
        phone.act(AnswerCommand, answer=guide.question.answers.index(page.AGAIN))
        await phone.new(2)
        phone.act(AnswerCommand, answer=0)
        await phone.new(3)
        phone.end()

    with pytest.raises(OSError, match="no such device"):
        await asyncio.gather(guide.lead(), told())
    assert len(tries) == 2


def test_the_picture_of_a_real_board_shines_where_the_question_is() -> None:
    board = layout.parse(TEXT, "small.toml")
    guide = Guide(lambda: iter(()), board)  # type: ignore[arg-type, return-value]
    assert not any(guide.pixels())
    guide.question = Question("put", say("Put it there."), subject="B1")
    (pixel,) = board.places["B1"].pixels
    lit = guide.pixels()
    assert [n for n in range(20) if any(lit[3 * n : 3 * n + 3])] == [pixel]
    with pytest.raises(RefusedError):  # no page has hands there
        guide.take(HandCommand(n=0, rev=0, place="B1"))


def test_the_page_admits_the_same_hosts_as_the_board_s_own_page() -> None:
    guide = Guide(lambda: iter(()), layout.parse(TEXT, "small.toml"))  # type: ignore[arg-type, return-value]
    app = page.create_app(guide, LOOPBACK, Keys("0123456789abcdef"))
    client = TestClient(app, base_url="http://localhost")
    assert client.get("/").status_code == 403
    answer = client.get("/?token=0123456789abcdef")
    assert answer.status_code == 200
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    assert client.get("/", headers={"origin": "http://elsewhere.example"}).status_code == 403
    with client.websocket_connect("/ws?lang=pl", headers=HERE) as page_of_it:
        assert page_of_it.receive_bytes()[0] == 2
        told = page_of_it.receive_json()
        assert (told["type"], told["language"], told["simulated"]) == ("board", "pl", False)
        assert page_of_it.receive_json()["question"] == "Chwileczkę."


def test_a_port_that_is_taken_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["calibrate", "--sim", "--page", "--port", "99999", "--state", str(tmp_path)]
    assert main(arguments) == 1
    assert "port 99999" in capsys.readouterr().err
