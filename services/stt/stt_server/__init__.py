"""Hearth's speech-to-text server: one Whisper model, warm, behind OpenAI's transcription route."""

import os

# Before they are loaded: onnxruntime would report to its maker and keep an id of this device in the home folder, and
# Hugging Face's client would look on the network for files that are missing here.
os.environ |= {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}

__version__ = "1.0.0"
