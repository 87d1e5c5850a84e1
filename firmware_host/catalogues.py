"""The catalogues of translated sentences: what they must hold, their sources, their compilation.

`python -m firmware_host.catalogues` collects every sentence that the program can say, adds the new
ones to each `locale/LANGUAGE/LC_MESSAGES/lampion.po` (empty, to be translated), drops those that
are said no more, and writes `lampion.mo` beside it. GNU gettext's own tools can work on the same
files; none of them is needed.

A name of a piece has several entries: plain; counted (`{n} lion`), as what somebody takes; and in
each case of the language (`msgctxt`, see `words.py`), which its sentences ask for.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.games import NAMES, make
from firmware_host.lessons.lesson_file import lessons_of
from firmware_host.short_rules import rules as short_rules
from firmware_host.twin.sentences import page_sentences, unescape
from firmware_host.words import CASES, DOMAIN, LANGUAGES, LOCALE, several
from hardware import layout

HERE: Final = Path(__file__).parent

PLURALS: Final = {
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
    "cs": "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);",
    "fr": "nplurals=2; plural=(n > 1);",
}
"""How each language counts, in gettext's notation."""


@dataclass(slots=True)
class Entry:
    """One sentence of a catalogue; `forms` holds one translation, or one for each plural form."""

    text: str
    plural: str
    forms: list[str]
    case: str = ""
    """Which form of a name it is, `accusative` …; empty for the plain one."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is found by: case, text and plural."""
        return self.case, self.text, self.plural


def catalogue_path(language: str, suffix: str) -> Path:
    """Return where the source (`.po`) or the compiled catalogue (`.mo`) of a language is."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}{suffix}"


# ---- what must be there


def sentences() -> dict[str, str]:
    """Return every sentence that can be said, each with its plural (`""` where it has none)."""
    found: dict[str, str] = {}
    for name in NAMES:
        game = make(name)
        found.setdefault(game.title, "")
        for texts in (game.kinds, game.reasons, game.endings, game.sequels):
            found |= {text: found.get(text, "") for text in texts.values()}
        for kind in game.kinds.values():
            counted = several(kind, 2)
            found[counted.text] = counted.plural
        for option in game.known_options:
            said = [option.said(value) for value in option.values if "," not in value]
            for text in (option.about, option.title, *said):
                if re.search("[a-z]", text):
                    found.setdefault(text, "")
        for seat in game.seats:
            found.setdefault(seat, "")
        for lesson in lessons_of(name):
            why = (text for _, text in lesson.wrong)
            found |= {text: found.get(text, "") for text in (lesson.title, lesson.tell, *why)}
    found |= dict.fromkeys(short_rules.sentences(), "")
    for board in map(layout.load, layout.NAMES):
        for served in board.games.values():
            found.setdefault(served.caution, "")
    for source in sorted(HERE.rglob("*.py")):
        for text, plural in _said(ast.parse(source.read_text(encoding="utf-8"))):
            found[text] = plural or found.get(text, "")
    found |= page_sentences()
    found.pop("", None)
    return found


def names() -> set[str]:
    """Return the names of all pieces: what languages have in several cases."""
    return {name for game in NAMES for name in make(game).kinds.values()}


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


# ---- the sources


def read_po(text: str, name: str = "catalogue") -> list[Entry]:
    """Return the entries of a `.po` text, without its header; ValueError names a broken line."""
    entries: list[Entry] = []
    fields: dict[str, str] = {}
    field = ""

    def close() -> None:
        if fields.get("msgid"):
            forms = [v for k, v in sorted(fields.items()) if k.startswith("msgstr")]
            case = fields.get("msgctxt", "")
            entries.append(Entry(fields["msgid"], fields.get("msgid_plural", ""), forms, case))
        fields.clear()

    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+)?"(.*)"', line)
        if match is None or not (match[1] or field):
            raise ValueError(f"{name}: line {number} is no line of a catalogue: {line}")
        if match[1]:
            if match[1] == "msgctxt" or (match[1] == "msgid" and field != "msgctxt"):
                close()
            field = match[1]
        fields[field] = fields.get(field, "") + unescape(match[2])
    close()
    return entries


def write_po(language: str, entries: list[Entry]) -> str:
    """Return the entries as the text of a `.po` file."""
    lines = [f"# Lampion in {LANGUAGES[language]}.", 'msgid ""', 'msgstr ""']
    lines += [f'"{_escape(line)}\\n"' for line in _header(language)]
    for entry in entries:
        lines.append("")
        if entry.case:
            lines.append(f'msgctxt "{entry.case}"')
        lines.append(f'msgid "{_escape(entry.text)}"')
        if entry.plural:
            lines.append(f'msgid_plural "{_escape(entry.plural)}"')
            lines += [f'msgstr[{i}] "{_escape(form)}"' for i, form in enumerate(entry.forms)]
        else:
            lines.append(f'msgstr "{_escape(entry.forms[0])}"')
    return "\n".join(lines) + "\n"


def _header(language: str) -> list[str]:
    return [
        "Project-Id-Version: lampion",
        f"Language: {language}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {PLURALS[language]}",
    ]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


# ---- the compiled catalogue


def compile_mo(language: str, entries: list[Entry]) -> bytes:
    """Return the translated entries as a GNU `.mo` file (format of the gettext manual, "MO
    Files"): sorted keys and texts, both found through tables of lengths and offsets.
    """
    texts = {b"": "".join(f"{line}\n" for line in _header(language)).encode()}
    for entry in entries:
        if all(entry.forms):
            key = f"{entry.text}\0{entry.plural}" if entry.plural else entry.text
            key = f"{entry.case}\4{key}" if entry.case else key
            texts[key.encode()] = "\0".join(entry.forms).encode()
    keys = sorted(texts)
    first_text = 28 + 16 * len(keys)
    tables, body = [b"", b""], b""
    for table, strings in enumerate((keys, [texts[key] for key in keys])):
        for string in strings:
            tables[table] += struct.pack("<2I", len(string), first_text + len(body))
            body += string + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, first_text)
    return head + tables[0] + tables[1] + body


def update(language: str, wanted: dict[str, str], bent: Collection[str] = ()) -> list[Entry]:
    """Bring the source of a language to the wanted sentences, compile it, return its entries.

    `bent` are those that it needs in each of its cases, too.
    """
    path = catalogue_path(language, ".po")
    known: dict[tuple[str, str, str], Entry] = {}
    if path.exists():
        known = {e.key: e for e in read_po(path.read_text(encoding="utf-8"), path.name)}
    forms = int(PLURALS[language][len("nplurals=")])
    keys = [
        *(("", text, plural) for text, plural in wanted.items()),
        *((case, text, "") for case in CASES[language] for text in bent),
    ]
    entries = [
        known.get((case, text, plural))
        or Entry(text, plural, [""] * (forms if plural else 1), case)
        for case, text, plural in sorted(keys, key=lambda key: key[1:] + key[:1])
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_po(language, entries), encoding="utf-8")
    catalogue_path(language, ".mo").write_bytes(compile_mo(language, entries))
    return entries


def main() -> int:
    """Update all catalogues and say what is still to be translated."""
    wanted, bent = sentences(), names()
    for language in PLURALS:
        entries = update(language, wanted, bent)
        missing = [entry.text for entry in entries if not all(entry.forms)]
        print(f"{language}: {len(entries)} sentences, {len(missing)} to be translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
