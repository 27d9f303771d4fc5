"""A chosen model is fetched, checked and tried by its engine. If the engine does not answer, the old model stays."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from desk import Desk, desk
from fake_hub import FakeHub
from models_support import CONTENTS, FETCH, SMALL, Household, closed_port, content_of, gguf, served

TINY = {"MODELS": "tiny"}
HEALTHCHECK = FETCH.with_name("healthcheck.py")


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The models folder of a household that runs the smallest models."""
    fake = FakeHub()
    household = Household(tmp_path_factory.mktemp("fetched"), fake.url)
    assert household.fetch(**TINY).code == 0
    fake.close()
    return household.models


@pytest.fixture
def tiny(household: Household, fetched: Path) -> Household:
    household.settings |= TINY
    shutil.copytree(fetched, household.models, symlinks=True)
    return household


def points_at(household: Household, link: str) -> bytes:
    return (household.models / link).read_bytes()


def llm_of(household: Household) -> object:
    models = household.selection()["models"]
    assert isinstance(models, dict)
    return models["llm"]["id"]


def take(place: Desk, kind: str, model_id: str) -> dict[str, object]:
    """Chooses a model and answers as its engine."""
    assert place.choose(kind, model_id)[0] == 200
    place.reaches("trying")
    place.answers(kind, model_id)
    return place.reaches("done", "failed")


def test_lists_the_available_choices(tiny: Household) -> None:
    (tiny.own / "mine.gguf").write_bytes(gguf())
    (tiny.own / "half.gguf").write_bytes(gguf()[:100])
    with desk(tiny) as place:
        told = place.told()

    assert told["order"] is None
    models = told["models"]
    assert isinstance(models, list)
    assert [(each["kind"], each["id"], each["isHere"], each["isChosen"]) for each in models] == [
        ("llm", "tiny-llm", True, True),
        ("llm", "small-llm", False, False),
        ("llm", "large-llm", False, False),
        ("stt", "tiny-stt", True, True),
        ("stt", "small-stt", False, False),
        ("tts", "en_US-joe-medium", True, True),
        ("tts", "en_US-lj-medium", False, False),
        ("llm", "mine.gguf", True, False),
    ]
    assert models[1]["bytes"] == len(SMALL)
    assert models[1]["licence"] == "Apache-2.0"
    assert models[1]["file"] == "store/small-llm/small.gguf"


def test_a_model_counts_once_its_engine_answers_with_it(tiny: Household) -> None:
    with desk(tiny) as place:
        outcome = take(place, "llm", "small-llm")

    assert (outcome["state"], outcome["reason"]) == ("done", "Small LLM answers.")
    assert points_at(tiny, "llm.gguf") == SMALL
    # It also counts at the next start.
    assert tiny.fetch().code == 0
    assert llm_of(tiny) == "small-llm"


def test_the_newer_choice_counts(tiny: Household) -> None:
    with desk(tiny) as place:
        take(place, "llm", "small-llm")

    assert tiny.fetch(LLM_MODEL="large-llm").code == 0
    assert llm_of(tiny) == "large-llm"


def test_a_name_typed_again_counts_too(tiny: Household) -> None:
    with desk(tiny) as place:
        take(place, "llm", "small-llm")

    assert tiny.fetch("--forget-choices").code == 0
    assert llm_of(tiny) == "tiny-llm"
    assert tiny.fetch().code == 0
    assert llm_of(tiny) == "tiny-llm"


def test_returns_to_the_old_model_if_the_new_one_does_not_answer(tiny: Household) -> None:
    with desk(tiny, "--try-for", "0.2") as place:
        place.choose("llm", "small-llm")
        outcome = place.reaches("done", "failed")

    assert outcome["state"] == "failed"
    assert outcome["reason"] == "Small LLM did not answer within 0 s. Tiny LLM is back."
    assert points_at(tiny, "llm.gguf") == CONTENTS["tiny.gguf"]
    assert llm_of(tiny) == "tiny-llm"


def test_returns_at_once_if_the_engine_is_down_with_the_new_model(tiny: Household) -> None:
    with desk(tiny) as place:
        place.choose("llm", "small-llm")
        place.reaches("trying")
        place.call("POST", "/refused", {"kind": "llm", "id": "small-llm"})
        outcome = place.reaches("done", "failed")

    assert outcome["reason"] == "Small LLM does not start here. Tiny LLM is back."
    assert points_at(tiny, "llm.gguf") == CONTENTS["tiny.gguf"]


@pytest.mark.parametrize("again", [True, False], ids=["at the next start of this program", "at the next fetch"])
def test_returns_to_the_old_model_after_a_power_cut(tiny: Household, again: bool) -> None:
    with desk(tiny) as place:
        place.choose("stt", "small-stt")
        place.reaches("trying")
        assert points_at(tiny, "stt/model.bin") == CONTENTS["small/model.bin"]

    if again:
        with desk(tiny) as place:
            assert place.model("tiny-stt")["isChosen"] is True
    else:
        assert tiny.fetch().code == 0
    assert points_at(tiny, "stt/model.bin") == CONTENTS["tiny/model.bin"]


