"""The report in Markdown, whole or as a comment on a pull request.

Promises: every text is escaped for GitHub's Markdown, so that none can become markup, a link, a mention or
HTML; the comment stays under the size that GitHub takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from findings.finding import Finding, Status
from findings.reports.i18n import Texts
from findings.reports.names import actor_name, end_name, stake_name, status_name, use_name
from findings.reports.view import Book, Item
from findings.text import printable

#: Signs that a comment on GitHub can hold.
LIMIT = 65_000
#: Questions that a comment shows in full.
MOST = 12
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-!|<>&~$])")


def md(text: object) -> str:
    """A text as Markdown that shows exactly it, on one line."""
    plain = printable(str(text))
    escaped = _SPECIAL.sub(r"\\\1", plain).replace("@", "@\N{WORD JOINER}")
    escaped = re.sub(r"(https?|ftp)(:)", "\\1\N{WORD JOINER}\\2", escaped).replace(
        "www.", "www\N{WORD JOINER}."
    )
    return re.sub(r"^(\d+)\.", r"\1\\.", escaped)


def full(book: Book, t: Texts) -> str:
    """The whole report."""
    return _joined(_full(book, t))


def _joined(lines: Iterable[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def _full(book: Book, t: Texts) -> Iterator[str]:
    yield f"# {md(t.gettext('{title}: what the rulebook leaves open', title=book.title))}\n"
    yield from _counts(book, t)
    yield f"\n## {t.gettext('What to ask the author')}\n"
    yield from _questions(book, t)
    yield f"\n## {t.gettext('Findings')}"
    for chapter in book.chapters:
        yield f"\n### {md(chapter.section.title or t.gettext('No sentence'))}"
        for item in chapter.items:
            yield from _finding(book, item, t)
    yield from _flow(book, t)
    yield from _sentences(book, t)
    yield from _holds(book, t)
    yield from _rests(book, t)
    yield from _glossary(book, t)


def _counts(book: Book, t: Texts) -> Iterator[str]:
    told = [f"{t.number(book.count(s))} {status_name(t, s)}" for s in Status if book.count(s)]
    yield f"{t.ngettext('{n} finding', '{n} findings', len(book.items))}: {', '.join(told) or '–'}."


def _questions(book: Book, t: Texts) -> Iterator[str]:
    for number, group in enumerate(book.questions, 1):
        root = group.root
        link = f"[{md(root.question or root.title)}](#f-{root.fingerprint})"
        yield f"{number}. {link} – {stake_name(t, root.stake)}"
        for other in group.others:
            yield f"   - [{md(other.question or other.title)}](#f-{other.fingerprint})"
    if not book.questions:
        yield t.gettext("Nothing is open.")


def _finding(book: Book, item: Item, t: Texts) -> Iterator[str]:
    f = item.finding
    yield f'\n<a id="{item.anchor}"></a>\n\n#### {md(f.title)}\n'
    head = [f"`{f.code}` {md(f.name)}", f"**{status_name(t, f.status)}**", stake_name(t, f.stake)]
    yield " · ".join([*head, md(", ".join(item.variants)), f"`show {item.short}`"]) + "\n"
    yield f"{md(f.situation)}\n"
    yield from _options(f, item, t)
    if f.question:
        yield f"\n**{t.gettext('Ask')}** {md(f.question)}\n"
    if f.because:
        yield f"**{status_name(t, f.status)}:** {md(f.because)}\n"
    for id in f.clauses:
        sentence = book.by_id.get(id)
        yield f"- {md(id)}: {md(sentence.text)}" if sentence is not None else f"- {md(id)}"
    yield from _play(f, t)
    for branch in f.branches:
        told = "; ".join(s.text for s in branch.steps if s.text)
        yield f"- {md(branch.option)}: {md(told)} {end_name(t, branch.end)}".replace(":  ", ": ")
    yield f"\n_{md(f.scope)}_"


def _options(f: Finding, item: Item, t: Texts) -> Iterator[str]:
    for n, option in enumerate(f.options):
        id = t.gettext("{id} prevails", id=option.id) if item.prevails else option.id
        default = f", {t.gettext('as the model plays it')}" if option.id == f.default else ""
        yield f"- **{chr(ord('A') + n % 26)}** {md(option.outcome)} ({md(id)}{default})"


def _play(f: Finding, t: Texts) -> Iterator[str]:
    steps = [s.text for s in f.play] or list(f.witness.steps if f.witness is not None else ())
    if not steps or f.witness is None:
        return
    told = t.ngettext(
        "The play that leads there: {n} move", "The play that leads there: {n} moves", f.witness.length
    )
    yield f"\n<details><summary>{told}</summary>\n"
    yield from (f"{n}. {md(step)}" for n, step in enumerate(steps))
    yield "\n</details>\n"


def _flow(book: Book, t: Texts) -> Iterator[str]:
    if not book.flows:
        return
    yield f"\n## {t.gettext('Stages of play')}"
    for variant, flow in book.flows:
        yield f"\n### {md(variant)}\n"
        heads = ("From and to", "Rule", "Who acts", "Times in a random game", "Sentences")
        yield "| " + " | ".join(t.gettext(h) for h in heads) + " |"
        yield "|---" * len(heads) + "|"
        for e in flow.edges:
            if e.seen:
                way, often = f"{md(e.source)} → {md(e.target)}", t.number(round(e.per_game, 2))
                cells = [way, md(e.rule), actor_name(t, e.actor), often, md(", ".join(e.clauses))]
                yield f"| {' | '.join(cells)} |"


def _sentences(book: Book, t: Texts) -> Iterator[str]:
    if not book.sentences:
        return
    yield f"\n## {t.gettext('Sentences')}\n"
    for section, sentences in book.sections():
        if not sentences:
            continue
        yield f"\n### {md(section.title)}\n"
        for s in sentences:
            found = [f"[{i.finding.code}](#{i.anchor})" for i in book.about.get(s.id, ())]
            about = f" · {', '.join(found)}" if found else ""
            yield f"- {md(s.id)}: {md(s.text)} ({use_name(t, book.use(s))}){about}"


def _holds(book: Book, t: Texts) -> Iterator[str]:
    yield f"\n## {t.gettext('What holds')}\n"
    yield from (f"- {md(p.name)} ({md(', '.join(v))}: {md(p.scope)})" for p, v in book.proved)
    if not book.proved:
        yield t.gettext("Nothing was proved.")
    if book.undecided:
        yield f"\n### {t.gettext('Undecided')}\n"
        for u, variants in book.undecided:
            bound = f" ({md(u.bound)})" if u.bound else ""
            yield f"- {md(u.name)}: {md(', '.join(variants))}: {md(u.reason)}{bound}"


def _rests(book: Book, t: Texts) -> Iterator[str]:
    yield f"\n## {t.gettext('What this report rests on')}\n"
    for a in book.audits:
        c = a.coverage
        told = t.gettext(
            "{variant}, size {size}: {clauses} sentences, {cited} modelled, {fired} acted in play; {engines}",
            variant=a.variant, size=a.size, clauses=t.number(c.clauses), cited=t.number(c.cited),
            fired=t.number(c.fired), engines="; ".join(a.engines),
        )  # fmt: skip
        yield f"- {md(told)}"
    for title, rows in denominators(book, t):
        yield f"\n### {title}\n"
        yield from (f"- {md(row)}" for row in rows)


def denominators(book: Book, t: Texts) -> Iterator[tuple[str, list[str]]]:
    """What the report depends on and leaves out: headings with plain lines."""
    missing = [f"{i.finding.title}: {i.finding.situation}" for i in book.missing]
    none = t.gettext("Nothing is missing that the model needs.")
    yield t.gettext("What play depends on and the text does not give"), missing or [none]
    outside = [f"{s.id}: {s.text}" for s in book.outside]
    none = t.gettext("Nothing: every sentence is the text’s own.")
    yield t.gettext("What came from outside the text"), outside or [none]
    left = [f"{s.id}: {s.uncited or s.kind}" for s in book.not_modelled]
    yield t.gettext("What is not modelled"), left or [t.gettext("Every sentence is modelled.")]
    source = book.source
    if source is None:
        lacks = [
            t.gettext(
                "The text was not at hand when this report was made; "
                "with --source FILE the report says what it lacks."
            )
        ]
    else:
        lacks = [
            t.ngettext(
                "{n} recorded sentence is not in the text",
                "{n} recorded sentences are not in the text",
                len(source.gone),
            ),
            t.ngettext(
                "{n} sentence of the text has changed since",
                "{n} sentences of the text have changed since",
                len(source.changed),
            ),
            t.ngettext(
                "{n} sentence of the text is not recorded",
                "{n} sentences of the text are not recorded",
                len(source.new),
            ),
        ]
    yield t.gettext("What the text at hand lacks"), lacks


def _glossary(book: Book, t: Texts) -> Iterator[str]:
    yield f"\n## {t.gettext('Glossary')}\n"
    for code in dict.fromkeys(i.code.code for i in book.items):
        kind = next(i.code for i in book.items if i.code.code == code)
        yield f"- `{kind.code}` {md(kind.name)}: {md(t.gettext(kind.title))}"
    yield from (f"- {md(w.word)}: {md(t.gettext('in the model: {id}', id=w.id))}" for w in book.words)


# -- a comment ---------------------------------------------------------------------------------------------


def comment(book: Book, t: Texts) -> str:
    """A comment on a pull request: the questions, the gravest in full, the rest in a list."""
    text = _joined(_comment(book, t))
    if len(text) <= LIMIT:
        return text
    cut = text[:LIMIT].rsplit("\n", 1)[0]
    return cut + "\n\n" + t.gettext("Cut here: the report has it all.") + "\n"


def _comment(book: Book, t: Texts) -> Iterator[str]:
    yield f"<!-- ruleslawyer: {re.sub('[^a-z0-9_]', '', book.name)} -->"
    yield f"### {md(book.title)}\n"
    yield from _counts(book, t)
    groups = list(book.questions)
    for group in groups[:MOST]:
        item = book.by_fingerprint[group.root.fingerprint]
        f = group.root
        stake = stake_name(t, f.stake)
        yield f"\n**{md(f.question or f.title)}** – {stake} · `{f.code}` · `show {item.short}`\n"
        yield f"{md(f.situation)}\n"
        yield from _options(f, item, t)
        if group.others:
            yield "\n" + t.ngettext("and {n} more with it", "and {n} more with it", len(group.others))
    if len(groups) > MOST:
        more = t.ngettext("{n} further question", "{n} further questions", len(groups) - MOST)
        yield f"\n<details><summary>{more}</summary>\n"
        yield from (
            f"- {md(g.root.question or g.root.title)} – {stake_name(t, g.root.stake)}" for g in groups[MOST:]
        )
        yield "\n</details>"
    if not groups:
        yield f"\n{t.gettext('Nothing is open.')}"
