"""Sentences in four languages, and the catalogues they come from."""

from __future__ import annotations

import gettext
import io
import string

import pytest

from firmware_host.i18n.messages import (
    LANGUAGES,
    Message,
    count,
    negotiate,
    render,
    say,
    sentence,
    several,
    translations,
    warn,
)
from tools import catalogues, po
from tools.catalogues import cases, sentences, typeset
from tools.po import CatalogueEntry, catalogue_path, compile_mo, read_po, write_po

OTHERS = [language for language in LANGUAGES if language != "en"]


def test_a_sentence_is_filled_in() -> None:
    assert render(say("It is {seat}'s turn.", seat=say("A"))) == "It is A's turn."
    assert render(say("{0} holds {1}", **{"0": "B2", "1": "B3"})) == "B2 holds B3"
    assert render(say("Lost: {pieces}", pieces=(say("lion"), say("hen")))) == "Lost: lion, hen"
    assert render(say("")) == ""


@pytest.mark.parametrize(
    ("message", "language", "said"),
    [
        (say("{seat} resigns: {end}", seat=say("black"), end="it"), "en", "black resigns: it"),
        (say("{seat} throws the die.", seat=say("black")), "en", "Black throws the die."),
        (count("{seat} throws the die.", "", 1, seat=say("black")), "en", "Black throws the die."),
        (
            count("{seat} throws the die.", "{seat} throws the dice.", 2, seat=say("black")),
            "fr",
            "Noir lance les dés.",
        ),
        (
            say("{seat} played: {move}.", seat=say("black"), move="c3d3"),
            "fr",
            "Noir\N{NO-BREAK SPACE}: c3d3.",
        ),
        (say("{move} cannot be played there.", move="c3d3"), "en", "c3d3 cannot be played there."),
        (say("{place}: it bounces.", place="c3"), "en", "c3: it bounces."),
        (say("the last move"), "en", "the last move"),
        (say(""), "en", ""),
    ],
)
def test_a_sentence_begins_with_a_capital(message: Message, language: str, said: str) -> None:
    """But no name of a place or a move, nor what is no sentence."""
    assert sentence(message, language) == said


def test_an_unknown_language_or_sentence_stays_english() -> None:
    assert render(say("Nobody ever said {this}", this=1), "pl") == "Nobody ever said 1"
    assert render(say("Yes"), "tlh") == "Yes"


def test_a_warning_is_urgent() -> None:
    assert warn("Check!").urgent
    assert not say("Check!").urgent


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_part_of_a_sentence_is_translated_too(language: str) -> None:
    piece = render(say("lion"), language)
    assert piece in render(say("{kind} of {seat}", kind=say("lion"), seat=say("A")), language)


@pytest.mark.parametrize(
    ("language", "forms"),
    [("en", (1, 2, 2)), ("pl", (1, 2, 3)), ("cs", (1, 2, 3)), ("fr", (1, 2, 2))],
)
def test_each_language_counts_in_its_own_way(language: str, forms: tuple[int, ...]) -> None:
    said = [render(count("{n} piece", "{n} pieces", n), language) for n in (1, 2, 5)]
    words = [text.split(" ", 1)[1] for text in said]
    numbered = [sorted(set(words), key=words.index).index(word) + 1 for word in words]
    assert tuple(numbered) == forms
    assert [text.split(" ")[0] for text in said] == ["1", "2", "5"]


@pytest.mark.parametrize(
    ("wanted", "accepted", "language"),
    [
        (None, "", "en"),
        ("cs", "pl", "cs"),
        ("fr-CA", "", "fr"),
        ("pl_PL", "", "pl"),
        ("xx", "cs;q=0.3, de, pl;q=0.9", "pl"),
        (None, "de-DE, en;q=0", "en"),
        (None, "fr;q=viel, cs;q=0.1", "cs"),
        (None, ", ;q=1,;;", "en"),
    ],
)
def test_the_language_is_agreed_on(wanted: str | None, accepted: str, language: str) -> None:
    assert negotiate(wanted, accepted) == language


