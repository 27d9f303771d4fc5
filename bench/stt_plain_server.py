"""Works like other speech servers: faster-whisper's own `transcribe()` with its defaults, behind the same route.

`bench/stt.py` starts it to compare services/stt with it, and passes the model folder, the port and the threads.
"""

from __future__ import annotations

import io
import os
import sys

# Set before faster-whisper loads onnxruntime, which would send telemetry to its vendor.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import uvicorn
from fastapi import FastAPI, Form, UploadFile
from faster_whisper import WhisperModel


def create_app(model_dir: str, threads: int) -> FastAPI:
    model = WhisperModel(model_dir, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    app = FastAPI()

    # Synchronous, so that FastAPI runs it in its thread pool, as other servers do.
    @app.post("/v1/audio/transcriptions")
    def transcriptions(file: UploadFile, model_name: str = Form(alias="model")) -> dict[str, str]:  # noqa: ARG001
        segments, _ = model.transcribe(io.BytesIO(file.file.read()))
        return {"text": " ".join(segment.text.strip() for segment in segments)}

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ready"}

    return app


if __name__ == "__main__":
    folder, port, cores = sys.argv[1:]
    uvicorn.run(create_app(folder, int(cores)), host="127.0.0.1", port=int(port), log_level="warning")
