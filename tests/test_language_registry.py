"""The registry: rulebooks by name and by path; whatever cannot be loaded is one message."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language import ModelError, Rulebook, registry
from tests.messages import rule, write

SMALL = "from models.language import Rulebook, Size\n"
SMALL += 'book = Rulebook("x", sizes={"only": Size()}, clauses=["a"])\n'


def wrong(name: object) -> str:
    with pytest.raises(ModelError) as caught:
        registry.find(str(name))
    return str(caught.value)


def test_a_rulebook_is_found_by_its_folder_and_by_its_file(tmp_path: Path) -> None:
    path, _ = write(tmp_path, rule("pass"))
    by_file, by_folder = registry.find(str(path)), registry.find(str(tmp_path))
    assert isinstance(by_file, Rulebook)
    assert by_file is by_folder


def test_the_names_are_those_of_the_folders_with_rules() -> None:
    assert "fly_high" in registry.names()
    assert "language" not in registry.names()
    assert list(registry.names()) == sorted(registry.names())
    assert registry.find("fly_high").name == "fly_high"


def test_an_unknown_name_has_the_nearest() -> None:
    assert wrong("fly_hihg") == "there is no rulebook 'fly_hihg'; did you mean 'fly_high'?"


@pytest.mark.parametrize("name", ["", "a b", "é", "x" * 5000, "\0", "..", "language", "fly_high.rules"])
def test_what_is_no_name_is_one_message(name: str) -> None:
    assert wrong(name).count("\n") == 0


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    assert (
        wrong(tmp_path / "none.py") == f"{tmp_path}/none.py: there is no such file or folder; check the path"
    )


def test_a_folder_without_rules(tmp_path: Path) -> None:
    assert wrong(tmp_path) == f"{tmp_path}: the folder has no rules.py; name a folder with a rulebook in it"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = (\n", "{path}:1: this is not valid Python: '(' was never closed; correct the line"),
        (
            "1 // 0\n",
            "{path}:1: loading failed: ZeroDivisionError: integer division or modulo by zero; "
            "correct the rulebook",
        ),
        ("import sys\nsys.exit(3)\n", "{path}:2: loading failed: SystemExit: 3; correct the rulebook"),
        (
            "import nothing_of_that_name\n",
            "{path}:1: loading failed: ModuleNotFoundError: No module named "
            "'nothing_of_that_name'; correct the rulebook",
        ),
        ("x = 1\n", "{path}: the module declares 0 rulebooks, not one; declare `book = Rulebook(…)` once"),
        (
            SMALL + SMALL.replace("book =", "other ="),
            "{path}: the module declares 2 rulebooks, not one; declare `book = Rulebook(…)` once",
        ),
        (
            "from models.language import Rulebook\nbook = Rulebook('x', sizes={}, clauses=[])\n",
            "{place}:2: rulebook x has no size; give it at least one",
        ),
    ],
)
def test_a_file_that_cannot_be_loaded(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "rules.py"
    path.write_text(source, encoding="utf-8")
    assert wrong(path) == message.format(path=path, place=f"{tmp_path.name}/rules.py")


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_bytes(b"x = '\xe4'\n")
    assert wrong(path).startswith(f"{path}:")
    assert "utf-8" in wrong(path)


def test_a_module_beside_a_rulebook(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(
        "from models.language import Rulebook, Size\n"
        "book = Rulebook('x', file=__file__, sizes={'only': Size()}, clauses=['a'])\n",
        encoding="utf-8",
    )
    (tmp_path / "picture.py").write_text("COLOURS = 3\n", encoding="utf-8")
    (tmp_path / "examples.py").write_text("1 // 0\n", encoding="utf-8")
    book = registry.find(str(tmp_path))
    picture = registry.beside(book, "picture")
    assert picture is not None
    assert picture.COLOURS == 3
    assert registry.beside(book, "absent") is None
    with pytest.raises(ModelError, match="loading failed: ZeroDivisionError"):
        registry.beside(book, "examples")


def test_a_rulebook_of_this_package_is_the_same_by_name_and_by_path() -> None:
    folder = Path(registry.__file__).parent.parent / "fly_high"
    assert registry.find(str(folder)) is registry.find("fly_high")
    assert registry.find(str(folder / "rules.py")) is registry.find("fly_high")
