"""Fly High at the basic level as a Hypothesis machine written by hand, as a tester without the IR would.

It is here to be raced against the generated machine, and for nothing else; that it plays the same game is
checked by counting its states.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from models.fly_high.cards import SIZES, Face

SIZE = SIZES["small"]
NONE, HIDDEN = 0, 1
CARDS = list(range(2, 2 + len(SIZE.cards)))
TENS, FACES = SIZE.tens, SIZE.faces
SHOWS = [SIZE.shows(c) for c in SIZE.characters]
COUNTS = [k.count for k in SIZE.cards]
SPOTS = range(SIZE.spots)


@dataclass
class Table:
    """Everything on the table; phases are words."""

    phase: str = "roll"
    turn: int = 0
    die: int = 0
    grid: tuple[int, ...] = (HIDDEN,) * SIZE.spots
    up: tuple[bool, ...] = (False,) * SIZE.spots
    pick: int = 0
    height: int = 0
    down: bool = False
    deck: int = SIZE.deck
    unseen: tuple[int, ...] = tuple(COUNTS)
    score: tuple[int, ...] = (0,) * SIZE.players
    bonus: int = 0
    refill: bool = False

    # -- the die ---------------------------------------------------------------------------------
    def roll(self, number: int) -> None:
        self.die, self.phase = number, "fly"

    def cloud(self) -> None:
        self.gain(self.draw(1))
        self.after_drawing()

    # -- a flight --------------------------------------------------------------------------------
    def may_reveal(self, spot: int) -> bool:
        return self.phase in ("fly", "choice") and not self.up[spot] and self.grid[spot] != NONE

    def reveal(self, spot: int) -> None:
        if self.grid[spot] == HIDDEN:
            self.pick, self.phase = spot, "draw"
        else:
            self.judge(spot, self.grid[spot])

    def turn_up(self, card: int) -> None:
        spot, self.pick = self.pick, 0
        self.grid = (*self.grid[:spot], card, *self.grid[spot + 1 :])
        k = card - 2
        self.unseen = (*self.unseen[:k], self.unseen[k] - 1, *self.unseen[k + 1 :])
        self.judge(spot, card)

    def judge(self, spot: int, card: int) -> None:
        self.up = (*self.up[:spot], True, *self.up[spot + 1 :])
        turned, tens, face = sum(self.up), TENS[card], FACES[card]
        compared = face == Face.NUMBER and self.height > 0
        low = compared and not self.down and tens < self.height
        high = compared and self.down and tens > self.height
        fits, met = not low and not high, turned >= self.die
        if face == Face.NUMBER:
            self.height = tens
        if face == Face.UTURN:
            self.down = not self.down
        if low or high:
            self.land("failed")
        elif face == Face.FINISH or (fits and turned == SIZE.spots):
            self.land("won")
        elif met and face != Face.UTURN:
            self.phase = "choice"
        else:
            self.phase = "stopped" if turned == self.lying() else "fly"

    def land(self, phase: str) -> None:
        self.phase, self.die, self.height, self.down = phase, 0, 0, False

    def stop(self) -> None:
        self.land("won")

    # -- after it --------------------------------------------------------------------------------
    def turn_back(self) -> None:
        self.up = (False,) * SIZE.spots
        self.pass_on()

    def take_all(self) -> None:
        thrice = any(sum(up and s[c] for up, c in zip(self.up, self.grid, strict=True)) >= 3 for s in SHOWS)
        self.gain(sum(self.up))
        self.grid = tuple(NONE if up else c for up, c in zip(self.up, self.grid, strict=True))
        self.up = (False,) * SIZE.spots
        self.bonus, self.refill, self.phase = 2 * thrice, True, "ending"

    def pay_bonus(self) -> None:
        self.gain(self.draw(self.bonus))
        self.bonus = 0
        self.after_drawing()

    def fill(self) -> None:
        left = self.draw(self.grid.count(NONE))
        grid = []
        for c in self.grid:
            grid.append(HIDDEN if c == NONE and left > 0 else c)
            left -= c == NONE
        self.grid, self.refill = tuple(grid), False
        self.after_drawing()

    def draw(self, n: int) -> int:
        got = min(self.deck, n)
        self.deck -= got
        return got

    def gain(self, n: int) -> None:
        self.score = tuple(s + n * (p == self.turn) for p, s in enumerate(self.score))

    def after_drawing(self) -> None:
        if self.deck == 0:
            self.bonus, self.refill, self.phase = 0, False, "out"
        elif not self.bonus and not self.refill:
            self.pass_on()

    def pass_on(self) -> None:
        self.turn, self.phase = (self.turn + 1) % SIZE.players, "roll"

    def lying(self) -> int:
        return sum(c != NONE for c in self.grid)


class ByHand(RuleBasedStateMachine):
    """The machine; `steps` counts the rules that ran, over all runs."""

    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.t = Table()

    def did(self) -> None:
        ByHand.steps += 1

    @precondition(lambda self: self.t.phase == "roll")
    @rule(number=st.sampled_from(SIZE.numbers))
    def roll(self, number: int) -> None:
        self.t.roll(number)
        self.did()

    @precondition(lambda self: self.t.phase == "roll")
    @rule()
    def cloud(self) -> None:
        self.t.cloud()
        self.did()

    @precondition(lambda self: any(map(self.t.may_reveal, SPOTS)))
    @rule(spot=st.runner().flatmap(lambda self: st.sampled_from([s for s in SPOTS if self.t.may_reveal(s)])))
    def reveal(self, spot: int) -> None:
        self.t.reveal(spot)
        self.did()

    @precondition(lambda self: self.t.phase == "draw")
    @rule(card=st.runner().flatmap(lambda self: st.sampled_from([c for c in CARDS if self.t.unseen[c - 2]])))
    def turn_up(self, card: int) -> None:
        self.t.turn_up(card)
        self.did()

    @precondition(lambda self: self.t.phase == "choice")
    @rule()
    def stop(self) -> None:
        self.t.stop()
        self.did()

    @precondition(lambda self: self.t.phase == "failed")
    @rule()
    def turn_back(self) -> None:
        self.t.turn_back()
        self.did()

    @precondition(lambda self: self.t.phase == "won")
    @rule()
    def take_all(self) -> None:
        self.t.take_all()
        self.did()

    @precondition(lambda self: self.t.phase == "ending" and self.t.bonus > 0)
    @rule()
    def pay_bonus(self) -> None:
        self.t.pay_bonus()
        self.did()

    @precondition(lambda self: self.t.phase == "ending" and self.t.refill)
    @rule()
    def fill(self) -> None:
        self.t.fill()
        self.did()

    @precondition(lambda self: self.t.phase in ("out", "stopped"))
    @rule()
    def again(self) -> None:
        self.t = Table()

    @invariant()
    def no_card_is_lost(self) -> None:
        t = self.t
        assert t.deck + t.lying() + sum(t.score) == SIZE.total

    @invariant()
    def unseen_cards_are_enough(self) -> None:
        t = self.t
        assert 0 <= sum(t.unseen) - t.deck - t.grid.count(HIDDEN) <= sum(t.score)

    @invariant()
    def nothing_is_up_at_rest(self) -> None:
        assert self.t.phase in ("fly", "choice", "draw", "failed", "won", "stopped") or not any(self.t.up)

    @invariant()
    def a_choice_means_the_die_is_met(self) -> None:
        assert self.t.phase != "choice" or sum(self.t.up) >= self.t.die

    @invariant()
    def the_height_is_on_a_card(self) -> None:
        t = self.t
        up = [TENS[c] for u, c in zip(t.up, t.grid, strict=True) if u]
        assert not t.height or t.height in up

    @invariant()
    def uturns_turn_the_order(self) -> None:
        t = self.t
        turns = sum(FACES[c] == Face.UTURN for u, c in zip(t.up, t.grid, strict=True) if u)
        assert t.phase not in ("fly", "choice", "draw") or (turns % 2 == 1) == t.down
