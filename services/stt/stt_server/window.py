"""How much of Whisper's 30 seconds the encoder is given, and how much may be written about it.

Whisper encodes 30 seconds however short the sound is, and nearly all of a transcription's time goes there. A window
that fits the sound is 3 to 4 times faster. What it costs is rare and can be seen (`doubts.py`), and is then mended by
the full window.
"""

from __future__ import annotations

import math

FRAMES_PER_SECOND = 100
FULL_FRAMES = 3000
# Below this the model, trained on 30 seconds, begins to repeat itself.
MIN_FRAMES = 1000
# Silence after the sound by which the model knows that it is over.
TAIL_FRAMES = 300

TOKENS_PER_SECOND = 3
SPARE_TOKENS = 10


def window_frames(sound_frames: int) -> int:
    """Frames to encode for this much sound; always even, because the encoder halves them."""
    fitting = max(MIN_FRAMES, sound_frames + TAIL_FRAMES)
    return min(FULL_FRAMES, fitting + fitting % 2)


def is_short(frames: int) -> bool:
    return frames < FULL_FRAMES


def token_limit(sound_frames: int) -> int:
    """Tokens that so much sound can hold. Quick speech has about three a second; a loop has no end."""
    return math.floor(TOKENS_PER_SECOND * sound_frames / FRAMES_PER_SECOND) + SPARE_TOKENS
