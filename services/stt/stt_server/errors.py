"""Every expected failure: its status, its code, and a sentence with the remedy."""

from __future__ import annotations

from typing import Any

# OpenAI's clients choose their exception by the status, and show `type` and `code` with the message.
_TYPE_BY_STATUS = {404: "not_found_error", 408: "timeout_error", 429: "rate_limit_error"}


class ApiError(Exception):
    """A failure, with a message that helps the caller."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        param: str | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.param = param
        self.retry_after_s = retry_after_s

    def body(self) -> dict[str, Any]:
        return error_body(self.status, self.code, self.message, self.param)

    def headers(self) -> dict[str, str]:
        return {} if self.retry_after_s is None else {"retry-after": str(self.retry_after_s)}


def error_body(status: int, code: str, message: str, param: str | None = None) -> dict[str, Any]:
    """Every error of this server has this shape."""
    kind = _TYPE_BY_STATUS.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": message, "type": kind, "code": code, "param": param}}


def no_audio(message: str = "The file contains no sound.") -> ApiError:
    return ApiError(400, "no_audio", message, param="file")


def audio_unreadable(message: str) -> ApiError:
    return ApiError(400, "audio_unreadable", message, param="file")


def invalid(param: str, message: str) -> ApiError:
    return ApiError(400, "invalid_request", message, param=param)


def audio_too_long(max_seconds: float) -> ApiError:
    message = f"The sound is longer than {max_seconds:g} seconds, which is the limit. Send it in parts."
    return ApiError(400, "audio_too_long", message, param="file")


def upload_too_large(limit_bytes: int) -> ApiError:
    limit_mib = limit_bytes / 2**20
    message = f"The upload is larger than {limit_mib:g} MiB. Send a shorter or compressed recording."
    return ApiError(413, "file_too_large", message, param="file")


def overloaded(retry_after_s: int) -> ApiError:
    message = f"Too many transcriptions are waiting. Try again in {retry_after_s} s."
    return ApiError(429, "overloaded", message, retry_after_s=retry_after_s)


def not_ready(state: str, reason: str | None) -> ApiError:
    message = reason or f"The speech model is not ready yet ({state}). Try again in a moment."
    return ApiError(503, "model_not_ready", message, retry_after_s=2)


def shutting_down() -> ApiError:
    return ApiError(503, "shutting_down", "The server is stopping. Try again in a moment.", retry_after_s=5)
