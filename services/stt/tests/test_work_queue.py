import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator

import pytest
from stt_server.errors import ApiError
from stt_server.transcript import Transcript
from stt_server.work_queue import WorkQueue

MIB = 2**20


def transcript() -> Transcript:
    return Transcript(language="en", duration_s=1.0, window="short")


class Work:
    """Jobs that record when they begin, and whose steps wait until the test releases them."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate = threading.Event()

    def job(self, name: str, steps: int = 1):
        def begin():
            self.begun.append(name)
            self.gate.wait(5)
            for _ in range(steps - 1):
                yield
                self.begun.append(f"{name}, further")
            return transcript()

        return begin


@contextlib.asynccontextmanager
async def working(**limits: int) -> AsyncIterator[WorkQueue]:
    queue = WorkQueue(**{"limit": 8, "memory_limit_bytes": 100 * MIB, **limits})
    worker = asyncio.create_task(queue.work())
    try:
        yield queue
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        queue.stop()


def put(queue: WorkQueue, begin, urgency: int = 3) -> asyncio.Task[Transcript]:
    return asyncio.create_task(queue.run(queue.take_place(urgency, 0), begin))


async def until(is_so) -> None:
    async with asyncio.timeout(5):
        while not is_so():  # noqa: ASYNC110 -- what is waited for is the queue's own count, which has no event
            await asyncio.sleep(0.005)


def test_a_spoken_turn_is_begun_before_the_background():
    async def story() -> list[str]:
        work = Work()
        async with working() as queue:
            first = put(queue, work.job("first"))
            await until(lambda: queue.running)
            others = [put(queue, work.job("background"), 6), put(queue, work.job("turn"), 1)]
            await until(lambda: queue.waiting == 2)
            work.gate.set()
            await asyncio.gather(first, *others)
        return work.begun

    assert asyncio.run(story()) == ["first", "turn", "background"]


def test_a_spoken_turn_goes_between_the_pieces_of_a_long_recording():
    async def story() -> list[str]:
        work = Work()
        async with working() as queue:
            long = put(queue, work.job("long", steps=3), 5)
            await until(lambda: queue.running)
            turn = put(queue, work.job("turn"), 1)
            await until(lambda: queue.waiting == 1)
            work.gate.set()
            await asyncio.gather(long, turn)
        return work.begun

    assert asyncio.run(story()) == ["long", "turn", "long, further", "long, further"]


def test_a_caller_that_left_is_never_begun():
    async def story() -> list[str]:
        work = Work()
        async with working() as queue:
            first = put(queue, work.job("first"))
            await until(lambda: queue.running)
            gone, last = put(queue, work.job("gone")), put(queue, work.job("last"))
            await until(lambda: queue.waiting == 2)
            gone.cancel()
            await until(lambda: queue.waiting == 1)
            work.gate.set()
            await asyncio.gather(first, last)
        return work.begun

    assert asyncio.run(story()) == ["first", "last"]


def test_a_long_recording_whose_caller_left_stops_at_its_next_piece():
    async def story() -> list[str]:
        work = Work()
        async with working() as queue:
            long = put(queue, work.job("long", steps=9))
            await until(lambda: queue.running)
            long.cancel()
            work.gate.set()
            await put(queue, work.job("next"))
        return work.begun

    assert asyncio.run(story()) == ["long", "next"]


def test_names_a_retry_time_beyond_the_limit():
    async def story() -> ApiError:
        async with working(limit=2) as queue:
            queue.take_place(3, 0)
            queue.take_place(3, 0)
            with pytest.raises(ApiError) as refused:
                queue.take_place(0, 0)
        return refused.value

    error = asyncio.run(story())

    assert (error.status, error.code) == (429, "overloaded")
    assert int(error.headers()["retry-after"]) >= 1


def test_memory_held_by_uploads_is_bounded():
    async def story() -> list[bool]:
        async with working(memory_limit_bytes=50 * MIB) as queue:
            first = queue.take_place(3, 40 * MIB)
            refused = []
            for expected in (20 * MIB, 5 * MIB):
                try:
                    queue.leave(queue.take_place(3, expected))
                    refused.append(False)
                except ApiError:
                    refused.append(True)
            queue.leave(first)
            # A request that is alone may be larger than the whole limit.
            queue.leave(queue.take_place(3, 60 * MIB))
        return refused

    assert asyncio.run(story()) == [True, False]


def test_a_failure_reaches_its_caller_and_the_next_is_served():
    def failing():
        raise RuntimeError("the card fell out")
        yield

    async def story() -> Transcript:
        async with working() as queue:
            with pytest.raises(RuntimeError, match="card"):
                await put(queue, failing)
            return await put(queue, Work.job(_open_gate(), "next"))

    assert asyncio.run(story()).window == "short"


def test_stopping_finishes_waiting_requests_and_admits_none():
    async def story() -> tuple[list[str], str]:
        work = Work()
        async with working() as queue:
            tasks = [put(queue, work.job("running")), put(queue, work.job("waiting"))]
            await until(lambda: queue.running and queue.waiting)
            queue.close()
            with pytest.raises(ApiError) as refused:
                queue.take_place(0, 0)
            work.gate.set()
            await asyncio.gather(*tasks)
        return work.begun, refused.value.code

    assert asyncio.run(story()) == (["running", "waiting"], "shutting_down")


def test_informs_waiting_callers_after_the_grace_time():
    async def story() -> list[str]:
        work = Work()
        async with working() as queue:
            tasks = [put(queue, work.job("running")), put(queue, work.job("waiting"))]
            await until(lambda: queue.running and queue.waiting)
            queue.give_up_waiting()
            work.gate.set()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        return [outcome.code for outcome in outcomes if isinstance(outcome, ApiError)] + work.begun

    assert asyncio.run(story()) == ["shutting_down", "shutting_down", "running"]


def test_a_failure_is_the_answer_to_running_waiting_and_new_requests():
    failure = ApiError(503, "model_not_ready", "The graphics card failed.")

    async def story() -> list[object]:
        work = Work()
        async with working() as queue:
            tasks = [put(queue, work.job("running")), put(queue, work.job("waiting"))]
            await until(lambda: queue.running and queue.waiting)
            queue.give_up_waiting(failure)
            work.gate.set()
            with pytest.raises(ApiError) as refused:
                queue.take_place(0, 0)
            return [*await asyncio.gather(*tasks, return_exceptions=True), refused.value]

    assert asyncio.run(story()) == [failure, failure, failure]


def _open_gate() -> Work:
    work = Work()
    work.gate.set()
    return work
