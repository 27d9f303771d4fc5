"""Builds every part of the server once and connects them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from . import __version__
from .errors import ApiError, error_body, not_ready
from .metrics import Metrics
from .model import Model
from .settings import Settings
from .transcription_route import TranscriptionRoute
from .work_queue import WorkQueue

log = logging.getLogger("stt_server.app")

# Polling interval: the model may arrive after this server has started, or another one may be chosen.
_LOOK_S = 3.0
_CODES = {404: "not_found", 405: "method_not_allowed"}


def create_app(settings: Settings, queue: WorkQueue, on_card_failure: Callable[[ApiError], None]) -> FastAPI:
    """The application. It answers at once and loads the model in the meantime. `on_card_failure` is called on
    the model's thread with the answer to every request.
    """
    model = Model(settings, on_card_failure)
    metrics = Metrics(model, queue)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(_follow(model, queue)), asyncio.create_task(queue.work())]
        yield
        queue.give_up_waiting()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        queue.stop()

    # No documentation pages, because they load scripts from the internet.
    app = FastAPI(title="Hearth speech-to-text", version=__version__, openapi_url=None, lifespan=lifespan)
    _add_error_handlers(app)
    _add_routes(app, settings, model, queue, metrics)
    return app


async def _follow(model: Model, queue: WorkQueue) -> None:
    """Loads the model once it exists, and again when another one is chosen.

    Without requests, it also returns to a card that was full.
    """
    while True:
        if model.loaded is None or model.has_moved:
            await queue.on_thread(model.load)
        elif model.may_return_to_card and not queue.in_house:
            await queue.on_thread(model.return_to_card)
        await asyncio.sleep(_LOOK_S)


def _add_routes(app: FastAPI, settings: Settings, model: Model, queue: WorkQueue, metrics: Metrics) -> None:
    started_at = time.monotonic()
    transcribe = TranscriptionRoute(settings, model, queue, metrics)

    @app.post("/v1/audio/transcriptions")
    async def transcriptions(request: Request) -> Response:
        return await transcribe(request)

    @app.post("/v1/audio/translations")
    async def translations(request: Request) -> Response:
        return await transcribe(request, translate=True)

    @app.get("/v1/models")
    async def models() -> dict[str, Any]:
        return {"object": "list", "data": [_model_card(model)] if model.loaded else []}

    @app.get("/v1/models/{model_id:path}")
    async def one_model(model_id: str) -> dict[str, Any]:
        if model.loaded is None:
            raise not_ready(model.state, model.reason)
        if model_id != model.id:
            raise ApiError(404, "model_not_found", f"The model {model_id[:100]!r} is not installed.", param="model")
        return _model_card(model)

    @app.get("/health")
    async def health() -> JSONResponse:
        body = _health(settings, model, queue, time.monotonic() - started_at)
        return JSONResponse(body, status_code=200 if body["status"] == "ready" else 503)

    @app.get("/metrics")
    async def metrics_text() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _model_card(model: Model) -> dict[str, Any]:
    return {
        "id": model.id,
        "object": "model",
        "created": model.created_at,
        "owned_by": "hearth",
        "task": "automatic-speech-recognition",
        "language": model.languages,
    }


def _health(settings: Settings, model: Model, queue: WorkQueue, uptime_s: float) -> dict[str, Any]:
    loaded, last = model.loaded, queue.last_success_at
    return {
        "status": "stopping" if queue.closed else model.state,
        "reason": model.reason,
        "model": model.id,
        "device": loaded.device if loaded else None,
        "compute_type": loaded.compute_type if loaded else None,
        "note": loaded.note if loaded else None,
        "threads": settings.threads,
        "languages": model.languages,
        "waiting": queue.waiting,
        "running": queue.running,
        "last_transcription_s_ago": None if last is None else round(time.monotonic() - last, 1),
        "ready_after_s": None if model.ready_after_s is None else round(model.ready_after_s, 2),
        "uptime_s": round(uptime_s, 1),
        "version": __version__,
    }


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ApiError)
    async def on_api_error(_: Request, error: ApiError) -> JSONResponse:
        return JSONResponse(error.body(), status_code=error.status, headers=error.headers())

    @app.exception_handler(HTTPException)
    async def on_http_error(request: Request, error: HTTPException) -> JSONResponse:
        message = f"This server has no route {request.method} {request.url.path[:200]}."
        body = error_body(error.status_code, _CODES.get(error.status_code, "invalid_request"), message)
        return JSONResponse(body, status_code=error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def on_failure(_: Request, error: Exception) -> JSONResponse:
        # Starlette raises the error again for the log; the caller must see no stack and no path.
        log.error("A request failed: %s", type(error).__name__)
        message = "The transcription failed. The server's log says why."
        return JSONResponse(error_body(500, "internal_error", message), status_code=500)
