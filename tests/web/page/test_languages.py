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

pytestmark = IN_A_BROWSER


@pytest.mark.parametrize("language", a_few([each for each in LANGUAGES if each != "en"]))
def test_languages(table: Table, language: str) -> None:
    page = table.page
    english = page.locator("#says").inner_text()
    page.locator("#language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#says")).not_to_have_text(english)
    expect(page.locator("#thinks h2")).not_to_have_text("The board says")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)


SHOWN = """() => {
  const texts = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    if (holder.closest("noscript, script, #language")) continue;
    const seen = holder.checkVisibility({ visibilityProperty: true });
    if (seen || holder.tagName === "OPTION") texts.add(data);
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder]")) {
    texts.add(element.getAttribute("aria-label") || "");
    texts.add(element.getAttribute("placeholder") || "");
  }
  return [...texts].map((text) => text.trim().replace(/\\s+/g, " "));
}"""
"""What a page shows, or gives a screen reader."""

ALIKE = re.compile(
    r"[A-Z]|[A-Z]\d[A-Z]\d\+?( / [A-Z]\d[A-Z]\d\+?)?|"
    r"[A-I]?\d+|0x\d+|[(][A-C]\d([A-C]\d\+?)?[)]|[←→↑↓ QWADZX]+|Esc|Anna|[^\w]*"
)
"""Names, notation, numbers, keys and signs, which no language changes."""


def test_a_change_of_language_changes_everything_on_the_page(table: Table, board: Running) -> None:
    """As much as possible is shown: a question, a refusal, faults, a dialog."""
    page = table.page
    for row in page.locator("details:not([hidden])").all():
        if row.get_attribute("open") is None:
            row.locator("summary").click()
    page.locator("#seats .name").first.fill("Anna")
    page.locator("#seats .name").first.press("Enter")
    table.drag("B2", "hand.A.C")
    table.drag("B3", "B2")
    table.has_moves("B3B2")
    table.drag("B1", "A2")
    table.has_moves("B3B2", "B1A2")
    page.get_by_label("Fault", exact=True).select_option("stuck_on")
    page.get_by_label("Place", exact=True).select_option("I9")
    page.locator("#fault-form button").first.click()
    table.drag("B2", "B1")
    expect(page.locator("#question .choice")).to_have_count(2)
    page.locator("#command-text").fill("Quatsch")
    page.locator("#command-text").press("Enter")
    expect(page.locator("#refused")).to_contain_text("Quatsch")
    page.locator("#rematch").click()
    expect(page.locator("#confirm")).to_be_visible()
    said = {"en": set(page.evaluate(SHOWN))}
    assert "Anna" in said["en"]
    for language in ("pl", "cs", "fr", "en"):
        lesson = page.locator("#lessons li").first
        before = lesson.text_content() or ""
        # The dialog blocks the rest of the page, so this changes the language directly.
        page.locator("#language").evaluate(
            "(select, to) => { select.value = to; select.dispatchEvent(new Event('change')); }",
            language,
        )
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("#home-seats select").first).to_have_accessible_name(
            {
                "pl": "Kto gra (A)",
                "cs": "Kdo hraje (A)",
                "fr": "Qui joue (A)",
                "en": "Who plays A",
            }[language]
        )
        expect(lesson).not_to_have_text(before)  # lessons are fetched
        said.setdefault(language, set()).update(page.evaluate(SHOWN))
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
        expect(page.locator("#dice .main")).to_have_text("Throw the die")
        page.wait_for_timeout(1000 * (ACCEPTED_S + 1))  # until no message goes away by itself
        page.locator("#language").select_option("cs")
        expect(page.locator("#dice .main")).to_have_text("Hodit kostkou")
        assert table.errors == []
