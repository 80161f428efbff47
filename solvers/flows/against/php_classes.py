"""State classes of BGA Studio: what `parent::__construct` says, and where actions and entering lead.

A way on is a class name, a number, or the name of a transition, given back by an action or by
`onEnteringState`, or passed to `nextState` or `jumpToState`. What `zombie` does (a player has left the
platform) belongs to no rulebook and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.flows.against.machine import MachineState
from solvers.flows.against.php_values import Unknown, Values
from solvers.flows.against.syntax import below, line, named, text

if TYPE_CHECKING:
    from tree_sitter import Node

_ATTRIBUTE = "PossibleAction"
_ENTER = "onEnteringState"
_FUNCTIONS = frozenset({"anonymous_function", "arrow_function"})
_MOVING = frozenset({"nextState", "jumpToState", "nextPrivateState", "setPlayerNonMultiactive"})
_KINDS = {
    "ACTIVE_PLAYER": "player",
    "MULTIPLE_ACTIVE_PLAYER": "player",
    "PRIVATE": "player",
    "GAME": "automatic",
}


@dataclass(frozen=True)
class StateClass:
    """A class that is a state.

    Attributes:
        class_name: Name of the class.
        id: Number of the state, or what stands for it.
        state: The state.
        transitions: What the constructor declares, as `Values.of` gives it.
        returned: Values that actions and entering lead to.
    """

    class_name: str
    id: Any
    state: MachineState
    transitions: Any
    returned: tuple[Any, ...]


def state_classes(file: Path, root: Node, values: Values) -> Iterator[StateClass]:
    """The state classes of a file."""
    for node in below(root, "class_declaration"):
        base = next((text(n).rpartition("\\")[2] for n in below(node, "base_clause") for n in named(n)), "")
        if base == "GameState":
            yield _state_class(file, node, values)


def _state_class(file: Path, node: Node, values: Values) -> StateClass:
    class_name = text(node.child_by_field_name("name"))
    given = _construction(node, values)
    kind = given.get("type")
    plain = kind.source.rpartition("::")[2] if isinstance(kind, Unknown) else str(kind or "")
    name = given.get("name")
    methods = list(_methods(node))
    moves = tuple(text(m.child_by_field_name("name")) for m in methods if _is_action(m))
    acting = [m for m in methods if _is_action(m) or text(m.child_by_field_name("name")) == _ENTER]
    led = _through_helpers(acting, {text(m.child_by_field_name("name")): m for m in methods})
    returned = tuple(v for m in led for v in _leads_to(m, values))
    state = MachineState(
        name if isinstance(name, str) and name else class_name,
        _KINDS.get(plain, "automatic"),
        moves,
        line(node),
        file,
    )
    return StateClass(
        class_name, given.get("id", Unknown(class_name)), state, given.get("transitions"), returned
    )


def _construction(node: Node, values: Values) -> dict[str, Any]:
    """The named arguments of `parent::__construct`."""
    for call in below(node, "scoped_call_expression"):
        if text(call.child_by_field_name("name")) == "__construct":
            given = call.child_by_field_name("arguments")
            found = {}
            for argument in named(given) if given is not None else []:
                name = argument.child_by_field_name("name")
                if name is not None:
                    found[text(name)] = values.of(named(argument)[-1])
            return found
    return {}


def _methods(node: Node) -> Iterator[Node]:
    body = node.child_by_field_name("body")
    return (m for m in named(body) if m.type == "method_declaration") if body is not None else iter(())


def _is_action(method: Node) -> bool:
    attributes = below(method, "attribute", into=frozenset({"compound_statement"}))
    return any(text(named(a)[0]).rpartition("\\")[2] == _ATTRIBUTE for a in attributes if named(a))


def _through_helpers(acting: list[Node], methods: dict[str, Node]) -> list[Node]:
    """The methods, and those of the same class that they call."""
    found = list(acting)
    for method in found:
        for call in below(method, "member_call_expression", into=_FUNCTIONS):
            name, owner = text(call.child_by_field_name("name")), text(call.child_by_field_name("object"))
            if owner == "$this" and name in methods and methods[name] not in found:
                found.append(methods[name])
    return found


def _leads_to(method: Node, values: Values) -> Iterator[Any]:
    for statement in below(method, "return_statement", into=_FUNCTIONS):
        parts = named(statement)
        if parts:
            yield from _alternatives(parts[0], values)
    for call in below(method, "member_call_expression", into=_FUNCTIONS):
        if text(call.child_by_field_name("name")) in _MOVING:
            given = call.child_by_field_name("arguments")
            arguments = named(given) if given is not None else []
            yield values.of(arguments[-1]) if arguments else ""


def _alternatives(node: Node, values: Values) -> Iterator[Any]:
    """The values of an expression that is given back: both sides of a choice."""
    if node.type == "parenthesized_expression":
        yield from _alternatives(named(node)[0], values)
    elif node.type == "conditional_expression":
        for part in named(node)[1:]:
            yield from _alternatives(part, values)
    elif node.type == "match_expression":
        for arm in below(node, "match_conditional_expression", "match_default_expression"):
            yield from _alternatives(named(arm)[-1], values)
    elif not (node.type == "member_call_expression" and text(node.child_by_field_name("object")) == "$this"):
        value = values.of(node)
        if value is not None:
            yield value


def first_state(root: Node, values: Values) -> Any:
    """The state that `setupNewGame` gives back, or None."""
    for method in below(root, "method_declaration"):
        if text(method.child_by_field_name("name")) == "setupNewGame":
            return next((v for v in _leads_to(method, values) if not isinstance(v, (Unknown, dict))), None)
    return None
