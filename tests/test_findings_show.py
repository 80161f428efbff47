"""One finding with its whole play."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from findings.audit import audit_rulebook
from findings.progress import SilentProgress
from findings.show import show_finding
from models.language import registry
from models.language.errors import ModelError
from tests.small_books import orchard


def _show(
    fingerprint: str, folder: Path, *, variants: tuple[str, ...] = (), size: str | None = None
) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None, highlight=False, markup=False, emoji=False)
    code = show_finding(
        fingerprint,
        rulebooks=(str(folder),),
        variants=variants,
        size=size,
        console=console,
        progress=SilentProgress(),
    )
    assert code == 0
    return [line.rstrip() for line in out.getvalue().splitlines()]


def _fingerprint(folder: Path, code: str) -> str:
    audit = audit_rulebook(registry.find(str(folder)))
    (finding,) = [f for f in audit.findings if f.code == code]
    return finding.fingerprint


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return orchard(tmp_path / "orchard", "clash", "endless", "missing", "stop", "stuck")


def test_the_whole_play_is_told_step_by_step_with_its_sentences(folder: Path) -> None:
    fingerprint = _fingerprint(folder, "RL101")
    told = _show(fingerprint, folder)
    assert told[0].startswith("RL101 contradiction  orchard · clash.even / clash.two")
    at = next(k for k, line in enumerate(told) if line.startswith("  Reached by"))
    assert told[at:] == [
        f"  Reached by 3 moves from the setup, replayed   (show {fingerprint})",
        "  Setup      at the gate; the die shows 0; coins 0 : 0.",
        "  1  pick_clash       clash.begin",
        "  2  clash_roll(n=2)  clash.begin",
        "  3  climb            clash.begin",
        "  Then       DONE; the die shows 2; coins 1 : 0.",
    ]


def test_a_beginning_of_the_fingerprint_is_enough_in_either_case(folder: Path) -> None:
    fingerprint = _fingerprint(folder, "RL302")
    told = _show(fingerprint[:8].upper(), folder)
    assert told[0].startswith("RL302 endless")
    assert [line.split()[1] for line in told if line[:5].strip().isdigit()] == [
        "pick_endless",
        "burn",
        "build_hut",
    ]


def test_a_play_that_stops_says_so(folder: Path) -> None:
    told = _show(_fingerprint(folder, "RL111"), folder)
    assert told[-1] == "  Then       the play stops here"


def test_a_finding_without_a_play_shows_its_scope(folder: Path) -> None:
    told = _show(_fingerprint(folder, "RL401"), folder)
    assert "said by the modeller" in told[0]
    assert any("Scope" in line for line in told)
    assert not any("Setup" in line for line in told)


def test_a_finding_of_one_variant_is_found_without_naming_it(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "stuck", "stop")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    text = text.replace(
        '@book.rule("stop.begin", by=turn, phase=Phase.HUB)',
        '@book.rule("stop.begin", by=turn, phase=Phase.HUB, only="dusk")',
    )
    (folder / "rules.py").write_text(text, encoding="utf-8")
    audit = audit_rulebook(registry.find(str(folder)), variant="dusk")
    fingerprint = next(f.fingerprint for f in audit.findings if f.code == "RL111")
    assert _show(fingerprint, folder)[0].startswith("RL111")
    with pytest.raises(ModelError, match=f"unknown fingerprint '{fingerprint}'"):
        _show(fingerprint, folder, variants=("day",))


def test_a_witness_of_another_size_is_replayed_at_that_size(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "shortage")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    text = text.replace('"tall": Orchard(trees=2)', '"small-wide": Orchard(trees=2)')
    text = text.replace('take(t, "dole", t.supply, 2,', 'take(t, "dole", t.supply, t.size.trees,')
    (folder / "rules.py").write_text(text, encoding="utf-8")
    told = _show(_fingerprint(folder, "RL105"), folder)
    assert any("Reached by 2 moves from the setup at size small-wide, replayed" in line for line in told)


@pytest.mark.parametrize(
    ("fingerprint", "variants", "size", "message"),
    [
        ("zz", (), None, r"'zz' is not a fingerprint; a fingerprint is up to 12 of the digits"),
        ("000000000000", (), None, r"unknown fingerprint '000000000000'"),
        ("0", ("dask",), None, r"unknown variant of orchard 'dask'; did you mean 'dusk'\?"),
        ("0", (), "smal", r"unknown size of orchard 'smal'; did you mean 'small'\?"),
    ],
)
def test_what_cannot_be_found_is_one_message(
    folder: Path, fingerprint: str, variants: tuple[str, ...], size: str | None, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        _show(fingerprint, folder, variants=variants, size=size)


def test_a_beginning_that_several_share_is_told_with_all_of_them(tmp_path: Path) -> None:
    folder = orchard(
        tmp_path / "orchard", *("clash", "gap", "tie", "stop", "stuck", "race", "capacity", "missing")
    )
    audit = audit_rulebook(registry.find(str(folder)))
    firsts = [f.fingerprint[0] for f in audit.findings]
    digit = next((d for d in firsts if firsts.count(d) > 1), None)
    assert digit is not None, "choose other episodes: no two fingerprints begin alike"
    with pytest.raises(
        ModelError, match=rf"'{digit}' is the start of {firsts.count(digit)} fingerprints; one of"
    ):
        _show(digit, folder)
