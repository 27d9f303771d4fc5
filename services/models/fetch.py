"""Fetches the chosen models and points the engines at them. See `python fetch.py --help`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from fetching.catalog_file import load_catalog
from fetching.choices import read_choices
from fetching.errors import FetchError, StoppedError, is_disk_full
from fetching.lock import only_fetch
from fetching.messages import gettext
from fetching.progress import Progress
from fetching.run import run
from fetching.store import Store
from fetching.wish import parse_kinds, read_wish

HERE = Path(__file__).resolve().parent

# Hearth shows its own progress and sends no reports. The hub's second transfer protocol cannot resume a file.
HUB_SETTINGS = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.environ.update(HUB_SETTINGS)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    try:
        _fetch(options)
    except FetchError as error:
        sys.stderr.write(f"{error.told}\n")
        return 1
    except StoppedError as error:
        words = gettext("Stopped before all models were in place; the next start continues from here.")
        sys.stderr.write(f"{words}\n")
        return 128 + error.signal_number
    except OSError as error:
        reason = gettext("the disk is full") if is_disk_full(error) else (error.strerror or str(error))
        place = f" ({error.filename})" if error.filename else ""
        sys.stderr.write(f"{gettext('The models cannot be downloaded: %s.', f'{reason}{place}')}\n")
        return 1
    return 0


def _fetch(options: argparse.Namespace) -> None:
    catalog = load_catalog(options.catalog)
    store = Store(options.models_dir)
    store.prepare()
    progress = Progress(store.progress)
    with only_fetch(store.lock, options.lock_wait, progress.say):
        # Another fetch may have cleared the folder in the meantime.
        store.prepare()
        try:
            if options.forget_choices:
                store.choices.unlink(missing_ok=True)
            choices = read_choices(store.choices)
            wish = read_wish(os.environ, parse_kinds(options.kinds), catalog, options.own_dir, choices)
            run(wish, catalog, store, progress)
        except (FetchError, OSError) as error:
            progress.finish("failed", str(error))
            raise
        except StoppedError:
            progress.finish("failed", "Stopped before all models were in place; the next start continues.")
            raise


def _stop(number: int, _: FrameType | None) -> None:
    # A second signal must not interrupt the cleanup after the first.
    signal.signal(number, signal.SIG_IGN)
    raise StoppedError(number)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Downloads the models of size MODELS (tiny, small or large; LLM_MODEL, STT_MODEL and TTS_VOICE"
        " choose others), checks them and points the engines at them."
    )
    parser.add_argument("--models-dir", type=Path, required=True, help="the folder for models")
    parser.add_argument("--own-dir", type=Path, default=None, help="folder with your own .gguf files")
    parser.add_argument(
        "--kinds",
        default="llm,stt,tts",
        help="what needs a model, separated by commas: llm, stt, tts; also wake (the wake words) and sentences"
        " (those of other languages)",
    )
    parser.add_argument(
        "--forget-choices",
        action="store_true",
        help="what the environment names counts, whatever was chosen on the page",
    )
    parser.add_argument("--catalog", type=Path, default=HERE / "models.json", help="the list of models")
    parser.add_argument(
        "--lock-wait", type=float, default=3600, metavar="SECONDS", help="how long to wait for another download"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
