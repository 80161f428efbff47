"""What an audit says: findings, what is proved, coverage; and their form in JSON.

Promises: everything here is immutable and compares by value. The fields, in their order, are those of
the JSON contract (`findings/reports/audit.schema.json`); a field is never renamed or dropped within one
schema number, only added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any

import attrs
from attrs.validators import ge, gt, instance_of, le, matches_re, min_len, optional

from findings.codes import explain
from findings.detail import Background, Branch, Step
from findings.questions import Interaction, OptionPair, Question

SCHEMA = 1


class Status(Enum):
    """How far a question is open, most open first."""

    OPEN = "OPEN"
    """Nothing answers it."""
    LEANS = "LEANS"
    """A sentence or an example, cited, points one way without settling it."""
    REDUCED = "REDUCED SIZE ONLY"
    """A play is known at a small size and none at the printed one."""
    SETTLED = "SETTLED"
    """An example, another sentence or a ruling, cited, answers it."""
    ACCEPTED = "ACCEPTED"
    """It is recorded with a reason for leaving it as it is."""
    MOOT = "MOOT"
    """It cannot come up or makes no difference: proved, for a scope."""


class Stake(Enum):
    """What is at stake at the table, most first."""

    STOP = "play stops"
    WINNER = "another winner"
    SCORE = "another score"
    ARGUMENT = "only an argument"


STATUS_ORDER: Mapping[Status, int] = MappingProxyType({status: n for n, status in enumerate(Status)})
STAKE_ORDER: Mapping[Stake, int] = MappingProxyType({stake: n for n, stake in enumerate(Stake)})


def _strings(values: Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError(f"expected several texts, not the single text {values!r}")
    return tuple(values)


@attrs.frozen(kw_only=True)
class Option:
    """One possible answer to a question.

    Attributes:
        id: what the answer is called in the model: a row, an option of a reading, a clause.
        outcome: what then happens, in domain words.
    """

    id: str = attrs.field(validator=min_len(1))
    outcome: str = attrs.field(validator=min_len(1))


@attrs.frozen(kw_only=True)
class Witness:
    """A play from the setup that leads to the situation; it was replayed on the interpreter.

    Attributes:
        size: the size that was played.
        moves: labels of the moves in order.
        length: how many moves there are.
        steps: the play told in domain words, one text a step; empty if it was not told.
    """

    size: str = attrs.field(validator=min_len(1))
    moves: tuple[str, ...] = attrs.field(converter=_strings)
    length: int = attrs.field(init=False)
    steps: tuple[str, ...] = attrs.field(default=(), converter=_strings)

    @length.default
    def _count(self) -> int:
        return len(self.moves)


@attrs.frozen(kw_only=True)
class AtPrintSize:
    """What is known of a finding at the size that the box says.

    Attributes:
        witness: a play there, replayed, told by its moves only; None if none is known.
        shortest: whether no shorter play does it.
        told: where there is no play: that none can be, proved, or how far the search came.
    """

    witness: Witness | None = None
    shortest: bool = False
    told: str = ""


_SHARE = [ge(0.0), le(1.0)]


@attrs.frozen(kw_only=True)
class Share:
    """A share of games with its confidence interval, each 0.0 … 1.0.

    Attributes:
        share: the estimate.
        low: lower end of the interval.
        high: upper end of the interval.
    """

    share: float = attrs.field(validator=_SHARE)
    low: float = attrs.field(validator=_SHARE)
    high: float = attrs.field(validator=_SHARE)

    def __attrs_post_init__(self) -> None:
        if not self.low <= self.share <= self.high:
            raise ValueError(f"the interval {self.low} … {self.high} does not hold the share {self.share}")


@attrs.frozen(kw_only=True)
class Materiality:
    """How much a question matters in many games.

    Attributes:
        policy: who played, for instance `random`.
        games: how many games were played, at least 1.
        confidence: of every interval, for instance 0.95.
        met: share of games that met the situation.
        winner: share of games whose winner depends on the answer; None if not measured.
        score: share of games in which some score depends on the answer; None if not measured.
        length: share of games whose length depends on the answer; None if not measured.
    """

    policy: str = attrs.field(validator=min_len(1))
    games: int = attrs.field(validator=ge(1))
    confidence: float = attrs.field(default=0.95, validator=[gt(0.0), le(1.0)])
    met: Share
    winner: Share | None = None
    score: Share | None = None
    length: Share | None = None


@attrs.frozen(kw_only=True)
class Finding:
    """One finding, put as a question to the author.

    Attributes:
        code: the kind of finding.
        name: the kind's name; follows from the code.
        title: what the finding is about, in a few words.
        status: how far it is open.
        group: the name of the root question that several findings share; None if it stands alone.
        situation: the table at which the question comes up, in domain words.
        stake: what is at stake.
        clauses: ids of the sentences concerned.
        question: what to ask the author; empty only if there is nothing to ask.
        options: possible answers with their outcomes.
        witness: the play that leads there; None if the finding needs no play.
        scope: what the finding holds for: sizes, bounds, engines.
        materiality: how often and how much; None if not measured.
        fingerprint: its stable name, 12 hex digits (see `findings.fingerprints`).
        because: what the status rests on: the sentence, example, ruling, proof or reason, cited.
        at_print: what is known of it at the printed size; None if it was not asked there.
        reading: what an answer picks an option of: a reading, two clashing rows, a missing part; "" if none.
        default: the option that the model takes meanwhile; "" if there is none.
        pairs: every two options of the reading against each other; empty where it is about no reading.
        play: the witness step by step, the setup first; empty unless the audit was asked for details.
        branches: what each option leads to from the parting on; empty likewise.
    """

    code: str
    name: str = attrs.field(init=False)
    title: str = attrs.field(validator=min_len(1))
    status: Status = attrs.field(validator=instance_of(Status))
    group: str | None = attrs.field(default=None, validator=optional(min_len(1)))
    situation: str = attrs.field(validator=min_len(1))
    stake: Stake = attrs.field(validator=instance_of(Stake))
    clauses: tuple[str, ...] = attrs.field(converter=_strings)
    question: str
    options: tuple[Option, ...] = ()
    witness: Witness | None = attrs.field(default=None, validator=optional(instance_of(Witness)))
    scope: str = attrs.field(validator=min_len(1))
    materiality: Materiality | None = None
    fingerprint: str = attrs.field(validator=matches_re(r"[0-9a-f]{12}"))
    because: str = ""
    at_print: AtPrintSize | None = None
    reading: str = ""
    default: str = ""
    pairs: tuple[OptionPair, ...] = ()
    play: tuple[Step, ...] = ()
    branches: tuple[Branch, ...] = ()

    @name.default
    def _name(self) -> str:
        return explain(self.code).name

    def __attrs_post_init__(self) -> None:
        if self.status in (Status.LEANS, Status.SETTLED, Status.ACCEPTED, Status.MOOT) and not self.because:
            raise ValueError(f"a finding that is {self.status.value} says why: give `because`")


@attrs.frozen(kw_only=True)
class Proved:
    """Something that was proved.

    Attributes:
        name: what holds.
        scope: for which sizes, bounds and engines.
    """

    name: str = attrs.field(validator=min_len(1))
    scope: str = attrs.field(validator=min_len(1))


@attrs.frozen(kw_only=True)
class Undecided:
    """A question that a limit cut off: neither a finding nor a pass.

    Attributes:
        name: what was asked.
        reason: why there is no answer.
        bound: how far the search came; empty if it did not start.
    """

    name: str = attrs.field(validator=min_len(1))
    reason: str = attrs.field(validator=min_len(1))
    bound: str = ""


@attrs.frozen(kw_only=True)
class Coverage:
    """How much of the text the audit reached.

    Attributes:
        clauses: how many sentences there are.
        cited: how many of them the model cites.
        fired: how many of those acted in some play.
        uncited: ids of the sentences that nothing cites, in the order of the text.
    """

    clauses: int = attrs.field(validator=ge(0))
    cited: int = attrs.field(validator=ge(0))
    fired: int = attrs.field(validator=ge(0))
    uncited: tuple[str, ...] = attrs.field(converter=_strings)


@attrs.frozen(kw_only=True)
class RulebookAudit:
    """The audit of one rulebook in one variant at one size.

    Attributes:
        rulebook: the rulebook's name.
        variant: the variant's name.
        size: the size's name.
        engines: the engines that were asked, each with its bounds where it has any.
        seconds: how long it took.
        states: how many states were explored; None if no engine counts them.
        findings: ranked (see `findings.ranking`).
        proved: what was proved.
        coverage: how much of the text was reached.
        undecided: questions that a limit cut off.
        print_size: the printed size at which findings were asked again; None if they were not.
        background: the rulebook behind it; None unless the audit was asked for details.
        questions: the fewest whose answers settle every open reading, the one that matters most first.
        interactions: pairs of readings that may change what the other one changes.
        digests: the digest of every clause by its id, in the order of the text; not part of the JSON.
        answers: the answers at the printed size (see `findings.print_record`); not part of the JSON.
    """

    rulebook: str = attrs.field(validator=min_len(1))
    variant: str = attrs.field(validator=min_len(1))
    size: str = attrs.field(validator=min_len(1))
    engines: tuple[str, ...] = attrs.field(converter=_strings)
    seconds: float = attrs.field(validator=ge(0))
    states: int | None = attrs.field(default=None, validator=optional(ge(0)))
    findings: tuple[Finding, ...] = ()
    proved: tuple[Proved, ...] = ()
    coverage: Coverage
    undecided: tuple[Undecided, ...] = ()
    print_size: str | None = attrs.field(default=None, validator=optional(min_len(1)))
    background: Background | None = attrs.field(default=None, repr=False)
    questions: tuple[Question, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    digests: Mapping[str, str] = attrs.field(factory=dict, metadata={"json": False}, repr=False)
    answers: tuple[Any, ...] = attrs.field(default=(), metadata={"json": False}, repr=False)

    def __attrs_post_init__(self) -> None:
        seen: set[str] = set()
        for finding in self.findings:
            if finding.fingerprint in seen:
                raise ValueError(f"two findings have the fingerprint {finding.fingerprint}")
            seen.add(finding.fingerprint)


@attrs.frozen(kw_only=True)
class Audit:
    """The audits of one run of the program."""

    schema: int = attrs.field(default=SCHEMA, init=False)
    rulebooks: tuple[RulebookAudit, ...] = ()


def as_json(value: attrs.AttrsInstance) -> dict[str, Any]:
    """The value as JSON's objects, lists, texts, numbers and null, keys in the order of its fields.

    Args:
        value: an instance of a class of attrs, for instance an `Audit`.
    """
    return attrs.asdict(
        value,
        filter=lambda attribute, _value: attribute.metadata.get("json", True),
        value_serializer=lambda _instance, _attribute, member: _plain(member),
    )


def _plain(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case tuple():
            return list(value)
    return value
