"""Tiny machines, first part: one for each kind of game that the language must carry."""

from __future__ import annotations

import enum

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bag,
    Bool,
    Enum,
    Grid,
    Index,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    Term,
    Window,
    count,
    every,
    ite,
    longest,
    lookup,
    player,
    race,
    rank,
    reach,
    responder,
    some,
    take,
)
from tests.machine_kit import Machine


class Suit(enum.Enum):
    HEARTS = 0
    SPADES = 1
    NONE = 2


class Kind(enum.Enum):
    A = 0
    B = 1
    C = 2


class Phase(enum.Enum):
    ACT = 0
    END = 1


def trick() -> Rulebook:
    """Three players with two cards each: follow suit if you can; the highest card of the led suit takes."""
    suits, ranks = [Suit.HEARTS] * 3 + [Suit.SPADES] * 3, [1, 2, 3] * 2
    out, players = 3, 3
    book = Rulebook("trick", sizes={"only": Size()}, players=players, clauses=["follow", "takes", "ends"])

    @book.state
    class Table(State):
        turn = Index(players)
        holder = Array(6, Range(0, out), start=[0, 1, 1, 0, 2, 2])
        led = Enum(Suit, start=Suit.NONE)
        shown = Array(players, Range(0, 6, start=6))
        won = Array(players, Range(0, 2))

    @book.rule("follow", by=player(lambda t: t.turn), card=6)
    def lay(t: Table, card: int) -> None:
        """The card is laid; where another suit was led, the hand has none of it."""
        t.require(t.holder[card] == t.turn)
        same = [t.holder[c] == t.turn for c in range(6) if suits[c] is not suits[card]]
        t.require((t.led == Suit.NONE) | (t.led == suits[card]) | ~some(*same))
        t.holder[card] = out
        t.shown[t.turn] = card
        with t.when(t.led == Suit.NONE):
            t.led = suits[card]
        t.turn = (t.turn + 1) % players

    @book.rule("takes", by=RULES)
    def takes(t: Table) -> None:
        """All have laid a card."""
        t.require(every(*(t.shown[p] < 6 for p in range(players))))
        suit = [lookup(t.shown[p], [*suits, Suit.NONE]) for p in range(players)]
        worth = [ite(suit[p] == t.led, lookup(t.shown[p], [*ranks, 0]), 0) for p in range(players)]
        best = rank(t, "trick", [worth], "takes").first
        t.won[best] = t.won[best] + 1
        t.turn = best
        t.led = Suit.NONE
        t.shown.fill(6)

    @book.over("ends")
    def over(t: Table) -> Term:
        return every(*(t.holder[c] == out for c in range(6)), *(t.shown[p] == 6 for p in range(players)))

    @book.score("takes")
    def score(t: Table, number: int) -> Term:
        return t.won[number]

    return book


def dice_stacks() -> Rulebook:
    """Two stacks of up to three dice that only grow upwards; a die may be taken out of the middle."""
    book = Rulebook("dice-stacks", sizes={"only": Size()}, clauses=["grow", "remove"])

    @book.state
    class Table(State):
        stacks = Array(2, Stack(Range(1, 3), 3))

    hand = player(lambda t: 0)

    @book.rule("grow", by=hand, place=2, die=[1, 2, 3])
    def lay(t: Table, place: int, die: int) -> None:
        """A die that is higher than the top, or any on an empty place."""
        t.require((t.stacks[place].depth == 0) | (t.stacks[place].top < die))
        t.stacks[place].push(die)

    @book.rule("remove", by=hand, place=2, height=3)
    def remove(t: Table, place: int, height: int) -> None:
        """Any die is taken out; those above sink."""
        t.require(t.stacks[place].has(height))
        t.stacks[place].remove(height)

    return book


