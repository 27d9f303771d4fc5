"""Deciding that nothing was said. Whisper answers silence with a phrase ("Thank you."); its text proves nothing."""

from __future__ import annotations

# Whisper's own limits: both must be passed before it calls a sound silent.
NO_SPEECH_PROBABILITY = 0.6
MIN_LOG_PROBABILITY = -1.0

# Silero's highest probability over the whole sound. Speech scores 0.85 and more, also a fiftieth as loud as usual or in
# noise as loud as itself; silence, noise and taps stay under 0.2.
NO_VOICE = 0.2
CLEAR_VOICE = 0.5


def is_silent(no_speech_probability: float, mean_log_probability: float, voice: float) -> bool:
    """Whether the decoded text is an invention about a sound without speech. `voice`: see NO_VOICE."""
    if voice < NO_VOICE:
        return True
    if no_speech_probability <= NO_SPEECH_PROBABILITY:
        return False
    # Whisper hears no speech. Its text is kept only if it is sure of it, or a voice was plainly there.
    return mean_log_probability < MIN_LOG_PROBABILITY or voice < CLEAR_VOICE
