"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from findings.output import STANDARD_OUTPUT, check_target, write_atomic
from models.language.errors import ModelError


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as refused:
        write_atomic(path, "new")
    return str(refused.value)


def test_text_and_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "report"
    write_atomic(path, "ä\r\nb\n")
    assert path.read_bytes() == b"\xc3\xa4\r\nb\n"
    write_atomic(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert list(tmp_path.iterdir()) == [path]


def test_a_lone_surrogate_is_written_out(tmp_path: Path) -> None:
    write_atomic(tmp_path / "report", '"\ud800"')
    assert (tmp_path / "report").read_text() == '"\\ud800"'


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "report", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "report").stat().st_mode) == 0o640


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "report"
    path.write_text("old")
    path.chmod(0o600)
    write_atomic(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_keeps_pointing_where_it_points(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "report"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    hint = "choose another place, or change its permissions"
    assert refusal(path) == f"{path}: cannot write: no space left on device; {hint}"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_to_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    hint = "choose another place, or change its permissions"
    with pytest.raises(ModelError) as refused:
        check_target(tmp_path / "report")
    told = f"{tmp_path}/report: cannot write: nothing can be written to {tmp_path}; {hint}"
    assert str(refused.value) == told
    check_target(Path(os.devnull))


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    path = tmp_path / "none" / "report"
    assert refusal(path) == f"{path}: cannot write: the folder {path.parent} does not exist; make it first"


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "report"
    assert refusal(path) == f"{path}: cannot write: {path.parent} is not a folder; choose another place"


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path}: cannot write: it is a folder; name a file in it"


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(**_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", denied)
    hint = "choose another place, or change its permissions"
    assert refusal(tmp_path / "report") == f"{tmp_path / 'report'}: cannot write: permission denied; {hint}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, "text")
    reader.join(timeout=10)
    assert got == [b"text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_hyphen_is_the_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_atomic(STANDARD_OUTPUT, "ä\n")
    assert capsysbinary.readouterr().out == "ä\n".encode()
