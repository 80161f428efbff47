"""Outcomes: what each option of a reading leads to, told for all options at one and the same situation.

Promises: every option is run there on its own program; where one looks the same as the default there, that is
said; the words of a rulebook come first, its moves and fields are told where it has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from findings.audit.phrases import phrase
from findings.audit.survey import Parted, Split, Survey
from findings.audit.telling import Teller, Told
from findings.finding import Option
from models.language.errors import ModelError
from models.language.ir import Instance
from models.language.program import Program
from solvers.compare.pairs import Key, Side
from solvers.interpreter import Values

#: Moves that are told at most where readings allow different ones.
MOST_MOVES = 4


@dataclass(frozen=True)
class There:
    """One option at the situation.

    Attributes:
        side: Its program.
        before: The state in which the question comes up; None where its rules do not allow the play so far.
        move: The move that is made there, or None where none is or it is not allowed.
        after: The state after that move (`before`, where no move is made); None where the play stops.
        view: What can be seen of it, to tell whether two options look the same.
    """

    side: Side
    before: Values | None
    move: Instance | None
    after: Values | None
    view: object

    @property
    def program(self) -> Program:
        """The program with the option."""
        return self.side.run.program


class Outcomes:
    """The outcomes of a reading's options where two of them part.

    Args:
        done: The survey.
        teller: Tells it.
        split: The reading.
        parted: Where two of its options part.
        keys: Keys of the rulebook's words.
        meanings: Option → what it means.
    """

    def __init__(
        self,
        done: Survey,
        teller: Teller,
        split: Split,
        parted: Parted,
        keys: Sequence[str],
        meanings: Mapping[str, str],
    ) -> None:
        self.teller, self.split, self.parted, self.keys, self.meanings = teller, split, parted, keys, meanings
        parting = parted.parting
        labels = (*parting.play.labels, *((parting.move,) if parting.move else ()))
        self.told = teller.play(parted.program, labels)
        self.here: Told = self.told if parting.move else self.told.end
        self.there = {o: self._there(done.build(split, parted.program, o)) for o in split.rows}
        self.default = self.there[split.reading.default]

    def options(self) -> tuple[Option, ...]:
        """The options with their outcomes, the default first."""
        default = self.split.reading.default
        return tuple(
            Option(id=o, outcome=self._outcome(o))
            for o in (default, *(o for o in self.split.rows if o != default))
        )

    # -- what is the case --------------------------------------------------------------------------
    def _there(self, program: Program) -> There:
        side, parting = Side(self.teller.run(program)), self.parted.parting
        try:
            before = side.run.replay(parting.play.labels)[-1]
        except ModelError:  # a secret choice that this option does not allow
            return There(side, None, None, None, "elsewhere")
        if not parting.move:
            return There(side, before, None, before, self._view(side, before))
        move = next((i for i in side.run.enabled(before) if i.label == parting.move), None)
        if move is None:
            return There(side, before, None, before, "not allowed")
        after = side.run.after(before, move)
        return There(
            side, before, move, after, (side.fields(after), () if after is None else side.look(after))
        )

    def _view(self, side: Side, state: Values) -> object:
        if side.run.over(state):
            return side.look(state)
        if self.parted.parting.how == "chance":
            return frozenset(side.odds(state)[0].items())
        return frozenset(side.moves(state))

    # -- in words ----------------------------------------------------------------------------------
    def _outcome(self, option: str) -> str:
        there, meaning = self.there[option], self.meanings.get(option, "")
        same = option != self.split.reading.default and there.view == self.default.view
        template = self.teller.option(self.keys, option)
        text = ""
        if template and there.before is not None:
            key = f"{self.keys[0]}.options.{option}"
            text = self.teller.fill(key, template, there.program, there.before, there.after)
        if same:
            return phrase("outcome.same", text=text or meaning or option, default=self.split.reading.default)
        if text:
            return text
        here = self._here(there)
        if meaning and here:
            return phrase("outcome.here", text=meaning.removesuffix("."), here=here)
        return meaning or here or option

    def _here(self, there: There) -> str:
        """What happens under an option in this very situation."""
        if there.before is None:
            return phrase("outcome.elsewhere")
        if self.parted.parting.move:
            return self._result(there)
        if there.side.run.over(there.before):
            return self._over(there, there.before)
        if self.parted.parting.how == "end":
            return phrase("outcome.goes_on")
        if self.parted.parting.how == "chance":
            return "; ".join(self._odds(there, there.before))
        return self._moves(there, there.before)

    def _result(self, there: There) -> str:
        """What one move leads to."""
        assert there.before is not None
        if there.move is None:
            return phrase("outcome.not_allowed", move=self.parted.parting.move)
        if there.after is None:
            return phrase("stops")
        move = self._move_text(there)
        if move and move not in {self._move_text(t) for t in self.there.values() if t.view != there.view}:
            return move
        told = [self.teller.difference(there.program, there.before, there.after)]
        if there.side.run.over(there.after):
            told.append(self._over(there, there.after))
        return "; ".join(t for t in told if t) or phrase("outcome.nothing")

    def _move_text(self, there: There) -> str:
        """What the move does, where the rulebook has words for it."""
        if there.move is None or there.before is None or there.after is None:
            return ""
        if not self.teller.words.at("rule", there.move.rule):
            return ""
        return self.teller.words.move(there.program, there.move, there.before, there.after)

    def _over(self, there: There, state: Values) -> str:
        """How the game has ended."""
        program, words, value = there.program, self.teller.words, there.side.run.value
        winners = [words.player(n) for n, t in enumerate(program.winners) if value(t, state)]
        told = [phrase("outcome.over")]
        if program.winners:
            won = phrase("outcome.won", players=", ".join(winners)) if winners else phrase("outcome.nobody")
            told.append(won)
        if program.scores:
            told.append(
                phrase("outcome.scores", scores=" : ".join(str(value(t, state)) for t in program.scores))
            )
        return "; ".join(told)

    def _odds(self, there: There, state: Values) -> Iterator[str]:
        """The chances that are not the same under all options."""
        run = there.side.run
        others = [t.side.odds(t.before)[1] for t in self.there.values() if t.before is not None]
        for label, share in there.side.odds(state)[1].items():
            if any(o.get(label) != share for o in others):
                made = run.find(label)
                text = self.teller.words.move(there.program, made, state, run.after(state, made))
                yield phrase("outcome.share", move=text, share=str(share))

    def _moves(self, there: There, state: Values) -> str:
        """The moves that this option allows and not all do; who may act where the moves are the same."""
        views = [t.view for t in self.there.values() if isinstance(t.view, frozenset)]
        common: frozenset[Key] = (
            frozenset.intersection(*views) if len(views) == len(self.there) else frozenset()
        )
        moves = there.side.moves(state)
        own = {k: made for k, made in moves.items() if k not in common}
        if not own:
            return phrase("outcome.none_of_these") if moves else phrase("outcome.no_move")
        texts = dict.fromkeys(self._move(there, state, made[0], k) for k, made in own.items())
        shown = list(texts)[:MOST_MOVES]
        more = phrase("outcome.more", n=len(texts) - MOST_MOVES) if len(texts) > MOST_MOVES else ""
        return phrase("outcome.may", moves="; ".join(shown) + more)

    def _move(self, there: There, state: Values, instance: Instance, key: Key) -> str:
        text = key.label
        if not instance.secret:
            after = there.side.run.after(state, instance)
            text = self.teller.words.move(there.program, instance, state, after)
        if key.player < 0:
            return text
        return phrase("outcome.by", player=self.teller.words.player(key.player), move=text)