# ---- the catalogues hold every sentence


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated(language: str) -> None:
    entries = read_po(catalogue_path(language, ".po").read_text(encoding="utf-8"))
    known = {entry.key for entry in entries}
    wanted = [("", text, plural) for text, plural in sentences().items()]
    wanted += [(case, text, "") for case, text in cases(language)]
    missing = [key for key in wanted if key not in known]
    assert not missing, "run python -m tools.catalogues and translate"
    empty = [entry.text for entry in entries if not all(entry.forms)]
    assert not empty, "translate these"


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_fills_in_the_same_values(language: str) -> None:
    def fields(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    for entry in read_po(catalogue_path(language, ".po").read_text(encoding="utf-8")):
        for form in entry.forms:
            assert fields(form) == fields(entry.text), entry.text


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_asks_only_for_cases_that_its_language_has(language: str) -> None:
    asked = {
        case
        for entry in read_po(catalogue_path(language, ".po").read_text(encoding="utf-8"))
        for form in entry.forms
        for _, _, case, _ in string.Formatter().parse(form)
        if case
    }
    assert asked == {case for case, _ in cases(language)}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Take the elephant off C1."),
        ("pl", "Zdejmij słonia z C1."),
        ("cs", "Sundej slona z C1."),
        ("fr", "Enlevez l’éléphant de C1."),
    ],
)
def test_a_piece_is_named_in_the_case_that_the_sentence_needs(language: str, said: str) -> None:
    sentence = say("Take the {piece} off {place}.", piece=say("elephant"), place="C1")
    assert render(sentence, language) == said


def test_what_has_no_such_case_stays_as_it_is() -> None:
    sentence = say("Take the {piece} off {place}.", piece=say("{name}", name="Anna"), place="C1")
    assert render(sentence, "pl") == "Zdejmij Anna z C1."
    several_pieces = (say("lion"), say("wizard"))
    assert render(say("Take the {piece} off {place}.", piece=several_pieces, place="C1"), "cs") == (
        "Sundej lva, wizard z C1."
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1 white token", "2 white tokens", "5 white tokens"]),
        ("pl", ["1 biały żeton", "2 białe żetony", "5 białych żetonów"]),
        ("cs", ["1 bílý žeton", "2 bílé žetony", "5 bílých žetonů"]),
    ],
)
def test_pieces_are_counted_by_their_names(language: str, said: list[str]) -> None:
    assert [render(several("white token", n), language) for n in (1, 2, 5)] == said


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    entries = read_po(catalogue_path(language, ".po").read_text(encoding="utf-8"))
    assert catalogue_path(language, ".mo").read_bytes() == compile_mo(language, entries)
    catalogue = translations(language)
    for entry in entries:
        if entry.case:
            assert catalogue.pgettext(entry.case, entry.text) == entry.forms[0]
        elif not entry.plural:
            assert catalogue.gettext(entry.text) == entry.forms[0]


# ---- the tool that makes them


def test_a_source_is_read_as_it_was_written() -> None:
    entries = [
        CatalogueEntry('a "quoted" \\ one', "", ["Zeile\nzwei\t"]),
        CatalogueEntry("{n} piece", "{n} pieces", ["pion", "piony", "pionów"]),
        CatalogueEntry("not yet", "", [""]),
        CatalogueEntry("lion", "", ["lew"]),
        CatalogueEntry("lion", "", ["lwa"], "accusative"),
        CatalogueEntry("lion", "", ["lwie"], "locative"),
        CatalogueEntry("last", "", ["ostatni"]),
    ]
    assert read_po(write_po("pl", entries)) == entries


def test_a_source_may_have_comments_and_long_lines() -> None:
    text = '# hello\n#, fuzzy\nmsgid "a"\n  "b"\nmsgstr ""\n"c"\n"d"\n'
    assert read_po(text) == [CatalogueEntry("ab", "", ["cd"])]


