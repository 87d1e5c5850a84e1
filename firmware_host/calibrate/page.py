"""The questions of a calibration on a page, for a person with a phone at the board."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from firmware_host.console import logs
from firmware_host.console.tasks import work_together
from firmware_host.console.terminal import one_line, print_line
from firmware_host.doctor.asking import Asking, Question
from firmware_host.doctor.magnet_walk import LOOK_S
from firmware_host.i18n.messages import LANGUAGES, Message, RefusedError, render, say
from firmware_host.storage import files
from firmware_host.web import view
from firmware_host.web.application import STATIC, guarded
from firmware_host.web.connection import PageConnection, language_of
from firmware_host.web.keys import Keys
from firmware_host.web.listener import serve_app
from firmware_host.web.page_files import PageFiles
from firmware_host.web.protocol import PROTOCOL, Command, LanguageCommand, Number, Text
from hardware.layout import Layout
from hardware.simulated.board import SimulatedBoard

END: Final = say("End")
AGAIN: Final = say("Continue with what is missing")
OVER: Final = Question("over", say("It is done. This is what was found."), (END,))
BROKEN_OFF: Final = Question("over", say("It is not finished."), (AGAIN, END))
LIT: Final = b"\x4c\x4c\x4c"
"""The pixel of the place in question, in the picture of a real board."""
LAST_MESSAGE_S: Final = 0.3
"""Time that pages get to receive the last message."""
MOST_PAGES: Final = 8


class AnswerCommand(Command):
    """Answer the question, by a number that counts its answers from 0 and then its places."""

    answer: Number


class HandCommand(Command):
    """Put a magnet onto a simulated place, or lift all from one that is full or to be cleared."""

    place: Text


Act: TypeAlias = AnswerCommand | HandCommand
decode: Final = msgspec.json.Decoder(AnswerCommand | HandCommand | LanguageCommand).decode


class Guide:
    """The present question, and the answers of pages. All pages belong to one person."""

    def __init__(
        self,
        begin: Callable[[], Asking[int]],
        layout: Layout,
        board: SimulatedBoard | None = None,
        language: str = "en",
    ) -> None:
        """`begin` starts the work, or resumes it; `board` is given if it is simulated."""
        self.layout = layout if board is None else board.layout
        self.board = board
        self.language = language
        self.rev = 0
        """A number that changes with each question."""
        self.question = Question("clear", say("One moment, please."), ())
        self.messages: list[Message] = []
        """The messages since the last answer."""
        self.code: int | None = None
        """The exit code, once the work is over."""
        self._begin = begin
        self._open = False
        self._acts: asyncio.Queue[Act] = asyncio.Queue(MOST_PAGES)
        self._pages: set[PageQuestion] = set()

    async def lead(self) -> None:
        """Work until all is known or the person ends it. OSError if the board cannot be used and
        the person does not try again.
        """
        while True:
            failed: OSError | None = None
            code = 1
            try:
                code = await self._work()
            except OSError as error:
                failed = error
                self._hear(Message(one_line(str(error))))
            over, messages = BROKEN_OFF if code else OVER, list(self.messages)
            if over.answers[await self._ask(over)] == END:
                break
        self.question, self.messages, self.code = replace(over, answers=()), messages, code
        self._notify()
        await asyncio.sleep(LAST_MESSAGE_S)
        if failed is not None:
            raise failed

    def pixels(self) -> bytes:
        """Return the lights of the picture: of a simulated board, or of the place in question."""
        if self.board is not None:
            return b"".join(map(bytes, self.board.strip.pixels))
        place = self.layout.places.get(self.question.subject)
        lit = () if place is None else place.pixels
        count = len(self.layout.led_positions)
        return b"".join(LIT if number in lit else b"\0\0\0" for number in range(count))

    def lying(self) -> dict[str, int]:
        """Return the number of magnets on each place of a simulated board."""
        return {} if self.board is None else {p: len(m) for p, m in self.board.save().items() if m}

    def take(self, act: Act) -> None:
        """Accept an action of a page; RefusedError if the question has changed meanwhile."""
        if isinstance(act, HandCommand):
            place = self.layout.places.get(act.place)
            if self.board is None or place is None or not place.sensors:
                raise RefusedError(say("There is no {name} on this board.", name=act.place))
        most = len(self.question.answers) + len(self.question.places)
        late = not self._open or act.rev != self.rev or self._acts.full()
        if late or (isinstance(act, AnswerCommand) and act.answer >= most):
            raise RefusedError(say("That came too late; look again."))
        self._acts.put_nowait(act)

    @contextlib.contextmanager
    def shown_on(self, page: PageQuestion) -> Iterator[None]:
        """Notify a page of changes while the context lasts."""
        self._pages.add(page)
        try:
            yield
        finally:
            self._pages.discard(page)

    async def _work(self) -> int:
        """Run the work from question to question, in a thread because it waits for the bus."""
        work, ended = self._begin(), []

        def until_asked(answer: int | None) -> Question | Message | None:
            try:
                return next(work) if answer is None else work.send(answer)
            except StopIteration as end:  # no future takes it
                ended.append(int(end.value))
                return None

        answer = None
        while (asked := await asyncio.to_thread(until_asked, answer)) is not None:
            answer = None
            if isinstance(asked, Question):
                answer = await self._ask(asked)
            else:
                self._hear(asked)
        return ended[0]

    def _hear(self, message: Message) -> None:
        self.messages.append(message)
        print_line(render(message, self.language), flush=True)

    async def _ask(self, question: Question) -> int:
        """Return the answer of a page, or 0 as soon as the requested action is detected."""
        self.question, self.rev, self._open = question, self.rev + 1, True
        try:
            while True:
                self._notify()
                act = None
                with contextlib.suppress(TimeoutError):
                    act = await asyncio.wait_for(self._acts.get(), LOOK_S)
                if isinstance(act, AnswerCommand):
                    return act.answer
                if act is not None:
                    self._touch(act.place)
                if question.happened is not None and await asyncio.to_thread(question.happened):
                    return 0
        finally:
            self._open = False
            self.messages.clear()
            while not self._acts.empty():
                self._acts.get_nowait()

    def _touch(self, place: str) -> None:
        """Put a magnet onto a place of the simulated board, or lift those that are there."""
        assert self.board is not None
        lying = len(self.board.lying(place))
        room = len(self.layout.places[place].sensors)
        if lying < room and not (lying and self.question.kind in ("lift", "clear")):
            self.board.put(place)
        else:
            for _ in range(lying):
                self.board.lift(place)

    def _notify(self) -> None:
        for page in self._pages:
            page.wake()


class PageQuestion(PageConnection[AnswerCommand | HandCommand | LanguageCommand]):
    """A page that shows the present question."""

    def __init__(self, guide: Guide, socket: WebSocket, language: str) -> None:
        super().__init__(socket, language, decode)
        self._guide = guide
        self._spoken = ""
        self._known: object = None

    async def update(self) -> None:
        """Send the board once for each language, and the question whenever it changes."""
        guide, spoken = self._guide, self.language
        if spoken != self._spoken:
            self._spoken, self._known, self._lit = spoken, None, b""
            board = view.geometry(guide.layout) | {
                "type": "board",
                "protocol": PROTOCOL,
                "simulated": guide.board is not None,
                "language": spoken,
                "languages": dict(LANGUAGES),
                "strings": view.strings(spoken),
            }
            await self.send(board)
        now = self._state()
        if now != self._known:
            self._known = now
            await self.send(now)

    def light(self) -> tuple[int, bytes]:
        """Return the revision and the lights of the picture."""
        return self._guide.rev, self._guide.pixels()

    def take(self, command: AnswerCommand | HandCommand | LanguageCommand) -> None:
        """Pass an action on to the guide."""
        if not isinstance(command, LanguageCommand):
            self._guide.take(command)

    def _state(self) -> dict[str, Any]:
        guide, language = self._guide, self.language
        question = guide.question
        return {
            "type": "state",
            "rev": guide.rev,
            "messages": [render(each, language) for each in guide.messages],
            "question": render(question.words, language),
            "answers": [render(each, language) for each in question.answers],
            "places": question.places,
            "asked": question.subject if question.subject in guide.layout.places else "",
            "lying": guide.lying(),
            "over": guide.code is not None,
        }


def create_app(guide: Guide, allowed_hosts: Sequence[str], keys: Keys | None = None) -> ASGIApp:
    """Return the application; only requests for these hosts are answered."""
    pages = 0
    files = PageFiles(STATIC, {})

    async def index(request: Request) -> Response:
        return files.page("calibrate.html", request)

    async def welcome(socket: WebSocket) -> None:
        nonlocal pages
        if pages >= MOST_PAGES:
            await socket.close(1013, "too many pages")
            return
        await socket.accept()
        page = PageQuestion(guide, socket, language_of(socket, guide.language))
        pages += 1
        try:
            with guide.shown_on(page):
                await page.run()
        finally:
            pages -= 1

    routes = [Route("/", index), WebSocketRoute("/ws", welcome)]
    return guarded(routes, files, allowed_hosts, keys)


def lead(guide: Guide, port: int, state: Path, *, lan: bool) -> int:
    """Serve the page until the work is over; return the exit code. OSError if the board or the port
    cannot be used, KeyboardInterrupt if the work was interrupted.
    """
    logs.begin()
    files.make_directory(state)
    keys = Keys.stored_in(state) if lan else None

    def create(names: Sequence[str]) -> ASGIApp:
        return create_app(guide, names, keys)

    def ready(url: str) -> None:
        print_line(render(say("Open {url}", url=url), guide.language), flush=True)

    async def work() -> None:
        await work_together(guide.lead(), serve_app(create, port, keys, ready))

    asyncio.run(work())
    if guide.code is None:
        raise KeyboardInterrupt
    return guide.code
