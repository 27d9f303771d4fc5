"""A voice device with ESPHome firmware, on the messages of PyPI's aioesphomeapi. NAME MAC CLIP.wav [KEY]

Prints its port, then each message that it receives, as lines of JSON. Obeys the lines of its standard input.
"""

import asyncio
import base64
import json
import sys
import urllib.request
import wave
from collections.abc import Callable, Coroutine

from aioesphomeapi import api_pb2 as api
from aioesphomeapi.core import MESSAGE_TYPE_TO_PROTO
from aioesphomeapi.model import VoiceAssistantFeature as Feature
from cryptography.exceptions import InvalidTag
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from noise.connection import NoiseConnection

NUMBERS = {proto: number for number, proto in MESSAGE_TYPE_TO_PROTO.items()}
PLAYER = 7
# A byte alone, parts of messages, and several messages at once.
PACKET_SIZES = [1, 2, 700, 3_000, 5_000]
END_OF_SPEECH = 12
STREAMS_ANSWER = 100
ALL_FEATURES = (
    Feature.VOICE_ASSISTANT
    | Feature.API_AUDIO
    | Feature.TIMERS
    | Feature.ANNOUNCE
    | Feature.START_CONVERSATION
    | Feature.MULTI_CHANNEL_AUDIO
)


def report(**found: object) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


def varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def unknown_bytes(message: Message) -> int:
    """The size of fields that the library does not know, in the message and everything in it."""
    before = message.ByteSize()
    message.DiscardUnknownFields()
    return before - message.ByteSize()


