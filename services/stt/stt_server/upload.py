"""Reads a multipart upload within limits on size and time, and can refuse one without reading it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

from starlette.datastructures import FormData, Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from .errors import ApiError, invalid, no_audio, upload_too_large

# Room for the other fields and the boundaries around the file.
FORM_SLACK_BYTES = 256 * 1024
_MAX_FIELD_BYTES = 64 * 1024
_MAX_FIELDS = 64
# Limits on reading and discarding a refused upload, which lets its sender see the answer.
_DRAIN_BYTES = 64 * 2**20
_DRAIN_S = 5.0


@dataclass(frozen=True)
class Upload:
    """The parts of one request."""

    audio: bytes
    content_type: str
    fields: FormData

    def field(self, name: str) -> str | None:
        """The last value of a text field; None when absent or empty."""
        values = [value for value in self.fields.getlist(name) if isinstance(value, str)]
        return values[-1].strip() or None if values else None


class _InMemoryParser(MultiPartParser):
    # Keep every allowed file in memory, because the root file system may be read-only.
    spool_max_size = 32 * 2**20


def announced_bytes(headers: Headers, max_upload_bytes: int) -> int:
    """The announced size, or the limit if none is announced; refuses a size over the limit."""
    text = headers.get("content-length", "")
    if not text.isdecimal():
        return max_upload_bytes
    size = int(text)
    if size > max_upload_bytes + FORM_SLACK_BYTES:
        raise upload_too_large(max_upload_bytes)
    return size


async def read_upload(request: Request, *, max_upload_bytes: int, timeout_s: float) -> Upload:
    """The whole form. Raises ClientDisconnect if the caller leaves before its end."""
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith("multipart/form-data"):
        message = "Send the sound as multipart/form-data with a part named file."
        raise ApiError(415, "unsupported_content_type", message)
    stream = _limited(request.stream(), max_upload_bytes + FORM_SLACK_BYTES, max_upload_bytes)
    parser = _InMemoryParser(
        request.headers, stream, max_files=2, max_fields=_MAX_FIELDS, max_part_size=_MAX_FIELD_BYTES
    )
    try:
        async with asyncio.timeout(timeout_s):
            form = await parser.parse()
    except TimeoutError:
        message = f"The upload took longer than {timeout_s:g} seconds."
        raise ApiError(408, "upload_timeout", message) from None
    except (MultiPartException, KeyError, UnicodeDecodeError) as error:
        reason = getattr(error, "message", "") or "it is malformed"
        raise ApiError(400, "invalid_request", f"The form cannot be read: {reason}") from None
    return await _upload_of(form, max_upload_bytes)


async def _upload_of(form: FormData, max_upload_bytes: int) -> Upload:
    part = form.get("file")
    try:
        if part is None:
            raise invalid("file", "The part named file, which should contain the sound, is missing.")
        if not isinstance(part, UploadFile):
            # Without a file name it is a text field.
            raise no_audio("The part named file is a text field; send it as a file with a file name.")
        audio = await part.read()
    finally:
        await form.close()
    if len(audio) > max_upload_bytes:
        raise upload_too_large(max_upload_bytes)
    media_type = (part.content_type or "").partition(";")[0].strip().lower()
    return Upload(audio, media_type, form)


async def _limited(stream: AsyncIterator[bytes], limit_bytes: int, told_bytes: int) -> AsyncGenerator[bytes, None]:
    read = 0
    async for chunk in stream:
        read += len(chunk)
        if read > limit_bytes:
            raise upload_too_large(told_bytes)
        yield chunk


class EarlyAnswer(JSONResponse):
    """An answer sent while the caller may still be sending.

    Closing at once would reset the connection, and many clients would report that instead of the answer. The
    server therefore completes the answer, then reads and discards the rest of the upload for a while.
    """

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with contextlib.suppress(TimeoutError, ClientDisconnect):
            async with asyncio.timeout(_DRAIN_S):
                await _drain(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _drain(receive: Receive) -> None:
    drained = 0
    while drained < _DRAIN_BYTES:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            return
        drained += len(message.get("body", b""))
