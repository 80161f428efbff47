"""The checklist of words whose reach is open.

Promises: `open_words` finds, in any sentence, the words that start arguments at a table ("all", "again",
"your", "as many as" …). The list with the question behind each word is data (`open_words.toml`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from attrs import field, frozen

from models.language.sentences import fold

_GAP = r"\s+(?:[\w’'-]+\s+){0,3}?"


@frozen
class OpenWord:
    """A word whose reach is open.

    Attributes:
        word: the entry of the checklist.
        why: the question that it leaves open.
        forms: the ways in which it is written; `…` stands for up to three words in between.
    """

    word: str
    why: str
    forms: tuple[str, ...] = field(converter=tuple)


@cache
def checklist(language: str = "en") -> dict[str, OpenWord]:
    """The open words of a language by name, in the order of their file; none where there is no list yet.

    Args:
        language: ISO 639 code.
    """
    data = tomllib.loads(Path(__file__).with_name("open_words.toml").read_text(encoding="utf-8"))
    words = data.get(language, {})
    return {word: OpenWord(word, entry["why"], entry.get("forms", [word])) for word, entry in words.items()}


def open_words(sentence: str, language: str = "en") -> tuple[str, ...]:
    """The open words of a sentence, by their entry in the checklist, each once, in the order of the sentence.

    Where two forms overlap, the one that begins first, and of those the longer, is found and the other is
    not: in `at any time` there is no `any`.
    """
    if not checklist(language):
        return ()
    pattern, owner = _pattern(language)
    found: dict[str, None] = {}
    for match in pattern.finditer(fold(sentence).casefold()):
        found[owner[match.lastgroup or ""]] = None
    return tuple(found)


@cache
def _pattern(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    forms = [(form, word) for word, entry in checklist(language).items() for form in entry.forms]
    forms.sort(key=lambda pair: -len(pair[0]))
    owner = {f"w{at}": word for at, (_, word) in enumerate(forms)}
    choices = "|".join(f"(?P<w{at}>{_as_pattern(form)})" for at, (form, _) in enumerate(forms))
    return re.compile(rf"(?<![\w-])(?:{choices})(?![\w-])"), owner


def _as_pattern(form: str) -> str:
    parts = [r"\s+".join(re.escape(word) for word in part.split()) for part in form.casefold().split("…")]
    return _GAP.join(parts)
