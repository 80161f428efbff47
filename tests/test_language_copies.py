"""Copies of rulebooks of several files: every import in them means the copy's own files."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest

from findings.cli import run
from models.language import copies, registry
from properties.kinds import of

MODELS = Path(registry.__file__).parent.parent
Captured = pytest.CaptureFixture[str]


def copied(name: str, to: Path) -> Path:
    return Path(shutil.copytree(MODELS / name, to, ignore=shutil.ignore_patterns("__pycache__")))


@pytest.mark.parametrize("name", [n for n in registry.names() if (MODELS / n / "rules.py").is_file()])
def test_a_copy_is_made_of_its_own_files_alone(name: str, tmp_path: Path) -> None:
    copy = registry.find(str(copied(name, tmp_path / "copy")))
    here = registry.find(name)
    rulings = bool(here.rulings)
    assert copy.build(rulings=rulings).digest == here.build(rulings=rulings).digest
    assert {Path(r.place.file).parent for r in copy.rules} == {tmp_path / "copy"}
    assert {Path(o.function.__code__.co_filename).parent for o in copy.rules} == {tmp_path / "copy"}
    assert [p.name for p in of(copy)] == [p.name for p in of(here)]
    assert sys.modules[f"models.{name}.rules"] is not sys.modules[copy.rules[0].function.__module__]
    assert not list((tmp_path / "copy").rglob("*.pyc"))


def test_an_edit_in_any_file_is_seen_by_every_command(tmp_path: Path, capsys: Captured) -> None:
    folder = copied("fly_high", tmp_path / "my game")
    file = folder / "flight.py"
    text, stop = file.read_text(encoding="utf-8"), "by=turn_player, phase=Phase.CHOICE)\ndef stop("
    assert text.count(stop) == 1
    before = registry.find(str(folder))
    assert registry.find(str(folder / "rules.py")) is before
    file.write_text(text.replace(stop, stop.replace("def stop(", "def halt(")), encoding="utf-8")
    after = registry.find(str(folder))
    assert "stop" in {r.name for r in before.rules}
    assert "halt" in {r.name for r in after.rules}
    assert "stop" in {r.name for r in registry.find("fly_high").rules}
    assert run(["export", str(folder), "--to", "promela"]) == 0
    assert "halt" in capsys.readouterr().out


def test_the_properties_of_a_checkout_go_with_its_models(tmp_path: Path) -> None:
    folder = copied("fly_high", tmp_path / "models" / "fly_high")
    own = tmp_path / "properties" / "fly_high.py"
    own.parent.mkdir()
    own.write_text(
        "from models.fly_high.table import Table\n"
        "from properties.kinds import Properties\n"
        "PROPERTIES = Properties()\n"
        "PROPERTIES.ends('end.game')\n"
        "WHERE = Table.__module__\n",
        encoding="utf-8",
    )
    book = registry.find(str(folder))
    assert [p.name for p in of(book)] == ["can-end"]
    found = registry.beside(book, "properties")
    assert found is not None
    assert f"{book.rules[0].function.__module__.partition('.')[0]}.table" == found.WHERE
    assert registry.further_files(book) == (own,)
    assert registry.beside(book, "absent") is None


IMPORTS = """\
import models.fly_high.cards
import models.language
import models.fly_high.cards as other
from models import fly_high, language
from models.fly_high import cards as third
from models.fly_high.cards import PLACE
from properties import fly_high as mine
from .cards import PLACE as near

def late():
    from models.fly_high.late import PLACE
    return PLACE

ALL = [models.fly_high.cards.PLACE, other.PLACE, fly_high.cards.PLACE, third.PLACE, PLACE, near, late()]
"""


def test_every_form_of_import_means_the_copy(tmp_path: Path) -> None:
    for name in ("cards", "late", "properties"):
        (tmp_path / f"{name}.py").write_text("PLACE = __file__\n", encoding="utf-8")
    (tmp_path / "rules.py").write_text(IMPORTS, encoding="utf-8")
    (tmp_path / "cards").mkdir()  # data beside a module of the same name
    package = copies.load("fly_high", tmp_path, None)
    rules = importlib.import_module(f"{package.__name__}.rules")
    assert {Path(place) for place in rules.ALL} == {tmp_path / "cards.py", tmp_path / "late.py"}
    assert str(tmp_path / "properties.py") == rules.mine.PLACE
    assert rules.language is rules.models.language is importlib.import_module("models.language")


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"rules": "from models.fly_high.cards import Face", "cards": ""}, "fly_high"),
        ({"rules": "from models.fly_high import cards", "cards": ""}, "fly_high"),
        ({"rules": "from models.fly_high.cards import Face"}, None),
        ({"rules": "from models.language import Rulebook", "language": ""}, None),
        ({"rules": "from models.fly_high.table import book", "table": "import models.fly_high.table"}, None),
    ],
)
def test_what_a_folder_is_a_copy_of(files: dict[str, str], name: str | None, tmp_path: Path) -> None:
    for stem, text in files.items():
        (tmp_path / f"{stem}.py").write_text(f"{text}\n", encoding="utf-8")
    assert copies.original(tmp_path, registry.names()) == name
