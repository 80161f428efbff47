"""`ruleslawyer list`: the rulebooks that are known."""

from __future__ import annotations

import click

from findings.cli import shared


@click.command("list")
def list_rulebooks() -> int:
    """List the known rulebooks, their variants and sizes."""
    from findings import baseline
    from findings.reports import rulebooks as report
    from findings.reports.terminal import console
    from models.language import registry
    from models.language.errors import ModelError

    rows, broken = [], None
    for name in registry.names():
        try:
            book = registry.find(name)
            path = baseline.baseline_path(book.name, shared.recorded_folder(book, None))
            recorded = len(baseline.load(path, book.name).accepted)
        except ModelError as error:
            broken = broken or error
            continue
        rows.append(report.Row(name, book.title, tuple(book.variants), tuple(book.sizes), recorded))
    report.render(rows, console())
    if broken is not None:
        raise broken
    return 0
