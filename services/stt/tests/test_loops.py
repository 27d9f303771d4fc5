import pytest
from stt_server.loops import without_loop


@pytest.mark.parametrize("loop", ["What time is it? What time is it?", "What time is it? what time is it? What"])
def test_a_sentence_that_the_model_goes_on_writing_was_said_once(loop):
    assert without_loop(loop, -0.1, 0) == "What time is it?"


@pytest.mark.parametrize(
    ("sentence", "score", "is_kept"),
    [
        ("Stop.", -0.95, True),
        ("Stop.", -1.05, False),
        ("Ten minutes.", -0.95, True),
        ("Turn it off.", -0.95, True),
        ("Turn off the lights.", -0.25, True),
        ("Turn off the lights.", -0.35, False),
    ],
)
def test_up_to_three_words_may_have_a_lower_score(sentence, score, is_kept):
    assert without_loop(f"{sentence} {sentence}", score, 0.06) == (sentence if is_kept else None)


@pytest.mark.parametrize(("sentence", "is_kept"), [("Stop.", False), ("Turn off the lights.", True)])
def test_a_few_words_with_a_pause_were_said_twice(sentence, is_kept):
    assert without_loop(f"{sentence} {sentence}", -0.1, 0.2) == (sentence if is_kept else None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What time is it?",
        "It's late. What time is it? What time is it?",
        "No, no. No, no.",
        "the lights the lights",
        "Knock knock.",
    ],
)
def test_keeps_a_text_with_any_other_words(text):
    assert without_loop(text, -0.1, 0) is None


def test_a_number_may_be_written_in_two_ways():
    assert without_loop("One week is seven days. 1 week is seven days.", -0.1, 0) == "One week is seven days."
