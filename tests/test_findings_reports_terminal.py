"""The terminal report: its shape, its order, its width, and that no text can control the terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from rich.console import Console

from findings.baseline import Baseline, Comparison, accept, compare
from findings.finding import Audit, Finding, Materiality, Share, Stake, Status, Witness
from findings.reports import terminal
from findings.reports.words import words
from tests.findings_samples import CONTRADICTION, GAP, MOOT, UNDECIDED, audit, finding

QUIET = {"proved": (), "undecided": ()}


def shown(*findings: Finding, width: int = 100) -> str:
    """The blocks of findings, without the head of the page and the notes after them."""
    text = page(Audit(rulebooks=(audit(*findings, **QUIET),)), width=width)
    return text.partition("\n\n")[2].partition("\n\n  Coverage")[0]


def page(whole: Audit, comparisons: Sequence[Comparison] = (), *, width: int = 100) -> str:
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, color_system=None, highlight=False, markup=False, emoji=False)
    terminal.render(whole, console, comparisons)
    return "\n".join(row.rstrip() for row in buffer.getvalue().splitlines())


def head(left: str, status: str) -> str:
    return left.ljust(100 - len(status)) + status


def short(one: Finding) -> str:
    return one.fingerprint[:6]


def test_a_contradiction_is_one_block_with_the_situation_first() -> None:
    assert shown(CONTRADICTION) == (
        f"{head('RL101 contradiction  orchard · Lantern against Ogre', 'OPEN')}\n"
        "  Situation  The strongest player holds the lantern when the ogre comes.\n"
        "  Outcome A  nobody is attacked                      (lantern.safe prevails)\n"
        "  Outcome B  the holder of the lantern is attacked   (ogre.strongest prevails)\n"
        "  At stake   play stops  (also: winner changes in 0.1 % of random games; met in 0.4 %)\n"
        "  Ask        May the ogre attack a player who holds the lantern?\n"
        f"  Reached by 3 moves from the setup, replayed   (show {short(CONTRADICTION)})"
    )


def test_sentences_that_no_option_names_stand_in_the_margin() -> None:
    assert "\n  Sentences  harvest.more, harvest.fewer\n" in shown(GAP)
    assert "Sentences" not in shown(CONTRADICTION)


def test_a_finding_without_a_play_says_its_scope() -> None:
    facts = finding("RL201", witness=None, scope="every size")
    assert shown(facts).endswith(f"\n  Scope      every size   (show {short(facts)})")


@pytest.mark.parametrize(
    ("witness", "line"),
    [
        (Witness(size="small", moves=("a",)), "Reached by 1 move from the setup, replayed"),
        (Witness(size="small", moves=("a",) * 1200), "Reached by 1,200 moves from the setup, replayed"),
        (Witness(size="tiny", moves=("a", "b")), "Reached by 2 moves from the setup at size tiny, replayed"),
        (Witness(size="small", moves=()), "Holds at the setup, replayed"),
        (Witness(size="tiny", moves=()), "Holds at the setup at size tiny, replayed"),
    ],
)
def test_the_play_is_told_by_its_length(witness: Witness, line: str) -> None:
    one = finding(witness=witness)
    assert shown(one).endswith(f"\n  {line}   (show {short(one)})")


HALF = Share(share=0.5, low=0.4, high=0.6)
NEVER = Share(share=0.0, low=0.0, high=0.001)


@pytest.mark.parametrize(
    ("stake", "met", "winner", "score", "told"),
    [
        (Stake.SCORE, HALF, None, None, "another score  (met in 50 % of random games)"),
        (
            Stake.SCORE,
            HALF,
            None,
            HALF,
            "another score  (score changes in 50 % of random games; met in 50 %)",
        ),
        (
            Stake.SCORE,
            HALF,
            NEVER,
            HALF,
            "another score  (also: winner changes in none of 3,000 random games; score changes in 50 %; "
            "met in 50 %)",
        ),
        (Stake.ARGUMENT, NEVER, None, None, "only an argument  (met in none of 3,000 random games)"),
        (
            Stake.WINNER,
            NEVER,
            NEVER,
            None,
            "another winner  (winner changes in none of 3,000 random games; met in none)",
        ),
    ],
)
def test_how_much_it_matters_names_the_policy_that_played(
    stake: Stake, met: Share, winner: Share | None, score: Share | None, told: str
) -> None:
    matters = Materiality(policy="random", games=3000, met=met, winner=winner, score=score)
    text = shown(finding(stake=stake, materiality=matters), width=200)
    assert f"\n  At stake   {told}\n" in text


def test_what_an_answer_leans_on_is_cited() -> None:
    leaning = finding(status=Status.LEANS, because="example.2 shows an equal number")
    text = shown(leaning)
    assert text.startswith("RL102 gap  orchard · as many apples as pears")
    assert text.splitlines()[0].endswith("LEANS")
    assert "\n  Leans      example.2 shows an equal number\n" in text


def test_findings_that_one_answer_settles_stand_under_it() -> None:
    root = attrs.evolve(CONTRADICTION, group="night")
    other = attrs.evolve(MOOT, group="night")
    text = shown(root, GAP, other)
    assert (
        f"\n  Reached by 3 moves from the setup, replayed   (show {short(root)})\n"
        "  To be asked together with it\n"
        f"    RL104 tie  most fish  MOOT   (show {short(other)})\n"
        "\n"
        "RL102 gap"
    ) in text
    assert "Answered" not in text


def test_what_was_seen_at_a_reduced_size_only_stands_apart_and_answers_come_last() -> None:
    reduced = finding(identity="reduced", status=Status.REDUCED, title="pears left over")
    text = shown(GAP, reduced, MOOT)
    order = [
        "as many apples as pears",
        "Seen at a reduced size only",
        "pears left over",
        "Answered",
        "most fish",
    ]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
    assert text.endswith(
        "Answered\n\n"
        f"{head('RL104 tie  orchard · most fish', 'MOOT')}\n"
        "  Ask        Who wins if two players have as many fish?\n"
        f"  Moot       the number of fish is odd and two play   (show {short(MOOT)})"
    )


def test_the_modellers_word_is_labelled_so() -> None:
    head = shown(finding("RL401", title="values of the cards")).splitlines()[0]
    assert head.startswith(
        "RL401 missing-information  orchard · values of the cards  (said by the modeller)  "
    )


def test_no_finding_says_the_scope() -> None:
    assert shown() == (
        "No finding in orchard · basic · size small, 12,345 states, explorer, symbolic, 20 steps."
    )


def test_the_page_says_engines_proofs_limits_and_coverage() -> None:
    text = page(Audit(rulebooks=(audit(undecided=(UNDECIDED,)),)))
    rows = text.splitlines()
    assert re.fullmatch("orchard · basic · size small ─+", rows[0])
    assert rows[1] == "12,345 states · explorer · symbolic, 20 steps · 1.2 s"
    assert (
        "  Undecided  endless play at print size: time limit (9 of 40 rounds)\n"
        "  Proved     apples are conserved   (print size)\n"
        "  Coverage   of 40 sentences the model cites 31, and 29 acted at size small\n"
        "             cited by nothing: intro.story, intro.age\n"
    ) in text


def test_another_variant_does_not_tell_the_same_finding_twice() -> None:
    whole = Audit(rulebooks=(audit(GAP, CONTRADICTION, **QUIET), audit(GAP, MOOT, variant="late", **QUIET)))
    text = page(whole)
    assert text.count("Ask        What does a player with as many apples") == 1
    assert f"1 finding is the same as above: {short(GAP)}\n" in text
    assert "most fish" in text


def test_the_summary_counts_by_status_and_leaves_out_what_is_not_there() -> None:
    text = page(Audit(rulebooks=(audit(CONTRADICTION, GAP, MOOT), audit(rulebook="forest"))))
    rows = [row.split() for row in text.splitlines()[-5:] if row and "─" not in row]
    assert rows == [
        ["Rulebook", "Variant", "Size", "Findings", "OPEN", "MOOT"],
        ["orchard", "basic", "small", "3", "2", "1"],
        ["forest", "basic", "small", "0", "0", "0"],
    ]


def test_differences_from_what_is_recorded_are_told() -> None:
    before = attrs.evolve(GAP, status=Status.SETTLED, because="example.2")
    baseline = accept(audit(before, MOOT), Baseline(rulebook="orchard"))
    now = audit(CONTRADICTION, GAP, digests={**audit().digests, "harvest.more": "0" * 16}, **QUIET)
    text = page(Audit(rulebooks=(now,)), [compare(now, baseline)])
    assert (
        f"  New        RL101 {short(CONTRADICTION)}\n"
        f"  Gone       RL104 tie  {short(MOOT)}  most fish\n"
        f"  Changed    RL102 gap  {short(GAP)}  as many apples as pears  OPEN (was SETTLED)\n"
        f"  Reworded   RL102 gap  {short(GAP)}  as many apples as pears  the wording changed since it was "
        "recorded:\n             harvest.more\n"
    ) in text
    assert text.splitlines()[-1] == (
        "3 differences from what is recorded; `ruleslawyer audit --accept` records what was found."
    )
    header = next(row for row in text.splitlines() if "Rulebook" in row)
    assert header.split()[-3:] == ["New", "Gone", "Changed"]


def test_nothing_is_said_about_differences_where_there_are_none() -> None:
    baseline = accept(audit(GAP), Baseline(rulebook="orchard"))
    assert "differences" not in page(Audit(rulebooks=(audit(GAP),)), [compare(audit(GAP), baseline)])
    assert terminal.differences([]) == ""


def test_an_audit_of_nothing_prints_nothing() -> None:
    assert page(Audit()) == ""


@pytest.mark.parametrize("width", [40, 60, 80])
def test_lines_keep_to_the_width(width: int) -> None:
    text = page(Audit(rulebooks=(audit(CONTRADICTION, GAP, MOOT, undecided=(UNDECIDED,)),)), width=width)
    assert max(map(len, text.splitlines())) <= width


def test_where_the_width_does_not_hold_an_outcome_its_id_follows_it() -> None:
    assert (
        "  Outcome B  the holder of the lantern is attacked\n             (ogre.strongest prevails)\n"
    ) in shown(CONTRADICTION, width=50)


EVIL = "\x1b[2J[bold]:smile:\u202e\n\x07"
HARMLESS = "\\x1b[2J[bold]:smile:\\u202e \\x07"


def test_no_text_can_control_the_terminal() -> None:
    names: dict[str, Any] = {
        "title": EVIL,
        "situation": EVIL,
        "question": EVIL,
        "clauses": (EVIL,),
        "scope": EVIL,
    }
    one = finding(**names, witness=None)
    other = finding(identity="b", **names, status=Status.MOOT, because=EVIL)
    nested = finding(identity="c", **names, group="g")
    root = finding(identity="d", **names, group="g")
    whole = Audit(
        rulebooks=(audit(one, other, root, nested, rulebook=EVIL, variant=EVIL, size=EVIL, engines=(EVIL,)),)
    )
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=300,
        force_terminal=True,
        color_system=None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    terminal.render(whole, console, [compare(whole.rulebooks[0], Baseline(rulebook="x"))])
    text = re.sub("\x1b\\[[0-9;]*m", "", buffer.getvalue())
    assert HARMLESS in text
    assert not set(text) & {"\x1b", "\x07", "\u202e"}
    assert "\x1b[2J" not in buffer.getvalue()


def test_colours_follow_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    def colours(**environment: str) -> bool:
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        buffer = io.StringIO()
        terminal.render(Audit(rulebooks=(audit(GAP),)), terminal.console(buffer))
        return "\x1b[1;31mOPEN" in buffer.getvalue()

    monkeypatch.setenv("TERM", "xterm-256color")
    assert not colours()
    assert colours(FORCE_COLOR="1")
    assert not colours(FORCE_COLOR="1", NO_COLOR="1")


def test_the_console_is_at_most_a_hundred_columns_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    assert terminal.console(io.StringIO()).width == 100
    monkeypatch.setenv("COLUMNS", "60")
    assert terminal.console(io.StringIO()).width == 60


def test_a_file_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    whole = Audit(rulebooks=(audit(CONTRADICTION),))
    assert terminal.as_text(whole) == page(whole) + "\n"


def test_words_are_counted_and_a_missing_one_is_an_error() -> None:
    say = words()
    assert (say.count("move", 1), say.count("move", 0), say.count("move", 2000)) == (
        "1 move",
        "0 moves",
        "2,000 moves",
    )
    with pytest.raises(KeyError):
        say("nothing of the kind")
