import pytest
from stt_server.copied_prompt import is_copied

PROMPT = "Mets un minuteur de cinq minutes. Ajoute du pain à la liste de courses. Annule le minuteur du four."


def copied(text: str, avg_logprob: float, without_prompt: float) -> bool:
    return is_copied(text, PROMPT, avg_logprob, lambda: without_prompt)


# Whisper base wrote these for sentences that espeak-ng spoke, with these figures.
@pytest.mark.parametrize(
    ("text", "avg_logprob", "without_prompt"),
    [
        ("Ajoute du pain à la liste de courses.", -0.34, -4.75),
        ("Ajoute du pain à la liste de courses. Ajoute du pain à la list", -0.27, -3.59),
        ("Annule le minuteur du pain à Paris.", -0.86, -5.0),
        ("Mets un minuteur de cinq minutes à shot.", -0.58, -2.82),
    ],
)
def test_detects_a_sentence_that_nobody_said(text, avg_logprob, without_prompt):
    assert copied(text, avg_logprob, without_prompt)


@pytest.mark.parametrize(
    ("text", "avg_logprob", "without_prompt"),
    [
        # Badly spoken, but said.
        ("Mets un minuteur de cinq minutes.", -0.2, -2.09),
        ("Mets un minuteur pour deux assorts.", -0.39, -1.72),
        # Only the prompt makes the model write it, and it is right.
        ("Annule ça.", -0.79, -3.23),
    ],
)
def test_keeps_a_sentence_that_was_said(text, avg_logprob, without_prompt):
    assert not copied(text, avg_logprob, without_prompt)


@pytest.mark.parametrize(
    ("text", "avg_logprob"), [("Ajoute du pain à la liste de courses.", -0.1), ("Quelle heure est-il ?", -0.8), ("", 0)]
)
def test_spends_no_time_on_a_sure_text_or_one_of_other_words(text, avg_logprob):
    def never() -> float:
        raise AssertionError("computed the probability without the prompt")

    assert not is_copied(text, PROMPT, avg_logprob, never)
