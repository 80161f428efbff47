"""How long a page of three hundred findings takes, and how large it is.

    python tests/benchmarks/report_speed.py [RULEBOOK] [FINDINGS]

The findings are those of the rulebook's audit, repeated under other fingerprints until there are enough,
each with its play, its pictures and its branches. Marks: under 3 s and under 5 MB.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import attrs

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from findings.finding import RulebookAudit
from findings.fingerprints import fingerprint
from findings.progress import SilentProgress
from findings.reports import html, made
from findings.reports.i18n import texts
from findings.reports.view import books
from models.language import registry
from models.language.words import Words


def repeated(audits: tuple[RulebookAudit, ...], n: int) -> RulebookAudit:
    """One audit with many findings, those with plays first."""
    found = [f for a in audits for f in a.findings if f.play] or [f for a in audits for f in a.findings]
    many = [
        attrs.evolve(
            found[k % len(found)],
            title=f"{found[k % len(found)].title} ({k})",
            fingerprint=fingerprint("RL107", "benchmark", [str(k)]),
        )
        for k in range(n)
    ]
    return attrs.evolve(audits[0], findings=tuple(many))


def main() -> None:
    """Measure, and print a line."""
    name, n = (sys.argv[1:] + ["fly_high", "300"][len(sys.argv) - 1 :])[:2]
    book = registry.find(name)
    size = next(iter(book.sizes))
    audit = made.audit_now(name, tuple(book.variants), size, Path("/nonexistent"), SilentProgress())
    draw, words = made.draw_of(book), Words.load(book.folder)
    (shown,) = books([repeated(audit.rulebooks, int(n))])
    began = time.process_time()  # of the processor, so that others on the machine do not count
    page = html.render(shown, texts(), words=words, draw=draw)
    seconds, megabytes = time.process_time() - began, len(page.encode()) / 1e6
    steps = sum(len(i.finding.play) for i in shown.items)
    sys.stdout.write(f"{name}: {n} findings, {steps} steps: {seconds:.2f} s, {megabytes:.2f} MB\n")


if __name__ == "__main__":
    main()
