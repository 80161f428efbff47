"""Imports point one way: models.language <- models.<rulebook> <- properties <- solvers <- findings.

`properties` and `solvers` find a rulebook through the registry and never name one, but that the properties of
a rulebook (`properties/<rulebook>.py`) name it; nothing under `models` imports an engine's library.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("models", "properties", "solvers", "findings")
LAYERS = {"language": 0, "rulebook": 1, "properties": 2, "solvers": 3, "findings": 4}
ENGINE_LIBRARIES = {"z3", "hypothesis", "wasmtime", "networkx"}
IMPORT_FUNCTIONS = {"import_module", "__import__"}


def layer(module: str) -> str | None:
    """The layer of a dotted module name; None for a module from outside the project."""
    package, _, rest = module.partition(".")
    if package == "models":
        return "language" if rest.split(".")[0] in ("", "language") else "rulebook"
    return package if package in PACKAGES else None


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """Every (line, dotted module) that a file imports: statements and `import_module` with a constant.

    `from a import b` gives both `a` and `a.b`, as `b` may be a module.
    """
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else ()
                base = ".".join([*above, *([module] if module else [])])
                yield node.lineno, base
                yield from ((node.lineno, f"{base}.{name.name}") for name in names)
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called),
                args=[ast.Constant(str(name)), *_],
            ) if called in IMPORT_FUNCTIONS:
                yield node.lineno, name.lstrip(".")


def is_known_module(name: str, root: Path) -> bool:
    at = root.joinpath(*name.split("."))
    return at.is_dir() or at.with_suffix(".py").is_file()


def is_own(module: str, name: str) -> bool:
    """Whether a module of properties imports the rulebook that it is named after."""
    return f"{name}.".startswith(f"models.{module.removeprefix('properties.')}.")


def wrong_imports(root: Path) -> list[str]:
    """One line for each import that points the wrong way, in order of file and line."""
    found = []
    for path in sorted(p for package in PACKAGES for p in root.joinpath(package).rglob("*.py")):
        module = module_name(path, root)
        own = layer(module)
        assert own is not None
        for line, name in imported(path, root):
            where = f"{path.relative_to(root)}:{line}: {module} imports {name}"
            if own in ("language", "rulebook") and name.split(".")[0] in ENGINE_LIBRARIES:
                found.append(f"{where}: an engine's library")
            target = layer(name)
            if target is None or (target == "rulebook" and not is_known_module(name, root)):
                continue
            if LAYERS[target] > LAYERS[own]:
                found.append(f"{where}: {own} stands below {target}")
            elif target == "rulebook" and own in ("properties", "solvers") and not is_own(module, name):
                found.append(f"{where}: a rulebook by name")
    return list(dict.fromkeys(found))


def test_every_import_of_the_project_points_the_right_way() -> None:
    assert wrong_imports(ROOT) == []


def test_the_check_sees_all_four_packages() -> None:
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    assert {module_name(path, ROOT).split(".")[0] for path in files} == set(PACKAGES)


def project(root: Path, files: dict[str, str]) -> Path:
    standing = ["models/language/terms.py", "models/tic/rules.py", "properties/kinds.py"]
    standing += ["solvers/explorer.py", "findings/audit.py"]
    for name in [*standing, *files]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files.get(name, ""), encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        ("models/language/x.py", "import models.tic.rules", "language stands below rulebook"),
        ("models/language/x.py", "from ..tic import rules", "language stands below rulebook"),
        ("models/language/x.py", "def f():\n    import z3", "an engine's library"),
        ("models/tic/x.py", "from properties import kinds", "rulebook stands below properties"),
        ("properties/x.py", "import solvers.explorer", "properties stands below solvers"),
        ("properties/x.py", "from models.tic.rules import book", "a rulebook by name"),
        ("properties/x.py", "from models import tic", "a rulebook by name"),
        ("solvers/x.py", "import importlib\nimportlib.import_module('models.tic')", "a rulebook by name"),
        ("solvers/x.py", "if True:\n    from findings import audit", "solvers stands below findings"),
    ],
)
def test_a_wrong_import_is_named_with_its_place(tmp_path: Path, name: str, source: str, message: str) -> None:
    found = wrong_imports(project(tmp_path, {name: source}))
    line = source.count("\n") + 1
    assert found
    assert all(row.startswith(f"{name}:{line}: ") and row.endswith(f": {message}") for row in found), found


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("models/tic/x.py", "from models.language import terms\nfrom . import rules"),
        ("properties/x.py", "from models.language.terms import anything"),
        ("properties/tic.py", "from models.tic.rules import book"),
        ("solvers/x.py", "import z3\nimport properties.kinds\nfrom models import language"),
        ("findings/x.py", "import models.tic.rules\nimport solvers.explorer"),
    ],
)
def test_a_right_import_is_not_reported(tmp_path: Path, name: str, source: str) -> None:
    assert wrong_imports(project(tmp_path, {name: source})) == []
