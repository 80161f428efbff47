"""The languages of reports: complete, with the same fields, numbers and dates as they are written there."""

from __future__ import annotations

import re
from datetime import date
from importlib import resources

import polib
import pytest

from findings.finding import Stake, Status
from findings.reports import html, i18n, markdown, names
from models.language.errors import ModelError
from tests import report_samples as samples
from tests.report_messages import Message, messages


def entries() -> list[polib.POEntry]:
    folder = resources.files("findings.reports").joinpath("locale", "de", i18n.DOMAIN)
    return list(polib.pofile(folder.read_text(encoding="utf-8")))


def known(entry: polib.POEntry) -> Message:
    return (entry.msgid, entry.msgid_plural) if entry.msgid_plural else entry.msgid


def test_german_has_exactly_the_texts_of_reports() -> None:
    german = {known(e) for e in entries()}
    assert messages() - german == set()
    assert german - messages() == set()
    assert len(german) > 200


def test_nothing_is_left_untranslated_or_marked_for_review() -> None:
    for e in entries():
        told = list(e.msgstr_plural.values()) if e.msgid_plural else [e.msgstr]
        assert all(told), e.msgid
        assert not e.fuzzy, e.msgid


def test_translations_have_the_fields_of_their_texts() -> None:
    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{\w+\}", text))

    for e in entries():
        if e.msgid_plural:
            assert all(fields(t) == fields(e.msgid_plural) for t in e.msgstr_plural.values()), e.msgid
        else:
            assert fields(e.msgstr) == fields(e.msgid), e.msgid


def test_values_of_the_contract_have_names() -> None:
    for language in i18n.languages():
        t = i18n.texts(language)
        assert len({names.status_name(t, s) for s in Status}) == len(Status)
        assert len({names.stake_name(t, s) for s in Stake}) == len(Stake)
        assert all(names.status_meaning(t, s) for s in Status)


@pytest.mark.parametrize(
    ("language", "number", "share", "day"),
    [
        ("en", "1,234.5", "0.12\N{NO-BREAK SPACE}%", "March 1, 2026"),
        ("de", "1.234,5", "0,12\N{NO-BREAK SPACE}%", "1. März 2026"),
    ],
)
def test_numbers_and_dates_are_written_as_in_the_language(
    language: str, number: str, share: str, day: str
) -> None:
    t = i18n.texts(language)
    assert (t.number(1234.5), t.percent(0.00123), t.date(date(2026, 3, 1))) == (number, share, day)


def test_a_share_is_never_all_or_nothing_by_rounding() -> None:
    t = i18n.texts("de")
    assert t.percent(0.0) == "0\N{NO-BREAK SPACE}%"
    assert t.percent(1.0) == "100\N{NO-BREAK SPACE}%"
    assert t.percent(0.99996) == "99,996\N{NO-BREAK SPACE}%"


def test_things_are_counted() -> None:
    t = i18n.texts("de")
    assert t.ngettext("{n} finding", "{n} findings", 1) == "1 Befund"
    assert t.ngettext("{n} finding", "{n} findings", 1200) == "1.200 Befunde"


def test_an_unknown_language_is_one_message() -> None:
    with pytest.raises(ModelError, match="unknown language of reports 'dee'; did you mean 'de'?"):
        i18n.texts("dee")


def test_reports_are_german_through_and_through() -> None:
    t = i18n.texts("de")
    page = html.render(samples.book(), t, words=samples.words("de"), draw=samples.draw())
    assert '<html lang="de">' in page
    assert "Laternen, Topf, Münzen" not in page
    assert '"Laternen"' in page  # what a step changed, and the pictures
    assert "Spieler 1" in page
    told = markdown.full(samples.book(), t)
    for english in ("What holds", "Undecided", "Glossary", "Findings"):
        assert f"# {english}" not in told
    assert "## Was gilt" in told
