import pytest
from stt_server.doubts import compression_ratio, doubt_about, repeats_itself

SURE = -0.2


def test_trusts_a_plain_sentence():
    assert doubt_about("Turn on the kitchen lights.", SURE, ended=True) is None


def test_text_that_never_ended_is_doubted():
    assert doubt_about("What's the weather like in Berlin? What's the", SURE, ended=False) == "cut"


@pytest.mark.parametrize(
    "text",
    [
        "Count 2020. Count 2020.",
        "Count 2020 Count 2020",
        "Hello? Hello?",
        "20 20.",
        "One week is seven days. 1 week is seven days.",
        "It's late. Turn on the lights. It's late.",
        "the lights the lights in the kitchen",
        "No, no, no.",
    ],
)
def test_a_repetition_is_doubted(text):
    assert doubt_about(text, SURE, ended=True) == "repetition"


def test_words_that_return_later_are_no_repetition():
    assert not repeats_itself("Set two timers, one for ten minutes and one for twenty minutes.")
    assert not repeats_itself("Ask not what your country can do for you, ask what you can do for your country.")
    assert not repeats_itself("Set a timer for 5 minutes. Set a timer for 10 minutes.")


def test_a_loop_with_small_changes_is_seen_by_its_compression():
    loop = " ".join(f"you can see it {letter} you can hear it {letter}" for letter in "abcdefgh")
    assert compression_ratio(loop) > 2.4
    assert doubt_about(loop, SURE, ended=True) == "repetition"


def test_doubts_a_text_with_a_low_score():
    assert doubt_about("Ois.", -1.43, ended=True) == "low_confidence"
    assert doubt_about("Yes.", -1.0, ended=True) is None


def test_no_text_compresses_to_nothing():
    assert compression_ratio("") == 0.0
    assert doubt_about("", SURE, ended=True) is None
