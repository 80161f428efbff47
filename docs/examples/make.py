"""Makes the examples of reports beside this script, each with the program's own functions.

    python docs/examples/make.py                        all of them
    python docs/examples/make.py lantern_hill           one rulebook
    python docs/examples/make.py -o FOLDER lantern_hill into another folder

`lantern_hill` is an invented rulebook whose text may be shown, so it has every format and the packs; of the
other rulebooks, whose texts belong to their authors, there are pages.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
os.environ.setdefault("SOURCE_DATE_EPOCH", "1767225600")

from findings import answers  # noqa: E402
from findings.finding import Audit  # noqa: E402
from findings.output import write_atomic  # noqa: E402
from findings.progress import SilentProgress  # noqa: E402
from findings.reports import made  # noqa: E402
from findings.reports.i18n import texts  # noqa: E402
from findings.reports.source import read  # noqa: E402
from findings.reports.translators.word import timeless  # noqa: E402
from models.language import registry  # noqa: E402
from models.language.book import Rulebook  # noqa: E402

PAGES = ("fly_high", "my_dwarves_fly", "dwarves_dig_delve_die")
EXAMPLE = "lantern_hill"
#: Format → ending of the file's name.
FORMATS = {
    "html": "html",
    "markdown": "md",
    "comment": "comment.md",
    "pdf": "pdf",
    "sarif": "sarif",
    "junit": "junit.xml",
    "github": "github.txt",
    "jsonl": "jsonl",
    "json": "audit.json",
}
#: What somebody answered on the example's query sheet: kind of finding → answer.
SAID = {"RL101": "A", "RL107": "pot", "RL104": "They share the win."}


def main() -> None:
    """Make the examples that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rulebooks", nargs="*", default=[EXAMPLE, *PAGES])
    parser.add_argument("-o", "--output", type=Path, default=HERE / "reports")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    for name in given.rulebooks:
        files = dict(example() if name == EXAMPLE else page(name))
        for path, content in files.items():
            target = given.output / path
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, content)
            sys.stdout.write(f"{target}\n")


def example() -> Iterator[tuple[str, str | bytes]]:
    """Everything that can be made of the invented rulebook."""
    name = str(HERE / EXAMPLE)
    book, audit, english = registry.find(name), audited(name), texts()
    source = read(book, HERE / EXAMPLE / f"{EXAMPLE}.txt")
    source = attrs.evolve(source, path=f"docs/examples/{EXAMPLE}/{EXAMPLE}.txt")
    for form, ending in FORMATS.items():
        content = made.make(audit, book, english, form, source)
        assert not isinstance(content, Mapping)
        yield f"{EXAMPLE}.{ending}", content
    german = made.make(audit, book, texts("de"), "html", source)
    assert not isinstance(german, Mapping)
    yield f"{EXAMPLE}.de.html", german
    for form in ("itf", "translators", "developers"):
        files = made.make(audit, book, english, form, source, "de")
        assert isinstance(files, Mapping)
        for file, content in files.items():
            yield f"{form}/{file}", content
            if file.endswith(".xlsx"):
                assert isinstance(content, bytes)
                yield from answered(content, audit)


def answered(sheet: bytes, audit: Audit) -> Iterator[tuple[str, str | bytes]]:
    """The query sheet as it came back, and the rulings that it gives."""
    import openpyxl
    from openpyxl.writer.excel import ExcelWriter

    findings = [f for r in audit.rulebooks for f in r.findings]
    said = {f.fingerprint: SAID[f.code] for f in findings if f.code in SAID}
    workbook = openpyxl.load_workbook(io.BytesIO(sheet))
    rows: Any = workbook.active
    for row in rows.iter_rows(min_row=3):
        row[9].value = said.get(row[0].value)
    workbook.properties.modified = workbook.properties.created
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        ExcelWriter(workbook, archive).write_data()  # `save` would put the time of now into it
    filled = timeless(out.getvalue())
    yield "answers/answered.xlsx", filled
    path = HERE / "answered.xlsx"
    path.write_bytes(filled)
    try:
        rulings = answers.decide(answers.read(path), findings)
    finally:
        path.unlink()
    yield "answers/rulings.toml", answers.render(rulings)


def page(name: str) -> Iterator[tuple[str, str | bytes]]:
    """The page of a rulebook that comes with the program."""
    content = made.make(audited(name), registry.find(name), texts(), "html")
    assert not isinstance(content, Mapping)
    yield f"{name}.html", content


def audited(name: str) -> Audit:
    """The audit of all variants; how long it took is left out, so that two runs give the same files."""
    book: Rulebook = registry.find(name)
    from findings.cli.shared import recorded_folder

    size = next(iter(book.sizes))
    found = made.audit_now(name, tuple(book.variants), size, recorded_folder(book, None), SilentProgress())
    return Audit(rulebooks=tuple(attrs.evolve(a, seconds=0.0) for a in found.rulebooks))


if __name__ == "__main__":
    main()