@pytest.mark.parametrize("text", ['msgid a"', '"text"', "hello"])
def test_a_broken_source_is_one_clear_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"cs\.po: line 1"):
        read_po(text, "cs.po")


def test_gettext_reads_what_is_compiled() -> None:
    entries = [
        CatalogueEntry("Yes", "", ["Tak"]),
        CatalogueEntry("{n} piece", "{n} pieces", ["{n} pion", "{n} piony", "{n} pionów"]),
        CatalogueEntry("No", "", [""]),
    ]
    catalogue = gettext.GNUTranslations(io.BytesIO(compile_mo("pl", entries)))
    assert catalogue.gettext("Yes") == "Tak"
    assert catalogue.gettext("No") == "No"
    said = [catalogue.ngettext("{n} piece", "{n} pieces", n) for n in (1, 2, 5, 12, 22, 112)]
    assert said == [
        "{n} pion",
        "{n} piony",
        "{n} pionów",
        "{n} pionów",
        "{n} piony",
        "{n} pionów",
    ]


def test_sentences_are_found_where_they_are_said() -> None:
    found = sentences()
    assert "Someone else holds that piece." in found  # said by the host
    assert "Take back" in found  # in the page
    assert "not connected" in found  # in its scripts
    assert found["{n} piece"] == "{n} pieces"
    assert "tokin" in found  # a game's kind
    assert "" not in found


def test_updating_keeps_what_is_translated(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(po, "LOCALE", tmp_path)
    catalogues.update("cs", {"Yes": "", "old": ""})
    path = catalogue_path("cs", ".po")
    path.write_text(path.read_text().replace('msgid "Yes"\nmsgstr ""', 'msgid "Yes"\nmsgstr "Ano"'))
    entries = catalogues.update("cs", {"Yes": "", "new": "", "{n} piece": "{n} pieces"})
    assert entries == [
        CatalogueEntry("Yes", "", ["Ano"]),
        CatalogueEntry("new", "", [""]),
        CatalogueEntry("{n} piece", "{n} pieces", ["", "", ""]),
    ]


def test_updating_asks_for_names_in_the_case_of_the_language(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(po, "LOCALE", tmp_path)
    plain, bent = CatalogueEntry("lion", "", [""]), CatalogueEntry("lion", "", [""], "definite")
    assert catalogues.update("fr", {"lion": ""}, [("definite", "lion")]) == [plain, bent]
    path = catalogue_path("fr", ".po")
    path.write_text(path.read_text() + '"le lion"\n')  # goes on with the last, which is bent
    entries = catalogues.update("fr", {"lion": ""}, [("definite", "lion")])
    assert entries == [plain, CatalogueEntry("lion", "", ["le lion"], "definite")]


@pytest.mark.parametrize(
    ("language", "typed", "text"),
    [
        ("fr", "Qu'est-ce ? « Oui » : l'un", "Qu’est-ce\xa0? «\xa0Oui\xa0»\xa0: l’un"),
        ("fr", "d'{seat}, 3,3 V", "d’{seat}, 3,3 V"),
        ("pl", "Co to? Rób 'tak'", "Co to? Rób 'tak'"),
    ],
)
def test_a_translation_has_the_apostrophes_and_spaces_of_its_language(
    language: str, typed: str, text: str
) -> None:
    assert typeset(language, typed) == text
    assert typeset(language, text) == text


@pytest.mark.parametrize("language", po.PLURALS)
def test_every_translation_is_typeset(language: str) -> None:
    entries = read_po(catalogue_path(language, ".po").read_text(encoding="utf-8"))
    forms = [form for entry in entries for form in entry.forms]
    assert [form for form in forms if form != typeset(language, form)] == []


def test_a_message_is_a_value() -> None:
    assert say("a", b=1) == Message("a", (("b", 1),))
    assert hash(say("a", b=1)) == hash(Message("a", (("b", 1),)))
