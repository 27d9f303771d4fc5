import itertools

from stt_server.pauses import FRAME_S, MAX_PIECE_S, Span, cut_at_pauses, longest_pause_s, speech_bounds


def voice(*stretches: tuple[float, float]) -> list[float]:
    """Turns (seconds, probability) pairs into a probability per frame."""
    return [probability for seconds, probability in stretches for _ in range(round(seconds / FRAME_S))]


def seconds(frames: list[float]) -> float:
    return len(frames) * FRAME_S


def test_cuts_in_the_middle_of_the_last_good_pause():
    frames = voice((18, 0.9), (2, 0.1), (4.5, 0.9), (1, 0.1), (2, 0.9), (0.2, 0.1), (20, 0.9))

    spans = cut_at_pauses(frames, seconds(frames))

    assert [round(span.start_s) for span in spans] == [0, 25]
    # The pause lasts from 24.5 to 25.5; the piece ends 0.4 s after the last word.
    assert 24.4 < spans[0].end_s < 25.1


def test_cuts_in_the_longest_pause_without_a_good_one():
    frames = voice((18, 0.9), (0.2, 0.1), (5, 0.9), (0.1, 0.1), (20, 0.9))

    assert abs(cut_at_pauses(frames, seconds(frames))[1].start_s - 18.1) < 0.1


def test_no_piece_is_longer_than_the_window():
    frames = voice((200, 0.95))

    spans = cut_at_pauses(frames, seconds(frames))

    assert max(span.end_s - span.start_s for span in spans) <= MAX_PIECE_S
    assert (spans[0].start_s, spans[-1].end_s) == (0.0, seconds(frames))


def test_pieces_hold_all_the_speech_in_order():
    frames = voice((3, 0.0), (40, 0.9), (70, 0.0), (9, 0.8), (5, 0.0))

    spans = cut_at_pauses(frames, seconds(frames))

    for index, probability in enumerate(frames):
        moment_s = (index + 0.5) * FRAME_S
        assert probability < 0.5 or any(span.start_s <= moment_s <= span.end_s for span in spans)
    assert all(before.end_s <= after.start_s for before, after in itertools.pairwise(spans))


def test_a_long_silence_costs_nothing():
    frames = voice((300, 0.02), (2, 0.9), (300, 0.02))

    spans = cut_at_pauses(frames, seconds(frames))

    assert len(spans) == 1
    assert spans[0].end_s - spans[0].start_s < 3


def test_without_speech_there_is_no_piece():
    assert cut_at_pauses(voice((45, 0.1)), 45) == []


def test_without_a_pause_the_least_voiced_moment_is_cut():
    frames = voice((22, 0.95), (0.1, 0.6), (30, 0.95))

    spans = cut_at_pauses(frames, seconds(frames))

    assert abs(spans[0].end_s - 22) < 0.1


def test_speech_bounds_are_the_first_and_last_voiced_frames():
    assert speech_bounds(voice((0.96, 0.1), (0.64, 0.9), (0.32, 0.1)), 1.9) == Span(30 * FRAME_S, 50 * FRAME_S)
    assert speech_bounds(voice((1, 0.3)), 1.0) == Span(0.0, 1.0)


def test_the_longest_pause_lies_inside_the_speech():
    assert round(longest_pause_s(voice((0.96, 0.1), (0.32, 0.9), (0.16, 0.1), (0.32, 0.9), (0.64, 0.1))), 2) == 0.16
    assert longest_pause_s(voice((0.96, 0.1), (0.32, 0.9))) == 0
    assert longest_pause_s(voice((0.96, 0.1))) == 0
