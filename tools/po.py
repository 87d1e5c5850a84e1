"""Catalogues as files: reads and writes `.po`, compiles `.mo`; with the standard library alone.

`python -m tools.po` compiles every catalogue. Building the program calls it, too, so it imports
nothing of the program.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCALE: Final = Path(__file__).parents[1] / "firmware_host" / "i18n" / "locale"
DOMAIN: Final = "lampion"

PLURALS: Final = {
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
    "cs": "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);",
    "fr": "nplurals=2; plural=(n > 1);",
}
"""How each language counts, in gettext's notation."""


@dataclass(slots=True)
class CatalogueEntry:
    """One sentence of a catalogue; `forms` holds one translation, or one for each plural form."""

    text: str
    plural: str
    forms: list[str]
    case: str = ""
    """The grammatical case of a name, `accusative` …; empty for the nominative."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The case, the text and the plural, which identify an entry."""
        return self.case, self.text, self.plural


def catalogue_path(language: str, suffix: str) -> Path:
    """Return the path of the source (`.po`) or the compiled catalogue (`.mo`) of a language."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}{suffix}"


def read_po(text: str, name: str = "catalogue") -> list[CatalogueEntry]:
    """Return the entries of a `.po` text, without its header; ValueError names a broken line."""
    entries: list[CatalogueEntry] = []
    fields: dict[str, str] = {}
    field = ""

    def close() -> None:
        if fields.get("msgid"):
            forms = [v for k, v in sorted(fields.items()) if k.startswith("msgstr")]
            case = fields.get("msgctxt", "")
            entries.append(
                CatalogueEntry(fields["msgid"], fields.get("msgid_plural", ""), forms, case)
            )
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
        fields[field] = fields.get(field, "") + _unescape(match[2])
    close()
    return entries


def write_po(language: str, entries: list[CatalogueEntry]) -> str:
    """Return the entries as the text of a `.po` file."""
    lines = [f"# Lampion in {language}.", 'msgid ""', 'msgstr ""']
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


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def compile_mo(language: str, entries: list[CatalogueEntry]) -> bytes:
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


def compile_all() -> None:
    """Compile the catalogue of every language, if its source is newer."""
    for language in PLURALS:
        source, compiled = catalogue_path(language, ".po"), catalogue_path(language, ".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            entries = read_po(source.read_text(encoding="utf-8"), str(source))
            compiled.unlink(missing_ok=True)  # another user may have built it
            compiled.write_bytes(compile_mo(language, entries))


if __name__ == "__main__":
    compile_all()
