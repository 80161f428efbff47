"""JUnit: findings as test cases, for pipelines that show tests.

Promises: an open question is a failure, what is settled, on record or moot is a case that passes with what
it rests on in its output; what a limit cut off is skipped; what was proved passes.
"""

from __future__ import annotations

from findings.finding import Status
from findings.reports.ci.levels import message
from findings.reports.view import Book
from findings.text import printable

_FAILS = (Status.OPEN, Status.LEANS)


def render(book: Book) -> bytes:
    """The findings as JUnit's XML."""
    from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

    suite = TestSuite(printable(book.name))
    for item in book.items:
        f = item.finding
        case = TestCase(
            f"{f.code} {printable(f.title)} ({f.fingerprint})", f"{book.name}.{_part(item.section.id)}"
        )
        if f.status in _FAILS:
            case.result = [Failure(printable(f.question or f.title), f.code)]
            case.result[0].text = message(f)
        elif f.status is Status.REDUCED:
            case.result = [Skipped(printable(f.scope), f.code)]
        else:
            case.system_out = f"{f.status.value}: {printable(f.because)}"
        suite.add_testcase(case)
    for proved, variants in book.proved:
        case = TestCase(printable(proved.name), f"{book.name}.proved")
        case.system_out = f"{', '.join(variants)}: {printable(proved.scope)}"
        suite.add_testcase(case)
    for undecided, variants in book.undecided:
        case = TestCase(printable(undecided.name), f"{book.name}.undecided")
        told = f"{', '.join(variants)}: {printable(undecided.reason)}"
        case.result = [Skipped(f"{told} ({printable(undecided.bound)})" if undecided.bound else told)]
        suite.add_testcase(case)
    whole = JUnitXml("ruleslawyer")
    whole.add_testsuite(suite)
    text: bytes = whole.tostring()  # type: ignore[no-untyped-call]
    return text


def _part(section: str) -> str:
    return printable(section) if section != "-" else "components"
