"""Runs one transcription at a time, on one thread, in the order of the waiting line.

The event loop owns all state; the thread only runs single steps of one job. Between two steps a more urgent
job may overtake. The queue drops a job whose caller left.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from .errors import ApiError, overloaded, shutting_down
from .transcriber import Steps
from .transcript import Transcript
from .waiting_line import WaitingLine

# Weight of the newest transcription in the expected time of the next.
_SMOOTHING = 0.2
_FIRST_GUESS_S = 0.5


class Place:
    """A request's place, from its first byte to its answer. `WorkQueue` assigns and releases it."""

    def __init__(self, urgency: int, arrival: int, held_bytes: int) -> None:
        self.urgency = urgency
        self.arrival = arrival
        self.held_bytes = held_bytes


class _Job:
    def __init__(self, place: Place, begin: Callable[[], Steps], answer: asyncio.Future[Transcript]) -> None:
        self.place = place
        self.begin = begin
        self.answer = answer
        self.steps: Steps | None = None
        self.waiting_since = time.perf_counter()
        self.waited_s = 0.0
        self.worked_s = 0.0

    def advance(self) -> Transcript | None:
        """Runs one step on the worker thread; returns the transcript after the last."""
        if self.steps is None:
            self.steps = self.begin()
        try:
            next(self.steps)
        except StopIteration as finished:
            transcript: Transcript = finished.value
            return transcript
        return None


class WorkQueue:
    """Limits the places, the waiting line and the memory, and runs the jobs."""

    def __init__(self, *, limit: int, memory_limit_bytes: int) -> None:
        self._limit = limit
        self._memory_limit_bytes = memory_limit_bytes
        self._arrivals = itertools.count()
        self._places: set[Place] = set()
        self._line: WaitingLine[_Job] = WaitingLine()
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="transcribe")
        self._running: _Job | None = None
        self._expected_s = _FIRST_GUESS_S
        self._refusal: ApiError | None = None
        # Time of the model's last transcription. Silence does not count, because the model never sees it.
        self.last_success_at: float | None = None

    @property
    def waiting(self) -> int:
        return len(self._line)

    @property
    def running(self) -> int:
        return int(self._running is not None)

    @property
    def closed(self) -> bool:
        return self._refusal is not None

    @property
    def in_house(self) -> int:
        return len(self._places)

    def take_place(self, urgency: int, expected_bytes: int) -> Place:
        """A place; an ApiError says when to try again. The caller must always leave the place."""
        if self._refusal:
            raise self._refusal
        if self._is_full(expected_bytes):
            raise overloaded(self._retry_after_s())
        place = Place(urgency, next(self._arrivals), expected_bytes)
        self._places.add(place)
        return place

    def leave(self, place: Place) -> None:
        self._places.discard(place)

    async def run(self, place: Place, begin: Callable[[], Steps]) -> Transcript:
        """Returns the transcript after this job's turn. A job cancelled earlier never begins."""
        if self._refusal:
            raise self._refusal
        job = _Job(place, begin, asyncio.get_running_loop().create_future())
        self._enqueue(job)
        try:
            transcript = await job.answer
        finally:
            self._line.remove(job)
        transcript.timings.queue_ms = job.waited_s * 1000
        return transcript

    async def on_thread(self, call: Callable[[], object]) -> None:
        """Runs other work on the model's thread: loading, warming up."""
        await asyncio.get_running_loop().run_in_executor(self._thread, call)

    async def work(self) -> None:
        """Serves the line until cancelled."""
        while True:
            while not len(self._line):
                self._wake.clear()
                await self._wake.wait()
            job = self._line.next()
            self._running = job
            try:
                await self._advance(job)
            finally:
                self._running = None

    def close(self, why: ApiError | None = None) -> None:
        """Assigns no new places; requests with a place are still served. `why`: the answer to later requests, by
        default that the server is stopping.
        """
        self._refusal = why or self._refusal or shutting_down()

    def give_up_waiting(self, why: ApiError | None = None) -> None:
        """Ends every unfinished job with this error, by default that the server is stopping."""
        self.close(why)
        jobs = [self._line.next() for _ in range(len(self._line))]
        for job in [*jobs, *([self._running] if self._running else [])]:
            if not job.answer.done():
                job.answer.set_exception(self._refusal or shutting_down())

    def stop(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _is_full(self, expected_bytes: int) -> bool:
        held_bytes = sum(place.held_bytes for place in self._places)
        # With no other request, any size is accepted. Uploads have a separate limit.
        over_memory = held_bytes > 0 and held_bytes + expected_bytes > self._memory_limit_bytes
        return len(self._places) >= self._limit or over_memory

    def _enqueue(self, job: _Job) -> None:
        job.waiting_since = time.perf_counter()
        self._line.add(job, urgency=job.place.urgency, arrival=job.place.arrival)
        self._wake.set()

    async def _advance(self, job: _Job) -> None:
        since = time.perf_counter()
        job.waited_s += since - job.waiting_since
        try:
            transcript = await asyncio.get_running_loop().run_in_executor(self._thread, job.advance)
        except Exception as failure:  # noqa: BLE001 -- whatever it is, it belongs to the caller who waits for it
            if not job.answer.done():
                job.answer.set_exception(failure)
            return
        job.worked_s += time.perf_counter() - since
        if transcript is None or transcript.window != "none":
            self.last_success_at = time.monotonic()
        if job.answer.done():
            return
        if transcript is None:
            self._enqueue(job)
            return
        self._expected_s += _SMOOTHING * (job.worked_s - self._expected_s)
        job.answer.set_result(transcript)

    def _retry_after_s(self) -> int:
        return max(1, math.ceil(len(self._places) * self._expected_s))
