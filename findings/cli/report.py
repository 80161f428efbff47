"""`ruleslawyer report`: an audit as a page, a document, a file for a pipeline, or a pack for other tools.

Promises: what is asked for is checked before any work begins; files are written whole or not at all; every
report is made of one audit, from a file or made now.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from findings.cli import shared

if TYPE_CHECKING:
    from findings.finding import Audit
    from models.language.book import Rulebook

FORMATS = ("html", "markdown", "comment", "pdf", "sarif", "junit", "github", "jsonl", "itf", "json")
PACKS = ("translators", "developers")
#: Ending of a file's name → format.
SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".pdf": "pdf",
    ".sarif": "sarif",
    ".xml": "junit",
    ".jsonl": "jsonl",
    ".json": "json",
}


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@shared.variant_option(multiple=True)
@shared.size_option()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where to write; the format follows the name. A folder for --for and for the format itf.",
)
@click.option(
    "--format", "output_format", type=click.Choice(FORMATS), help="The format, whatever the name is."
)
@click.option(
    "--for", "pack", type=click.Choice(PACKS), help="A pack of files for these people, into a folder."
)
@click.option(
    "--from",
    "audit_file",
    metavar="AUDIT.json",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An audit that was written before with `audit --output-format json`.",
)
@click.option(
    "--source",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The rulebook's text: sentences are shown and placed as they stand there.",
)
@click.option(
    "--lang",
    metavar="CODE",
    default="en",
    show_default=True,
    help="Language of the report; for translators, the one they translate into.",
)
@click.option("--with-rulings", "rulings", is_flag=True, help="Apply the answers from outside the text.")
def report(
    rulebook: str,
    variants: tuple[str, ...],
    size: str | None,
    output: Path | None,
    output_format: str | None,
    pack: str | None,
    audit_file: Path | None,
    source: Path | None,
    lang: str,
    rulings: bool,
) -> int:
    """Write what is open, for people or for programs.

    Without -o the report goes to the standard output. RULEBOOK is a name (see `ruleslawyer list`) or the path
    of a rulebook's folder or file.
    """
    if pack and output_format:
        raise click.UsageError("--for writes its own formats: leave --format out")
    if (pack or output_format == "itf") and output is None:
        raise click.UsageError("name the folder to write into with -o")
    if audit_file is not None and (size is not None or rulings):
        left = "--size" if size is not None else "--with-rulings"
        raise click.UsageError(f"the audit of --from is made already: leave {left} out")
    from findings.reports import i18n, made
    from models.language import registry

    book = registry.find(rulebook)
    form = pack or output_format or _format(output)
    texts = i18n.texts(_notes_language(lang) if pack == "translators" else lang)
    if pack == "translators" and source is None:
        raise click.UsageError(
            "the pack for translators is made of the rulebook's text: name it with --source"
        )
    made.check(form, output)
    original = made.source_text(book, source)
    audit = _audit(rulebook, book, variants, size, audit_file, rulings)
    written = made.write(audit, book, texts, form, output, original, lang)
    for path in written:
        click.echo(texts.gettext("written: {path}", path=path), err=True)
    return 0


def _notes_language(target: str) -> str:
    """The language of notes for translators: the one they translate into, where reports have it.

    Errors:
        UsageError: no such language.
    """
    from babel import Locale, UnknownLocaleError

    from findings.reports import i18n

    try:
        Locale.parse(target, sep="-" if "-" in target else "_")
    except (ValueError, UnknownLocaleError):
        raise click.UsageError(
            f"--lang: {target!r} is no language; give a code such as de or pt-BR"
        ) from None
    return target if target in i18n.languages() else i18n.SOURCE


def _format(output: Path | None) -> str:
    if output is None or str(output) == "-":
        return "html"
    found = SUFFIXES.get(output.suffix.lower())
    if found is None:
        from models.language.errors import ModelError

        raise ModelError(
            "the name does not say which format to write",
            where=str(output),
            hint=f"end it with one of {', '.join(SUFFIXES)}, or name the format with --format",
        )
    return found


def _audit(
    name: str,
    book: Rulebook,
    variants: tuple[str, ...],
    size: str | None,
    audit_file: Path | None,
    rulings: bool,
) -> Audit:
    """The audit: from a file, or made now against what is recorded."""
    from findings.reports import made

    if audit_file is not None:
        return made.audit_from(audit_file, book, variants)
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console

    chosen = shared.checked_variants(book, variants), shared.checked_size(book, size)
    folder = shared.recorded_folder(book, None)
    return made.audit_now(name, *chosen, folder, TerminalProgress(console(stderr=True)), rulings)
