"""Audits side by side, kept between runs, and on a cluster give what one audit after the other gives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from findings.cluster import connected
from findings.finding import RulebookAudit
from findings.jobs import Done, Job, Kept, key, run_all
from findings.print_record import AtPrint, Record
from findings.scaffold import new_rulebook
from models.language.errors import ModelError


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Job]:
    folder = tmp_path_factory.mktemp("jobs")
    made = []
    for name in ("one", "two", "three"):
        game = new_rulebook(folder / name)
        at_print = AtPrint(record=Record(rulebook=name))
        made.append(Job(rulebook=str(game), variant="base", size="small", at_print=at_print))
    return made


@pytest.fixture(scope="module")
def alone(games: list[Job]) -> list[Done]:
    return run_all(games)


def plain(done: Done) -> RulebookAudit:
    """The audit without how long it took."""
    return attrs.evolve(done.audit, seconds=0.0)


def test_jobs_keep_their_order(alone: list[Done]) -> None:
    assert [d.audit.rulebook for d in alone] == ["one", "two", "three"]
    assert {d.audit.print_size for d in alone} == {"print"}


def test_processes_find_the_same(games: list[Job], alone: list[Done]) -> None:
    assert [plain(d) for d in run_all(games, workers=2)] == [plain(d) for d in alone]


def test_a_kept_result_is_the_result(games: list[Job], alone: list[Done], tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept")
    assert kept.load(games[0]) is None
    kept.save(games[0], alone[0])
    assert kept.load(games[0]) == alone[0]
    assert [f.name for f in (tmp_path / "kept").iterdir()] == [f"{key(games[0])[:40]}.json"]


def test_a_kept_result_is_used(games: list[Job], alone: list[Done], tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    other = attrs.evolve(alone[0], table="from an earlier run")
    kept.save(games[0], other)
    assert run_all(games[:1], kept=kept) == [other]


def test_another_option_or_file_has_another_key(games: list[Job], tmp_path: Path) -> None:
    assert key(games[0]) == key(games[0])
    assert key(attrs.evolve(games[0], rulings=True)) != key(games[0])
    game = new_rulebook(tmp_path / "game")
    job = attrs.evolve(games[0], rulebook=str(game))
    before = key(job)
    with (game / "words.toml").open("a", encoding="utf-8") as words:
        words.write("# more\n")
    assert key(job) != before


def test_two_single_files_in_one_folder_have_their_own_keys(tmp_path: Path) -> None:
    source = (
        "from models.language import Range, Rulebook, Size, State\n"
        "book = Rulebook('{name}', sizes={{'small': Size()}}, clauses=['a'])\n"
        "@book.state\nclass Table(State):\n    n = Range(0, 1)\n"
    )
    keys = set()
    for name in ("one", "two"):
        file = tmp_path / f"{name}.py"
        file.write_text(source.format(name=name), encoding="utf-8")
        keys.add(key(Job(rulebook=str(file), variant="base", size="small")))
    assert len(keys) == 2
    (tmp_path / "one.py").write_text(source.format(name="one") + "# changed\n", encoding="utf-8")
    assert key(Job(rulebook=str(tmp_path / "one.py"), variant="base", size="small")) not in keys


@pytest.mark.parametrize("content", ["", "{", "[]", '{"audit": 3}', "\x00", '{"audit": {}, "answers": 1}'])
def test_a_corrupt_file_counts_as_absent(games: list[Job], tmp_path: Path, content: str) -> None:
    kept = Kept(tmp_path)
    (tmp_path / f"{key(games[0])[:40]}.json").write_text(content, encoding="utf-8")
    assert kept.load(games[0]) is None


def test_the_result_of_another_job_counts_as_absent(
    games: list[Job], alone: list[Done], tmp_path: Path
) -> None:
    kept = Kept(tmp_path)
    kept.save(games[0], alone[0])
    assert kept.load(games[0]) == alone[0]
    (file,) = tmp_path.iterdir()
    file.rename(tmp_path / f"{key(games[1])[:40]}.json")
    assert kept.load(games[1]) is None


def test_a_file_that_is_saved_during_an_audit_does_not_get_its_result(
    games: list[Job], alone: list[Done], tmp_path: Path
) -> None:
    game, kept = new_rulebook(tmp_path / "game"), Kept(tmp_path / "kept")
    job = attrs.evolve(games[0], rulebook=str(game))
    assert kept.load(job) is None
    with (game / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write("# changed while the audit runs\n")
    kept.save(job, alone[0])
    assert kept.load(job) is None


def test_a_folder_that_cannot_be_made_keeps_nothing(
    games: list[Job], alone: list[Done], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    kept = Kept(tmp_path / "file" / "folder")
    kept.save(games[0], alone[0])
    assert kept.load(games[0]) is None


# -- a real cluster -------------------------------------------------------------------------------------


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and two workers, each a process of its own."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    file = tmp_path / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__PRELOAD": "[]"}
    base = [sys.executable, "-m", "distributed.cli"]
    scheduler = [
        *base[:-1],
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    worker = [
        *base[:-1],
        "distributed.cli.dask_worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
        "--local-directory",
        str(tmp_path),
    ]

    def start(command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            env=environment,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    processes = [start(scheduler)]
    try:
        deadline = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < deadline, "the scheduler did not start"
            time.sleep(0.1)
        processes += [start(worker), start(worker)]
        from distributed import Client  # type: ignore[import-untyped,unused-ignore]

        with Client(scheduler_file=str(file)) as client:  # type: ignore[no-untyped-call,unused-ignore]
            client.wait_for_workers(2, timeout=60)
            address = str(client.scheduler.address)
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_finds_the_same_and_a_lost_worker_loses_nothing(
    cluster: tuple[str, list[subprocess.Popen[str]]], games: list[Job], alone: list[Done]
) -> None:
    address, (_, first, _) = cluster
    with connected(address) as executor:
        os.kill(first.pid, signal.SIGKILL)
        assert [plain(d) for d in run_all(games, executor=executor)] == [plain(d) for d in alone]


def test_a_scheduler_that_does_not_answer_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr("findings.cluster.PATIENCE", 0.5)
    with (
        pytest.raises(ModelError, match="no scheduler answers; check the address"),
        connected("tcp://127.0.0.1:9"),
    ):
        pass
