"""Which server start.py starts, with which settings, and its message when it cannot start one."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from llm_support import START, drain, free_port, get_json, healthy, is_alive, select, wait_for
from starting.cores import physical_cores
from starting.errors import StartError
from starting.options import server_command
from starting.settings import read_settings

Start = Callable[..., subprocess.Popen[str]]

FAKE_SERVER = """#!{python}
import os
import sys
import tempfile
if sys.argv[1:] == ["--version"]:
    sys.exit({version_code})
if sys.argv[1:] == ["--help"]:
    print({help!r})
    sys.exit(0)
print("served by", sys.argv[1:], "niceness", os.nice(0), flush=True)
"""
HELP = """\
-t,    --threads N        -c,    --ctx-size N      -n,    --predict N      -b,    --batch-size N
-m,    --model FNAME      -np,   --parallel N      -a,    --alias STRING   --host HOST   --port PORT
-cram, --cache-ram N      --jinja, --no-jinja      -rea,  --reasoning [on|off|auto]
--metrics                 --slots, --no-slots      --ui,  --webui, --no-ui, --no-webui
--cors-origins ORIGINS    comma-separated list
"""


def put_llama_server(tmp_path: Path, version_code: int = 0, told: str = HELP) -> None:
    program = tmp_path / "bin" / "llama-server"
    program.write_text(FAKE_SERVER.format(python=sys.executable, version_code=version_code, help=told))
    program.chmod(0o755)


def test_gives_each_slot_the_chosen_context(models_dir: Path) -> None:
    select(models_dir, context=2048, slots=3)

    settings = read_settings({"MODELS_DIR": str(models_dir), "LLM_THREADS": "4"})

    command = server_command("llama-server", settings)
    assert command[command.index("-c") + 1] == "6144"
    assert command[command.index("-np") + 1] == "3"
    assert command[command.index("-t") + 1] == "4"
    assert command[command.index("--alias") + 1] == "local"


def test_starts_with_defaults_when_nothing_was_selected(models_dir: Path) -> None:
    (models_dir / "selection.json").unlink()

    settings = read_settings({"MODELS_DIR": str(models_dir)})

    assert (settings.slot_tokens, settings.slots, settings.host, settings.port) == (8192, 2, "127.0.0.1", 8080)


@pytest.mark.parametrize(("shares", "niceness"), [("1024", 0), ("341", 5), ("2", 28)])
def test_converts_cpu_shares_to_niceness(models_dir: Path, shares: str, niceness: int) -> None:
    assert read_settings({"MODELS_DIR": str(models_dir), "LLM_CPU_SHARES": shares}).niceness == niceness


@pytest.mark.parametrize(
    ("environment", "selection", "sentence"),
    [
        ({"LLM_PORT": "http"}, None, "LLM_PORT=http must be a whole number from 1 to 65535."),
        ({"LLM_SOCKET": "llm.sock"}, None, "LLM_SOCKET=llm.sock must be an absolute path that ends in .sock."),
        ({"LLM_SOCKET": "/run/llm"}, None, "LLM_SOCKET=/run/llm must be an absolute path that ends in .sock."),
        ({"LLM_THREADS": "0"}, None, "LLM_THREADS=0 must be a whole number from 1 to 1024."),
        ({}, '{"models": {"llm": {"context": "8k"}}}', "selection.json holds no usable 'context'"),
        ({}, "{", "fetch the models again with `make models`"),
    ],
)
def test_names_the_wrong_setting(
    models_dir: Path, environment: dict[str, str], selection: str | None, sentence: str
) -> None:
    if selection:
        (models_dir / "selection.json").write_text(selection)

    with pytest.raises(StartError, match=sentence.replace(".", r"\.")):
        read_settings({"MODELS_DIR": str(models_dir), **environment})


@pytest.mark.parametrize(
    ("layers", "flag"),
    [("", []), ("auto", []), ("all", ["-ngl", "9999"]), ("20", ["-ngl", "20"]), ("0", ["-ngl", "0"])],
)
def test_reads_the_layers_as_compose_does(models_dir: Path, layers: str, flag: list[str]) -> None:
    settings = read_settings({"MODELS_DIR": str(models_dir), "LLM_GPU_LAYERS": layers})

    command = server_command("llama-server", settings)

    assert command[command.index("localhost") + 1 :] == flag


def test_counts_cores_not_threads(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    blocks = [f"processor\t: {thread}\nphysical id\t: 0\ncore id\t: {thread // 2}\n" for thread in range(2)]
    cpuinfo.write_text("\n".join(blocks))

    assert physical_cores(cpuinfo) == 1


def test_names_the_missing_model(tmp_path: Path, start: Start) -> None:
    process = start(MODELS_DIR=str(tmp_path))

    _, told = process.communicate(timeout=20)

    assert process.returncode == 1
    assert told == (
        f"No language model is in place ({tmp_path}/llm.gguf is missing). Download one first with `make models`.\n"
    )


def test_uses_the_server_on_the_path(tmp_path: Path, models_dir: Path, start: Start) -> None:
    put_llama_server(tmp_path)

    process = start(MODELS_DIR=str(models_dir), LLM_PORT="8123")
    told, _ = process.communicate(timeout=20)

    assert process.returncode == 0
    assert "served by" in told
    assert f"'-m', '{models_dir}/llm.gguf'" in told
    assert "'--port', '8123'" in told
    assert f"niceness {os.nice(0) + 5}" in told


def test_skips_a_server_that_fails(tmp_path: Path, models_dir: Path, start: Start) -> None:
    put_llama_server(tmp_path, version_code=127)

    process = start(MODELS_DIR=str(models_dir), LLM_PORT=str(free_port()))
    told, error = process.communicate(timeout=30)

    assert "does not answer `--version`, so the server from the xllamacpp package is used." in told
    # The file holds four letters and no model, so the wheel's server refuses it. The server writes to the same stream,
    # so a piece of its own message may precede ours on the line.
    assert f"The language model {models_dir}/llm.gguf cannot be served:" in error
    assert process.returncode == 1


def test_skips_a_server_that_is_too_old(tmp_path: Path, models_dir: Path, start: Start) -> None:
    put_llama_server(tmp_path, told=HELP.replace("--reasoning", "--reasoning-format"))

    process = start(MODELS_DIR=str(models_dir), LLM_PORT=str(free_port()))
    told, _ = process.communicate(timeout=30)

    assert "does not know --reasoning, so the server from the xllamacpp package is used." in told


@pytest.mark.engine
def test_answers_under_its_alias_and_ends_on_a_signal(household_dir: Path, start: Start) -> None:
    port = free_port()
    process = start(MODELS_DIR=str(household_dir), LLM_PORT=str(port))
    drain(process)
    wait_for(lambda: healthy(port))

    models = get_json(f"http://127.0.0.1:{port}/v1/models")
    props = get_json(f"http://127.0.0.1:{port}/props")
    question = {"messages": [{"role": "user", "content": "What is the capital of France?"}], "temperature": 0}
    answer = get_json(f"http://127.0.0.1:{port}/v1/chat/completions", question)
    asked_at = time.monotonic()
    process.send_signal(signal.SIGTERM)
    code = process.wait(10)

    assert code == 0
    assert time.monotonic() - asked_at < 2
    assert [model["id"] for model in models["data"]] == ["local"]  # type: ignore[attr-defined,index]
    assert props["total_slots"] == 2
    assert props["default_generation_settings"]["n_ctx"] == 4096  # type: ignore[index]
    assert "Paris" in json.dumps(answer)


@pytest.mark.engine
def test_answers_on_a_socket_that_a_killed_server_left_behind(household_dir: Path, start: Start) -> None:
    # A socket's path is limited, and a test's own folder may be deep.
    with tempfile.TemporaryDirectory(prefix="llm-") as folder:
        path = Path(folder) / "llm.sock"
        first = start(MODELS_DIR=str(household_dir), LLM_SOCKET=str(path))
        drain(first)
        wait_for(lambda: answers_on(path))
        first.kill()
        first.wait(10)

        second = start(MODELS_DIR=str(household_dir), LLM_SOCKET=str(path))
        drain(second)

        wait_for(lambda: answers_on(path))


def answers_on(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(path))
            line.sendall(b"GET /health HTTP/1.0\r\n\r\n")
            return b" 200 " in line.recv(100)
        except OSError:
            return False


@pytest.mark.engine
def test_ends_on_a_signal_during_its_start(household_dir: Path, start: Start) -> None:
    process = start(MODELS_DIR=str(household_dir), LLM_PORT=str(free_port()))
    assert process.stdout
    process.stdout.readline()

    process.send_signal(signal.SIGTERM)

    assert process.wait(10) == 0


@pytest.mark.engine
def test_ends_with_the_program_that_started_it(household_dir: Path, tmp_path: Path) -> None:
    port = free_port()
    launcher = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, {str(START)!r}], stdout=-3, stderr=-3)\n"
        "print(child.pid, flush=True)\n"
        "child.wait()\n"
    )
    environment = {"PATH": str(tmp_path), "MODELS_DIR": str(household_dir), "LLM_PORT": str(port)}
    parent = subprocess.Popen([sys.executable, "-c", launcher], env=environment, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    wait_for(lambda: healthy(port))

    parent.kill()
    parent.communicate()

    wait_for(lambda: not is_alive(pid), limit_s=5)
