"""Uses every service of a Wyoming server through PyPI's own client, and prints the results as JSON. HOST PORT
SPOKEN.wav WAKE.wav
"""

import asyncio
import json
import sys
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable
from wyoming.handle import Handled, NotHandled
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)
from wyoming.wake import Detect, Detection, NotDetected

WAIT_S = 30
# Chunk sizes in bytes: one byte, odd sizes, 32 ms, and a second and a half.
ODD_SIZES = [1, 3, 1023, 1024, 4097, 48_001]


class Caller:
    def __init__(self, host: str, port: int) -> None:
        self._client = AsyncTcpClient(host, port)

    async def __aenter__(self) -> "Caller":
        await self._client.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.disconnect()

    async def send(self, *sent: Eventable) -> None:
        for each in sent:
            await self._client.write_event(each.event())

    async def next(self) -> Event:
        event = await asyncio.wait_for(self._client.read_event(), WAIT_S)
        if event is None:
            raise RuntimeError("the server hung up")
        if Error.is_type(event.type):
            raise RuntimeError(Error.from_event(event).text)
        return event

    async def until(self, *kinds: type) -> tuple[Event, list[Event]]:
        before: list[Event] = []
        while True:
            event = await self.next()
            if any(kind.is_type(event.type) for kind in kinds):
                return event, before
            before.append(event)


def read(path: str) -> bytes:
    with wave.open(path) as file:
        assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (16_000, 2, 1)
        return file.readframes(file.getnframes())


def chunks(samples: bytes, sizes: list[int]) -> list[AudioChunk]:
    made: list[AudioChunk] = []
    at = 0
    while at < len(samples):
        size = sizes[len(made) % len(sizes)]
        made.append(AudioChunk(16_000, 2, 1, samples[at : at + size], timestamp=at // 32))
        at += size
    return made


def sound(samples: bytes, sizes: list[int]) -> list[Eventable]:
    return [AudioStart(16_000, 2, 1, timestamp=0), *chunks(samples, sizes), AudioStop()]


async def main(host: str, port: int, spoken: bytes, wake: bytes) -> dict[str, object]:
    found: dict[str, object] = {}

    async with Caller(host, port) as caller:
        await caller.send(Describe())
        event, _ = await caller.until(Info)
        info = Info.from_event(event)
        found["programs"] = [len(info.asr), len(info.tts), len(info.handle), len(info.wake)]
        found["wake_models"] = sorted(model.name for program in info.wake for model in program.models)
        await caller.send(Ping(text="here"))
        event, _ = await caller.until(Pong)
        found["pong"] = Pong.from_event(event).text

    transcripts: dict[str, str] = {}
    for name, sizes in {"usual": [2_048], "odd": ODD_SIZES, "at once": [900_000]}.items():
        async with Caller(host, port) as caller:
            await caller.send(Transcribe(language="en"), *sound(spoken, sizes))
            event, _ = await caller.until(Transcript)
            transcripts[name] = Transcript.from_event(event).text
    found["transcripts"] = transcripts

    detections: dict[str, list[object]] = {}
    for name, sizes in {"usual": [2_048], "odd": ODD_SIZES, "at once": [900_000]}.items():
        async with Caller(host, port) as caller:
            await caller.send(Detect(names=["okay_nabu"]), *sound(wake, sizes)[:-1])
            event, _ = await caller.until(Detection)
            detection = Detection.from_event(event)
            detections[name] = [detection.name, detection.timestamp]
    found["detections"] = detections
    async with Caller(host, port) as caller:
        await caller.send(Detect(), *sound(spoken, [2_048]))
        event, _ = await caller.until(NotDetected, Detection)
        found["no_detection"] = event.type
    async with Caller(host, port) as caller:
        try:
            await caller.send(Detect(names=["hey_nobody"]))
            await caller.next()
        except RuntimeError as error:
            found["unknown_word"] = str(error)

    async with Caller(host, port) as caller:
        await caller.send(Synthesize(text="The lamp is green."))
        _, before = await caller.until(AudioStop)
        found["said"] = [before[0].type, sum(len(event.payload or b"") for event in before) > 1_000]
    async with Caller(host, port) as caller:
        whole = "The lamp is green. The door is shut."
        pieces = [SynthesizeChunk(text=whole[at : at + 5]) for at in range(0, len(whole), 5)]
        await caller.send(SynthesizeStart(), *pieces, Synthesize(text=whole), SynthesizeStop())
        _, before = await caller.until(SynthesizeStopped)
        kinds = [event.type for event in before if event.type != "audio-chunk"]
        found["streamed"] = kinds

    async with Caller(host, port) as caller:
        await caller.send(Transcript(text="What is 3 plus 4?"))
        event, _ = await caller.until(Handled, NotHandled)
        found["handled"] = Handled.from_event(event).text
    return {**found, **await languages(host, port, info, spoken)}


async def languages(host: str, port: int, info: Info, spoken: bytes) -> dict[str, object]:
    announced = {
        "asr": info.asr[0].models[0].languages,
        "tts": {voice.name: voice.languages for voice in info.tts[0].voices},
        "handle": info.handle[0].models[0].languages,
    }
    german: dict[str, object] = {}
    async with Caller(host, port) as caller:
        await caller.send(Transcribe(language="de"), *sound(spoken, [2_048]))
        event, _ = await caller.until(Transcript)
        transcript = Transcript.from_event(event)
        german["transcript"] = [transcript.text, transcript.language]
        await caller.send(Transcript(text="Was ist 3 plus 4?", language="de-AT"))
        event, _ = await caller.until(Handled, NotHandled)
        german["handled"] = Handled.from_event(event).text
        by_language, by_name = SynthesizeVoice(language="de"), SynthesizeVoice(name="household-de")
        for key, voice in {"said": by_language, "named": by_name}.items():
            await caller.send(Synthesize(text="Die Lampe ist grün.", voice=voice))
            _, before = await caller.until(AudioStop)
            german[key] = sum(len(event.payload or b"") for event in before) > 1_000

    french: dict[str, str] = {}
    requests: dict[str, list[Eventable]] = {
        "transcribe": [Transcribe(language="fr"), *sound(spoken, [2_048])],
        "synthesize": [Synthesize(text="Bonjour.", voice=SynthesizeVoice(language="fr"))],
        "handle": [Transcript(text="Bonjour.", language="fr")],
    }
    for name, sent in requests.items():
        async with Caller(host, port) as caller:
            await caller.send(*sent)
            try:
                await caller.next()
            except RuntimeError as error:
                french[name] = str(error)
    return {"languages": announced, "german": german, "french": french}


if __name__ == "__main__":
    to, at, spoken_path, wake_path = sys.argv[1:]
    print(json.dumps(asyncio.run(main(to, int(at), read(spoken_path), read(wake_path)))))
