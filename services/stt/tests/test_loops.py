import pytest
from stt_server.loops import without_loop
from stt_server.whisper import ShortDecode


def decode(text: str, avg_logprob: float = -0.1, *, ended: bool = True, others: tuple[ShortDecode, ...] = ()):
    return ShortDecode(text, (), avg_logprob, no_speech_prob=0.0, ended=ended, others=others)


LOOP = "What time is it? What time is it?"
ONCE = decode("What time is it?", -0.23)


def text_of(first: ShortDecode) -> str | None:
    once = without_loop(first)
    return once and once.text


@pytest.mark.parametrize("loop", [LOOP, "What time is it? what time is it", "What time is it? What time is it? What"])
def test_a_sentence_that_the_model_goes_on_writing_was_said_once(loop):
    ended = not loop.endswith("What")

    assert text_of(decode(loop, ended=ended, others=(decode("What kind of it?", -0.2), ONCE))) == ONCE.text


def test_the_other_texts_stay_known():
    others = (decode("What time was it?", -0.2), ONCE)

    once = without_loop(decode(LOOP, others=others))

    assert once is not None
    assert once.others == others


def test_returns_only_texts_of_the_beam():
    assert text_of(decode(LOOP, others=(decode("What kind of it?", -0.1),))) is None
    assert text_of(decode(LOOP)) is None


def test_transcribes_a_text_with_a_low_score_again():
    assert text_of(decode(LOOP, others=(decode("What time is it?", -0.4),))) is None


@pytest.mark.parametrize(
    ("text", "score", "is_kept"),
    [
        ("Stop.", -0.75, True),
        ("Stop.", -0.85, False),
        ("Ten minutes.", -0.38, True),
        ("Ten minutes.", -0.45, False),
        ("Turn it off.", -0.38, False),
    ],
)
def test_one_or_two_words_may_have_a_lower_score(text, score, is_kept):
    found = text_of(decode(f"{text} {text}", others=(decode(text, score),)))

    assert found == (text if is_kept else None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What time is it?",
        "It's late. What time is it? What time is it?",
        "No, no. No, no.",
        "the lights the lights",
    ],
)
def test_keeps_a_text_with_any_other_words(text):
    assert text_of(decode(text, others=(ONCE, decode("No, no.", -0.1)))) is None


def test_a_number_may_be_written_in_two_ways():
    others = (decode("One week is seven days.", -0.1),)

    assert text_of(decode("One week is seven days. 1 week is seven days.", others=others)) == others[0].text
