"""What the commands share: the words that name rulebooks, variants and sizes, and their completion.

Promises: a name that does not exist is one message with the nearest name; completing a name in the shell
never prints an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from findings.suggest import unknown
from models.language.errors import ModelError
from models.language.sizefiles import file_of

if TYPE_CHECKING:
    from models.language.book import Rulebook

SIZE_HELP = (
    "This size instead of the rulebook's first; FILE.toml or FILE.toml:NAME reads sizes of your own, where "
    "the rulebook has a format for them."
)

F = TypeVar("F", bound=Callable[..., Any])


class RulebookName(click.ParamType[str]):
    """A rulebook's name, or the path of a rulebook's folder or file."""

    name = "rulebook"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Names that begin so; paths where a path was begun."""
        if "/" in incomplete or incomplete.startswith("."):
            return [CompletionItem(incomplete, type="file")]
        from models.language import registry

        return _beginning(incomplete, registry.names())


class PartName(click.ParamType[str]):
    """The name of a variant or a size of the rulebooks on the command line.

    Args:
        name: `variant` or `size`.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Names that begin so, of the rulebooks that were named before; paths where one was begun."""
        if self.name == "size" and ("/" in incomplete or incomplete.startswith(".")):
            return [CompletionItem(incomplete, type="file")]
        named = ctx.params.get("rulebooks") or ctx.params.get("rulebook") or ctx.args
        return _beginning(incomplete, self._known([named] if isinstance(named, str) else named))

    def _known(self, rulebooks: Iterable[str]) -> Iterable[str]:
        from models.language import registry

        known: dict[str, None] = {}
        for name in list(rulebooks) or registry.names():
            try:
                book = registry.find(name)
            except ModelError:
                continue
            known.update(dict.fromkeys(book.variants if self.name == "variant" else book.sizes))
        return known


def _beginning(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def variant_option(*, multiple: bool) -> Callable[[F], F]:
    """The option `--variant`, also called `--level`."""
    return click.option(
        "--variant",
        "--level",
        "variants" if multiple else "variant",
        metavar="NAME",
        type=PartName("variant"),
        multiple=multiple,
        help="Only this variant of the game; may be repeated." if multiple else "This variant of the game.",
    )


def size_option() -> Callable[[F], F]:
    """The option `--size`."""
    return click.option("--size", metavar="NAME", type=PartName("size"), help=SIZE_HELP)


def checked_variants(book: Rulebook, wanted: Iterable[str]) -> tuple[str, ...]:
    """The variants to take: those wanted, or all.

    Errors:
        ModelError: if the rulebook has no such variant.
    """
    for variant in wanted:
        if variant not in book.variants:
            raise unknown(f"variant of {book.name}", variant, book.variants)
    return tuple(dict.fromkeys(wanted)) or tuple(book.variants)


def checked_size(book: Rulebook, wanted: str | None) -> str:
    """The size to take: the one wanted, or the rulebook's first; that of a file is `FILE.toml:NAME`.

    Errors:
        ModelError: if the rulebook has no such size, or a file is not as it should be.
    """
    if wanted is None:
        return next(iter(book.sizes))
    if wanted not in book.sizes and file_of(wanted) is not None:
        return book.find_size(wanted)[0]
    if wanted not in book.sizes:
        raise unknown(f"size of {book.name}", wanted, book.sizes)
    return wanted


def recorded_folder(book: Rulebook, given: Path | None) -> Path:
    """The folder of a rulebook's recorded findings.

    Args:
        book: the rulebook.
        given: the folder that the user named, if any.

    Returns:
        That folder; else, for a rulebook that comes with the program, the program's own; else `accepted`
        beside the rulebook's file.
    """
    from findings.baseline import RECORDED
    from models.language import registry

    if given is not None:
        return given
    own = Path(registry.__file__).parent.parent
    if book.folder is not None and book.folder.resolve().parent == own.resolve():
        return RECORDED
    return (book.folder or Path()) / "accepted"
