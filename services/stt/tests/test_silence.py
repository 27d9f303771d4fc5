from stt_server.silence import is_silent


def test_a_sound_without_a_voice_is_silence():
    assert is_silent(0.35, -0.5, voice=0.1)


def test_a_low_score_without_speech_by_whisper_is_silence():
    assert is_silent(0.8, -1.2, voice=0.9)


def test_an_unclear_voice_without_speech_by_whisper_is_silence():
    assert is_silent(0.95, -0.9, voice=0.3)


def test_a_clear_voice_and_a_sure_text_are_kept():
    assert not is_silent(0.7, -0.3, voice=0.9)
    assert not is_silent(0.1, -1.4, voice=0.9)
