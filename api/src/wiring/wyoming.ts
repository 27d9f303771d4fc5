import { randomUUID } from 'node:crypto';
import { createListener } from '../audio/listener.ts';
import { speakPieces } from '../audio/spoken-pieces.ts';
import { toAppError } from '../errors.ts';
import { choiceOf } from '../http/engine-choice.ts';
import { isOnLoopback, trustedGateway } from '../http/own-machine.ts';
import { systemClock as clock } from '../http/system-clock.ts';
import { createSay } from '../language/phrases.ts';
import { anyWords, createTranscriptionSession } from '../listen/transcription-session.ts';
import { checkVoice } from '../settings/possible.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import type { WyomingQuestion } from '../wyoming/connection.ts';
import { createRoomFinder } from '../wyoming/room-finder.ts';
import { createWyomingServer } from '../wyoming/server.ts';
import { wyomingInfo } from '../wyoming/service-info.ts';
import type { ApiCore } from './api-core.ts';
import { reasonsOff } from './engine-addresses.ts';

/** Timeout of a piece, including the wait for people's requests. */
const pieceMs = 60_000;
/** Home Assistant answers within a few ms. A question waits no longer for its room. */
const roomMs = 1_000;
/** After this much speech, the next pause ends the piece. The rest then still fits into Whisper's window. */
const goesOnAfterMs = 14_000;
const thisMachine = ['127.0.0.0/8', '::1'];

/** The Wyoming server for Home Assistant. Null: disabled. */
export function wireWyoming(core: ApiCore) {
  const { config, log, language, turnClient, workerCalls, settings, workers, vad, version } = core;
  if (config.wyoming === null) return null;
  const { address, port, allowed } = config.wyoming;
  // In a container, the port is published on `address`, and the server listens on all interfaces inside.
  const isPublished = config.listenAddress !== undefined;
  const gateway = isPublished && isOnLoopback(address) ? trustedGateway(address) : null;
  const say = createSay(language.phrases);
  const speakable = createSpeakable(language.speaking);
  const roomOf = createRoomFinder({
    nowMs: clock.nowMs,
    ask: (places) => workerCalls.area(places, { withinMs: roomMs, signal: AbortSignal.timeout(roomMs) }),
  });
  const onFault = (error: unknown) => log.error({ err: error }, 'Wyoming connection failed');

  const answer = async ({ text, conversation, places }: WyomingQuestion, signal: AbortSignal) => {
    try {
      const turn = await turnClient.startTurn({
        id: randomUUID(),
        source: 'wyoming',
        question: { text },
        conversation: conversation === null ? null : `wyoming/${conversation}`,
        room: await roomOf(places),
      });
      const cancel = () => turn.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      const { text: words } = await turn.reply.finally(() => signal.removeEventListener('abort', cancel));
      return { text: words, isHandled: true };
    } catch (error) {
      return { text: say.failure(toAppError(error).code), isHandled: false };
    }
  };

  const server = createWyomingServer({
    log,
    allowed: [...thisMachine, ...(gateway === null ? [] : [gateway]), ...allowed],
    clock,
    onFault,
    info: () =>
      wyomingInfo({
        version,
        language: language.tag,
        hearing: 'off' in config.stt ? null : { model: workers.engine('stt')?.model ?? null },
        speaking: 'off' in config.tts ? null : { voices: voicesOf(core) },
        wakeWords: core.wakeWords.now().words,
      }),
    answer,
    wakeWords: () => core.wakeWords.now().words,
    open: ({ isLive, ...side }) =>
      createTranscriptionSession({
        ...side,
        // In a recording the end of a pause arrives at once.
        speculates: () => settings.current().speculates && isLive(),
        listener: createListener({
          vad,
          silences: anyWords(settings.current().end_silence_ms),
          goesOnAfterMs,
        }),
        newId: randomUUID,
        write: async (sound, options, signal) =>
          (await workerCalls.transcribe(sound, options, { withinMs: pieceMs, signal })).text,
        onFault,
      }),
    sentences: () => {
      const splitter = createSentenceSplitter(language.speaking);
      const said = (pieces: readonly string[]) => pieces.map(speakable).filter(Boolean);
      return { push: (text) => said(splitter.push(text)), end: () => said(splitter.end()) };
    },
    speak: (pieces, voice, signal) => {
      const usual = settings.current();
      if (voice !== null && voice !== usualVoice)
        checkVoice(voice, choiceOf(workers.engine('tts'), reasonsOff(config).tts));
      const manner = {
        voice: voice === usualVoice ? usual.voice : (voice ?? usual.voice),
        speed: usual.speed,
      };
      return speakPieces(pieces, {
        say: (text) => workerCalls.say(text, manner, { withinMs: pieceMs, signal }),
      });
    },
  });
  return {
    /** Rejects with the system's error if it cannot listen. */
    listen: () => server.listen({ address: isPublished ? config.host : address, port }),
    stop: server.stop,
  };
}

/** Name of the household's current voice. Clients that know no other name can still use it. */
const usualVoice = 'household';

function voicesOf({ workers }: ApiCore): string[] {
  return [usualVoice, ...(workers.engine('tts')?.options ?? [])];
}
