"""What the C library says of sounds: the reference of the wake word detector.

    python reference.py MODELS < paths

MODELS is a folder of `.tflite` and `.json` files; each line of the input is the path of a file of raw sound (16 kHz, 16 bits, one channel).
For each, one line of JSON: `features`, the SHA-256 of all features (16 bits each, little-endian), and for each word the probabilities
(bytes, base64: 256ths) and the runs of the model (counted from 0) after which the library says that it heard the word.

Runs in an environment of its own: `pip install pymicro-wakeword==2.5.0`.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from pymicro_wakeword import MicroWakeWord, MicroWakeWordFeatures

# What pymicro-features multiplies its whole numbers with.
FEATURE_SCALE = 0.0390625
# Above this a feature does not fit the 8 bits that models take. ESPHome and our detector then take the highest number; this library lets it
# wrap around to the lowest, in sound that fills all 16 bits.
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
