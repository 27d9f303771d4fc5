"""The server as its callers see it: a real process, a real socket, a real model."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from stt_support import (
    SERVICE,
    TEST_DEVICE,
    RunningServer,
    encode,
    long_sound,
    s16,
    silence,
    spoken,
    wait_for,
    wav_bytes,
    words,
)

pytestmark = pytest.mark.engine

QUESTION = wav_bytes(spoken("weather", before_s=0.3, after_s=0.7))
ANSWER = words("What's the weather like in Berlin?")


def error_of(answer: httpx.Response) -> tuple[int, str, str | None]:
    body = answer.json()
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"message", "type", "code", "param"}
    assert body["error"]["message"].endswith((".", "?")), body
    return answer.status_code, body["error"]["code"], body["error"]["param"]


def wav_header(*, channels=1, rate=16_000, bits=16, data_size: int) -> bytes:
    frame = channels * bits // 8
    fmt = struct.pack("<HHIIHH", 1, channels, rate, (rate * frame) & 0xFFFFFFFF, frame, bits)
    size = struct.pack("<I", data_size + 36)
    return b"RIFF" + size + b"WAVEfmt " + struct.pack("<I", 16) + fmt + b"data" + struct.pack("<I", data_size)


class TestAnswers:
    def test_json_holds_the_text(self, server: RunningServer):
        answer = server.transcribe(QUESTION)

        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == {"text": "What's the weather like in Berlin?"}

    @pytest.mark.parametrize(
        ("response_format", "content_type", "start"),
        [
            ("text", "text/plain", "What's the weather"),
            ("srt", "text/plain", "1\n00:00:00,"),
            ("vtt", "text/vtt", "WEBVTT\n\n00:00:00."),
        ],
    )
    def test_the_other_formats_are_valid(self, server: RunningServer, response_format, content_type, start):
        answer = server.transcribe(QUESTION, response_format=response_format)

        assert answer.headers["content-type"].startswith(content_type)
        assert answer.text.startswith(start)

    def test_verbose_json_has_scores_window_and_times(self, server: RunningServer):
        body = server.hear(QUESTION)

        assert (body["task"], body["language"], words(body["text"])) == ("transcribe", "en", ANSWER)
        assert abs(body["duration"] - 2.52) < 0.01
        assert body["segments"][0]["no_speech_prob"] < 0.3
        assert body["segments"][0]["avg_logprob"] > -0.6
        assert (body["hearth"]["window"], body["hearth"]["window_frames"]) == ("short", 1000)
        assert all(set(other) == {"text", "avg_logprob"} for other in body["hearth"]["alternatives"])
        timings = body["hearth"]["timings"]
        assert min(timings["decode_ms"], timings["encode_ms"], timings["generate_ms"]) > 0

    def test_window_full_turns_the_short_window_off(self, server: RunningServer):
        body = server.hear(QUESTION, window="full")

        assert (words(body["text"]), body["hearth"]["window"], body["hearth"]["reason"]) == (ANSWER, "full", "asked")

    def test_words_come_with_their_times(self, server: RunningServer):
        body = server.hear(QUESTION, **{"timestamp_granularities[]": ["word", "segment"]})

        assert [word["word"] for word in body["words"]] == ["What's", "the", "weather", "like", "in", "Berlin?"]
        assert 0.1 < body["words"][0]["start"] < body["words"][-1]["end"] < 2.3
        assert len(body["segments"]) == 1

    def test_uses_the_prompt(self, server: RunningServer):
        body = server.hear(QUESTION, prompt="What's the weather like in Munich?")

        assert body["hearth"]["prompt_tokens"] > 5
        assert words(body["text"]) == ANSWER

    def test_raw_pcm_needs_no_header(self, server: RunningServer):
        samples = s16(spoken("weather", before_s=0.3, after_s=0.7))

        for content_type in ("audio/pcm", "audio/raw"):
            assert words(server.transcribe(samples, content_type=content_type).json()["text"]) == ANSWER

    def test_a_compressed_recording_is_decoded(self, server: RunningServer):
        recording = encode(spoken("weather", before_s=0.3, after_s=0.7), "webm", "libopus", rate_hz=16_000)

        assert words(server.transcribe(recording, content_type="audio/webm").json()["text"]) == ANSWER

    def test_silence_has_an_empty_transcript(self, server: RunningServer):
        body = server.hear(wav_bytes(silence(3)))

        assert (body["text"], body["segments"], body["hearth"]["window"]) == ("", [], "none")

    def test_replaces_a_language_that_the_model_does_not_know(self, server: RunningServer):
        body = server.hear(QUESTION, language="de")

        assert (body["language"], body["hearth"]["language_forced"]) == ("en", True)

    def test_a_model_of_one_language_does_not_translate(self, server: RunningServer):
        answer = server.transcribe(QUESTION, route="translations")

        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "cannot_translate")

    def test_ignores_unknown_fields(self, server: RunningServer):
        assert server.transcribe(QUESTION, stream="true", vad_filter="true", colour="blue").status_code == 200

    def test_a_form_without_a_content_length_is_read(self, server: RunningServer):
        request = server.http.build_request(
            "POST", "/v1/audio/transcriptions", files={"file": ("a.wav", QUESTION)}, data={"model": "whisper-1"}
        )
        whole = request.read()
        pieces = (whole[start : start + 5000] for start in range(0, len(whole), 5000))
        headers = {"content-type": request.headers["content-type"]}

        answer = server.http.post("/v1/audio/transcriptions", content=pieces, headers=headers)

        assert words(answer.json()["text"]) == ANSWER


class TestOtherRoutes:
    def test_the_model_is_listed(self, server: RunningServer):
        models = server.http.get("/v1/models").json()

        assert [(model["id"], model["object"]) for model in models["data"]] == [("test-model", "model")]
        assert server.http.get("/v1/models/test-model").json() == models["data"][0]
        assert error_of(server.http.get("/v1/models/other")) == (404, "model_not_found", "model")

    def test_health_describes_the_running_model(self, server: RunningServer):
        health = server.health()

        assert (health["status"], health["device"], health["note"]) == ("ready", TEST_DEVICE, None)
        assert health["languages"] == ["en"]

    def test_metrics_count_the_requests(self, server: RunningServer):
        before = server.metric('stt_answers_total{status="200"}')

        server.transcribe(QUESTION)

        assert server.metric('stt_answers_total{status="200"}') == before + 1
        assert server.metric("stt_ready") == 1

    def test_unknown_routes_and_methods_have_the_same_error_shape(self, server: RunningServer):
        assert error_of(server.http.get("/nothing")) == (404, "not_found", None)
        assert error_of(server.http.get("/v1/audio/transcriptions")) == (405, "method_not_allowed", None)
        assert server.http.get("/docs").status_code == 404

    def test_the_health_check_proves_a_transcription(self, server: RunningServer):
        env = {**os.environ, "PYTHONPATH": str(SERVICE), "STT_PORT": str(server.port)}
        check = [sys.executable, "-m", "stt_server.healthcheck"]

        assert subprocess.run(check, env=env, timeout=30, check=False).returncode == 0
        assert server.health()["last_transcription_s_ago"] < 60
        assert subprocess.run(check, env=env | {"STT_PORT": "1"}, timeout=30, check=False).returncode == 1


class TestBadInput:
    @pytest.mark.parametrize(
        ("upload", "code"),
        [
            pytest.param(b"", "no_audio", id="empty"),
            pytest.param(b"x", "audio_unreadable", id="one byte"),
            pytest.param(QUESTION[:20], "audio_unreadable", id="header cut short"),
            pytest.param(wav_header(data_size=0), "no_audio", id="no samples"),
            pytest.param(wav_header(channels=100, data_size=2000) + bytes(2000), "audio_unreadable", id="100 channels"),
            pytest.param(wav_header(rate=1, data_size=2000) + bytes(2000), "audio_unreadable", id="1 Hz"),
            pytest.param(wav_header(rate=10_000_000, data_size=99) + bytes(99), "audio_unreadable", id="10 MHz"),
            pytest.param(b"#EXTM3U\n/etc/passwd\n", "audio_unreadable", id="playlist"),
            pytest.param(bytes(1_000_000), "audio_unreadable", id="zeros"),
            pytest.param(
                wav_header(rate=8000, bits=8, data_size=24_000_000) + bytes(24_000_000), "audio_too_long", id="50 min"
            ),
        ],
    )
    def test_refuses_unreadable_sound_with_a_clear_400(self, server: RunningServer, upload, code):
        assert error_of(server.transcribe(upload)) == (400, code, "file")

    def test_transcribes_a_truncated_recording_to_its_end(self, server: RunningServer):
        assert server.transcribe(QUESTION[: len(QUESTION) * 2 // 3]).status_code == 200

    def test_two_hours_of_sound_are_refused(self, server: RunningServer):
        two_hours = wav_header(data_size=7200 * 32_000)

        # A complete file of this size would be too large; this one only claims the size in its header.
        assert error_of(server.transcribe(two_hours + bytes(30 * 2**20)))[:2] == (413, "file_too_large")
        assert server.transcribe(two_hours + s16(silence(1))).json() == {"text": ""}

    def test_thirty_megabytes_are_refused_before_they_are_sent(self, server: RunningServer):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as caller:
            caller.sendall(
                b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: stt\r\nContent-Length: 31457280\r\n"
                b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
            )
            answer = caller.recv(4096)

        assert answer.startswith(b"HTTP/1.1 413 ")

    def test_an_endless_upload_is_refused_at_the_limit(self, server: RunningServer):
        def endless():
            yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
            for _ in range(40):
                yield bytes(2**20)

        headers = {"content-type": "multipart/form-data; boundary=x"}
        answer = server.http.post("/v1/audio/transcriptions", content=endless(), headers=headers)

        assert error_of(answer) == (413, "file_too_large", "file")

    @pytest.mark.parametrize(
        ("fields", "answer"),
        [
            ({"model": ""}, (400, "missing_required_parameter", "model")),
            ({"model": "large-v3"}, (404, "model_not_found", "model")),
            ({"language": "klingon"}, (400, "invalid_request", "language")),
            ({"response_format": "xml"}, (400, "invalid_request", "response_format")),
            ({"temperature": "2"}, (400, "invalid_request", "temperature")),
            ({"timestamp_granularities[]": "letter"}, (400, "invalid_request", "timestamp_granularities[]")),
        ],
    )
    def test_a_wrong_field_is_named(self, server: RunningServer, fields, answer):
        assert error_of(server.transcribe(QUESTION, **fields)) == answer

    def test_a_form_without_its_parts_is_refused(self, server: RunningServer):
        url = "/v1/audio/transcriptions"
        nothing = server.http.post(url, files={"other": ("a.wav", QUESTION)}, data={"model": "whisper-1"})
        text_part = server.http.post(url, files={"file": (None, b"words")}, data={"model": "whisper-1"})
        as_json = server.http.post(url, json={"model": "whisper-1"})
        headers = {"content-type": "multipart/form-data"}
        no_boundary = server.http.post(url, content=b"--x\r\n", headers=headers)
        broken = server.http.post(url, content=b"garbage", headers={"content-type": "multipart/form-data; boundary=x"})

        assert error_of(nothing) == (400, "invalid_request", "file")
        assert error_of(text_part) == (400, "no_audio", "file")
        assert error_of(as_json) == (415, "unsupported_content_type", None)
        assert error_of(no_boundary)[0] == 400
        assert error_of(broken)[0] == 400

    def test_very_many_fields_and_very_long_ones_are_refused(self, server: RunningServer):
        many = {f"field-{number}": "x" for number in range(200)}

        assert error_of(server.transcribe(QUESTION, **many))[0] == 400
        assert error_of(server.transcribe(QUESTION, prompt="x" * 200_000))[0] == 400


class TestManyCallers:
    def test_answers_or_defers_two_hundred_requests_at_once(self, server: RunningServer):
        with httpx.Client(timeout=120, limits=httpx.Limits(max_connections=200), trust_env=False) as http:

            def call(_: int) -> httpx.Response:
                return http.post(
                    f"{server.url}/v1/audio/transcriptions",
                    files={"file": ("a.wav", QUESTION)},
                    data={"model": "whisper-1"},
                )

            with ThreadPoolExecutor(200) as callers:
                answers = list(callers.map(call, range(200)))

        statuses = Counter(answer.status_code for answer in answers)
        assert statuses.keys() == {200, 429}
        assert statuses[200] >= 32
        assert all(words(answer.json()["text"]) == ANSWER for answer in answers if answer.status_code == 200)
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert (error_of(refused)[1], int(refused.headers["retry-after"]) >= 1) == ("overloaded", True)
        wait_for(lambda: server.metric("stt_in_house") == 0, 10)

    def test_starts_no_work_for_callers_that_left(self, server: RunningServer):
        begun = server.metric("stt_transcripts_total")
        left = server.metric("stt_callers_left_total")
        long = wav_bytes(long_sound(90))

        with ThreadPoolExecutor(1) as busy:
            running = busy.submit(server.hear, long)
            wait_for(lambda: server.metric("stt_running") == 1, 20)
            leavers = [_send_question(server) for _ in range(10)]
            wait_for(lambda: server.metric("stt_in_house") == 11, 20)
            for leaver in leavers:
                leaver.close()
            wait_for(lambda: server.metric("stt_callers_left_total") == left + 10, 20)
            assert server.metric("stt_waiting") == 0
            assert words(running.result()["text"])[:6] == ANSWER

        assert server.metric("stt_transcripts_total") == begun + 1

    def test_callers_that_leave_while_they_send_leave_nothing_behind(self, server: RunningServer):
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as caller:
                caller.sendall(_request_head(len(QUESTION) + 1000) + QUESTION[:5000])

        wait_for(lambda: server.metric("stt_in_house") == 0, 10)
        assert words(server.transcribe(QUESTION).json()["text"]) == ANSWER

    def test_a_spoken_turn_overtakes_a_long_recording(self, server: RunningServer):
        long = wav_bytes(long_sound(90))
        order: list[str] = []

        def call(name: str, sound: bytes, urgency: int) -> None:
            server.transcribe(sound, urgency=urgency)
            order.append(name)

        with ThreadPoolExecutor(2) as callers:
            background = callers.submit(call, "background", long, 6)
            wait_for(lambda: server.metric("stt_running") == 1, 20)
            callers.submit(call, "turn", QUESTION, 1).result()
            assert order == ["turn"]
            background.result()

        assert order == ["turn", "background"]


class TestLife:
    def test_it_answers_while_it_has_no_model_and_finds_it_later(self, model_dir: Path, tmp_path: Path):
        folder = tmp_path / "stt"
        with RunningServer(folder) as server:
            wait_for(lambda: server.health().get("status") == "failed", 20)
            assert server.health()["reason"] == "The folder that STT_MODEL_DIR names has no model.bin."
            assert server.http.get("/health").status_code == 503
            assert server.http.get("/v1/models").json()["data"] == []
            answer = server.transcribe(QUESTION)
            assert error_of(answer) == (503, "model_not_ready", None)
            assert "retry-after" in answer.headers

            folder.symlink_to(model_dir)
            server.wait_until_ready()
            assert words(server.transcribe(QUESTION).json()["text"]) == ANSWER

    def test_a_wrong_setting_stops_the_start_with_a_sentence(self, tmp_path: Path):
        with RunningServer(tmp_path, STT_DEVICE="toaster") as server:
            assert server.process.wait(20) == 2
            assert server.log() == "STT_DEVICE is 'toaster'; it must be auto, cpu or cuda.\n"

    def test_sigterm_finishes_accepted_requests_and_exits_with_zero(self, model_dir: Path):
        with RunningServer(model_dir) as server, ThreadPoolExecutor(4) as callers:
            server.wait_until_ready()
            long = wav_bytes(long_sound(90))
            running = callers.submit(server.hear, long)
            wait_for(lambda: server.metric("stt_running") == 1, 20)
            waiting = [callers.submit(server.hear, QUESTION) for _ in range(2)]
            wait_for(lambda: server.metric("stt_waiting") == 2, 20)

            server.terminate()

            assert words(running.result()["text"])[:6] == ANSWER
            assert [words(answer.result()["text"]) for answer in waiting] == [ANSWER, ANSWER]
            assert server.process.wait(20) == 0
            with pytest.raises(httpx.TransportError):
                server.transcribe(QUESTION)

    def test_informs_waiting_callers_after_the_grace_time_and_exits_with_zero(self, model_dir: Path):
        with RunningServer(model_dir, STT_GRACE_SECONDS="0") as server, ThreadPoolExecutor(2) as callers:
            server.wait_until_ready()
            long = wav_bytes(long_sound(120))
            running = callers.submit(server.transcribe, long)
            wait_for(lambda: server.metric("stt_running") == 1, 20)
            waiting = callers.submit(server.transcribe, QUESTION)
            wait_for(lambda: server.metric("stt_waiting") == 1, 20)

            server.terminate()

            assert error_of(waiting.result()) == (503, "shutting_down", None)
            assert error_of(running.result()) == (503, "shutting_down", None)
            assert server.process.wait(20) == 0

    def test_a_caller_that_sends_too_slowly_loses_its_place(self, model_dir: Path):
        with RunningServer(model_dir, STT_UPLOAD_SECONDS="1") as server:
            server.wait_until_ready()
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as caller:
                caller.sendall(_request_head(len(QUESTION) + 1000) + QUESTION[:5000])
                assert caller.recv(4096).startswith(b"HTTP/1.1 408 ")
            wait_for(lambda: server.metric("stt_in_house") == 0, 10)

    def test_nothing_spoken_is_logged(self, model_dir: Path):
        with RunningServer(model_dir, LOG_LEVEL="debug") as server:
            server.wait_until_ready()
            server.transcribe(QUESTION, prompt="my secret prompt")
            server.terminate()
            server.process.wait(20)
            log = server.log().lower()

        assert "ready" in log
        assert not {"weather", "berlin", "secret"} & set(words(log))


def _request_head(length: int) -> bytes:
    return (
        f"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: stt\r\nContent-Length: {length}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        'Content-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
    ).encode()


def _send_question(server: RunningServer) -> socket.socket:
    """A caller that has sent everything and may leave at any moment."""
    rest = b'\r\n--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--x--\r\n'
    part = _request_head(0).partition(b"\r\n\r\n")[2]
    caller = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    head = _request_head(len(part) + len(QUESTION) + len(rest))
    caller.sendall(head + QUESTION + rest)
    return caller
