"""`ruleslawyer explain`: what a kind of finding means, why it matters, an example."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


class CodeName(click.ParamType[str]):
    """A kind of finding, by code or name."""

    name = "code"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Codes and names that begin so, with their titles."""
        from findings.codes import all_codes

        pairs = [(word, code.title) for code in all_codes().values() for word in (code.code, code.name)]
        return [CompletionItem(w, help=t) for w, t in pairs if w.lower().startswith(incomplete.lower())]


@click.command()
@click.argument("code", required=False, type=CodeName())
def explain(code: str | None) -> int:
    """Explain a kind of finding, or list them all.

    CODE is a code or a name, for instance RL101 or contradiction.
    """
    from findings import codes
    from findings.reports import codes as report
    from findings.reports.terminal import console

    if code is None:
        report.list_all(console())
    else:
        report.explain(codes.explain(code), console())
    return 0