def test_takes_one_order_at_a_time(tiny: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").hold_after = 100_000
    with desk(tiny) as place:
        place.choose("llm", "small-llm")
        hub.holding.wait(20)
        status, refusal = place.choose("stt", "small-stt")

        assert (status, refusal["code"]) == (409, "conflict")
        assert refusal["message"] == "Small LLM is still on its way. Wait for it, or stop it, and choose again."
        assert place.order()["id"] == "small-llm"


def test_an_order_can_be_stopped(tiny: Household, hub: FakeHub) -> None:
    served(hub, "small.gguf").hold_after = 100_000
    with desk(tiny) as place:
        place.choose("llm", "small-llm")
        hub.holding.wait(20)
        place.call("DELETE", "/order")
        hub.release.set()

        assert place.reaches("done", "failed")["reason"] == "Stopped. Tiny LLM stays."
    assert points_at(tiny, "llm.gguf") == CONTENTS["tiny.gguf"]


def test_a_trial_can_be_stopped(tiny: Household) -> None:
    with desk(tiny) as place:
        place.choose("llm", "small-llm")
        place.reaches("trying")
        place.call("DELETE", "/order")

        assert place.reaches("done", "failed")["reason"] == "Stopped. Tiny LLM is back."
    assert points_at(tiny, "llm.gguf") == CONTENTS["tiny.gguf"]


def test_a_wrong_hash_is_refused(tiny: Household, hub: FakeHub) -> None:
    good = hashlib.sha256(SMALL).hexdigest()
    hub.serve("acme/small-llm", "small.gguf", content_of("evil", len(SMALL)), claimed_sha256=good)
    with desk(tiny) as place:
        place.choose("llm", "small-llm")
        outcome = place.reaches("done", "failed")

    assert outcome["reason"] == (
        "Small LLM cannot be loaded now: Hugging Face (acme/small-llm) gave a small.gguf with the wrong SHA-256, which"
        " was deleted. Tiny LLM stays."
    )
    assert points_at(tiny, "llm.gguf") == CONTENTS["tiny.gguf"]
    assert not (tiny.models / "store/small-llm/small.gguf").exists()


def test_keeps_the_old_model_without_a_network(tiny: Household) -> None:
    tiny.hub_url = closed_port()
    with desk(tiny) as place:
        place.choose("stt", "small-stt")
        outcome = place.reaches("done", "failed")

    assert outcome["reason"] == (
        "Small Whisper cannot be loaded now: Hugging Face cannot be reached: the connection was refused."
        " Tiny Whisper stays."
    )


def test_reports_a_full_disk(tiny: Household) -> None:
    # As in test_interrupted: writing there fails, because the disk is full.
    tiny.partial("small.gguf").parent.mkdir(exist_ok=True)
    tiny.partial("small.gguf").symlink_to("/dev/full")
    with desk(tiny) as place:
        place.choose("llm", "small-llm")
        outcome = place.reaches("done", "failed")

    assert outcome["reason"] == (
        "The disk filled up while downloading Small LLM; no unfinished file is in place. Free some space."
        " Tiny LLM stays."
    )


def test_an_own_model_is_chosen_like_any_other(tiny: Household) -> None:
    (tiny.own / "mine.gguf").write_bytes(gguf())
    with desk(tiny) as place:
        outcome = take(place, "llm", "mine.gguf")

    assert outcome["reason"] == "Our own answers."
    assert points_at(tiny, "llm.gguf") == gguf()


def test_adds_a_voice_to_the_others(tiny: Household) -> None:
    with desk(tiny) as place:
        outcome = take(place, "tts", "en_US-lj-medium")

    assert outcome["reason"] == "en_US-lj-medium is here."
    voices = tiny.models / "voices"
    assert sorted(path.name for path in voices.glob("*.onnx")) == ["en_US-joe-medium.onnx", "en_US-lj-medium.onnx"]
    assert (voices / "en_US-lj-medium.onnx").read_bytes() == CONTENTS["en_US-lj-medium.onnx"]
    # Piper's own voice stays: which one speaks is a setting.
    assert points_at(tiny, "tts/en_US-joe-medium.onnx") == CONTENTS["en_US-joe-medium.onnx"]


def test_reports_a_voice_that_piper_does_not_offer(tiny: Household) -> None:
    with desk(tiny, "--try-for", "0.2") as place:
        place.choose("tts", "en_US-lj-medium")
        outcome = place.reaches("done", "failed")

    assert outcome["reason"] == "en_US-lj-medium is here, but the speech server does not offer it."


def test_is_healthy_while_it_answers(tiny: Household, tmp_path: Path) -> None:
    def health(path: Path) -> int:
        return subprocess.run([sys.executable, str(HEALTHCHECK), str(path)], stderr=subprocess.DEVNULL).returncode

    with desk(tiny) as place:
        assert health(place.path) == 0
    assert health(tmp_path / "nobody.sock") == 1


def test_an_unknown_model_is_refused(tiny: Household) -> None:
    with desk(tiny) as place:
        assert place.choose("llm", "../../etc/passwd")[0] == 404
        assert place.choose("stt", "small-llm")[0] == 404
        assert place.call("POST", "/nowhere")[0] == 404
        assert place.call("POST", "/order", ["x"])[0] == 404
        assert place.told()["order"] is None


def test_offers_no_choice_for_an_engine_elsewhere(tiny: Household) -> None:
    with desk(tiny, "--kinds", "stt") as place:
        models = place.told()["models"]
        assert isinstance(models, list)
        assert {each["kind"] for each in models} == {"stt"}
        assert place.choose("llm", "small-llm")[0] == 404


def published(name: str, content: bytes, **changes: object) -> dict[str, object]:
    """An entry as in Piper's voices.json."""
    folder = f"de/de_DE/{name.split('-')[1]}/{name.rpartition('-')[2]}"
    config = b'{"audio": {"sample_rate": 22050}}'
    files = {
        f"{folder}/{name}.onnx": {"size_bytes": len(content), "md5_digest": hashlib.md5(content).hexdigest()},
        f"{folder}/{name}.onnx.json": {"size_bytes": len(config), "md5_digest": hashlib.md5(config).hexdigest()},
        f"{folder}/MODEL_CARD": {"size_bytes": 3, "md5_digest": "0" * 32},
    }
    language = {"code": "de_DE", "family": "de", "region": "DE", "name_english": "German", "country_english": "Germany"}
    about = {"key": name, "name": name.split("-")[1], "language": language, "num_speakers": 1, "aliases": []}
    return {**about, "quality": "medium", "files": files, **changes}


THORSTEN = content_of("thorsten", 60_000)
CONFIG = b'{"audio": {"sample_rate": 22050}}'


@pytest.fixture
def publishing(hub: FakeHub) -> FakeHub:
    entries = {
        "de_DE-thorsten-medium": published("de_DE-thorsten-medium", THORSTEN),
        "en_US-joe-medium": published("en_US-joe-medium", b"ours is checked by SHA-256"),
        "../../etc-evil-low": published("de_DE-evil-low", b"x"),
        "de_DE-half-low": published("de_DE-half-low", b"x", files={}),
        "de_DE-odd-low": 7,
    }
    hub.serve("acme/voices", "voices.json", json.dumps(entries).encode())
    folder = "de/de_DE/thorsten/medium/de_DE-thorsten-medium"
    hub.serve("acme/voices", f"{folder}.onnx", THORSTEN)
    hub.serve("acme/voices", f"{folder}.onnx.json", CONFIG)
    return hub


def listed(place: Desk) -> dict[str, object]:
    place.call("POST", "/voices")
    while True:
        voices = place.told()["voices"]
        assert isinstance(voices, dict)
        if voices["state"] != "asking":
            return voices


def test_offers_the_voices_that_piper_publishes(tiny: Household, publishing: FakeHub) -> None:
    with desk(tiny) as place:
        assert listed(place) == {"state": "idle", "reason": None, "isKnown": True}
        voice = place.model("de_DE-thorsten-medium")
        outcome = take(place, "tts", "de_DE-thorsten-medium")
        names = [model["id"] for model in place.told()["models"]]  # type: ignore[attr-defined]

    assert voice["name"] == "Thorsten (German, Germany)"
    assert voice["bytes"] == len(THORSTEN) + len(CONFIG)
    assert str(voice["card"]).endswith("/de/de_DE/thorsten/medium/MODEL_CARD")
    assert outcome["reason"] == "Thorsten (German, Germany) is here."
    assert (tiny.models / "voices/de_DE-thorsten-medium.onnx").read_bytes() == THORSTEN
    # The offer leaves out voices with an unexpected description. Our own list wins.
    assert [name for name in names if name not in ("tiny-llm", "small-llm", "large-llm", "tiny-stt", "small-stt")] == [
        "en_US-joe-medium",
        "en_US-lj-medium",
        "de_DE-thorsten-medium",
    ]


def test_a_published_voice_with_a_wrong_hash_is_refused(tiny: Household, publishing: FakeHub) -> None:
    folder = "de/de_DE/thorsten/medium/de_DE-thorsten-medium"
    publishing.serve("acme/voices", f"{folder}.onnx", content_of("evil", len(THORSTEN)))
    with desk(tiny) as place:
        listed(place)
        place.choose("tts", "de_DE-thorsten-medium")
        reason = str(place.reaches("done", "failed")["reason"])

    assert "with the wrong MD5, which was deleted. The voices that are here stay." in reason
    assert not (tiny.models / "voices/de_DE-thorsten-medium.onnx").exists()


def test_says_that_the_published_voices_cannot_be_reached(tiny: Household) -> None:
    tiny.hub_url = closed_port()
    with desk(tiny) as place:
        assert listed(place) == {
            "state": "failed",
            "reason": "The list of Piper's voices cannot be loaded now:"
            " Hugging Face cannot be reached: the connection was refused.",
            "isKnown": False,
        }


def test_refuses_a_file_that_is_not_a_list(tiny: Household, hub: FakeHub) -> None:
    hub.serve("acme/voices", "voices.json", b'["no", "list"]')
    with desk(tiny) as place:
        assert "has another form than expected" in str(listed(place)["reason"])
