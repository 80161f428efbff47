"""Recorded findings: read strictly, compared, recorded again without losing a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from findings.audit.phrases import phrase
from findings.baseline import (
    RECORDED,
    Baseline,
    Entry,
    Reasons,
    Run,
    accept,
    baseline_path,
    compare,
    load,
    save,
    with_accepted,
)
from findings.finding import Finding, RulebookAudit, Status, Undecided
from models.language.errors import ModelError
from tests.findings_samples import CONTRADICTION, GAP, MOOT, audit

NOTHING = Baseline(rulebook="orchard")
MEND = "restore the file, or remove it and run `ruleslawyer audit --accept`"

ENTRY: dict[str, Any] = {
    "fingerprint": "0123456789ab",
    "code": "RL102",
    "name": "gap",
    "title": "as many apples as pears",
    "reason": "",
    "date": None,
    "clauses": ["harvest.more"],
    "clause_digests": {"harvest.more": "cccccccccccccccc"},
    "found": [{"variant": "basic", "size": "small", "status": "OPEN"}],
}


def recorded(*findings: Finding, reason: str = "", **changes: Any) -> Baseline:
    return accept(audit(*findings, **changes), NOTHING, reason=reason)


def document(*entries: object, **changes: object) -> str:
    return json.dumps({"schema": 1, "rulebook": "orchard", "accepted": list(entries), **changes})


def refusal(path: Path, content: str | bytes) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ModelError) as refused:
        load(path, "orchard")
    return str(refused.value).removeprefix(str(path)).removesuffix(f"; {MEND}")


# --- the file ------------------------------------------------------------------------------------------


def test_the_file_stands_with_the_program_or_in_a_folder_that_is_named(tmp_path: Path) -> None:
    assert baseline_path("orchard") == RECORDED / "orchard.json"
    assert RECORDED.parts[-2:] == ("findings", "accepted")
    assert baseline_path("orchard", tmp_path) == tmp_path / "orchard.json"


def test_a_file_that_does_not_exist_records_nothing(tmp_path: Path) -> None:
    assert load(tmp_path / "orchard.json", "orchard") == NOTHING


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    baseline = recorded(CONTRADICTION, GAP, MOOT, reason="house rule")
    save(tmp_path / "new" / "orchard.json", baseline)
    assert load(tmp_path / "new" / "orchard.json", "orchard") == baseline


def test_the_file_has_one_entry_a_finding_in_an_order_of_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    save(one, recorded(CONTRADICTION, GAP, MOOT))
    save(other, recorded(MOOT, GAP, CONTRADICTION))
    assert one.read_bytes() == other.read_bytes()
    content = json.loads(one.read_text())
    assert list(content) == ["schema", "rulebook", "accepted"]
    assert [list(entry) for entry in content["accepted"]] == [list(ENTRY)] * 3
    assert [entry["code"] for entry in content["accepted"]] == ["RL101", "RL102", "RL104"]
    assert content["accepted"][0] == {
        "fingerprint": CONTRADICTION.fingerprint,
        "code": "RL101",
        "name": "contradiction",
        "title": "Lantern against Ogre",
        "reason": "",
        "date": None,
        "clauses": ["lantern.safe", "ogre.strongest"],
        "clause_digests": {"lantern.safe": "a" * 16, "ogre.strongest": "b" * 16},
        "found": [{"variant": "basic", "size": "small", "status": "OPEN"}],
    }
    assert one.read_text().endswith("}\n")


def test_optional_keys_may_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "orchard.json"
    path.write_text(document({k: ENTRY[k] for k in ("fingerprint", "code", "name", "title")}))
    expected = Entry(fingerprint="0123456789ab", code="RL102", name="gap", title="as many apples as pears")
    assert load(path, "orchard").accepted == (expected,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"schema": 1,\n "rulebook" "orchard"}', ":2:13: not JSON: expecting ':' delimiter"),
        ("", ":1:1: not JSON: expecting value"),
        ("[" * 200_000, ": not JSON: nested too deeply"),
        (b'"\xe4"', ": not UTF-8: byte 1 is not text"),
        ("[]", ": not recorded findings: expected an object @ $"),
        (document(schema=True), ": not recorded findings: expected a whole number @ $.schema"),
        ('{"schema": 1, "accepted": []}', ": not recorded findings: missing key @ $.rulebook"),
        (document(acepted=[]), ": not recorded findings: unknown key 'acepted' @ $"),
        (document(accepted={}), ": not recorded findings: expected a list @ $.accepted"),
        (document(accepted="abc"), ": not recorded findings: expected a list @ $.accepted"),
        (document(ENTRY, 3), ": not recorded findings: expected an object @ $.accepted[1]"),
        (document({**ENTRY, "title": 5}), ": not recorded findings: expected a text @ $.accepted[0].title"),
        (
            document({**ENTRY, "clauses": "a"}),
            ": not recorded findings: expected a list @ $.accepted[0].clauses",
        ),
        (
            document({**ENTRY, "clause_digests": {"a": 1}}),
            ": not recorded findings: expected a text @ $.accepted[0].clause_digests['a']",
        ),
        (
            document({**ENTRY, "reason": None, "date": 3, "\x1b": 1}),
            ": not recorded findings: expected a text @ $.accepted[0].reason (and 2 more)",
        ),
        (
            document({**ENTRY, "found": [{"variant": "basic", "size": "small", "status": "open"}]}),
            ": not recorded findings: expected one of OPEN, LEANS, REDUCED SIZE ONLY, SETTLED, ACCEPTED, "
            "MOOT @ $.accepted[0].found[0].status",
        ),
        (document(ENTRY, ENTRY), ": fingerprint 0123456789ab is recorded twice; remove one of the entries"),
        (document(rulebook="forest"), ": these are the findings of 'forest', expected 'orchard'"),
        (
            document(schema=2),
            ": the schema is 2, expected 1; a newer version of ruleslawyer may have written it; "
            f"otherwise {MEND}",
        ),
        (
            document(schema="1"),
            ': the schema is "1", expected 1; a newer version of ruleslawyer may have written it; '
            f"otherwise {MEND}",
        ),
    ],
)
def test_a_corrupt_file_is_refused_with_its_place(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert refusal(tmp_path / "orchard.json", content) == message


def test_a_fingerprint_that_is_none_is_refused(tmp_path: Path) -> None:
    told = refusal(tmp_path / "orchard.json", document({**ENTRY, "fingerprint": "xyz"}))
    assert told.startswith(": not recorded findings: 'fingerprint' must match regex")
    assert told.endswith("@ $.accepted[0]")


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as refused:
        load(tmp_path, "orchard")
    assert str(refused.value) == f"{tmp_path}: cannot read: is a directory"


# --- comparing -----------------------------------------------------------------------------------------


def test_what_is_recorded_is_clean() -> None:
    comparison = compare(audit(CONTRADICTION, MOOT), recorded(CONTRADICTION, MOOT))
    assert (comparison.new, comparison.gone, comparison.changed, comparison.reworded) == ((), (), (), ())
    assert [known.finding for known in comparison.known] == [CONTRADICTION, MOOT]
    assert comparison.clean


def test_a_finding_that_is_not_recorded_is_new() -> None:
    comparison = compare(audit(CONTRADICTION, GAP), recorded(CONTRADICTION))
    assert comparison.new == (GAP,)
    assert not comparison.clean


def test_a_recorded_finding_that_is_not_found_is_gone() -> None:
    comparison = compare(audit(CONTRADICTION), recorded(CONTRADICTION, GAP))
    assert [entry.fingerprint for entry in comparison.gone] == [GAP.fingerprint]
    assert not comparison.clean


@pytest.mark.parametrize("other", [{"size": "print"}, {"variant": "advanced"}])
def test_what_another_audit_recorded_is_not_gone(other: dict[str, str]) -> None:
    comparison = compare(audit(CONTRADICTION, **other), recorded(CONTRADICTION, GAP))
    assert comparison.gone == ()
    assert comparison.clean


def test_what_a_search_that_was_cut_off_did_not_find_may_be_there_still() -> None:
    left = Undecided(name=phrase("undecided.explore", size="small"), reason="limit", bound="1044 states")
    cut = audit(CONTRADICTION, undecided=(left,))
    before = recorded(CONTRADICTION, GAP)
    comparison = compare(cut, before)
    assert comparison.gone == ()
    assert [entry.fingerprint for entry in comparison.missed] == [GAP.fingerprint]
    assert comparison.clean
    assert accept(cut, before).entry(GAP.fingerprint) == before.entry(GAP.fingerprint)
    assert accept(audit(CONTRADICTION), before).entry(GAP.fingerprint) is None


def test_another_status_at_the_same_variant_and_size_is_a_change() -> None:
    settled = attrs.evolve(GAP, status=Status.SETTLED, because="example.2")
    comparison = compare(audit(GAP), recorded(settled))
    assert [(k.finding, k.before) for k in comparison.changed] == [(GAP, Status.SETTLED)]
    assert not comparison.clean
    assert compare(audit(GAP, size="print"), recorded(settled)).clean


def test_a_sentence_that_was_reworded_is_told() -> None:
    digests = {**audit().digests, "ogre.strongest": "f" * 16}
    comparison = compare(audit(CONTRADICTION, digests=digests), recorded(CONTRADICTION))
    assert [known.reworded for known in comparison.reworded] == [("ogre.strongest",)]
    assert comparison.clean


# --- accepting -----------------------------------------------------------------------------------------


def test_a_reason_makes_an_open_finding_accepted() -> None:
    shown = with_accepted(audit(CONTRADICTION, GAP), recorded(CONTRADICTION, reason="house rule"))
    assert [(f.status, f.because) for f in shown.findings] == [
        (Status.ACCEPTED, "house rule"),
        (Status.OPEN, ""),
    ]


def test_a_finding_that_is_recorded_without_a_reason_stays_open() -> None:
    assert with_accepted(audit(GAP), recorded(GAP)) == audit(GAP)


def test_an_answered_finding_keeps_its_answer() -> None:
    assert with_accepted(audit(MOOT), recorded(MOOT, reason="house rule")) == audit(MOOT)


def test_a_reason_that_was_given_for_another_wording_does_not_apply() -> None:
    again = audit(CONTRADICTION, digests={"lantern.safe": "0" * 16})
    assert with_accepted(again, recorded(CONTRADICTION, reason="house rule")) == again


def test_recording_again_keeps_reasons_and_dates() -> None:
    first = accept(audit(CONTRADICTION), NOTHING, reason="house rule", date="2026-01-02")
    second = accept(audit(CONTRADICTION, GAP), first, reason="by design", date="2026-03-04")
    assert [(e.code, e.reason, e.date) for e in second.accepted] == [
        ("RL101", "house rule", "2026-01-02"),
        ("RL102", "by design", "2026-03-04"),
    ]


def test_a_date_without_a_reason_is_not_recorded() -> None:
    assert accept(audit(GAP), NOTHING, date="2026-01-02").accepted[0].date is None


def test_recording_renews_title_clauses_digests_and_status() -> None:
    digests = {"harvest.equal": "9" * 16}
    now = attrs.evolve(GAP, title="the same number", clauses=("harvest.equal",), status=Status.REDUCED)
    (entry,) = accept(audit(now, digests=digests), recorded(GAP, reason="why")).accepted
    assert (entry.title, entry.clauses, entry.clause_digests) == (
        "the same number",
        ("harvest.equal",),
        digests,
    )
    assert entry.found == (Run(variant="basic", size="small", status=Status.REDUCED),)
    assert entry.reason == "why"


def test_variants_and_sizes_are_recorded_side_by_side() -> None:
    audits: list[RulebookAudit] = [
        audit(GAP, variant=v, size=s) for v, s in [("b", "y"), ("b", "x"), ("a", "z")]
    ]
    baseline = NOTHING
    for one in audits:
        baseline = accept(one, baseline)
    assert [(r.variant, r.size) for r in baseline.accepted[0].found] == [("a", "z"), ("b", "x"), ("b", "y")]
    assert all(compare(one, baseline).clean for one in audits)
    without = accept(audit(variant="b", size="x"), baseline)
    assert [(r.variant, r.size) for r in without.accepted[0].found] == [("a", "z"), ("b", "y")]


def test_an_entry_that_nothing_finds_any_more_goes() -> None:
    assert accept(audit(), recorded(GAP, reason="why")) == NOTHING


# --- reasons of single findings, and reasons that have run out ----------------------------------------------


def test_a_reason_may_be_given_for_one_finding() -> None:
    made = Reasons.of([f"{GAP.fingerprint[:6]}=known", "all the others"])
    record = accept(audit(CONTRADICTION, GAP), NOTHING, reasons=made, date="2026-01-01")
    assert {e.fingerprint: e.reason for e in record.accepted} == {
        CONTRADICTION.fingerprint: "all the others",
        GAP.fingerprint: "known",
    }
    again = accept(audit(CONTRADICTION, GAP), record, reasons=Reasons.of([f"{GAP.fingerprint}=better known"]))
    assert [again.entry(f.fingerprint).reason for f in (CONTRADICTION, GAP)] == [  # type: ignore[union-attr]
        "all the others",
        "better known",
    ]


def test_wrong_reasons_are_one_message() -> None:
    with pytest.raises(ModelError, match="two reasons are given for all other findings"):
        Reasons.of(["one", "two"])
    with pytest.raises(ModelError, match="two reasons are given for abcd"):
        Reasons.of(["abcd=one", "abcd=two"])
    with pytest.raises(ModelError, match="no finding has a fingerprint that begins with 0000"):
        Reasons.of(["0000=one"]).check([audit(GAP)])


def test_a_reason_ends_with_the_wording_it_was_given_for() -> None:
    old = attrs.evolve(audit(GAP), digests=dict.fromkeys(GAP.clauses, "0" * 16))
    record = accept(old, NOTHING, reason="fine as it is", date="2026-01-01")
    assert compare(old, record).unused == ()
    new = attrs.evolve(old, digests=dict.fromkeys(GAP.clauses, "1" * 16))
    assert [e.reason for e in compare(new, record).unused] == ["fine as it is"]
    assert with_accepted(new, record).findings[0].status is GAP.status
    for reason in ("", "for new findings"):
        again = accept(new, record, reason=reason, date="2026-02-02")
        assert [(e.reason, e.date) for e in again.accepted] == [("", None)]
    mine = accept(new, record, reasons=Reasons.of([f"{GAP.fingerprint}=still fine"]), date="2026-02-02")
    assert [(e.reason, e.date) for e in mine.accepted] == [("still fine", "2026-02-02")]


def test_a_reason_that_accepts_nothing_is_told() -> None:
    record = accept(audit(CONTRADICTION, GAP), NOTHING, reason="fine")
    settled = attrs.evolve(GAP, status=Status.SETTLED, because="an example")
    assert {e.fingerprint for e in compare(audit(settled), record).unused} == {
        GAP.fingerprint,
        CONTRADICTION.fingerprint,
    }
    assert compare(audit(CONTRADICTION, GAP), record).unused == ()
