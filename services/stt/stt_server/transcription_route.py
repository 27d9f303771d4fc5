"""Handles one transcription, from the first byte of the request to the answer."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Message, Receive

from .errors import ApiError, not_ready
from .metrics import Metrics
from .model import LoadedModel, Model
from .responses import as_json, as_srt, as_text, as_verbose_json, as_vtt
from .settings import Settings
from .sound_reader import SoundReader
from .transcript import Transcript
from .transcription_form import TranscriptionForm, read_form
from .upload import EarlyAnswer, Upload, announced_bytes, read_upload
from .waiting_line import urgency_of
from .whisper import LANGUAGES
from .work_queue import Place, WorkQueue

log = logging.getLogger("stt_server.transcriptions")

# No client sees this status, because the caller has left. Proxies log 499 for that.
_CALLER_LEFT = 499


class TranscriptionRoute:
    """`POST /v1/audio/transcriptions` and `/v1/audio/translations`."""

    def __init__(self, settings: Settings, model: Model, queue: WorkQueue, metrics: Metrics) -> None:
        self._settings = settings
        self._model = model
        self._queue = queue
        self._metrics = metrics
        self._sounds = SoundReader(max_sound_s=settings.max_sound_s, decode_timeout_s=settings.decode_timeout_s)

    async def __call__(self, request: Request, *, translate: bool = False) -> Response:
        body = _Body(request.receive)
        answer = await self._answer(Request(request.scope, body.receive), body, translate=translate)
        if answer.status_code == _CALLER_LEFT:
            self._metrics.caller_left()
        else:
            self._metrics.answered(answer.status_code)
        return answer

    async def _answer(self, request: Request, body: _Body, *, translate: bool) -> Response:
        try:
            return await self._in_its_place(request, body, translate=translate)
        except ApiError as error:
            # Closing the connection while the caller is sending would hide the answer from it.
            kind = JSONResponse if body.complete else EarlyAnswer
            return kind(error.body(), status_code=error.status, headers=error.headers())
        except ClientDisconnect:
            return Response(status_code=_CALLER_LEFT)

    async def _in_its_place(self, request: Request, body: _Body, *, translate: bool) -> Response:
        size_bytes = announced_bytes(request.headers, self._settings.max_upload_bytes)
        loaded = self._model.loaded
        if loaded is None:
            raise not_ready(self._model.state, self._model.reason)
        if translate and not self._model.translates:
            raise ApiError(400, "cannot_translate", f"The model {self._model.id!r} cannot translate.", param="model")
        place = self._queue.take_place(urgency_of(request.headers.get("priority")), size_bytes)
        try:
            since = time.perf_counter()
            upload = await read_upload(
                request,
                max_upload_bytes=self._settings.max_upload_bytes,
                timeout_s=self._settings.upload_timeout_s,
            )
            upload_ms = (time.perf_counter() - since) * 1000
            form = read_form(
                upload,
                model_id=self._model.id,
                languages=LANGUAGES,
                # Speech to translate is not in the household's language.
                language=None if translate else self._settings.language,
                translate=translate,
            )
            work = asyncio.create_task(self._transcribe(place, loaded, upload, form))
            transcript = await _while_caller_stays(work, body)
        finally:
            self._queue.leave(place)
        transcript.timings.upload_ms = upload_ms
        self._metrics.transcribed(transcript)
        log.debug("%.1f s of sound, %s window (%s)", transcript.duration_s, transcript.window, transcript.reason)
        return _render(transcript, form)

    async def _transcribe(
        self, place: Place, loaded: LoadedModel, upload: Upload, form: TranscriptionForm
    ) -> Transcript:
        since = time.perf_counter()
        sound = await self._sounds.read(upload)
        decode_ms = (time.perf_counter() - since) * 1000
        place.held_bytes = sound.size_bytes
        options = form.options
        if not loaded.whisper.is_multilingual and options.language is None:
            options = replace(options, language="en")
        transcript = await self._queue.run(place, lambda: self._model.steps(loaded, sound, options))
        transcript.timings.decode_ms = decode_ms
        return transcript


class _Body:
    """The messages of the request, and whether the body has been read to its end."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.complete = False

    async def receive(self) -> Message:
        message = await self._receive()
        self.complete = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def until_caller_leaves(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            continue


async def _while_caller_stays(work: asyncio.Task[Transcript], body: _Body) -> Transcript:
    """The result of the work. If the caller leaves, cancels the work and raises ClientDisconnect."""
    leaving = asyncio.create_task(body.until_caller_leaves())
    try:
        await asyncio.wait({work, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientDisconnect
        return work.result()
    finally:
        leaving.cancel()
        work.cancel()
        await asyncio.gather(work, leaving, return_exceptions=True)


def _render(transcript: Transcript, form: TranscriptionForm) -> Response:
    match form.response_format:
        case "json":
            return JSONResponse(as_json(transcript))
        case "text":
            return PlainTextResponse(as_text(transcript))
        case "srt":
            return PlainTextResponse(as_srt(transcript))
        case "vtt":
            return PlainTextResponse(as_vtt(transcript), media_type="text/vtt")
        case "verbose_json":
            options = form.options
            body = as_verbose_json(
                transcript, segments=form.segments, words=options.words, translated=options.translate
            )
            return JSONResponse(body)
