"""Decides whether the sound was silent. Whisper answers silence with a phrase ("Thank you."), so its text
proves nothing.
"""

from __future__ import annotations

# Whisper's own limits: it calls a sound silent only if both are passed.
NO_SPEECH_PROBABILITY = 0.6
MIN_LOG_PROBABILITY = -1.0

# Silero's highest probability over the whole sound. Speech scores at least 0.85, even at a fiftieth of the
# usual level or in equally loud noise. Silence, noise and taps stay under 0.2.
NO_VOICE = 0.2
CLEAR_VOICE = 0.5


def is_silent(no_speech_probability: float, mean_log_probability: float, voice: float) -> bool:
    """Whether Whisper invented the text for a sound without speech. `voice`: see NO_VOICE."""
    if voice < NO_VOICE:
        return True
    if no_speech_probability <= NO_SPEECH_PROBABILITY:
        return False
    # Whisper hears no speech. Keep its text only if it is sure of it and there clearly was a voice.
    return mean_log_probability < MIN_LOG_PROBABILITY or voice < CLEAR_VOICE
