"""Prints as JSON when each word of the clips is spoken: word_times.py <model folder> <folder with cases.json>.

The words are known, so the model aligns them with the sound. It aligns only the part with speech.
"""

import json
import os
import sys
from pathlib import Path

# Set before faster-whisper loads onnxruntime, which would send telemetry to its vendor.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from faster_whisper import WhisperModel, decode_audio
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import Tokenizer

RATE_HZ = 16_000
FRAMES_PER_SECOND = 100
MARGIN_S = 0.1
OPENING, CLOSING = "\"'([{-", "\"'.,!?:)]}"


def main(model_dir: str, folder: str) -> None:
    model = WhisperModel(model_dir, device="cpu", compute_type="int8")
    tokenizer = Tokenizer(model.hf_tokenizer, multilingual=False)
    cases = json.loads((Path(folder) / "cases.json").read_text())
    spoken = [case for case in cases if case["text"] and len(case["speech"]) == 1]
    print(
        json.dumps(
            {case["file"]: _words(model, tokenizer, folder, case) for case in spoken}
        )
    )


def _words(
    model: WhisperModel, tokenizer: Tokenizer, folder: str, case: dict
) -> list[dict[str, object]]:
    from_s, until_s = case["speech"][0]
    from_s = max(0.0, from_s - MARGIN_S)
    samples = decode_audio(str(Path(folder) / case["file"]), sampling_rate=RATE_HZ)
    samples = samples[int(from_s * RATE_HZ) : int((until_s + MARGIN_S) * RATE_HZ)]
    frames = len(samples) * FRAMES_PER_SECOND // RATE_HZ
    encoded = model.encode(pad_or_trim(model.feature_extractor(samples)[:, :-1], 3_000))
    text = case["text"][0].upper() + case["text"][1:]
    segment = {
        "seek": 0,
        "start": 0.0,
        "end": frames / 100,
        "tokens": tokenizer.encode(" " + text),
    }
    model.add_word_timestamps(
        [[segment]],
        tokenizer,
        encoded,
        frames,
        OPENING,
        CLOSING,
        last_speech_timestamp=0.0,
    )
    return [
        {
            "word": word["word"].strip(),
            "fromMs": round((from_s + word["start"]) * 1000),
            "untilMs": round((from_s + word["end"]) * 1000),
        }
        for word in segment["words"]
    ]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
