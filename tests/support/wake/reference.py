"""Prints the C library's results for sounds: the reference of the wake word detector.

    python reference.py MODELS < paths

MODELS is a folder of `.tflite` and `.json` files. Each input line is the path of a raw sound file (16 kHz, 16
bits, one channel). For each file it prints one line of JSON. `features` is the SHA-256 of all features (16
bits each, little-endian). Each word has its probabilities (bytes, base64: 256ths) and the model runs (from 0)
after which the library detects it.

Needs a separate environment: `pip install pymicro-wakeword==2.5.0`.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from pymicro_wakeword import MicroWakeWord, MicroWakeWordFeatures

# pymicro-features multiplies its whole numbers by this.
FEATURE_SCALE = 0.0390625
# Larger features do not fit the models' 8 bits. ESPHome and our detector then use the highest number. This
# library wraps around to the lowest, in sound that fills all 16 bits.
MAX_FEATURE = 26.0


def main() -> None:
    manifests = sorted(Path(sys.argv[1]).glob("*.json"))
    for line in sys.stdin:
        path = line.strip()
        features = [each.copy() for each in MicroWakeWordFeatures().process_streaming(Path(path).read_bytes())]
        digest = hashlib.sha256()
        for each in features:
            digest.update(np.rint(each.reshape(-1) / FEATURE_SCALE).astype("<u2").tobytes())
        words = {manifest.stem: heard(manifest, features) for manifest in manifests}
        print(json.dumps({"path": path, "features": digest.hexdigest(), "words": words}), flush=True)


def heard(manifest: Path, features: list[np.ndarray]) -> dict[str, object]:
    word = MicroWakeWord.from_config(manifest)
    probabilities, hits = bytearray(), []
    for count, each in enumerate(features, start=1):
        is_hit = word.process_streaming(np.minimum(each, MAX_FEATURE))
        if count % word.stride != 0:
            continue
        # The model's own result is a whole number of 256ths.
        probabilities.append(round(word._probabilities[-1] * 256))
        if is_hit:
            hits.append(len(probabilities) - 1)
    word.close()
    return {"probabilities": base64.b64encode(bytes(probabilities)).decode(), "hits": hits}


main()
