"""Which sentences are cited, which changed in a source, and what hangs on them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from findings import baseline
from findings.audit import audit_rulebook
from findings.clause_report import clause_report, hanging
from models.language import registry
from models.language.errors import ModelError
from tests.small_books import orchard, source_text

PLANTS = ("clash", "settled", "hopeless", "missing", "facts")


def _report(folder: Path, source: Path | None = None) -> tuple[int, list[str]]:
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None, highlight=False, markup=False, emoji=False)
    code = clause_report(registry.find(str(folder)), source=source, console=console)
    return code, [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return orchard(tmp_path / "orchard", *PLANTS)


def _edited(folder: Path, old: str, new: str) -> Path:
    text = source_text(*PLANTS)
    assert text.count(old) == 1
    path = folder / "edited.txt"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


# --- coverage -----------------------------------------------------------------------------------------


def test_every_sentence_is_listed_with_what_cites_it(folder: Path) -> None:
    code, told = _report(folder)
    assert code == 0
    rows = {line.split()[0]: line.split(maxsplit=2)[2] for line in told[:-1]}
    assert rows["clash.even"] == "tower"
    assert rows["clash.begin"] == "pick_clash, clash_roll, climb"
    assert rows["settled.gain"] == "dig, settled.gain"
    assert rows["settled.example"] == "digging"
    assert rows["hopeless.pearl"] == "dive, no-pearl"
    assert rows["missing.values"] == "pears"
    assert rows["facts.level"] == "fact"
    assert rows["hub.over"] == "over"
    assert rows["hub.winner"] == "winner, score"
    assert told[-1] == f"{len(rows)} of {len(rows)} sentences are cited"


def test_a_sentence_that_nothing_cites_needs_a_reason(folder: Path, tmp_path: Path) -> None:
    text = (folder / "clauses.toml").read_text(encoding="utf-8")
    more = '\n[[clause]]\nid = "hub.{id}"\nsection = "hub"\nordinal = {n}\nsource = "outside"\n'
    more += 'address = "invented"\nkind = "{kind}"\nforce = "is"\ntext = "A story."\n{why}'
    text += more.format(id="story", n=7, kind="flavour", why="")
    text += more.format(id="rule", n=8, kind="rule", why='uncited = "it is common sense"\n')
    (folder / "clauses.toml").write_text(text, encoding="utf-8")
    code, told = _report(folder)
    rows = {line.split()[0]: line.split(maxsplit=2)[2] for line in told[:-1]}
    assert code == 0
    assert rows["hub.story"] == "nothing (flavour)"
    assert rows["hub.rule"] == "nothing (it is common sense)"
    other = orchard(tmp_path / "other", *PLANTS)
    text += more.format(id="forgotten", n=9, kind="rule", why="")
    (other / "clauses.toml").write_text(text, encoding="utf-8")
    code, told = _report(other)
    assert code == 1
    assert ["hub.forgotten", "rule", "nothing, and no reason is given"] in [
        line.split(maxsplit=2) for line in told
    ]
    assert told[-1] == f"{len(rows) - 2} of {len(rows) + 1} sentences are cited"


def test_a_book_without_clauses_is_one_message(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "stuck")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    text = text.replace("players=2,", 'players=2, clauses=("hub.pick",),', 1)
    (folder / "rules.py").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"^rulebook orchard has no clauses.toml; give it one"):
        _report(folder)


# --- drift --------------------------------------------------------------------------------------------


def test_the_source_itself_is_matched_whole(folder: Path) -> None:
    code, told = _report(folder, folder / "orchard.txt")
    assert code == 0
    n = told[0].split()[0]
    assert told == [
        f"{n} of {n} sentences of the source are as recorded",
        "Nothing changed, nothing is unaccounted for.",
    ]


def test_an_open_word_without_an_answer_is_told(folder: Path) -> None:
    code, told = _report(
        folder, _edited(folder, "speaks about sleep under hub", "speaks about all sleep under hub")
    )
    assert code == 1
    at = told.index("Open words without an answer")
    assert told[at + 1].split()[:2] == ["hub.sleep", "all:"]


def test_one_edited_sentence_is_told_with_everything_that_hangs_on_it(folder: Path) -> None:
    book = registry.find(str(folder))
    audit = audit_rulebook(book)
    recorded = baseline.accept(audit, baseline.Baseline(rulebook="orchard"))
    baseline.save(folder / "accepted" / "orchard.json", recorded)
    finding = next(f for f in audit.findings if f.code == "RL107")
    code, told = _report(
        folder, _edited(folder, "about gain under settled", "about gain, or loss, under settled")
    )
    assert code == 1
    begin = next(k for k, line in enumerate(told) if line.startswith("  changed"))
    block = {
        line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in told[begin:] if line.startswith("  ")
    }
    assert block["changed"] == "settled.gain"
    assert block["was"] == "In the episode settled this tells of gain."
    assert block["now"] == "Here the old book speaks about gain, or loss, under settled."
    assert block["rules"] == "dig"
    assert block["readings"] == "settled.gain"
    assert any(line.split() == ["recorded", "findings", finding.fingerprint] for line in told)
    assert sum(line.startswith(("  changed", "  moved", "  gone", "  new")) for line in told) == 1


def test_a_new_and_a_missing_sentence_are_told(folder: Path) -> None:
    gone = "Here the old book speaks about thirteen under facts."
    code, told = _report(folder, _edited(folder, gone, ""))
    assert code == 1
    assert any(line.split() == ["gone", "facts.thirteen"] for line in told)
    assert any(line.split() == ["rules", "fact"] for line in told)
    more = gone + " Nobody has ever counted so many walnuts by moonlight."
    code, told = _report(folder, _edited(folder, gone, more))
    assert code == 1
    (new,) = [line for line in told if line.startswith("  new")]
    assert new.endswith("Nobody has ever counted so many walnuts by moonlight.")
    assert "line " in new


def test_control_characters_in_a_source_cannot_reach_the_terminal(folder: Path) -> None:
    path = _edited(folder, "about sixty under facts", "about \x1b[31msixty\x07 under facts")
    _, told = _report(folder, path)
    assert any("\\x1b[31msixty\\x07" in line for line in told)
    assert not any("\x1b" in line or "\x07" in line for line in told)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        ("Über alles spricht das Buch.".encode("latin-1"), "UTF-8"),
        (None, "folder|directory"),
    ],
)
def test_a_source_that_is_no_text_is_one_message(folder: Path, data: bytes | None, message: str) -> None:
    path = folder / "source.txt"
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    with pytest.raises(ModelError, match=message):
        _report(folder, path)


# --- what hangs on a clause ---------------------------------------------------------------------------


def test_everything_that_hangs_on_a_clause_is_named_once(folder: Path) -> None:
    found = hanging(registry.find(str(folder)))
    assert found["clash.begin"]["rules"] == ["pick_clash", "clash_roll", "climb"]
    assert found["settled.example"]["examples"] == ["digging"]
    assert found["hopeless.pearl"]["properties"] == ["no-pearl"]
    assert found["missing.values"]["readings"] == ["pears"]
    assert "findings" not in found["clash.even"]


def test_the_clause_that_a_reading_leans_on_is_one_of_them(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "clause")
    assert hanging(registry.find(str(folder)))["clause.hint"]["readings"] == ["clause.gain"]
