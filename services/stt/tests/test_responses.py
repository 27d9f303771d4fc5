from dataclasses import replace

from stt_server.responses import as_json, as_srt, as_text, as_verbose_json, as_vtt
from stt_server.transcript import ScoredText, Segment, Transcript, Word

SEGMENT = Segment(
    text=" Turn on the lights.",
    start_s=0.5,
    end_s=2.0,
    tokens=(1, 2),
    temperature=0.0,
    avg_logprob=-0.1,
    compression_ratio=0.8,
    no_speech_prob=0.02,
    words=(Word(" Turn", 0.5, 0.8, 0.99),),
)
SECOND = replace(SEGMENT, text="Then <stop> --> now & here.", start_s=3661.5, end_s=3662.0456, words=())
TRANSCRIPT = Transcript(language="en", duration_s=3662.5, segments=[SEGMENT, SECOND], window="full", reason="asked")


def test_json_and_text_hold_the_words():
    assert as_json(TRANSCRIPT) == {"text": "Turn on the lights. Then <stop> --> now & here."}
    assert as_text(TRANSCRIPT) == "Turn on the lights. Then <stop> --> now & here.\n"


def test_srt_numbers_its_cues():
    assert as_srt(TRANSCRIPT) == (
        "1\n00:00:00,500 --> 00:00:02,000\nTurn on the lights.\n\n"
        "2\n01:01:01,500 --> 01:01:02,046\nThen <stop> --> now & here.\n"
    )


def test_vtt_escapes_markup():
    assert as_vtt(TRANSCRIPT) == (
        "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nTurn on the lights.\n\n"
        "01:01:01.500 --> 01:01:02.046\nThen &lt;stop> --&gt; now &amp; here.\n"
    )


def test_nothing_said_is_valid_in_every_format():
    nothing = Transcript(language="en", duration_s=1.0)

    assert [as_json(nothing), as_text(nothing), as_srt(nothing), as_vtt(nothing)] == [
        {"text": ""},
        "\n",
        "",
        "WEBVTT\n",
    ]
    assert as_verbose_json(nothing, segments=True, words=True)["segments"] == []


def test_verbose_json_describes_the_decoding():
    body = as_verbose_json(TRANSCRIPT, segments=True, words=True)

    assert (body["language"], body["duration"], len(body["segments"])) == ("en", 3662.5, 2)
    assert body["words"] == [{"word": "Turn", "start": 0.5, "end": 0.8, "probability": 0.99}]
    assert (body["hearth"]["window"], body["hearth"]["reason"]) == ("full", "asked")
    assert {"decode_ms", "encode_ms", "generate_ms", "queue_ms"} <= body["hearth"]["timings"].keys()


def test_verbose_json_lists_the_phrases():
    said = ScoredText("Stop.", -0.7)

    body = as_verbose_json(replace(TRANSCRIPT, phrases=(said,)), segments=True, words=True)

    assert body["hearth"]["phrases"] == [{"text": "Stop.", "avg_logprob": -0.7}]


def test_verbose_json_lists_the_alternatives():
    other = ScoredText("Turn on the light.", -0.4)

    body = as_verbose_json(replace(TRANSCRIPT, alternatives=(other,)), segments=True, words=True)

    assert body["hearth"]["alternatives"] == [{"text": "Turn on the light.", "avg_logprob": -0.4}]


def test_lists_only_the_requested_details():
    body = as_verbose_json(TRANSCRIPT, segments=False, words=False)

    assert "segments" not in body
    assert "words" not in body
