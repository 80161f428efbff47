"""Programs held against a rulebook: one right, the others wrong in one way each; what cannot be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from models.language.errors import ModelError
from solvers.flows import flow
from solvers.flows.against import Comparison, Names, compare, read_machine
from solvers.flows.against.names import plain
from tests.flow_games import lanterns

MADE = Path(__file__).parent / "implementations"
FLOW = flow(lanterns().build(), games=20)
NAMES = Names.load(MADE / "names.toml")
CLASS_NAMES = Names(moves=NAMES.moves, ignored={"states": frozenset({"nextPlayer"})})
BGIO_NAMES = Names(moves={"guessTheWind": ("guess",)})


def copy(tmp_path: Path, folder: str) -> Path:
    return Path(shutil.copytree(MADE / folder, tmp_path / folder))


def changed(path: Path, old: str, new: str) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count(old) == 1, old
    path.write_text(source.replace(old, new), encoding="utf-8")


def told(found: Comparison) -> list[tuple[str, str, str, str]]:
    return [(d.kind, d.state, d.phase, d.what) for d in found.differences]


# -- right ---------------------------------------------------------------------------------------------------


def test_the_array_form_that_is_right() -> None:
    found = compare(FLOW, read_machine(MADE / "bga_array" / "states.inc.php"), NAMES)
    assert found.differences == ()
    assert found.matched == {
        "light": ("LIGHT",),
        "guess": ("GUESS",),
        "settle": ("SETTLE",),
        "gameEnd": ("OVER",),
    }
    assert found.machine.form == "bga-array"


@pytest.mark.parametrize("path", ["bga_classes", "bga_classes/States"])
def test_the_class_form_that_is_right(path: str) -> None:
    found = compare(FLOW, read_machine(MADE / path), CLASS_NAMES)
    assert found.differences == ()
    assert found.machine.form == "bga-classes"
    assert found.machine.states["Light"].moves == ("actLight", "actRest")
    assert {(t.source, t.target) for t in found.machine.transitions} == {
        ("gameSetup", "Light"),
        ("Light", "guess"),
        ("Light", "nextPlayer"),
        ("guess", "Settle"),
        ("nextPlayer", "Light"),
        ("Settle", "nextPlayer"),
        ("Settle", "gameEnd"),
    }


def test_the_boardgameio_game_that_is_right() -> None:
    found = compare(FLOW, read_machine(MADE / "boardgameio" / "game.js"), BGIO_NAMES)
    assert found.differences == ()
    assert found.passed == ("SETTLE",)
    assert {(t.source, t.target, t.name) for t in found.machine.transitions if t.certain} == {
        ("(setup)", "light", ""),
        ("light", "guess", "light"),
        ("light", "light", "rest"),
        ("guess", "light", "guessTheWind"),
    }


def test_phases_of_boardgameio_lead_on_by_next_setphase_and_endphase() -> None:
    found = read_machine(MADE / "boardgameio" / "phases.js")
    assert {n: s.moves for n, s in found.states.items()} == {
        "(setup)": (),
        "draft": ("deal",),
        "trade": ("offer", "close"),
        "count": (),
        "(end)": (),
    }
    assert {(t.source, t.target, t.name) for t in found.transitions} == {
        ("(setup)", "draft", ""),
        ("draft", "trade", ""),
        ("trade", "draft", "offer"),
        ("trade", "draft", "close"),
        ("trade", "count", "close"),
        ("count", "(end)", ""),
    }


# -- wrong in one way each -----------------------------------------------------------------------------------

_AUCTION = '    6 => ["name" => "auction", "type" => "game", "transitions" => ["" => 99]],\n    99 => ['
WRONG = {
    "state-without-phase": ("    99 => [", _AUCTION, ("state-without-phase", "auction", "", "")),
    "transition-not-allowed": (
        '["guessed" => Lamp::SETTLE]',
        '["guessed" => Lamp::SETTLE, "giveUp" => 99]',
        ("transition-not-allowed", "guess", "", "gameEnd"),
    ),
    "transition-missing": (
        '["go" . "On" => ST_NEXT_PLAYER, "end" => 99]',
        '["go" . "On" => ST_NEXT_PLAYER]',
        ("transition-missing", "settle", "SETTLE", "gameEnd"),
    ),
    "move-missing": (
        'array("actLight", "actRest")',
        'array("actLight")',
        ("move-missing", "light", "", "rest"),
    ),
    "move-not-allowed": (
        '["actGuessTheWind"]',
        '["actGuessTheWind", "actPeek"]',
        ("move-not-allowed", "guess", "", "actPeek"),
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_an_array_that_is_wrong_in_one_way(tmp_path: Path, kind: str) -> None:
    old, new, expected = WRONG[kind]
    path = copy(tmp_path, "bga_array") / "states.inc.php"
    changed(path, old, new)
    found = compare(FLOW, read_machine(path), NAMES)
    assert told(found) == [expected]
    (difference,) = found.differences
    line = path.read_text(encoding="utf-8").splitlines()[difference.line - 1]
    assert difference.file == "states.inc.php"
    assert f'"{difference.state}"' in line + path.read_text(encoding="utf-8").splitlines()[difference.line]


def test_a_phase_in_which_a_player_chooses_needs_a_state(tmp_path: Path) -> None:
    path = copy(tmp_path, "bga_array") / "states.inc.php"
    source = path.read_text(encoding="utf-8")
    begin, end = source.index("    ST_GUESS => array("), source.index("    ST_NEXT_PLAYER =>")
    path.write_text(source[:begin] + source[end:], encoding="utf-8")
    changed(path, '"light" => ST_GUESS', '"light" => Lamp::SETTLE')
    names = Names(ignored=NAMES.ignored)
    found = compare(FLOW, read_machine(path), names)
    assert told(found) == [("phase-without-state", "", "GUESS", "")]
    assert found.differences[0].clauses == ("guess",)


CLASS_WRONG = {
    "transition-not-allowed": (
        "Guess.php",
        "return 'guessed';",
        "return $wind ? 'guessed' : 99;",
        [("transition-not-allowed", "guess", "", "gameEnd")],
    ),
    "transition-missing": (
        "Settle.php",
        "return $settled == 2 ? GAME_END : NextPlayer::class;",
        "return GAME_END;",
        [("transition-missing", "Settle", "SETTLE", "Light")],
    ),
    "move-missing": (
        "Light.php",
        "    #[PossibleAction]\n    public function actRest",
        "    public function actRest",
        [("move-missing", "Light", "", "rest")],
    ),
    "move-not-allowed": (
        "Light.php",
        "    private function passOn",
        "    #[PossibleAction]\n    public function actPeek() {}\n\n    private function passOn",
        [("move-not-allowed", "Light", "", "actPeek")],
    ),
}


@pytest.mark.parametrize("kind", CLASS_WRONG)
def test_classes_that_are_wrong_in_one_way(tmp_path: Path, kind: str) -> None:
    file, old, new, expected = CLASS_WRONG[kind]
    folder = copy(tmp_path, "bga_classes")
    changed(folder / "States" / file, old, new)
    assert told(compare(FLOW, read_machine(folder), CLASS_NAMES)) == expected


def test_a_class_that_stands_for_no_phase(tmp_path: Path) -> None:
    folder = copy(tmp_path, "bga_classes")
    source = (folder / "States" / "Settle.php").read_text(encoding="utf-8")
    changed = source.replace("class Settle", "class Auction").replace("id: 5", "id: 6")
    (folder / "States" / "Auction.php").write_text(changed, encoding="utf-8")
    found = compare(FLOW, read_machine(folder), CLASS_NAMES)
    assert told(found) == [("state-without-phase", "Auction", "", "")]
    assert found.differences[0].file == "Auction.php"


BGIO_WRONG = {
    "state-without-phase": (
        "game.js",
        "      guess: { moves",
        "      haggle: { moves: {} },\n      guess: { moves",
        [("state-without-phase", "haggle", "", "")],
    ),
    "transition-not-allowed": (
        "moves.js",
        "  G.rested = true;",
        "  G.rested = true;\n  if (G.settled) events.endGame();",
        [("transition-not-allowed", "light", "", "(end)")],
    ),
    "move-missing": ("game.js", "{ light, rest } }", "{ light } }", [("move-missing", "light", "", "rest")]),
    "move-not-allowed": (
        "game.js",
        "{ moves: { guessTheWind } }",
        "{ moves: { guessTheWind, peek: () => {} } }",
        [("move-not-allowed", "guess", "", "peek")],
    ),
    "transition-missing": (
        "moves.js",
        "  events.setStage('guess');",
        "",
        [("transition-missing", "light", "LIGHT", "guess")],
    ),
}


@pytest.mark.parametrize("kind", BGIO_WRONG)
def test_a_boardgameio_game_that_is_wrong_in_one_way(tmp_path: Path, kind: str) -> None:
    file, old, new, expected = BGIO_WRONG[kind]
    folder = copy(tmp_path, "boardgameio")
    changed(folder / file, old, new)
    assert told(compare(FLOW, read_machine(folder / "game.js"), BGIO_NAMES)) == expected


# -- what cannot be read -------------------------------------------------------------------------------------


def test_a_way_on_that_the_text_does_not_name_is_told_and_makes_no_difference(tmp_path: Path) -> None:
    folder = copy(tmp_path, "bga_classes")
    changed(
        folder / "States" / "Settle.php",
        "return $settled == 2 ? GAME_END",
        "return $settled == 2 ? $this->game->end()",
    )
    found = compare(FLOW, read_machine(folder), CLASS_NAMES)
    assert found.differences == ()
    assert found.unread == {"Settle": ("$this->game->end()",)}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.php",
            b"<?php $machinestates = [ 1 => ;",
            r"this is not valid PHP: .*a\.php:1|a\.php:1.*not valid PHP",
        ),
        ("a.php", b"<?php\nclass X {\n  function f( {\n}", r"a\.php:\d.*not valid PHP"),
        ("a.php", b"hello", "there is no PHP in the file"),
        ("a.php", b"", "there is no PHP in the file"),
        ("a.php", b"<?php // caf\xe9", "not UTF-8"),
        ("a.php", b"<?php $x = 1;", r"neither \$machinestates nor a class that extends GameState"),
        (
            "a.php",
            b"<?php $machinestates = load();",
            r"\$machinestates is not an array that can be read: load\(\)",
        ),
        ("a.php", b"<?php $machinestates = [2 => two()];", r"state 2 cannot be read: two\(\)"),
        ("a.js", b"export const x = {", "not valid JavaScript"),
        ("a.js", b"const x = 1;", "there is no boardgame.io game"),
        ("a.ts", b"const x: number = 1;", "TypeScript is not read"),
        ("a.py", b"x = 1", "neither PHP nor JavaScript"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_message(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ModelError, match=message):
        read_machine(path)


def test_a_missing_file_and_an_empty_folder_are_one_message(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no such file or folder"):
        read_machine(tmp_path / "none.php")
    with pytest.raises(ModelError, match="neither .machinestates nor a class"):
        read_machine(tmp_path)


def test_nothing_outside_the_program_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.php").write_text("<?php const ST = 2;", encoding="utf-8")
    inner = tmp_path / "game" / "a" / "b" / "c"
    inner.mkdir(parents=True)
    path = inner / "states.inc.php"
    path.write_text(
        '<?php require_once("../../../../secret.php");\n'
        '$machinestates = [ST => ["name" => "x", "type" => "game", "transitions" => ["" => ST]]];',
        encoding="utf-8",
    )
    machine = read_machine(path)
    assert [(t.source, t.target) for t in machine.transitions if t.source == "x"] == [("x", "x")]
    assert machine.states["gameSetup"].kind == "start" if "gameSetup" in machine.states else True


LIGHT = '["name" => "light", "type" => "activeplayer", "possibleactions" => ["actLight"]]'


@pytest.mark.parametrize(
    "text",
    [
        f"$machinestates[2] = {LIGHT};",
        f"$machinestates = []; $machinestates[2] = {LIGHT};",
        f"$machinestates = [1 => ['name' => 'x', 'type' => 'game']]; $machinestates[] = {LIGHT};",
        f"$machinestates = [3 => ['name' => 'x', 'type' => 'game']]; $machinestates += [2 => {LIGHT}];",
        "$machinestates = [2 => ['name' => 'light', 'possibleactions' => ['actLight']]];"
        " $machinestates[2]['type'] = 'activeplayer';",
        "$machinestates[2]['name'] = 'light'; $machinestates[2]['type'] = 'activeplayer';"
        " $machinestates[2]['possibleactions'][] = 'actLight';",
    ],
)
def test_states_that_are_set_one_by_one_are_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "states.inc.php"
    path.write_text(f"<?php {text}", encoding="utf-8")
    state = read_machine(path).states["light"]
    assert (state.kind, state.moves) == ("player", ("actLight",))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.php", "<?php $machinestates = [];", "machinestates has no state"),
        ("a.php", "<?php $machinestates = null;", "not an array that can be read: null"),
        ("a.php", "<?php $machinestates = [2 => null];", "state 2 cannot be read: null"),
        ("a.php", f"<?php $machinestates = {'[' * 3000}{']' * 3000};", "nested too deeply to be read"),
        ("a.php", f"<?php const A = {'1+' * 5000}1;", "nested too deeply to be read"),
    ],
)
def test_arrays_that_cannot_be_read(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        read_machine(tmp_path / name)


@pytest.mark.parametrize(
    "text",
    [
        "const m = { ...m, light() {} }; export default { moves: m, turn: {} };",
        "const m = { ...n, light() {} }; const n = { ...m }; export default { moves: m, turn: {} };",
        f"export default {{ moves: {{ light: () => {'f(' * 3000}1{')' * 3000} }}, turn: {{}} }};",
        f"const s = {'1 + ' * 3000}1; export default {{ moves: {{ light() {{}} }}, turn: {{}} }};",
    ],
)
def test_objects_that_hold_themselves_and_long_expressions_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "game.js").write_text(text, encoding="utf-8")
    assert read_machine(tmp_path / "game.js").states["play"].moves == ("light",)


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two"),
    [("actLight", "light"), ("TURN_UP", "turnUp"), ("stSettle", "settle"), ("active", "Active")],
)
def test_names_that_mean_the_same(one: str, two: str) -> None:
    assert plain(one) == plain(two)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[states", "this is not TOML"),
        ("[state]\n", "there is a table 'state'"),
        ("[ignore]\nstate = []", "ignore.state is unknown"),
        ("[moves]\na = 1", "moves.a is neither a text nor a list of texts"),
        ("states = 3", "states is not a table"),
    ],
)
def test_a_wrong_mapping_file_is_one_message(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "names.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        Names.load(path)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (Names(states={"lihgt": ("LIGHT",)}), "there is no state 'lihgt'.*\n?.*light"),
        (Names(states={"light": ("LIHGT",)}), "there is no phase 'LIHGT'.*\n?.*LIGHT"),
        (Names(moves={"actLigth": ("light",)}), "there is no move 'actLigth'"),
        (Names(moves={"actLight": ("ligth",)}), "there is no rule 'ligth'"),
        (Names(ignored={"transitions": frozenset({"x"})}), "there is no transition 'x'"),
    ],
)
def test_a_name_that_does_not_exist_is_told_with_the_nearest(names: Names, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        compare(FLOW, read_machine(MADE / "bga_array" / "states.inc.php"), names)


def test_one_state_may_stand_for_several_phases(tmp_path: Path) -> None:
    path = tmp_path / "game.js"
    path.write_text(
        "export default { setup: () => ({}), moves: { light: () => {}, rest: () => {}, guess: () => {} },"
        " endIf: () => 1 };",
        encoding="utf-8",
    )
    names = Names(states={"play": ("LIGHT", "GUESS")})
    assert compare(FLOW, read_machine(path), names).differences == ()
