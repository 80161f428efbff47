"""The texts of reports in the language of whoever reads them, with dates and numbers written as there.

Promises: a text is looked up in `locale/<language>/reports.po` (gettext); English is the language of the
source, German is complete; numbers and dates are written by Babel. A language that there is no file for is
one message with those that there are.
"""

from __future__ import annotations

import gettext
import io
from datetime import date
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from findings.suggest import unknown

if TYPE_CHECKING:
    from babel import Locale

SOURCE = "en"
DOMAIN = "reports.po"


def languages() -> tuple[str, ...]:
    """ISO 639 codes of the languages that reports can be written in, the source language first."""
    folder = resources.files("findings.reports").joinpath("locale")
    found = [entry.name for entry in folder.iterdir() if entry.joinpath(DOMAIN).is_file()]
    return (SOURCE, *sorted(found))


class Texts:
    """Texts, numbers and dates of one language.

    Attributes:
        language: ISO 639 code.
    """

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language, self._translations = language, translations

    def gettext(self, message: str, /, **fields: object) -> str:
        """A text with its fields, in braces, filled in."""
        return _filled(self._translations.gettext(message), fields)

    def ngettext(self, one: str, many: str, n: int, /, **fields: object) -> str:
        """The text for a number of things; `{n}` in it is the number."""
        return _filled(self._translations.ngettext(one, many, n), {"n": self.number(n), **fields})

    @property
    def _locale(self) -> Locale:
        from babel import Locale

        return Locale.parse(self.language)

    def number(self, value: float) -> str:
        """A number as it is written in this language."""
        from babel.numbers import format_decimal

        return format_decimal(value, locale=self._locale)

    def percent(self, share: float) -> str:
        """A share of all, with two significant digits; what is not all or nothing never reads so."""
        from findings.text import percent

        digits, _, _ = percent(share).partition(" ")
        _, _, decimals = digits.partition(".")
        from babel.numbers import format_percent

        pattern = "#,##0" + (f".{'0' * len(decimals)}" if decimals else "") + "\N{NO-BREAK SPACE}%"
        return format_percent(float(digits) / 100, format=pattern, locale=self._locale)

    def date(self, day: date) -> str:
        """A date, the month in words."""
        from babel.dates import format_date

        return format_date(day, format="long", locale=self._locale)


def _filled(message: str, fields: dict[str, object]) -> str:
    return message.format(**fields) if fields else message


@cache
def texts(language: str = SOURCE) -> Texts:
    """The texts of a language.

    Args:
        language: ISO 639 code.

    Errors:
        ModelError: there are none, with the languages that there are.
    """
    if language == SOURCE:
        return Texts(SOURCE, gettext.NullTranslations())
    if language not in languages():
        raise unknown("language of reports", language, languages())
    import polib

    text = (
        resources.files("findings.reports").joinpath("locale", language, DOMAIN).read_text(encoding="utf-8")
    )
    compiled = io.BytesIO(polib.pofile(text).to_binary())
    return Texts(language, gettext.GNUTranslations(compiled))
