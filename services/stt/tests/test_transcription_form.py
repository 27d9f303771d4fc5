import pytest
from starlette.datastructures import FormData
from stt_server.errors import ApiError
from stt_server.transcription_form import read_form
from stt_server.upload import Upload

LANGUAGES = ("en", "de", "no")


def form(*pairs: tuple[str, str], language: str | None = None):
    upload = Upload(b"", "audio/wav", FormData(list(pairs)))
    return read_form(upload, model_id="org/tiny.en", languages=LANGUAGES, language=language)


def refused(*pairs: tuple[str, str]) -> tuple[int, str | None]:
    with pytest.raises(ApiError) as error:
        form(*pairs)
    return error.value.status, error.value.param


MODEL = ("model", "org/tiny.en")


def test_the_model_alone_is_enough():
    asked = form(MODEL)

    assert asked.response_format == "json"
    assert (asked.options.language, asked.options.temperature, asked.options.full_window) == (None, 0.0, False)


@pytest.mark.parametrize("name", ["org/tiny.en", "tiny.en", "whisper-1", "local"])
def test_the_one_model_has_several_names(name):
    assert form(("model", name)).response_format == "json"


@pytest.mark.parametrize(
    ("pairs", "answer"),
    [
        ([], (400, "model")),
        ([("model", "large-v3")], (404, "model")),
        ([MODEL, ("language", "klingon")], (400, "language")),
        ([MODEL, ("language", "xx")], (400, "language")),
        ([MODEL, ("response_format", "xml")], (400, "response_format")),
        ([MODEL, ("temperature", "hot")], (400, "temperature")),
        ([MODEL, ("temperature", "nan")], (400, "temperature")),
        ([MODEL, ("temperature", "1.1")], (400, "temperature")),
        ([MODEL, ("timestamp_granularities[]", "letter")], (400, "timestamp_granularities[]")),
        ([MODEL, ("window", "tiny")], (400, "window")),
        ([MODEL, ("prompt", "x" * 20_000)], (400, "prompt")),
        ([MODEL, ("phrases[]", " ")], (400, "phrases[]")),
        ([MODEL, ("phrases[]", "x" * 41)], (400, "phrases[]")),
        ([MODEL, *[("phrases[]", "Stop.")] * 9], (400, "phrases[]")),
    ],
)
def test_names_the_unsupported_option(pairs, answer):
    assert refused(*pairs) == answer


def test_reads_the_phrases_to_score():
    assert form(MODEL).options.phrases == ()
    assert form(MODEL, ("phrases[]", "Stop."), ("phrases[]", " Basta. ")).options.phrases == ("Stop.", "Basta.")


def test_a_language_may_name_its_country():
    assert form(MODEL, ("language", "en-GB")).options.language == "en"
    assert form(MODEL, ("language", "DE")).options.language == "de"


def test_the_setting_counts_when_the_request_names_no_language():
    assert form(MODEL, language="de").options.language == "de"
    assert form(MODEL, ("language", "en"), language="de").options.language == "en"
    assert form(MODEL, ("language", "auto"), language="de").options.language is None


def test_words_and_segments_can_be_requested_separately():
    key = "timestamp_granularities[]"
    both = form(MODEL, ("response_format", "verbose_json"), (key, "word"), (key, "segment"))
    only_words = form(MODEL, ("response_format", "verbose_json"), (key, "word"))
    neither = form(MODEL, ("response_format", "verbose_json"))

    answers = [(asked.options.words, asked.segments) for asked in (both, only_words, neither)]
    assert answers == [(True, True), (True, False), (False, True)]


@pytest.mark.parametrize("pairs", [[("window", "full")], [("response_format", "srt")], [("response_format", "vtt")]])
def test_uses_the_full_window_on_request_or_for_times(pairs):
    assert form(MODEL, *pairs).options.full_window


@pytest.mark.parametrize(("window", "short_only"), [("short", True), ("auto", False), ("full", False)])
def test_uses_only_the_short_window_on_request(window, short_only):
    assert form(MODEL, ("window", window)).options.short_only is short_only
