import { randomUUID } from 'node:crypto';
import { createListener } from '../audio/listener.ts';
import { speakPieces } from '../audio/spoken-pieces.ts';
import { toAppError } from '../errors.ts';
import { choiceOf } from '../http/engine-choice.ts';
import { isOnLoopback, trustedGateway } from '../http/own-machine.ts';
import { systemClock as clock } from '../http/system-clock.ts';
import { languageOf, languagesOfVoice } from '../language/language-tag.ts';
import { createSay } from '../language/phrases.ts';
import { createTranscriptionSession } from '../listen/transcription-session.ts';
import { createSentenceOutlook } from '../listen/turn-taking/sentence-outlook.ts';
import { patientMs, silencesFor } from '../listen/utterance/end-silences.ts';
import { checkVoice } from '../settings/possible.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import type { WyomingQuestion, WyomingServices } from '../wyoming/connection.ts';
import { endsOfSpeech } from '../wyoming/patience.ts';
import { createRoomFinder } from '../wyoming/room-finder.ts';
import { createWyomingServer } from '../wyoming/server.ts';
import { wyomingInfo } from '../wyoming/service-info.ts';
import type { Speaker } from '../wyoming/speech.ts';
import { createVoiceNames } from '../wyoming/voice-names.ts';
import type { ApiCore } from './api-core.ts';
import { byLanguage } from './by-language.ts';
import { reasonsOff } from './engine-addresses.ts';
import type { TranscriptJudge } from './satellites.ts';

/** Timeout of a piece, including the wait for people's requests. */
const pieceMs = 60_000;
/** Home Assistant answers within a few ms. A question waits no longer for its room. */
const roomMs = 1_000;
/** After this much speech, the next pause ends the piece. The rest then still fits into Whisper's window. */
const goesOnAfterMs = 14_000;
const thisMachine = ['127.0.0.0/8', '::1'];

/** The Wyoming server for Home Assistant. Null: disabled. */
export function wireWyoming(core: ApiCore, judge: TranscriptJudge) {
  const { config, log, languages, turnClient, workerCalls, workers, version } = core;
  if (config.wyoming === null) return null;
  const { address, port, allowed } = config.wyoming;
  // In a container, the port is published on `address`, and the server listens on all interfaces inside.
  const isPublished = config.listenAddress !== undefined;
  const gateway = isPublished && isOnLoopback(address) ? trustedGateway(address) : null;
  const says = byLanguage(languages, ({ phrases }) => createSay(phrases));
  const languageIn = createLanguageNames(core);
  const voices = wireVoices(core, languageIn);
  const roomOf = createRoomFinder({
    nowMs: clock.nowMs,
    ask: (places) => workerCalls.area(places, { withinMs: roomMs, signal: AbortSignal.timeout(roomMs) }),
  });
  const onFault = (error: unknown) => log.error({ err: error }, 'Wyoming connection failed');

  const answer = async ({ text, conversation, places, language }: WyomingQuestion, signal: AbortSignal) => {
    try {
      const turn = await turnClient.startTurn({
        id: randomUUID(),
        source: 'wyoming',
        question: { text },
        conversation: conversation === null ? null : `wyoming/${conversation}`,
        room: await roomOf(places),
        language,
      });
      const cancel = () => turn.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      const { text: words } = await turn.reply.finally(() => signal.removeEventListener('abort', cancel));
      return { text: words, isHandled: true };
    } catch (error) {
      return { text: says.of({ language }).failure(toAppError(error).code), isHandled: false };
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
        languages: languages.map(({ tag }) => tag),
        hearing: 'off' in config.stt ? null : { model: workers.engine('stt')?.model ?? null },
        speaking: 'off' in config.tts ? null : { voices: voices.announced() },
        wakeWords: core.wakeWords.now().words,
      }),
    answer,
    languageIn,
    speaker: voices.speaker,
    wakeWords: () => core.wakeWords.now().words,
    open: wireTranscription(core, { judge, onFault }),
  });
  return {
    /** Rejects with the system's error if it cannot listen. */
    listen: () => server.listen({ address: isPublished ? config.host : address, port }),
    stop: server.stop,
  };
}

interface TranscriptionWiring {
  judge: TranscriptJudge;
  onFault: (error: unknown) => void;
}

/** Opens transcriptions. The words decide when live speech is over, as they do for satellites. */
function wireTranscription(core: ApiCore, { judge, onFault }: TranscriptionWiring): WyomingServices['open'] {
  const { languages, settings, vad, workerCalls } = core;
  const outlooks = byLanguage(languages, ({ tag }) => createSentenceOutlook((text) => judge(text, tag)));
  return ({ isLive, language, sensitivity, ...side }) => {
    const { end_silence_ms, patience, ends_early, waits_for_more } = settings.current();
    const ends = endsOfSpeech({ patience, endsEarly: ends_early, waitsForMore: waits_for_more }, sensitivity);
    const chosenMs = patientMs(end_silence_ms, ends.patience);
    const silences = silencesFor({ chosenMs, patience: ends.patience, habit: null });
    return createTranscriptionSession({
      ...side,
      // In a recording the end of a pause arrives at once.
      speculates: () => settings.current().speculates && isLive(),
      outlookOf: (transcript, voicedMs) =>
        outlooks.of({ language })(transcript, { ...ends, voicedMs, isAnswer: false }),
      listener: createListener({ vad, silences, goesOnAfterMs }),
      newId: randomUUID,
      write: (sound, options, signal) =>
        workerCalls.transcribe(sound, options, { withinMs: pieceMs, signal }),
      onFault,
    });
  };
}

type LanguageNames = ReturnType<typeof createLanguageNames>;

/** Resolves a language as clients name it: "de", "de-AT", "German". Undefined: none, or to be detected. */
function createLanguageNames({ languages, languageIn }: ApiCore) {
  const tags = languages.map(({ tag }) => tag);
  return (named: string | null | undefined): string | undefined => {
    if (!named) return undefined;
    const code = languageOf(named, tags) ?? languageCodeOf(named) ?? named;
    return code === 'auto' ? undefined : languageIn(code);
  };
}

/** The voices, each with the rules of its language. */
function wireVoices(core: ApiCore, languageIn: LanguageNames) {
  const { config, languages, settings, workerCalls, workers } = core;
  const tags = languages.map(({ tag }) => tag);
  const names = createVoiceNames({
    tags,
    languagesOf: (voice) => languagesOfVoice(voice, tags),
    offered: () => workers.engine('tts')?.options ?? [],
    checkVoice: (voice) => checkVoice(voice, choiceOf(workers.engine('tts'), reasonsOff(config).tts)),
    languageIn,
  });
  const rules = byLanguage(languages, ({ speaking }) => ({
    open: () => createSentenceSplitter(speaking),
    speakable: createSpeakable(speaking),
  }));
  const speaker = (named: Parameters<typeof names.find>[0]): Speaker => {
    const { voice, language } = names.find(named);
    const { open, speakable } = rules.of({ language });
    const splitter = open();
    const said = (pieces: readonly string[]) => pieces.map(speakable).filter(Boolean);
    return {
      sentences: { push: (text) => said(splitter.push(text)), end: () => said(splitter.end()) },
      speak: (pieces, signal) => {
        const ours = settings.current();
        const manner = { voice: voice ?? ours.voice, speed: ours.speed, language };
        return speakPieces(pieces, {
          say: (text) => workerCalls.say(text, manner, { withinMs: pieceMs, signal }),
        });
      },
    };
  };
  return { announced: names.announced, speaker };
}