def roads() -> Rulebook:
    """Four cells of a grid of 2 × 3 are painted; then it is scored: the longest path, and left to right."""
    book = Rulebook("roads", sizes={"only": Size()}, clauses=["paint", "length", "joined"])

    @book.state
    class Table(State):
        board = Grid(2, 3, Bool())
        length = Range(0, 5)
        joined = Bool()
        done = Bool()

    @book.rule("paint", by=player(lambda t: 0), row=2, column=3)
    def paint(t: Table, row: int, column: int) -> None:
        t.require(count(*t.board) < 4)
        t.require(~t.board[row, column])
        t.board[row, column] = True

    @book.rule("length", "joined", by=RULES)
    def count_up(t: Table) -> None:
        t.require(~t.done & (count(*t.board) == 4))
        cells, edges = t.board.keys(), t.board.edges()
        opened = [t.board[cells[a]] & t.board[cells[b]] for a, b in edges]
        t.length = longest("path", len(cells), edges, opened)
        left = [t.board[r, c] & (c == 0) for r, c in cells]
        right = [t.board.number(r, 2) for r in range(2)]
        t.joined = some(*(reach(edges, opened, left, n) & t.board[cells[n]] for n in right))
        t.done = True
        with t.when(t.joined):
            t.cover("joined")
        with t.when(t.length == 3):
            t.cover("three")

    @book.over("length")
    def over(t: Table) -> Term:
        return t.done

    return book


def deck() -> Rulebook:
    """Cards are drawn from a deck without putting any back, each kind as likely as it is still there."""
    book = Rulebook("deck", sizes={"only": Size()}, clauses=["draw", "last"])

    @book.state
    class Table(State):
        deck = Bag(Kind, {Kind.A: 2, Kind.B: 1, Kind.C: 0})
        hand = Bag(Kind, {Kind.A: 2, Kind.B: 1, Kind.C: 0}, full=False)
        extra = Range(0, 2)
        done = Bool()

    @book.rule("draw", by=CHANCE, kind=Kind, weight=lambda t, kind: t.deck[kind])
    def draw(t: Table, kind: Kind) -> None:
        t.require(t.total(t.hand) < 2)
        t.deck.remove(kind)
        t.hand.add(kind)

    @book.rule("last", by=RULES)
    def last(t: Table) -> None:
        """Two more are drawn, and only one is left."""
        t.require((t.total(t.hand) == 2) & ~t.done)
        t.extra = take(t, "two-more", t.total(t.deck), 2, "last")
        t.done = True

    @book.over("last")
    def over(t: Table) -> Term:
        return t.done

    return book


def responses() -> Rulebook:
    """An action may be countered, the counter countered: whoever is asked answers or passes."""
    players = 3
    book = Rulebook(
        "responses",
        sizes={"only": Size()},
        players=players,
        clauses=["act", "counter", "pass", "resolve", "ends"],
    )
    opens = book.reading(
        "opening",
        "counter",
        options={"each": "a counter may be countered", "once": "only the action may be"},
        default="each",
        why="nothing is excepted",
        asks="May a counter be countered?",
    )

    @book.state
    class Table(State):
        phase = Enum(Phase)
        window = Window(players)
        chain = Range(0, 3)
        holds = Array(players, Bool(), start=[False, True, True])
        happened = Bool()

    asked = responder(lambda t: t.window.asked)

    @book.rule("act", by=player(lambda t: 0), phase=Phase.ACT)
    def act(t: Table) -> None:
        t.require(t.chain == 0)
        t.chain = 1
        t.window.opens(first=1)
        race(t, "first-answer", [t.holds[p] for p in range(1, players)], "counter")

    @book.rule("counter", by=asked, phase=Phase.ACT)
    def counter(t: Table) -> None:
        t.require(t.window.is_open & t.holds[t.window.asked])
        t.holds[t.window.asked] = False
        t.chain = t.chain + 1
        if t.reading(opens) == "each":
            t.window.opens(first=t.window.after(t.window.asked))
        else:
            t.window.closes()

    @book.rule("pass", by=asked, phase=Phase.ACT)
    def decline(t: Table) -> None:
        t.require(t.window.is_open)
        t.window.passes()

    @book.rule("resolve", by=RULES, phase=Phase.ACT)
    def resolve(t: Table) -> None:
        """Nobody answers any more; an even number of counters leaves the action as it is."""
        t.require(~t.window.is_open & (t.chain > 0))
        with t.when(t.chain % 2 == 1):
            t.happened = True
            t.cover("happened")
        with t.otherwise():
            t.cover("prevented")
        with t.when(t.chain == 3):
            t.cover("counter-counter")
        t.chain = 0
        t.phase = Phase.END

    @book.over("ends")
    def over(t: Table) -> Term:
        return t.phase == Phase.END

    return book


