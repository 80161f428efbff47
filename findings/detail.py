"""What reports show beside the findings themselves: plays step by step, and the rulebook behind them.

Promises: everything here is part of the JSON contract, immutable, and made of texts, numbers, truth values,
lists and objects alone, so that a report needs no engine and no model to show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs


def _tuple(values: Sequence[Any]) -> tuple[Any, ...]:
    if isinstance(values, str):
        raise TypeError(f"expected a list, not the single text {values!r}")
    return tuple(values)


@attrs.frozen(kw_only=True)
class Step:
    """One step of a play and the table after it.

    Attributes:
        move: label of the move; "" where none is made (the setup, or a table that is only looked at).
        text: what it did, in domain words.
        actor: who acts: `player`, `window` (an answer to an event), `chance`, `rules`; "" where nobody does.
        player: number of the player who acts, counted from 0; None where none does.
        clauses: sentences that license the move.
        state: every field of the table by name; None where the play stops.
        position: the table in domain words; "" where the play stops.
        changed: names of the fields that the step changed.
    """

    move: str = ""
    text: str = ""
    actor: str = ""
    player: int | None = None
    clauses: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    state: Mapping[str, Any] | None = None
    position: str = ""
    changed: tuple[str, ...] = attrs.field(default=(), converter=_tuple)


@attrs.frozen(kw_only=True)
class Branch:
    """What one answer leads to, from the step on in which the answers part.

    Attributes:
        option: the option of the finding.
        steps: the steps under it; the first is the one that parts, or the table at which other moves may be
            made. Empty where its rules do not allow the play so far, or not this move.
        moves: moves that may be made at the end of the last step, in domain words; empty where that does not
            matter.
        end: how it ends: `goes on`, `over`, `stopped`, `stuck`, `not allowed`.
    """

    option: str
    steps: tuple[Step, ...] = attrs.field(default=(), converter=_tuple)
    moves: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    end: str = "goes on"


@attrs.frozen(kw_only=True)
class Section:
    """A section of the text."""

    id: str
    title: str


@attrs.frozen(kw_only=True)
class Sentence:
    """A sentence of the text in own words.

    Attributes:
        id: its name.
        section: the id of its section.
        text: the sentence in own words.
        kind: what it is for (`rule`, `setup`, `example` …).
        force: what it does: `must`, `may`, `must-not`, `is`.
        source: `text`, `outside` (public facts beside the text) or `ruling`.
        digest: digest of the original; "" unless it comes from the text.
        line: line of `clauses.toml` at which its entry begins; 0 if not known.
        cited: whether the model cites it.
        fired: whether it acted in some play that was explored.
        uncited: why no rule cites it, where a reason is given.
        open_words: words of the original whose reach is open, with what the model takes them to mean.
    """

    id: str
    section: str
    text: str
    kind: str
    force: str
    source: str = "text"
    digest: str = ""
    line: int = 0
    cited: bool = False
    fired: bool = False
    uncited: str = ""
    open_words: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Meaning:
    """One option of a reading and what it means."""

    id: str
    text: str


@attrs.frozen(kw_only=True)
class Ambiguity:
    """Sentences that can be read in several ways, and how the model reads them.

    Attributes:
        id: its name.
        clauses: the sentences.
        asks: the question to the author.
        options: what each reading means.
        default: the option that the model takes.
        why: why that one.
    """

    id: str
    clauses: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    asks: str
    options: tuple[Meaning, ...] = attrs.field(default=(), converter=_tuple)
    default: str
    why: str = ""


@attrs.frozen(kw_only=True)
class Rule:
    """A rule of play as a program has to carry it out.

    Attributes:
        name: its name in the model.
        doc: what it does.
        actor: `player`, `window`, `chance` or `rules`.
        clauses: the sentences behind it.
        phases: stages of play in which it may act.
        allowed: in how many of the examined situations of these stages somebody may carry it out.
        asked: how many situations were examined.
        costs: fields of which the acting player has less afterwards in some of them, with the greatest loss.
        secret: parameters that other players do not see.
    """

    name: str
    doc: str = ""
    actor: str
    clauses: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    phases: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    allowed: int = 0
    asked: int = 0
    costs: Mapping[str, int] = attrs.field(factory=dict)
    secret: tuple[str, ...] = attrs.field(default=(), converter=_tuple)


@attrs.frozen(kw_only=True)
class Tie:
    """A comparison with the sentences that give its keys, first key first.

    Attributes:
        name: its name in the model.
        clauses: the sentences.
        met: whether a tie is left after the last key in some play that was explored.
    """

    name: str
    clauses: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    met: bool = False


@attrs.frozen(kw_only=True)
class Word:
    """A domain word.

    Attributes:
        kind: `field`, or the name of an enumeration.
        id: what it is called in the model.
        word: what it is called at the table.
    """

    kind: str
    id: str
    word: str


@attrs.frozen(kw_only=True)
class FlowEdge:
    """A step between two stages of play.

    Attributes:
        source: the stage that it leaves.
        target: the stage that it leads to.
        rule: the rule that acts.
        actor: who acts.
        clauses: the sentences behind it.
        per_game: how often a random game takes it.
        seen: whether it was seen, or is only allowed by its conditions.
    """

    source: str
    target: str
    rule: str
    actor: str
    clauses: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    per_game: float = 0.0
    seen: bool = True


@attrs.frozen(kw_only=True)
class Phases:
    """The stages of play as a graph.

    Attributes:
        svg: the drawing; the tooltip of a step begins with the name of its rule and a colon.
        edges: its steps.
    """

    svg: str
    edges: tuple[FlowEdge, ...] = attrs.field(default=(), converter=_tuple)


@attrs.frozen(kw_only=True)
class Background:
    """The rulebook behind an audit.

    Attributes:
        title: its title.
        language: ISO 639 code of the language of its text.
        clauses_file: where the sentences are recorded, a path relative to the repository; "" if nowhere.
        players: number of players at the audited size.
        numbers: the numbers of the audited size, by name.
        hidden: fields of the table that players cannot see.
        sections: sections of the text, in its order.
        sentences: sentences of the text, in its order.
        ambiguities: sentences with several readings that the model consults.
        rules: the rules of play.
        ties: comparisons.
        words: domain words.
        flow: stages of play; None if they were not drawn.
    """

    title: str
    language: str = "en"
    clauses_file: str = ""
    players: int = 1
    numbers: Mapping[str, str] = attrs.field(factory=dict)
    hidden: tuple[str, ...] = attrs.field(default=(), converter=_tuple)
    sections: tuple[Section, ...] = attrs.field(default=(), converter=_tuple)
    sentences: tuple[Sentence, ...] = attrs.field(default=(), converter=_tuple)
    ambiguities: tuple[Ambiguity, ...] = attrs.field(default=(), converter=_tuple)
    rules: tuple[Rule, ...] = attrs.field(default=(), converter=_tuple)
    ties: tuple[Tie, ...] = attrs.field(default=(), converter=_tuple)
    words: tuple[Word, ...] = attrs.field(default=(), converter=_tuple)
    flow: Phases | None = None

    def sentence(self, id: str) -> Sentence | None:
        """The sentence of an id, if there is one."""
        return next((s for s in self.sentences if s.id == id), None)
