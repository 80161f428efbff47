"""From answers to rulings: which option of which question each answer picks.

Promises: a letter means the option at that place of the finding, a name means the option of that name;
anything else is kept in its own words without a pick; two answers to one question that disagree pick
nothing and are told.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from findings.answers.read import Answer, Answers
from findings.finding import Finding
from findings.reports.view import ASKED
from findings.text import printable
from models.language.errors import ModelError

SCHEMA = 1
_LETTER = re.compile(
    r"^\s*(?:reading|option|lesart|outcome)?\s*\(?([A-Za-z])\)?\s*(?:[.:,;)\-–—].*)?$", re.DOTALL | re.I
)


@attrs.frozen
class Decided:
    """An answer held against its finding.

    Attributes:
        answer: what was written.
        finding: the finding; None if the audit has none of that fingerprint.
        reading: what the answer picks an option of; "" where the model has nothing to pick.
        option: the option that it names; "" if it names none.
        disagrees: whether another answer to the same question names another option.
    """

    answer: Answer
    finding: Finding | None
    reading: str = ""
    option: str = ""
    disagrees: bool = False

    @property
    def picks(self) -> bool:
        """Whether it settles something in the model."""
        return bool(self.reading and self.option) and not self.disagrees


@attrs.frozen
class Rulings:
    """All answers of a file, decided.

    Attributes:
        answers: as they were read; unanswered are only those that are questions still.
        decided: the same, held against the findings.
    """

    answers: Answers
    decided: tuple[Decided, ...]

    @property
    def picks(self) -> dict[str, str]:
        """Question → option, of the answers that settle something."""
        return {d.reading: d.option for d in self.decided if d.picks}


def decide(answers: Answers, findings: Sequence[Finding]) -> Rulings:
    """Hold answers against findings.

    Args:
        answers: the answers.
        findings: the findings of all audited variants.

    Errors:
        ModelError: the beginning of a fingerprint fits several findings.
    """
    made = [_decided(a, findings) for a in answers.answers]
    options: dict[str, set[str]] = {}
    for d in made:
        if d.reading and d.option:
            options.setdefault(d.reading, set()).add(d.option)
    decided = [attrs.evolve(d, disagrees=len(options.get(d.reading, ())) > 1) for d in made]
    left = tuple(u for u in answers.unanswered if _is_asked(u, findings))
    return Rulings(attrs.evolve(answers, unanswered=left), tuple(decided))


def _is_asked(fingerprint: str, findings: Sequence[Finding]) -> bool:
    """Whether a finding is a question still: what is settled or moot waits for no answer."""
    fits = [f for f in findings if f.fingerprint.startswith(fingerprint.lower())]
    return not fits or any(f.status in ASKED for f in fits)


def _decided(answer: Answer, findings: Sequence[Finding]) -> Decided:
    fits = {f.fingerprint: f for f in findings if f.fingerprint.startswith(answer.finding.lower())}
    if len(fits) > 1:
        raise ModelError(
            f"'{printable(answer.finding)}' is the start of {len(fits)} fingerprints",
            where=answer.where,
            hint=f"one of {', '.join(sorted(fits))}",
        )
    finding = next(iter(fits.values()), None)
    if finding is None:
        return Decided(answer, None)
    return Decided(answer, finding, finding.reading, _option(answer.said, finding))


def _option(said: str, finding: Finding) -> str:
    """The option that an answer names; "" if it names none."""
    ids = [o.id for o in finding.options]
    plain = said.strip().casefold()
    for o in finding.options:
        if plain in (o.id.casefold(), f"[{o.id.casefold()}]", o.outcome.casefold()):
            return o.id
    letter = _LETTER.match(said)
    if letter is not None:
        place = ord(letter[1].upper()) - ord("A")
        if place < len(ids):
            return ids[place]
    return ""


# -- files ---------------------------------------------------------------------------------------------------


def render(rulings: Rulings) -> str:
    """The answers as TOML, with what they pick; `load` reads it back."""
    lines = [f"schema = {SCHEMA}", f"rulebook = {_quoted(rulings.answers.rulebook)}"]
    if rulings.answers.unanswered:
        lines.append(f"unanswered = [{', '.join(map(_quoted, rulings.answers.unanswered))}]")
    for d in rulings.decided:
        lines += ["", "[[ruling]]", *(f"{k} = {_quoted(v)}" for k, v in _fields(d))]
    return "\n".join(lines) + "\n"


def _fields(d: Decided) -> Iterator[tuple[str, str]]:
    yield "finding", d.finding.fingerprint if d.finding is not None else d.answer.finding
    if d.finding is not None:
        yield "question", d.finding.question or d.finding.title
    if d.picks:
        yield "reading", d.reading
        yield "option", d.option
    yield "said", d.answer.said
    yield "where", d.answer.where
    if d.answer.by:
        yield "by", d.answer.by


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    signs = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    safe = "".join(signs.get(c) or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in text)
    return f'"{safe}"'


def load(path: Path) -> Rulings:
    """Read rulings back, without their findings.

    Errors:
        ModelError: no such file, or none of this form.
    """
    shown = printable(str(path))
    hint = "give a file that `ruleslawyer answers import -o FILE` wrote"
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"cannot read: {(error.strerror or str(error)).lower()}", where=shown) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"not TOML: {error}", where=shown, hint=hint) from None
    entries = table.get("ruling", [])
    if table.get("schema") != SCHEMA or not isinstance(entries, list):
        raise ModelError("these are no rulings", where=shown, hint=hint)
    decided = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or not all(isinstance(entry.get(k), str) for k in ("finding", "said")):
            raise ModelError(f"ruling {number} lacks `finding` or `said`", where=shown, hint=hint)
        text = {k: str(v) for k, v in entry.items()}
        answer = Answer(
            text["finding"], text["said"], text.get("where", f"ruling {number}"), text.get("by", "")
        )
        decided.append(Decided(answer, None, text.get("reading", ""), text.get("option", "")))
    left = tuple(str(f) for f in table.get("unanswered", []))
    answers = Answers(shown, str(table.get("rulebook", "")), tuple(d.answer for d in decided), left)
    return Rulings(answers, tuple(decided))
