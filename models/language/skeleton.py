"""The beginning of a `clauses.toml` for a text that has none yet.

Promises: `skeleton` computes what can be computed (sections, places, digests, signatures, open words),
guesses kinds and forces, and leaves what a person has to say empty, so that `Clauses.load` asks for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from models.language.clauses import SCHEMA, Force, Kind
from models.language.layout import Role
from models.language.openwords import open_words
from models.language.sentences import PREFACE, Sentence, split
from models.language.tables import one_line

_GUESS_FORCE = (
    (Force.MUST_NOT, r"\b(?:cannot|can(?:'|’)t|must not|may not|never|darf nicht|dürfen nicht|niemals)\b"),
    (Force.MAY, r"\b(?:may|can|could|darf|dürfen|kann|können)\b"),
    (Force.MUST, r"\b(?:must|ha(?:ve|s) to|need to|muss|müssen)\b"),
    (Force.IS, r"\b(?:is|are|counts?|represents?|shows?|ist|sind|zählt|zählen)\b"),
)
_EXAMPLE = re.compile(r"(?:e\.\s?g\.|(?:for |another )?example\b|z\.\s?B\.|beispiel\b)", re.IGNORECASE)
_GUESS_KIND = (
    (Kind.COMPONENT, r"components?|contents|material|spielmaterial|contains|dice faces?"),
    (Kind.SETUP, r"set-?up|preparation|aufbau|vorbereitung|spielaufbau"),
    (Kind.EXAMPLE, r"examples?|beispiele?"),
)


UNSAID = "to be said in your own words"
"""What stands for the text of a clause until a person has written it, where asked for."""

UNANSWERED = "to be answered"
"""What stands for the answer to an open word until a person has written it, where asked for."""


def skeleton(text: str, rulebook: str = "", language: str = "en", *, marked: bool = False) -> str:
    """The beginning of a `clauses.toml` for a text: everything that can be computed or guessed.

    Ids are made of section and number, kinds and forces are guessed from words; the texts and the answers
    to open words are left empty for a person to write, and `Clauses.load` says so until they are written.
    Headings of up to four words are kept as titles, as terms; longer ones are left empty as well.

    Args:
        text: the whole source.
        rulebook: the rulebook's name; the first heading, if it is short, where none is given.
        language: ISO 639 code of the text's language.
        marked: write `UNSAID` and `UNANSWERED` for what is left to a person, so that the clauses load.
    """
    sentences = split(text, language)
    headings = [sentence for sentence in sentences if sentence.role is Role.HEADING]
    name = rulebook or next((_title(sentence) for sentence in headings), "")
    out = [
        f"schema = {SCHEMA}",
        f"rulebook = {_quoted(name)}",
        f"language = {_quoted(language)}",
        "",
        "[sections]",
    ]
    if any(sentence.section == PREFACE for sentence in sentences):
        out.append(f'{PREFACE} = {{ title = "before the first heading" }}')
    for heading in headings:
        out.append(
            f"{heading.section} = {{ title = {_quoted(_title(heading) or (UNSAID if marked else ''))}, "
            f'digest = "{heading.digest}", signature = "{heading.signature}", line = {heading.line} }}'
        )
    titles = {heading.digest for heading in headings}
    example: tuple[str, int] | None = None
    for sentence in sentences:
        listed = sentence.role is Role.CONTENTS and sentence.digest in titles
        if sentence.role is Role.HEADING or listed:
            continue
        paragraph = (sentence.section, sentence.line)
        if _EXAMPLE.match(sentence.text):
            example = paragraph
        out.extend(_entry(sentence, paragraph == example, language, marked))
    return "\n".join(out) + "\n"


def _title(heading: Sentence) -> str:
    short = len(heading.text.split()) <= 4 and one_line(heading.text)
    return heading.text if short else ""


def _entry(sentence: Sentence, example: bool, language: str, marked: bool) -> Iterable[str]:
    yield from (
        "",
        "[[clause]]",
        f'id = "{sentence.section}.{sentence.ordinal}"',
        f'section = "{sentence.section}"',
        f"ordinal = {sentence.ordinal}",
        f"line = {sentence.line}",
        f'digest = "{sentence.digest}"',
        f'signature = "{sentence.signature}"',
        f'kind = "{Kind.EXAMPLE if example else _guess_kind(sentence)}"',
        f'force = "{_guess_force(sentence.text)}"',
        f"text = {_quoted(UNSAID if marked else '')}",
    )
    words = open_words(sentence.text, language)
    if words:
        yield "[clause.words]"
        for word in words:
            yield f"{_quoted(word)} = {_quoted(UNANSWERED if marked else '')}"


def _guess_kind(sentence: Sentence) -> Kind:
    if sentence.role is Role.CONTENTS:
        return Kind.NOTE
    heading = sentence.section.replace("-", " ")
    for kind, pattern in _GUESS_KIND:
        if re.search(rf"\b(?:{pattern})\b", heading):
            return kind
    return Kind.RULE


def _guess_force(text: str) -> Force:
    for force, pattern in _GUESS_FORCE:
        if re.search(pattern, text, re.IGNORECASE):
            return force
    return Force.MUST


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, with the one sign escaped that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
