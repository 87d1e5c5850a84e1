"""A person who chooses what is played, in the view of the page in which games begin."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Locator, Page, expect

from engine.games import make

NONE: Mapping[str, str] = {}


class Chooser:
    """Chooses a game, its board and its options, and begins it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sheet = page.locator("#options")

    def open(self) -> None:
        """Show the view, and wait until it is filled."""
        self.page.evaluate("() => { location.hash = '#/'; }")
        expect(self.page.locator('[data-view="home"]')).to_be_visible()
        expect(self.page.locator("#home-games :checked")).to_have_count(1)
        expect(self.page.locator("#home-rules")).not_to_be_empty()

    def card(self, game: str) -> Locator:
        """Return the picture of a game, by its name."""
        return self.page.locator(f'.game-card:has([value="{game}"])')

    def field(self, label: str) -> Locator:
        """Return the field of an option."""
        return self.sheet.get_by_label(label, exact=True)

    def preset(self, label: str) -> Locator:
        """Return a way to play."""
        return self.sheet.locator(".preset", has=self.page.get_by_text(label, exact=True))

    def open_sheet(self, more: bool = False) -> None:
        """Open the sheet, with all rules if `more`."""
        if not self.sheet.is_visible():
            self.page.locator("#home-how").click()
        folded = self.sheet.locator("#options-more:not([open]) > summary")
        if more and folded.count():
            folded.click()

    def choose(self, game: str, layout: str = "", options: Mapping[str, str] = NONE) -> None:
        """Choose a game, a board for it, and options in that order."""
        self.close_sheet()
        self.card(game).click()
        expect(self.page.locator("#options-title")).to_have_text(make(game).title)
        if layout:
            self.page.locator("#home-layout").select_option(layout)
        if options:
            self.open_sheet(more=True)
        titles = {option.name: option.title for option in make(game).known_options}
        for name, value in options.items():
            field = self.field(titles[name])
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
                field.blur()

    def close_sheet(self) -> None:
        """Close the sheet, if it is open."""
        if self.sheet.is_visible():
            self.page.keyboard.press("Escape")
            expect(self.sheet).to_be_hidden()

    def begin(self) -> None:
        """Begin the game, with the button that is in sight."""
        button = "#options-play" if self.sheet.is_visible() else "#home-play"
        self.page.locator(button).click()
