"""The languages of the page, in a real headless Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import (
    BrowserContext,
    expect,
)

from engine.games import UNFINISHED, make
from firmware_host.i18n.messages import LANGUAGES, translations
from firmware_host.lights.scene import ACCEPTED_S
from tests.support.browser import IN_A_BROWSER, Running, Table, running
from tests.support.sampling import a_few
from tools.catalogues import sentences

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times


@pytest.mark.parametrize("language", a_few([each for each in LANGUAGES if each != "en"]))
def test_languages(table: Table, language: str) -> None:
    page = table.page
    english = page.locator("#turn").inner_text()
    table.settings().locator("#language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    table.keys("Escape")
    expect(page.locator("#turn")).not_to_have_text(english)
    expect(page.locator("#moves-title")).not_to_have_text("Moves")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)


SHOWN = """() => {
  const texts = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    if (holder.closest("noscript, script, #language, #drawings")) continue;
    const seen = holder.checkVisibility({ visibilityProperty: true });
    const chosen = holder.tagName === "OPTION" && holder.parentElement.checkVisibility();
    if (seen || chosen) texts.add(data);
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder]")) {
    if (!element.checkVisibility()) continue; // a view is drawn again when it is shown
    texts.add(element.getAttribute("aria-label") || "");
    texts.add(element.getAttribute("placeholder") || "");
  }
  return [...texts].map((text) => text.trim().replace(/\\s+/g, " "));
}"""
"""What a page shows, or gives a screen reader."""

ALIKE = re.compile(
    r"[A-Z]|[A-Z]\d[A-Z]\d\+?( / [A-Z]\d[A-Z]\d\+?)?|"
    r"[A-I]?\d+(/\d+)?|0x\d+|\d+ minutes|[(][A-C]\d([A-C]\d\+?)?[)]|"
    r"[←→↑↓ QWADZX]+|Esc|Anna( …)?|Lampion|[^\w]*|"
    r"MCP23017 0x\d+|GP[AB]\d|(north|south|east|west)\.\d+"
)
"""Names, notation, numbers, keys and signs, which no language changes."""


def test_a_change_of_language_changes_everything_on_the_page(table: Table, board: Running) -> None:
    """As much as possible is shown: a question, a refusal, faults, a dialog."""
    page = table.page
    table.seat(0).locator(".name").fill("Anna")
    page.locator("#seat .name").press("Enter")
    table.keys("Escape")
    cog = page.locator('[data-key="cog 1"]')
    table.drag("B2", "hand.A.C")
    table.drag("B3", "B2")
    table.has_moves("B3B2")
    table.drag("B1", "A2")
    table.has_moves("B3B2", "B1A2")
    table.go("builders")
    page.get_by_label("Fault", exact=True).select_option("stuck_on")
    page.get_by_label("Place", exact=True).select_option("I9")
    page.locator("#fault-form button").first.click()
    for view in ("", "learn", "play"):  # they fetch what they show
        table.go(view)
    page.locator("#details-open").click()
    table.drag("B2", "B1")
    expect(page.locator("#question .choice")).to_have_count(2)
    table.say("Quatsch")
    expect(page.locator("#command-refused")).to_contain_text("Quatsch")
    table.keys("Escape")
    expect(page.locator("#refused")).to_contain_text("Quatsch")
    table.more().locator("#rematch").click()
    expect(page.locator("#confirm")).to_be_visible()
    table.keys("Escape")

    def shown(language: str) -> set[str]:
        """Return what all views show, each with the dialogs that belong to it."""
        found = set()
        for view in ("", "games", "learn", "builders", "play"):
            page.evaluate("(name) => { location.hash = `#/${name}`; }", view)
            expect(page.locator(f'[data-view="{view or "home"}"]')).to_be_visible()
            if not view:
                who = {"pl": "Kto gra (A)", "cs": "Kdo hraje (A)", "fr": "Qui joue (A)"}
                seat = page.locator("#home-seats select").first
                expect(seat).to_have_accessible_name(who.get(language, "Who plays A"))
                page.locator("#home-how").click()
            if view == "games":
                go_on = translations(language).gettext("Go on")
                expect(page.locator("#games-list")).to_contain_text(go_on)
                placed = translations(language).gettext("Search by name")
                expect(page.locator("#games-search")).to_have_attribute("placeholder", placed)
            if view == "learn":
                expect(page.locator("#lessons li").first).to_be_visible()
            before: list[str] = []
            while (now := page.evaluate(SHOWN)) != before:  # until all is there that is fetched
                before = now
                page.wait_for_timeout(300)
            found |= set(now)
            if not view:
                table.keys("Escape")
        cog.click()
        found |= set(page.evaluate(SHOWN))
        table.keys("Escape")
        for name in ("settings", "more-menu", "confirm"):
            page.evaluate("name => document.getElementById(name).showModal()", name)
            found |= set(page.evaluate(SHOWN))
            page.evaluate("name => document.getElementById(name).close()", name)
        return found

    said = {"en": shown("en")}
    assert "Anna" in said["en"]
    for language in ("pl", "cs", "fr", "en"):
        table.speak(language)
        said.setdefault(language, set()).update(shown(language))
    english, every = said.pop("en"), sentences()
    for language, shown in said.items():
        speaks = translations(language).gettext
        alike = {text for text in every if speaks(text) == text}
        alike |= {make(name).title for name in UNFINISHED}
        assert {text for text in shown & english if not ALIKE.fullmatch(text)} <= alike, language


def test_parts_drawn_before_are_drawn_in_the_new_language(
    tmp_path: Path, context: BrowserContext
) -> None:
    with running(tmp_path, "chaturaji") as board:
        table = Table(context, board)
        page = table.page
        expect(page.locator("#dice .die")).to_have_attribute("aria-label", "Throw the die")
        table.seat(1).locator('[data-key="player kind 1"]').select_option("level:plans")
        table.keys("Escape")
        machine = page.locator('.seat[data-seat="1"] .side')
        expect(machine).to_have_text("the machine: plans")
        page.wait_for_timeout(1000 * (ACCEPTED_S + 1))  # until no message goes away by itself
        table.speak("cs")
        expect(machine).to_have_text(
            translations("cs")
            .gettext("the machine: {level}")
            .format(level=translations("cs").gettext("plans"))
        )
        expect(page.locator("#dice .die")).to_have_attribute("aria-label", "Hodit kostkou")
        assert table.errors == []
