import type { Decoder } from '../audio/decode.ts';
import type { SpeechCheck } from '../audio/speech-check.ts';
import { joinSpeech } from '../audio/speech-join.ts';
import { writeWav } from '../audio/wav.ts';
import type { Speech } from '../turn/playout.ts';
import type { TurnClient } from '../turn-client/turn-client.ts';
import { ownName } from './caller.ts';
import { hangUpSignal, openCallerTurn, serverTiming } from './caller-turn.ts';
import type { Handlers } from './contract-routes.ts';
import { sharedConversation } from './turn-routes.ts';

/** Pauses after a sentence and, shorter, after a clause. */
const pauseAfterMs = { sentence: 300, clause: 120 };

interface VoiceRouteOptions {
  turnClient: TurnClient;
  decoder: Decoder;
  hasSpeech: SpeechCheck;
  /** The tag of the language that a request names. Throws AppError. */
  languageIn: (named: string | undefined) => string | undefined;
}

/** Answers a recording with speech. */
export function voiceRoutes(options: VoiceRouteOptions): Pick<Handlers, 'voice'> {
  const { turnClient, decoder, hasSpeech, languageIn } = options;
  return {
    async voice({ body, query, request, reply }) {
      const begunAt = performance.now();
      const language = languageIn(query.language);
      const gone = hangUpSignal(reply);
      const sound = await decoder.decode(body, request.raw.headers['content-type'], gone);
      // Some speech recognition engines invent words for silence and report high confidence.
      const isSpoken = await hasSpeech(sound, gone);
      const decodeMs = performance.now() - begunAt;

      const sentences: Speech[] = [];
      const newTurn = {
        source: 'voice',
        question: isSpoken ? { sound } : { text: '' },
        conversation: ownName(request.caller, query.client || sharedConversation),
        room: query.room?.trim() || null,
        language,
        speaks: true,
        preparedMs: decodeMs,
        onSpeech: (speech: Speech) => void sentences.push(speech),
      } as const;
      const opened = await openCallerTurn(turnClient, { request, reply });
      const turn = await opened.start(newTurn);
      const { text, heard, via, sentences: count, timings: untilWords } = await turn.reply;
      // The text answer exists, so it is sent even if the voice fails.
      const timings = await turn.spoken.catch(() => untilWords);
      const audio = sentences.length === count ? await wavOf(sentences) : null;

      const total = performance.now() - begunAt;
      reply.header('server-timing', serverTiming({ ...timings, total }));
      return { heard: heard ?? '', reply: text, via, audio };
    },
  };
}

/**
 * All sentences as one WAV in base64. Null if a sentence could not be spoken: half an answer can mean
 * something else.
 */
async function wavOf(sentences: readonly Speech[]): Promise<string | null> {
  const pieces = sentences.flatMap(({ sound, text }) => {
    const pauseMs = /[,;:–]$/.test(text) ? pauseAfterMs.clause : pauseAfterMs.sentence;
    return sound ? [{ sound, pauseMs }] : [];
  });
  if (pieces.length < sentences.length) return null;
  return writeWav(await joinSpeech(pieces)).toString('base64');
}
