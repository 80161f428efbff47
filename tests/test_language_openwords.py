"""The checklist of words whose reach is open."""

import pytest

from models.language.openwords import checklist, open_words


def test_every_entry_has_its_question_and_forms_that_find_it() -> None:
    assert len(checklist()) == 60
    for word, entry in checklist().items():
        assert entry.why.endswith("?")
        for form in entry.forms:
            assert open_words(form.replace("…", "frogs")) == (word,), form


def test_an_entry_without_forms_is_its_own_form() -> None:
    assert checklist()["may"].forms == ("may", "optional")
    assert checklist()["first"].forms == ("first",)


def test_no_form_belongs_to_two_words() -> None:
    forms = [form for entry in checklist().values() for form in entry.forms]
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("A frog hops.", ()),
        ("You MAY hop again, then again.", ("may", "again", "then")),
        ("Hop as many green frogs as you own.", ("as many as", "your")),
        ("Hop as many of the very wet frogs as there are.", ()),
        ("At any time, hop.", ("at any time",)),
        ("Any frog may not hop.", ("any", "cannot")),
        ("A pre-existing frog; an all-green one", ("existing",)),
        ("Frogs can't, frogs can’t, frogs cannot.", ("cannot",)),
        ("at\n  least one", ("at least",)),
    ],
)
def test_words_are_found_once_in_the_order_of_the_sentence(sentence: str, words: tuple[str, ...]) -> None:
    assert open_words(sentence) == words


def test_a_language_without_a_list() -> None:
    assert checklist("xx") == {}
    assert open_words("all frogs", "xx") == ()
