"""Examples: scripts are data; what is wrong with one is said where it is declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language import ModelError, Rulebook, Size
from models.language.examples import Examples, May, Move, Script, Sees
from tests.machines import MACHINES


def book() -> Rulebook:
    return Rulebook(
        "x", sizes={"small": Size(), "print": Size()}, variants={"base": "", "long": ""}, clauses=["a"]
    )


def test_a_script_records_what_happens_in_order() -> None:
    examples = Examples(book())

    @examples.example("a", size="print", variant="long")
    def first(s: Script) -> None:
        s.begin(n=3, row=[1, 2])
        s.may("step", by=2)
        s.may_not("step", by=3)
        s.move("step", by=2)
        s.sees(lambda t: t.n == 5)

    (example,) = examples.all
    assert (example.name, example.clauses, example.size, example.variant) == (
        "first",
        ("a",),
        "print",
        "long",
    )
    assert example.script.start == {"n": 3, "row": [1, 2]}
    assert [type(p) for p in example.script.parts] == [May, May, Move, Sees]
    may, may_not, move, sees = example.script.parts
    assert isinstance(may, May)
    assert isinstance(may_not, May)
    assert isinstance(move, Move)
    assert (may.allowed, may_not.allowed) == (True, False)
    assert (move.rule, move.params) == ("step", {"by": 2})
    assert sees.place.line == may.place.line + 3
    assert Path(sees.place.file).name == "test_language_examples.py"


def test_the_variant_is_the_first_unless_given() -> None:
    examples = Examples(book())
    examples.example("a", size="small")(lambda s: s.move("step"))
    assert examples.all[0].variant == "base"


@pytest.mark.parametrize(
    ("clauses", "size", "variant", "message"),
    [
        (["b"], "small", "", "there is no clause 'b'"),
        ([], "small", "", "an example needs a clause, a size and a variant that exist"),
        (["a"], "smal", "", "an example needs a clause, a size and a variant that exist"),
        (["a"], "small", "lng", "an example needs a clause, a size and a variant that exist"),
    ],
)
def test_an_example_that_cannot_be(clauses: list[str], size: str, variant: str, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        Examples(book()).example(*clauses, size=size, variant=variant)(lambda s: s.move("step"))
    assert str(caught.value).startswith("tests/test_language_examples.py:")


def test_an_example_that_does_nothing() -> None:
    with pytest.raises(ModelError, match="the example does nothing; write its moves"):
        Examples(book()).example("a", size="small")(lambda s: s.begin(n=1))


def test_a_beginning_after_a_move() -> None:
    script = Script()
    script.move("step")
    with pytest.raises(ModelError, match="`begin` stands after a move; begin first"):
        script.begin(n=1)


def test_a_script_may_speak_of_any_machine() -> None:
    examples = Examples(MACHINES["deck"].book())
    examples.example("draw", size="only")(lambda s: s.move("draw", kind="A"))
    assert examples.all[0].script.parts
