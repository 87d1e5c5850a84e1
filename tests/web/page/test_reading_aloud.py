"""The page reads aloud whose turn it is and what to do next."""

from __future__ import annotations

import json

from playwright.sync_api import BrowserContext, expect

from tests.support.browser import IN_A_BROWSER, Running, Table, clean

pytestmark = IN_A_BROWSER

VOICES = """(languages) => {
  const voices = languages.map(([lang, localService]) => ({ lang, localService }));
  const said = [];
  let waiting = false;
  window.said = said;
  window.slow = (yes) => { waiting = yes; };
  window.SpeechSynthesisUtterance = class {
    constructor(text) { this.text = text; }
  };
  const stub = new EventTarget();
  Object.assign(stub, {
    getVoices: () => voices,
    speak: ({ text, lang, voice }) => said.push([text, lang, voice.localService]),
    cancel: () => said.push("cancelled"),
  });
  Object.defineProperty(stub, "pending", { get: () => waiting });
  Object.defineProperty(window, "speechSynthesis", { value: stub });
}"""


def with_voices(context: BrowserContext, board: Running, *voices: tuple[str, bool]) -> Table:
    languages = [[language, local] for language, local in voices]
    context.add_init_script(f"({VOICES})({json.dumps(languages)})")
    return Table(context, board)


def said(table: Table) -> list[object]:
    found: list[object] = table.page.evaluate("window.said.splice(0)")
    return found


def test_it_says_the_turn_and_the_next_step_once(context: BrowserContext, board: Running) -> None:
    table = with_voices(context, board, ("en-US", False), ("en-GB", True), ("pl-PL", True))
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    assert said(table) == []  # it is off at first
    table.settings()
    box = table.page.get_by_label("Read aloud whose turn it is and what to do")
    box.check()
    clean(table.page, "#settings")
    table.keys("Escape")
    lifting = "Lift a piece to see where it can go."
    assert said(table) == [["It is B's turn", "en-GB", True], [lifting, "en-GB", True]]
    table.drag("A1", "A2")
    table.has_moves("C4C3", "A1A2")
    heard = said(table)
    assert ["It is A's turn", "en-GB", True] in heard
    assert ["Put the giraffe on blue.", "en-GB", True] in heard  # without the sign
    assert heard.count(["It is A's turn", "en-GB", True]) == 1
    table.page.evaluate("window.slow(true)")
    table.say("B3B2")  # check
    table.has_moves("C4C3", "A1A2", "B3B2")
    heard = said(table)
    assert "cancelled" in heard  # what was waiting
    urgent = [each for each in heard if "heck" in str(each)]
    assert urgent, heard
    assert heard[heard.index(urgent[0]) - 1] == "cancelled"
    table.page.reload()  # the browser remembers it
    expect(table.page.locator("#speech")).to_be_checked()
    table.settings()
    box.uncheck()
    table.keys("Escape")
    said(table)
    table.keys("u")
    table.has_moves("C4C3", "A1A2")
    assert said(table) == []
    assert table.errors == []


def test_it_speaks_the_language_of_the_page(context: BrowserContext, board: Running) -> None:
    table = with_voices(context, board, ("en-GB", True), ("pl-PL", False))
    table.settings()
    table.page.locator("#speech").check()
    said(table)
    table.speak("pl")
    heard = table.page.evaluate_handle("window.said")
    table.soon("() => window.said.length > 0", None)
    assert {each[1] for each in heard.json_value()} == {"pl-PL"}
    table.speak("cs")  # there is no such voice
    expect(table.page.locator("#speech")).to_be_hidden()


def test_nothing_is_offered_without_a_voice(context: BrowserContext, board: Running) -> None:
    table = with_voices(context, board)
    table.settings()
    expect(table.page.locator("#speech")).to_be_hidden()
    table.page.evaluate("localStorage.setItem('speech', 'on')")
    table.page.reload()
    expect(table.page.locator("[data-piece]").first).to_be_attached()
    assert said(table) == []
    assert table.errors == []
