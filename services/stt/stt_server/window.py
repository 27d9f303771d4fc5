"""Number of Whisper's 30 seconds that the encoder gets, and maximum number of tokens.

Whisper always encodes 30 seconds, and a transcription spends nearly all its time there. A window that fits
the sound is 3 to 4 times faster. Its errors are rare and detectable (`doubts.py`), and the full window
corrects them.
"""

from __future__ import annotations

import math

FRAMES_PER_SECOND = 100
FULL_FRAMES = 3000
# In a shorter window the model, trained on 30 seconds, begins to repeat itself.
MIN_FRAMES = 1000
# Silence after the sound, by which the model recognises its end.
TAIL_FRAMES = 300

# Most tokens that speech needs in a second, beyond the spare ones: sentences of Home Assistant's community,
# tokenized by a multilingual Whisper and timed with espeak-ng, rounded up. Whisper spells the letters of some
# scripts in bytes.
_TOKENS_PER_SECOND = {
    "en": 3,
    **dict.fromkeys(("el", "th"), 8),
    **dict.fromkeys(("hi", "hy", "mr", "ne", "ta", "te"), 16),
    **dict.fromkeys(("bn", "kn", "pa"), 30),
    **dict.fromkeys(("gu", "ka", "ml"), 40),
}
# Of the 37 other languages of these sentences, Serbian needs the most: 6.4.
_OTHER_TOKENS_PER_SECOND = 7
SPARE_TOKENS = 10
# In the full window, no text is cut that a person said: Georgian, Malayalam or Gujarati take up to 36 tokens
# for a second of speech, because the model spells their letters in bytes.
FULL_TOKENS_PER_SECOND = 40
# The model itself ends every text at 224 tokens. The library doubles a limit after a prompt.
MAX_FULL_LIMIT = 110


def window_frames(sound_frames: int) -> int:
    """Frames to encode for this much sound; an even number, because the encoder halves it."""
    fitting = max(MIN_FRAMES, sound_frames + TAIL_FRAMES)
    return min(FULL_FRAMES, fitting + fitting % 2)


def is_short(frames: int) -> bool:
    return frames < FULL_FRAMES


def token_limit(sound_frames: int, language: str) -> int:
    """Tokens that fit this much sound in a language (a Whisper code); a loop never ends."""
    per_second = _TOKENS_PER_SECOND.get(language, _OTHER_TOKENS_PER_SECOND)
    return math.floor(per_second * sound_frames / FRAMES_PER_SECOND) + SPARE_TOKENS


def full_token_limit(sound_frames: int) -> int | None:
    """Tokens that fit this much sound in any language; None if the model's own limit is enough."""
    limit = math.floor(FULL_TOKENS_PER_SECOND * sound_frames / FRAMES_PER_SECOND) + SPARE_TOKENS
    return limit if limit <= MAX_FULL_LIMIT else None
