"""The invented rulebook Lantern Hill with its audit, for tests of reports."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

import attrs

from findings.audit import audit_rulebook
from findings.finding import Audit, Finding, RulebookAudit, Status
from findings.fingerprints import fingerprint
from findings.reports.source import SourceText, read
from findings.reports.view import Book, books
from models.language import registry
from models.language.book import Rulebook
from models.language.pictures import Draw
from models.language.words import Words

FOLDER = Path(__file__).parent.parent / "docs" / "examples" / "lantern_hill"
TEXT = FOLDER / "lantern_hill.txt"
DAY = date(2026, 3, 1)

#: What text that somebody else wrote may hold; each must come out as text and as nothing else.
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)//",
    '"><img src=x onerror=alert(3)>',
    "<svg/onload=alert(4)>",
    "{{ 7 * 7 }}{% if %}",
    "javascript:alert(5)",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "&xxe; <!ENTITY xxe SYSTEM 'file:///etc/passwd'>",
    "]]><evil/>",
    "::error file=x::pwned",
    "%0A::set-output name=x::y",
    "[link](javascript:alert(6)) ![i](http://evil.example/x.png) @everyone",
    "# heading\n- list\n| a | b |",
    '#set page(width: 1cm) #eval("1+1") $x^2$ @ref',
    "\x1b[31mred\x1b[0m\x07\x00\x0b",
    "\u202egnp.exe \u2066hidden\u2069 \ufeff",
    "a\tb\r\nc\u2028d",
    '"; DROP TABLE x; --',
    '\\n msgstr "evil" \\',
    "\ud83d lone surrogate".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
)


@cache
def rulebook() -> Rulebook:
    """Lantern Hill."""
    return registry.find(str(FOLDER))


@cache
def lantern() -> RulebookAudit:
    """Its audit with everything that reports show."""
    return audit_rulebook(rulebook(), details=True)


@cache
def source() -> SourceText:
    """Its text."""
    return read(rulebook(), TEXT)


@cache
def book(*, with_source: bool = False) -> Book:
    """Its audit as documents show it."""
    return viewed(lantern(), with_source=with_source)


def viewed(audit: RulebookAudit, *, with_source: bool = False) -> Book:
    """An audit as documents show it."""
    (made,) = books([audit], {audit.rulebook: source()} if with_source else None)
    return made


@cache
def words(language: str = "en") -> Words:
    """Its words."""
    return Words.load(FOLDER, language)


def draw() -> Draw:
    """What draws its tables."""
    found: Draw = registry.beside(rulebook(), "picture").draw  # type: ignore[union-attr]
    return found


def whole() -> Audit:
    """Its audit as the JSON contract has it."""
    return Audit(rulebooks=(lantern(),))


def one(code: str) -> Finding:
    """The finding of a kind."""
    (found,) = (f for f in lantern().findings if f.code == code)
    return found


def many(n: int) -> RulebookAudit:
    """An audit of many findings, each with a play and branches."""
    some = [f for f in lantern().findings if f.play]
    made = [
        attrs.evolve(
            some[k % len(some)],
            title=f"{some[k % len(some)].title}, number {k}",
            fingerprint=fingerprint("RL107", "lantern_hill", [str(k)]),
        )
        for k in range(n)
    ]
    return attrs.evolve(lantern(), findings=tuple(made))


def hostile() -> RulebookAudit:
    """An audit whose every text is one of the hostile ones."""
    texts = iter(HOSTILE * 200)

    def bad(prefix: str = "") -> str:
        return prefix + next(texts)

    base = lantern()
    behind = base.background
    assert behind is not None
    sentences = tuple(
        attrs.evolve(s, text=bad(), uncited=bad(), open_words={"all": bad()}) for s in behind.sentences
    )
    findings = tuple(
        attrs.evolve(
            f,
            title=bad(),
            situation=bad(),
            question=bad(),
            group=bad(),
            because=bad(),
            scope=bad(),
            status=status,
            options=tuple(attrs.evolve(o, outcome=bad()) for o in f.options),
            play=tuple(attrs.evolve(s, text=bad(), position=bad()) for s in f.play),
            branches=tuple(
                attrs.evolve(b, moves=(bad(),), steps=tuple(attrs.evolve(s, text=bad()) for s in b.steps))
                for b in f.branches
            ),
            fingerprint=fingerprint("RL107", "hostile", [f.fingerprint, status.value]),
        )
        for f in base.findings
        for status in (Status.OPEN, Status.SETTLED)
    )
    return attrs.evolve(
        base,
        findings=findings,
        engines=(bad(),),
        proved=tuple(attrs.evolve(p, name=bad(), scope=bad()) for p in base.proved),
        background=attrs.evolve(
            behind,
            title=bad(),
            sentences=sentences,
            sections=tuple(attrs.evolve(s, title=bad()) for s in behind.sections),
            words=tuple(attrs.evolve(w, word=bad()) for w in behind.words),
            ambiguities=tuple(
                attrs.evolve(
                    a, asks=bad(), why=bad(), options=tuple(attrs.evolve(o, text=bad()) for o in a.options)
                )
                for a in behind.ambiguities
            ),
            rules=tuple(attrs.evolve(r, doc=bad()) for r in behind.rules),
        ),
    )