class PlainFrames:
    """`00`, length and type as varints, message."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = (await self._reader.readexactly(1))[0]
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    async def receive(self) -> tuple[int, bytes]:
        if await self._reader.readexactly(1) != b"\x00":
            raise ConnectionError("no plain frame")
        size, number = await self._varint(), await self._varint()
        return number, await self._reader.readexactly(size)

    def frame(self, number: int, body: bytes) -> bytes:
        return b"\x00" + varint(len(body)) + varint(number) + body


class NoiseFrames:
    """`01`, length in two bytes, then type, length and message, encrypted."""

    def __init__(self, reader: asyncio.StreamReader, key: bytes) -> None:
        self._reader = reader
        self._noise = NoiseConnection.from_name(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256")
        self._noise.set_as_responder()
        self._noise.set_psks(key)
        self._noise.set_prologue(b"NoiseAPIInit\x00\x00")
        self._noise.start_handshake()

    async def _read(self) -> bytes:
        head = await self._reader.readexactly(3)
        if head[0] != 1:
            raise ConnectionError("no encrypted frame")
        return await self._reader.readexactly(int.from_bytes(head[1:]))

    @staticmethod
    def _wrapped(body: bytes) -> bytes:
        return b"\x01" + len(body).to_bytes(2) + body

    async def open(self, writer: asyncio.StreamWriter, name: str, mac: str) -> None:
        assert await self._read() == b""
        writer.write(self._wrapped(b"\x01" + name.encode() + b"\0" + mac.replace(":", "").encode() + b"\0"))
        opening = await self._read()
        assert opening[0] == 0
        try:
            self._noise.read_message(opening[1:])
        except InvalidTag:
            # The firmware's own words.
            writer.write(self._wrapped(b"\x01Handshake MAC failure"))
            raise ConnectionError("wrong key") from None
        writer.write(self._wrapped(b"\x00" + bytes(self._noise.write_message())))

    async def receive(self) -> tuple[int, bytes]:
        plain = bytes(self._noise.decrypt(await self._read()))
        assert int.from_bytes(plain[2:4]) == len(plain) - 4
        return int.from_bytes(plain[:2]), plain[4:]

    def frame(self, number: int, body: bytes) -> bytes:
        plain = number.to_bytes(2) + len(body).to_bytes(2) + body
        return self._wrapped(bytes(self._noise.encrypt(plain)))


class Device:
    def __init__(self, name: str, mac: str, clip: bytes, key: bytes | None) -> None:
        self.name, self.mac, self.clip, self.key = name, mac, clip, key
        self.volume = 0.4
        self.url = ""
        self.is_listening = False
        self.active = ["okay_nabu"]
        self.frames: PlainFrames | NoiseFrames | None = None
        self.writer: asyncio.StreamWriter | None = None
        # Framed messages, sent in packets of odd sizes while the device listens, else at once.
        self.outgoing = bytearray()
        self.tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        try:
            if self.key is None:
                self.frames = PlainFrames(reader)
            else:
                self.frames = NoiseFrames(reader, self.key)
                await self.frames.open(writer, self.name, self.mac)
            while True:
                self.take(*await self.frames.receive())
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    def send(self, *messages: Message) -> None:
        """Several messages in one packet, as the firmware batches them."""
        if self.frames is None or self.writer is None:
            return
        for message in messages:
            self.outgoing += self.frames.frame(NUMBERS[type(message)], message.SerializeToString())
        if not self.is_listening:
            self.send_packet(len(self.outgoing))

    def send_packet(self, size: int) -> None:
        if self.writer is not None:
            self.writer.write(bytes(self.outgoing[:size]))
        del self.outgoing[:size]

    def take(self, number: int, body: bytes) -> None:
        message = MESSAGE_TYPE_TO_PROTO[number]()
        message.ParseFromString(body)
        report(
            got=type(message).__name__,
            data=MessageToDict(message, preserving_proto_field_name=True, use_integers_for_enums=True),
            unknown=unknown_bytes(message),
        )
        answer = getattr(self, f"on_{type(message).__name__}", None)
        if answer is not None:
            answer(message)

    def on_HelloRequest(self, _: Message) -> None:
        self.send(
            api.HelloResponse(api_version_major=1, api_version_minor=14, server_info="esphome (test)", name=self.name)
        )

    def on_AuthenticationRequest(self, _: Message) -> None:
        self.send(api.AuthenticationResponse())

    def on_PingRequest(self, _: Message) -> None:
        self.send(api.PingResponse())

    def on_DisconnectRequest(self, _: Message) -> None:
        self.send(api.DisconnectResponse())

    def on_DeviceInfoRequest(self, _: Message) -> None:
        self.send(
            api.DeviceInfoResponse(
                name=self.name,
                mac_address=self.mac,
                esphome_version="2026.11.0",
                compilation_time="Nov 1 2026",
                model="Home Assistant Voice PE",
                manufacturer="Nabu Casa",
                project_name="Nabu Casa.Home Assistant Voice PE",
                friendly_name="Puck",
                suggested_area="Kitchen",
                voice_assistant_feature_flags=int(ALL_FEATURES),
                api_encryption_supported=self.key is not None,
            )
        )

    def on_ListEntitiesRequest(self, _: Message) -> None:
        """With other things than a player, and without object ids, as from version 1.14 of the interface."""
        formats = [
            api.MediaPlayerSupportedFormat(
                format="flac", sample_rate=48_000, num_channels=2, purpose=0, sample_bytes=2
            ),
            api.MediaPlayerSupportedFormat(
                format="flac", sample_rate=48_000, num_channels=1, purpose=1, sample_bytes=2
            ),
        ]
        self.send(
            api.ListEntitiesSwitchResponse(key=1, name="Mute"),
            api.ListEntitiesLightResponse(key=2, name="LED Ring"),
            api.ListEntitiesSelectResponse(key=3, name="Wake word sensitivity", options=["Low", "High"]),
            api.ListEntitiesEventResponse(key=4, name="Button press", event_types=["double_press"]),
            api.ListEntitiesMediaPlayerResponse(
                key=PLAYER, name="Media Player", supports_pause=True, supported_formats=formats
            ),
            api.ListEntitiesDoneResponse(),
        )

    def on_SubscribeStatesRequest(self, _: Message) -> None:
        states = [api.SwitchStateResponse(key=1), api.SelectStateResponse(key=3, state="Low")]
        # The firmware asks for the time, and pings its client.
        self.send(*states, self.player(), api.GetTimeRequest(), api.PingRequest())

    def player(self) -> Message:
        return api.MediaPlayerStateResponse(key=PLAYER, state=1, volume=self.volume, muted=False)

    def on_MediaPlayerCommandRequest(self, message: api.MediaPlayerCommandRequest) -> None:
        if message.key == PLAYER and message.has_volume:
            self.volume = message.volume
            self.send(self.player())

    def on_VoiceAssistantConfigurationRequest(self, _: Message) -> None:
        words = {"okay_nabu": "Okay Nabu", "hey_jarvis": "Hey Jarvis", "stop": "Stop"}
        offered = [
            api.VoiceAssistantWakeWord(id=key, wake_word=word, trained_languages=["en"]) for key, word in words.items()
        ]
        self.send(
            api.VoiceAssistantConfigurationResponse(
                available_wake_words=offered, active_wake_words=self.active, max_active_wake_words=2
            )
        )

    def on_VoiceAssistantSetConfiguration(self, message: api.VoiceAssistantSetConfiguration) -> None:
        self.active = list(message.active_wake_words)

    def on_VoiceAssistantResponse(self, message: api.VoiceAssistantResponse) -> None:
        if not message.error:
            self.start(self.talk())

    def on_VoiceAssistantEventResponse(self, message: api.VoiceAssistantEventResponse) -> None:
        about = {pair.name: pair.value for pair in message.data}
        self.url = about.get("url", self.url)
        if message.event_type == END_OF_SPEECH:
            self.is_listening = False
        if message.event_type == STREAMS_ANSWER and about.get("tts_start_streaming") == "1":
            self.start(self.play(self.url))

    def on_VoiceAssistantAnnounceRequest(self, message: api.VoiceAssistantAnnounceRequest) -> None:
        self.start(self.play(message.media_id))

    def start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def play(self, url: str) -> None:
        def fetch() -> bytes:
            with urllib.request.urlopen(url, timeout=20) as reply:
                return bytes(reply.read())

        sound = await asyncio.to_thread(fetch)
        report(file=sound[:4].decode("latin-1"), bytes=len(sound))
        self.send(api.VoiceAssistantAnnounceFinished(success=True))

    async def talk(self) -> None:
        """Sends the clip and silence in chunks of 32 ms, until it is told that the speech has ended."""
        self.is_listening = True
        sound = self.clip + bytes(96_000)
        chunks = [sound[at : at + 1_024] for at in range(0, len(sound), 1_024)]
        for sent, each in enumerate(chunks):
            if not self.is_listening or self.writer is None:
                break
            # The second channel is the microphone without processing.
            self.send(api.VoiceAssistantAudio(data=each, data2=each))
            size = PACKET_SIZES[sent % len(PACKET_SIZES)]
            if len(self.outgoing) >= size:
                self.send_packet(size)
                await self.writer.drain()
            await asyncio.sleep(0.002)
        self.is_listening = False
        self.send_packet(len(self.outgoing))

    def wake(self) -> None:
        settings = api.VoiceAssistantAudioSettings(noise_suppression_level=2, auto_gain=31)
        self.send(api.VoiceAssistantRequest(start=True, flags=3, audio_settings=settings, wake_word_phrase="okay_nabu"))

    def restart(self) -> None:
        """The firmware says goodbye before it restarts."""
        self.send(api.DisconnectRequest())


async def main(name: str, mac: str, clip: bytes, key: bytes | None) -> None:
    device = Device(name, mac, clip, key)
    server = await asyncio.start_server(device.serve, "127.0.0.1", 0)
    report(port=server.sockets[0].getsockname()[1])
    orders: dict[str, Callable[[], None]] = {"wake": device.wake, "restart": device.restart}
    while line := await asyncio.to_thread(sys.stdin.readline):
        orders[line.strip()]()


if __name__ == "__main__":
    named, mac_address, path, *keys = sys.argv[1:]
    with wave.open(path) as file:
        samples = file.readframes(file.getnframes())
    asyncio.run(main(named, mac_address, samples, base64.b64decode(keys[0]) if keys else None))
