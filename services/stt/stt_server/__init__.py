"""Hearth's speech-to-text server: one Whisper model, warm, behind OpenAI's transcription route."""

import os

# Set before the libraries load. Otherwise onnxruntime sends telemetry to its vendor and keeps a device id in the home
# folder. Hugging Face's client would look for missing files on the network.
os.environ |= {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}

__version__ = "1.0.0"
