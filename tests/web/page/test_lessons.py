"""Lessons, the short rules and the tour of the page, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from firmware_host.i18n.messages import LANGUAGES
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.loader import lessons_of
from firmware_host.web import learning
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, clean, running
from tests.support.sampling import a_few

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times

SIZES = [(390, 844), (1280, 900)]


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


PLAYED = [
    ("shogi-06", "square-reed", ["hand.sente.P>7c"]),
    ("robot-duel-01", "square-reed", ["C4>C3"]),
    ("chaturaji-10", "square-reed", ["e7>e8"]),
    ("robotory-03", "hex-hall", ["b2>box", "b1>box", "b3>b1"]),
    ("abalone-08", "hex-reed", ["e9>box", "e8>e9", "e7>e8"]),
]


@pytest.mark.parametrize(("name", "layout", "hands"), a_few(PLAYED))
def test_a_lesson_is_done_by_lifting_pieces(
    context: BrowserContext, tmp_path: Path, name: str, layout: str, hands: list[str]
) -> None:
    with running(tmp_path, name[:-3], layout) as board:
        table = Table(context, board)
        page = table.page
        table.go("learn")
        lesson = page.locator(f'[data-lesson="{name}"]')
        lesson.click()
        expect(page.locator("#lesson")).to_be_visible()
        expect(page.locator("#title")).to_be_focused()
        expect(lesson).to_have_attribute("aria-current", "true")
        for work in hands:
            table.drag(*work.split(">"))
        table.says("Well done!")
        table.go("learn")
        expect(lesson.locator(".tick")).to_have_attribute("data-solved", "alone")
        table.go("play")
        page.locator("[data-press=yes]").click()
        if name != lessons_of(name[:-3])[-1].name:  # after the last one the match returns
            expect(page.locator("#lesson")).to_have_attribute("data-stage", "task")
            page.locator("#lesson-leave").click()
        expect(page.locator("#lesson")).to_be_hidden()
        assert table.errors == []


def test_a_game_without_lessons_is_not_offered(
    context: BrowserContext, board: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lessons(name: str) -> tuple[Lesson, ...]:
        return () if name == "robot-duel" else lessons_of(name)

    monkeypatch.setattr(learning, "lessons_of", lessons)
    table = Table(context, board)
    table.go("learn")
    games = table.page.locator("#lesson-games button")
    expect(games).to_have_count(4)
    shogi = len(lessons_of("shogi"))
    expect(games.first).to_have_attribute("aria-label", f"Shogi: 0 of {shogi} done")
    expect(games.first).to_have_attribute("aria-pressed", "true")
    expect(table.page.locator("#lesson-list li")).to_have_count(shogi)
    assert table.errors == []


def test_the_path_shows_what_was_solved_and_what_comes_next(
    context: BrowserContext, board: Running
) -> None:
    first, second, third = lessons_of("robot-duel")[:3]
    table = Table(context, board)
    page = table.page
    table.go("learn")
    chapters = dict.fromkeys(lesson.chapter for lesson in lessons_of("robot-duel"))
    expect(page.locator("#lesson-list h3")).to_have_text(list(chapters))
    expect(page.locator("#lesson-first strong")).to_have_text(first.title)
    expect(page.locator("#lesson-first .small-piece").first).to_be_attached()
    page.locator("#learner").fill("Ania")
    page.locator("#learner").press("Enter")
    page.get_by_role("button", name="First lesson").click()
    table.says("Lift the green giraffe")
    table.drag("C4", "C3")
    table.says("Well done!")
    onward = page.locator('#acts [data-press="yes"]')
    expect(onward).to_contain_text("Next lesson")
    onward.click()
    table.says(second.task)
    page.locator("[data-press=hint]").click()
    table.says("Hint: move the elephant on B4.")
    table.drag("B4", "C3")
    table.says("You had a hint.")
    table.go("learn")
    path = page.locator("#lesson-list")
    ticks = {
        lesson.name: path.locator(f'[data-lesson="{lesson.name}"]')
        for lesson in (first, second, third)
    }
    expect(ticks[first.name].locator(".tick")).to_have_attribute("data-solved", "alone")
    expect(ticks[first.name]).to_have_accessible_name(f"{first.title} solved alone")
    expect(ticks[second.name].locator(".tick")).to_have_attribute("data-solved", "hint")
    expect(ticks[second.name]).to_have_accessible_name(f"{second.title} solved with a hint")
    expect(ticks[third.name]).to_have_accessible_name(f"{third.title} next lesson")
    expect(page.locator("#lesson-first strong")).to_have_text(third.title)
    page.reload()
    expect(page.locator("#learner")).to_have_value("Ania")
    expect(page.locator("#lesson-first strong")).to_have_text(third.title)
    table.go("home")
    count = sum(len(lessons_of(name)) for name in board.ask(lambda host: list(host.games())))
    expect(page.locator("#home-lessons-about")).to_have_text(f"2 of {count} done")
    table.go("learn")
    page.locator("#learner").fill("")
    page.locator("#learner").press("Enter")
    expect(page.locator("#lesson-first strong")).to_have_text(first.title)
    expect(page.locator("#learners option")).to_have_attribute("value", "Ania")
    clean(page)
    assert table.errors == []


def test_games_and_lessons_are_chosen_with_the_keyboard(table: Table) -> None:
    page = table.page
    table.go("learn")
    abalone = page.locator('[data-course="abalone"]')
    abalone.focus()
    table.keys("Enter")
    expect(abalone).to_have_attribute("aria-pressed", "true")
    expect(abalone).to_be_focused()
    expect(page.locator('[data-lesson="abalone-01"]')).to_be_visible()
    table.keys("Tab", "Enter")  # the next lesson
    table.says("Move one black marble")
    table.go("learn")
    lesson = page.locator('[data-lesson="abalone-01"]')
    expect(lesson).to_have_attribute("aria-current", "true")


def test_a_wrong_move_a_reply_by_hands_and_the_match_after_it(table: Table, board: Running) -> None:
    page = table.page
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    table.go("learn")
    expect(page.locator('[data-lesson="robot-duel-01"]')).to_be_visible()
    page.locator('[data-lesson="robot-duel-06"]').focus()
    table.keys("Enter")
    expect(page.locator("#lesson")).to_be_visible()
    table.says("Win in two moves")
    table.drag("B3", "C3")
    table.says("There the lion takes your giraffe.")
    page.locator("#lesson-again").click()
    expect(page.locator("#lesson")).to_have_attribute("data-stage", "task")
    table.drag("hand.A.C", "C3")
    table.says("Now make your opponent's move")
    page.locator("#lesson-reply").click()
    table.says("Win in two moves")
    expect(page.locator("#lesson")).to_have_attribute("data-stage", "task")
    page.locator("#lesson-leave").click()
    table.has_moves("C4C3")
    assert board.ask(lambda host: host.lesson_mode.lesson) is None


def test_the_rules_are_drawn_and_read_in_all_languages(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path, "robotory", "hex-hall") as board:
        table = Table(context, board)
        page = table.page
        seen = set()
        for language, size in zip(LANGUAGES, SIZES * 2, strict=True):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            table.go("learn")
            table.speak(language)
            page.locator("#rules-open").click()
            expect(page.locator("#rules")).to_be_visible()  # once it is in this language
            pictures = page.locator("#rules .picture")
            expect(pictures).to_have_count(4)
            assert pictures.first.locator(".sign-RED circle").count() == 3
            seen.add(pictures.first.get_attribute("aria-label"))
            fits(page)
            table.keys("Escape")
            expect(page.locator("#rules")).to_be_hidden()
            expect(page.locator("#rules-open")).to_be_focused()
        assert len(seen) == len(LANGUAGES)


def test_the_rules_show_how_the_piece_in_the_hand_moves(table: Table) -> None:
    page = table.page
    table.click("A4")
    page.locator("#hand-rules").click()
    picture = page.locator("#rules .picture")
    expect(picture).to_have_count(1)
    expect(picture.locator(".coordinate")).to_have_count(12)
    expect(page.locator("#rules-title")).to_have_text("How it moves: elephant")
    label = "elephant. It may go to: A2, A4, C2, C4."
    expect(picture).to_have_attribute("aria-label", label)
    table.keys("Escape")
    expect(page.locator("#hand")).to_contain_text("elephant")


@pytest.mark.parametrize("width", a_few([320, 1400, 390, 1000], 2))
def test_the_first_visit_shows_a_tour_beside_the_board(
    context: BrowserContext, board: Running, width: int
) -> None:
    table = Table(context, board, first_visit=True)
    page = table.page
    page.set_viewport_size({"width": width, "height": 844})
    tour, following = page.locator("#tour"), page.locator("#tour-next")
    expect(page.locator("#tour [role=status]")).to_contain_text("This is the board")
    expect(page.locator("body")).to_be_focused()  # nothing takes the focus
    for step in range(1, 5):
        expect(page.locator("#tour-title")).to_have_text(f"Welcome: {step} of 4")
        expect(page.locator(".toured")).to_have_count(1)
        fits(page)
        panel, wood = box_of(tour), box_of(page.locator("#board"))
        beside = panel["x"] >= wood["x"] + wood["width"]
        assert beside or panel["y"] >= wood["y"] + wood["height"]
        following.focus()
        table.keys("Enter")
    expect(tour).to_be_hidden()
    expect(page.locator(".target:focus")).to_have_count(1)  # ready to play
    page.reload()
    table.says("It is A's turn")
    expect(tour).to_be_hidden()
    table.go("learn")
    page.locator("#tour-again").click()
    expect(page.locator("#board")).to_be_visible()
    table.keys("Enter")
    page.locator("#tour-back").click()
    expect(page.locator("#tour-title")).to_have_text("Welcome: 1 of 4")
    expect(following).to_be_focused()
    table.keys("Escape")
    expect(tour).to_be_hidden()
    expect(page.locator(".target:focus")).to_have_count(1)
    expect(page.locator(".toured")).to_have_count(0)
    assert table.errors == []


def test_the_tour_closes_when_somebody_plays(context: BrowserContext, board: Running) -> None:
    player = Table(context, board, first_visit=True)
    onlooker = Table(context, board, first_visit=True)
    player.click("C4")
    expect(player.page.locator("#hand")).to_contain_text("giraffe")
    expect(
        player.page.locator("#tour")
    ).to_be_visible()  # its next step is about a piece in the hand
    player.click("C3")
    player.has_moves("C4C3")
    expect(player.page.locator("#tour")).to_be_hidden()
    onlooker.has_moves("C4C3")
    expect(onlooker.page.locator("#tour")).to_be_visible()  # another page plays
    player.page.reload()
    player.has_moves("C4C3")
    expect(player.page.locator("#tour")).to_be_hidden()
    assert player.errors == onlooker.errors == []


def test_a_tour_that_is_skipped_does_not_come_back(context: BrowserContext, board: Running) -> None:
    page = Table(context, board, first_visit=True).page
    page.locator("#tour-skip").click()
    page.reload()
    expect(page.locator("[data-piece]").first).to_be_attached()
    expect(page.locator("#tour")).to_be_hidden()


@pytest.mark.parametrize(
    ("size", "theme"), a_few([(SIZES[1], "dark"), (SIZES[0], "light"), (SIZES[0], "dark")])
)
def test_axe_finds_nothing_in_tour_lesson_and_rules(
    context: BrowserContext, board: Running, size: tuple[int, int], theme: str
) -> None:
    table = Table(context, board, first_visit=True)
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    clean(page)
    page.locator("#tour-skip").click()
    table.go("learn")
    page.locator('[data-lesson="robot-duel-01"]').click()
    expect(page.locator("#lesson")).to_be_visible()
    table.drag("C4", "C3")
    table.says("Well done!")
    clean(page)
    for language in LANGUAGES:
        table.speak(language)
        fits(page)
    table.go("learn")
    expect(page.locator('[data-lesson="robot-duel-01"] .tick')).to_have_attribute(
        "data-solved", "alone"
    )
    clean(page)
    page.locator("#rules-open").click()
    expect(page.locator("#rules .picture")).to_have_count(5)
    clean(page)
