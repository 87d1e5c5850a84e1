"""The sentences that the catalogues of translations must hold.

`python -m tools.catalogues` collects every sentence that the program can say, adds new ones to
each `locale/LANGUAGE/LC_MESSAGES/lampion.po` with an empty translation, drops those that are no
longer used, and compiles `lampion.mo` beside it. GNU gettext's tools read the same files; none of
them is needed.

The name of a piece has several entries: plain; counted (`{n} lion`), as what somebody takes; and in
the case of the language (`msgctxt`, see `firmware_host.i18n.messages`) that its sentences use.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import firmware_host
from engine.games import FINISHED, make
from firmware_host.doctor import findings
from firmware_host.i18n.messages import PIECE_CASES, SEAT_CASES, several
from firmware_host.lessons.loader import lessons_of
from firmware_host.rules_card import rules as short_rules
from firmware_host.web.view import page_sentences
from hardware import layout
from tools.po import PLURALS, CatalogueEntry, catalogue_path, compile_mo, read_po, write_po

SOURCES: Final = Path(firmware_host.__file__).parent
TYPOGRAPHY: Final = {
    "fr": (
        (re.compile(r"(?<=\w)'(?=[\w{])"), "\N{RIGHT SINGLE QUOTATION MARK}"),
        (re.compile(r" (?=[:;?!»])|(?<=«) "), "\N{NO-BREAK SPACE}"),
    )
}
"""How a language sets what people type: French has no line break before `: ; ? !`."""

# ---- what must be there


def sentences() -> dict[str, str]:
    """Return every sentence that the program can say, with its plural (`""`: it has none)."""
    found: dict[str, str] = {}
    for name in FINISHED:
        game = make(name)
        found.setdefault(game.title, "")
        for texts in (game.kinds, game.promotions, game.reasons, game.endings, game.sequels):
            found |= {text: found.get(text, "") for text in texts.values()}
        for kind in game.kinds.values():
            counted = several(kind, 2)
            found[counted.text] = counted.plural
        for option in game.known_options:
            said = [option.said(value) for value in option.values if "," not in value]
            for text in (option.about, option.title, *said):
                if re.search("[a-z]", text):
                    found.setdefault(text, "")
        for preset in game.presets:
            found |= dict.fromkeys((preset.label, preset.about), "")
        for seat in game.seats:
            found.setdefault(seat, "")
        for lesson in lessons_of(name):
            why = (text for _, text in lesson.wrong)
            found |= {
                text: found.get(text, "")
                for text in (lesson.chapter, lesson.title, lesson.task, *why)
            }
    found |= dict.fromkeys(short_rules.sentences(), "")
    found |= dict.fromkeys(findings.sentences(), "")
    for board in map(layout.load, layout.KNOWN):
        for served in board.games.values():
            found.setdefault(served.caution, "")
    for source in sorted(SOURCES.rglob("*.py")):
        for text, plural in _said(ast.parse(source.read_text(encoding="utf-8"))):
            found[text] = plural or found.get(text, "")
    found |= page_sentences()
    found.pop("", None)
    return found


def cases(language: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a language has in another case, after that case."""
    games = [make(name) for name in FINISHED]
    if case := PIECE_CASES.get(language):
        yield from {(case, name) for game in games for name in game.kinds.values()}
    if case := SEAT_CASES.get(language):
        yield case, "{name}"
        yield from {(case, seat) for game in games for seat in game.seats}


def _said(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the literal sentences of `say`, `warn`, `count` and `Message`."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if node.func.id in {"say", "warn", "Message"} and texts and isinstance(texts[0], str):
            yield texts[0], ""
        elif node.func.id == "count" and len(texts) >= 2:
            yield str(texts[0]), str(texts[1])


def update(
    language: str, wanted: dict[str, str], bent: Iterable[tuple[str, str]] = ()
) -> list[CatalogueEntry]:
    """Update the source of a language to the wanted sentences, compile it, return its entries.

    `bent` are pairs of a grammatical case and a name that the language needs in that case.
    """
    path = catalogue_path(language, ".po")
    known: dict[tuple[str, str, str], CatalogueEntry] = {}
    if path.exists():
        known = {e.key: e for e in read_po(path.read_text(encoding="utf-8"), path.name)}
    forms = int(PLURALS[language][len("nplurals=")])
    keys = [
        *(("", text, plural) for text, plural in wanted.items()),
        *((case, text, "") for case, text in bent),
    ]
    entries = [
        known.get((case, text, plural))
        or CatalogueEntry(text, plural, [""] * (forms if plural else 1), case)
        for case, text, plural in sorted(keys, key=lambda key: key[1:] + key[:1])
    ]
    for entry in entries:
        entry.forms = [typeset(language, form) for form in entry.forms]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_po(language, entries), encoding="utf-8")
    catalogue_path(language, ".mo").write_bytes(compile_mo(language, entries))
    return entries


def typeset(language: str, text: str) -> str:
    """Return a translation with the apostrophes and spaces of its language."""
    for typed, set_as in TYPOGRAPHY.get(language, ()):
        text = typed.sub(set_as, text)
    return text


def main() -> int:
    """Update all catalogues and print how much is left to translate."""
    wanted = sentences()
    for language in PLURALS:
        entries = update(language, wanted, cases(language))
        missing = [entry.text for entry in entries if not all(entry.forms)]
        print(f"{language}: {len(entries)} sentences, {len(missing)} to be translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
