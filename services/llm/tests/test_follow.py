"""The server ends when another model is chosen, with and without a container."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from llm_support import START

FOLLOW = START.with_name("follow.sh")
SERVER = """#!{python}
import sys, time
if sys.argv[1] == "--version":
    sys.exit(0)
if sys.argv[1] == "--help":
    print("-t -c -n -b -m -np --alias --host --port --cache-ram --jinja --reasoning --metrics --slots --no-ui")
    print("--cors-origins")
    sys.exit(0)
print("serves", sys.argv[sys.argv.index("-m") + 1], flush=True)
time.sleep(600)
"""
LIMIT_S = 60


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "chosen"
    (folder / "store").mkdir(parents=True)
    for name in ("old", "new"):
        (folder / "store" / f"{name}.gguf").write_bytes(b"GGUF")
    point(folder, "old")
    return folder


def point(models: Path, name: str) -> None:
    """As the fetcher does, in one step."""
    (models / ".link").symlink_to(f"store/{name}.gguf")
    (models / ".link").replace(models / "llm.gguf")


def server(folder: Path) -> Path:
    program = folder / "llama-server"
    program.write_text(SERVER.format(python=sys.executable))
    program.chmod(0o755)
    return program


@pytest.fixture
def in_container(models: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = ["sh", str(FOLLOW), str(models / "llm.gguf"), str(server(tmp_path)), "--alias", "local"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.terminate()


def served(process: subprocess.Popen[str]) -> str:
    """The model that the server says it serves, after whatever else is said before."""
    assert process.stdout
    while not (line := process.stdout.readline()).startswith("serves "):
        assert line, "it ended"
    return line.removeprefix("serves ").strip()


def test_ends_when_another_model_is_chosen(
    models: Path, tmp_path: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    server(tmp_path / "bin")
    process = start(MODELS_DIR=str(models))
    # It reports the file's real name, so that people can see which model it is.
    assert served(process) == str(models / "store/old.gguf")

    point(models, "new")

    process.wait(LIMIT_S)
    assert served(start(MODELS_DIR=str(models))) == str(models / "store/new.gguf")


def test_leaves_no_process_behind_when_the_server_ends_at_once(models: Path) -> None:
    program = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        f"sys.path.insert(0, {str(START.parent)!r})\n"
        "from starting import follow\n"
        "server, die_with_parent = os.getpid(), follow.die_with_parent\n"
        "def begin_late(*args):\n"
        "    while os.getppid() == server:\n"
        "        time.sleep(0.01)\n"
        "    die_with_parent(*args)\n"
        "follow.die_with_parent = begin_late\n"
        "follow.end_when_moved(Path(sys.argv[1]), Path(sys.argv[1]).resolve())\n"
    )

    # Ends only when no process holds the pipe any more.
    subprocess.run([sys.executable, "-c", program, str(models / "llm.gguf")], capture_output=True, timeout=LIMIT_S)


def test_continues_without_a_target_of_the_link(models: Path, in_container: subprocess.Popen[str]) -> None:
    served(in_container)
    (models / "llm.gguf").unlink()

    with pytest.raises(subprocess.TimeoutExpired):
        in_container.wait(3)


def test_ends_in_a_container_too(models: Path, in_container: subprocess.Popen[str]) -> None:
    assert served(in_container) == str(models / "store/old.gguf")

    point(models, "new")

    in_container.wait(LIMIT_S)


def test_stops_at_once_when_the_container_is_stopped(in_container: subprocess.Popen[str]) -> None:
    served(in_container)

    in_container.terminate()

    in_container.wait(LIMIT_S)
