"""The report as one page that needs nothing else: no network, no further file.

Promises: every text is escaped; the page may run its own script alone (its content security policy names the
script by its digest); the same audit gives the same page; without its script the page still shows everything
but the pictures.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from findings.codes import all_codes
from findings.finding import STAKE_ORDER, STATUS_ORDER, Share, Status
from findings.reports.html.pictures import Store
from findings.reports.html.svg import linked
from findings.reports.i18n import Texts
from findings.reports.names import actor_name, end_name, policy_name, stake_name, status_name, use_name
from findings.reports.view import Book, Item, steps_of
from models.language.pictures import Draw, Naming

if TYPE_CHECKING:
    from jinja2 import Environment


def render(
    book: Book, texts: Texts, *, words: Naming, draw: Draw | None = None, made: date | None = None
) -> str:
    """The page.

    Args:
        book: what to show.
        texts: the language of the page.
        words: the rulebook's words in that language.
        draw: draws a table; None for a page without pictures.
        made: the day that the page names; none unless given.
    """
    store = Store(draw, words)
    plays = {i.finding.fingerprint: store.steps(i.finding.play) for i in book.items if i.finding.play}
    branches = {i.finding.fingerprint: _branches(store, i) for i in book.items if i.finding.branches}
    data = {"plays": plays, "branches": branches, **store.data(), "say": _script_texts(texts)}
    script, style = _file("report.js"), _file("report.css")
    flows = [
        (
            variant,
            linked(flow.svg, f"r{n}-", texts.gettext("Stages of play: {variant}", variant=variant)),
            flow,
        )
        for n, (variant, flow) in enumerate(book.flows)
    ]
    page = _environment(texts).get_template("report.html.j2")
    return page.render(
        book=book,
        behind=book.background,
        t=texts,
        made=made,
        words=words,
        statuses=list(STATUS_ORDER),
        stakes=list(STAKE_ORDER),
        codes=[c for c in all_codes().values() if any(i.finding.code == c.code for i in book.items)],
        flows=flows,
        steps_of=steps_of,
        data=_in_script(data),
        style=style,
        script=script,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        Status=Status,
    )


def _branches(store: Store, item: Item) -> list[list[list[Any]]]:
    """Steps of each branch; the first is compared with the table at which the readings part."""
    play = item.finding.play
    parts = item.finding.branches[0].steps[0] if item.finding.branches[0].steps else None
    last = len(play) - 1 if parts is None or not parts.move or parts.move == play[-1].move else len(play)
    before = play[last - 1].state if 0 < last <= len(play) else None
    return [store.steps(b.steps, before) for b in item.finding.branches]


def _script_texts(t: Texts) -> dict[str, str]:
    """What the page's script says."""
    return {
        "step": t.gettext("Step {k} of {n}"),
        "setup": t.gettext("The setup"),
        "changed": t.gettext("Changed: {fields}"),
        "shown": t.gettext("{n} of {all} findings shown"),
        "stops": t.gettext("The play stops here."),
    }


def _in_script(data: Mapping[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign, code in (
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u2028", "\\u2028"),
        ("\u2029", "\\u2029"),
    ):
        text = text.replace(sign, code)
    return text


@cache
def _file(name: str) -> str:
    return resources.files("findings.reports.html").joinpath(name).read_text(encoding="utf-8")


def _environment(texts: Texts) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("findings.reports", "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(_=texts.gettext, ngettext=texts.ngettext)
    made.filters.update(
        number=texts.number,
        percent=texts.percent,
        share=lambda s: _share(texts, s),
        status=lambda s: status_name(texts, s),
        stake=lambda s: stake_name(texts, s),
        actor=lambda a: actor_name(texts, a),
        ending=lambda e: end_name(texts, e),
        policy=lambda p: policy_name(texts, p),
        use=lambda u: use_name(texts, u),
        code_text=texts.gettext,
        letter=lambda n: chr(ord("A") + n) if n < 26 else str(n + 1),
        shown=_shown,
    )
    return made


def _share(texts: Texts, share: Share) -> str:
    low, high = texts.percent(share.low), texts.percent(share.high)
    return f"{texts.percent(share.share)} ({low} – {high})"


def _shown(text: object) -> str:
    """A text without control characters and signs that reorder it."""
    from findings.text import printable

    return printable(str(text))
