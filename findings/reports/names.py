"""What the values of the JSON contract are called for people, in the language of a report."""

from __future__ import annotations

from findings.finding import Stake, Status
from findings.reports.i18n import Texts


def status_name(t: Texts, status: Status) -> str:
    """How far a question is open, in a word."""
    return {
        Status.OPEN: t.gettext("open"),
        Status.LEANS: t.gettext("leans"),
        Status.REDUCED: t.gettext("at a reduced size only"),
        Status.SETTLED: t.gettext("settled"),
        Status.ACCEPTED: t.gettext("on record"),
        Status.MOOT: t.gettext("moot"),
    }[status]


def status_meaning(t: Texts, status: Status) -> str:
    """What a status says."""
    return {
        Status.OPEN: t.gettext("Nothing answers the question."),
        Status.LEANS: t.gettext("A sentence or an example points one way without settling it."),
        Status.REDUCED: t.gettext("A play is known at a small size and none at the printed one."),
        Status.SETTLED: t.gettext("An example, another sentence or a ruling answers it."),
        Status.ACCEPTED: t.gettext("The question is open, and recorded with a reason."),
        Status.MOOT: t.gettext("It cannot come up or makes no difference: proved, for a scope."),
    }[status]


def stake_name(t: Texts, stake: Stake) -> str:
    """What is at stake."""
    return {
        Stake.STOP: t.gettext("play stops"),
        Stake.WINNER: t.gettext("another winner"),
        Stake.SCORE: t.gettext("another score"),
        Stake.ARGUMENT: t.gettext("only an argument"),
    }[stake]


def actor_name(t: Texts, actor: str) -> str:
    """Who acts."""
    return {
        "player": t.gettext("a player chooses"),
        "window": t.gettext("a player may answer"),
        "chance": t.gettext("chance"),
        "rules": t.gettext("follows by the rules"),
    }.get(actor, "")


def policy_name(t: Texts, policy: str) -> str:
    """How games were played, and at which size where that is another one."""
    kind, space, size = policy.partition(" ")
    return {"random": t.gettext("random")}.get(kind, kind) + space + size


def end_name(t: Texts, end: str) -> str:
    """How a branch ends."""
    return {
        "goes on": t.gettext("The game goes on."),
        "over": t.gettext("The game is over."),
        "stopped": t.gettext("Play stops here."),
        "stuck": t.gettext("Nobody may do anything."),
        "not allowed": t.gettext("This move is not allowed here."),
    }.get(end, "")


def use_name(t: Texts, use: str) -> str:
    """What became of a sentence."""
    return {
        "used": t.gettext("acted in play"),
        "cited": t.gettext("modelled, did not act at this size"),
        "exempt": t.gettext("needs no rule"),
        "left": t.gettext("not modelled"),
    }[use]


def force_name(t: Texts, force: str) -> str:
    """What a sentence does to those who play."""
    return {
        "must": t.gettext("must"),
        "may": t.gettext("may"),
        "must-not": t.gettext("must not"),
        "is": t.gettext("states"),
    }.get(force, force)


def kind_name(t: Texts, kind: str) -> str:
    """What a sentence is for."""
    return {
        "rule": t.gettext("rule"),
        "setup": t.gettext("setup"),
        "component": t.gettext("component"),
        "definition": t.gettext("definition"),
        "example": t.gettext("example"),
        "exception": t.gettext("exception"),
        "flavour": t.gettext("flavour"),
        "note": t.gettext("note"),
    }.get(kind, kind)
