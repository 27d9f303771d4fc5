"""Counters for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client import platform_collector as _platform
from prometheus_client import process_collector as _process

from .model import Model
from .transcript import Transcript
from .work_queue import WorkQueue

_SECONDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30)


class Metrics:
    """One registry per server; importing this module registers nothing."""

    def __init__(self, model: Model, queue: WorkQueue) -> None:
        self._registry = CollectorRegistry()
        _process.ProcessCollector(registry=self._registry)
        _platform.PlatformCollector(registry=self._registry)
        self._answers = self._counter("stt_answers", "Answers of the transcription route", ["status"])
        self._left = self._counter("stt_callers_left", "Callers that left before their answer", [])
        self._windows = self._counter("stt_transcripts", "Transcripts by window and reason", ["window", "reason"])
        self._sound = self._counter("stt_sound_seconds", "Seconds of sound transcribed", [])
        self._stages = Histogram(
            "stt_stage_seconds", "Time of each stage", ["stage"], buckets=_SECONDS, registry=self._registry
        )
        self._gauge("stt_waiting", "Requests that wait for the model").set_function(lambda: queue.waiting)
        self._gauge("stt_running", "Requests that the model works on").set_function(lambda: queue.running)
        self._gauge("stt_in_house", "Requests from their first byte to their answer").set_function(
            lambda: queue.in_house
        )
        self._gauge("stt_ready", "1 when the model is warm").set_function(lambda: int(model.state == "ready"))

    def answered(self, status: int) -> None:
        self._answers.labels(str(status)).inc()

    def caller_left(self) -> None:
        self._left.inc()

    def transcribed(self, transcript: Transcript) -> None:
        self._windows.labels(transcript.window, transcript.reason or "").inc()
        self._sound.inc(transcript.duration_s)
        for name, value_ms in vars(transcript.timings).items():
            self._stages.labels(name.removesuffix("_ms")).observe(value_ms / 1000)

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def _counter(self, name: str, explanation: str, labels: list[str]) -> Counter:
        return Counter(name, explanation, labels, registry=self._registry)

    def _gauge(self, name: str, explanation: str) -> Gauge:
        return Gauge(name, explanation, registry=self._registry)
