import pytest
from stt_server.window import FULL_FRAMES, full_token_limit, is_short, token_limit, window_frames


def test_a_word_gets_the_smallest_window():
    assert window_frames(80) == 1000


def test_a_sentence_gets_three_seconds_more_than_itself():
    assert window_frames(850) == 1150


def test_a_window_has_an_even_number_of_frames():
    assert window_frames(851) == 1152


def test_near_thirty_seconds_the_window_is_full():
    assert [window_frames(frames) for frames in (2698, 2700, 3000)] == [2998, FULL_FRAMES, FULL_FRAMES]
    assert [is_short(frames) for frames in (2998, 3000)] == [True, False]


def test_text_is_limited_by_how_long_was_spoken():
    assert [token_limit(frames, "en") for frames in (0, 100, 850)] == [10, 13, 35]


@pytest.mark.parametrize(
    ("language", "limit"), [("fr", 17), ("el", 18), ("hi", 26), ("bn", 40), ("ka", 50), ("jw", 17)]
)
def test_a_language_that_takes_more_tokens_gets_more(language, limit):
    assert token_limit(100, language) == limit


def test_text_of_a_short_sound_is_limited_in_the_full_window_too():
    assert [full_token_limit(frames) for frames in (0, 100, 250)] == [10, 50, 110]


def test_a_longer_sound_may_fill_the_full_window_with_text():
    assert [full_token_limit(frames) for frames in (253, 850, 3000)] == [None, None, None]