def secret_choice() -> Rulebook:
    """Both players choose a card in secret; then both are shown and the higher one wins."""
    players, none = 2, 3
    book = Rulebook("secret-choice", sizes={"only": Size()}, players=players, clauses=["choose", "show"])

    @book.state
    class Table(State):
        chosen = Array(players, Range(0, none, start=none), hidden=True)
        shown = Array(players, Range(0, none, start=none))
        winner = Range(0, 2, start=2)

    @book.rule("choose", by=player(lambda t, who: who), who=players, card=none, secret=["card"])
    def choose(t: Table, who: int, card: int) -> None:
        t.require((t.chosen[who] == none) & (t.shown[who] == none))
        t.chosen[who] = card

    @book.rule("show", by=RULES)
    def show(t: Table) -> None:
        t.require(every(*(t.chosen[p] < none for p in range(players))))
        for p in range(players):
            t.shown[p] = t.chosen[p]
        best = rank(t, "higher", [[t.shown[p] for p in range(players)]], "show")
        t.winner = ite(best.tied, 2, best.first)
        t.chosen.fill(none)

    @book.over("show")
    def over(t: Table) -> Term:
        return t.shown[0] < none

    return book


def bouncing() -> Rulebook:
    """A token on five squares, moved by a die of three faces; at either end it bounces back."""
    last = 4
    book = Rulebook("bouncing", sizes={"only": Size()}, clauses=["move", "bounce"])

    @book.state
    class Table(State):
        at = Index(last + 1)
        forward = Bool(start=True)

    @book.rule("move", "bounce", by=CHANCE, faces=[1, 2, 3])
    def roll(t: Table, faces: int) -> None:
        there = t.at + ite(t.forward, faces, -faces)
        with t.when(there > last):
            t.at = 2 * last - there
            t.forward = False
            t.cover("far-end")
        with t.otherwise():
            with t.when(there < 0):
                t.at = -there
                t.forward = True
                t.cover("near-end")
            with t.otherwise():
                t.at = there

    return book


GAMES = {
    "trick": Machine(
        trick,
        states=49,
        transitions=54,
        over=2,
    ),
    "dice-stacks": Machine(
        dice_stacks,
        states=64,
        transitions=304,
    ),
    "roads": Machine(
        roads,
        states=72,
        transitions=171,
        sites={
            "cover:joined": 5,
            "cover:three": 5,
        },
        over=15,
    ),
    "deck": Machine(
        deck,
        states=7,
        transitions=7,
        sites={
            "shortage:two-more": 3,
        },
        over=2,
    ),
    "responses": Machine(
        responses,
        states=24,
        transitions=24,
        sites={
            "race:first-answer": 1,
            "cover:happened": 5,
            "cover:prevented": 6,
            "cover:counter-counter": 7,
        },
        over=4,
    ),
    "responses-once": Machine(
        responses,
        states=10,
        transitions=9,
        sites={
            "race:first-answer": 1,
            "cover:prevented": 3,
            "cover:happened": 5,
        },
        over=3,
        build={"readings": {"opening": "once"}},
    ),
    "secret-choice": Machine(
        secret_choice,
        states=25,
        transitions=33,
        sites={
            "tie:higher": 3,
        },
        over=9,
    ),
    "bouncing": Machine(
        bouncing,
        states=9,
        transitions=27,
        sites={
            "cover:far-end": 2,
            "cover:near-end": 3,
        },
    ),
}
