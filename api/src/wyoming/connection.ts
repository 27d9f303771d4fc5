import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Pcm } from '../audio/pcm.ts';
import { AppError, toAppError } from '../errors.ts';
import type { Clock } from '../listen/clock.ts';
import { createDictation } from './dictation.ts';
import { frameOf, type WyomingEvent } from './frames.ts';
import { readMessages } from './message-intake.ts';
import { type RequestData, readRequest, type WyomingRequest } from './requests.ts';
import { createSpokenText, type Sentences, soundEvents } from './speech.ts';
import { createWakeWatch } from './wake-watch.ts';

/** A caller that neither sends nor takes anything for so long, and waits for nothing, is gone. */
const idleMs = 90_000;
/** Whoever asks for more at once waits with the rest. */
const maxInHand = 32;

/** A sentence for the conversation, and where it was said. */
export interface WyomingQuestion {
  text: string;
  /** Null: the caller names none. */
  conversation: string | null;
  /** Home Assistant's ids of the device and of the satellite that was spoken to. */
  places: readonly string[];
}

/** What stands behind the protocol. */
export interface WyomingServices extends Pick<Parameters<typeof createDictation>[0], 'open'> {
  clock: Clock;
  /** What there is, for `info`. */
  info: () => Record<string, unknown>;
  /** Never rejects: a failure has words too. */
  answer: (question: WyomingQuestion, signal: AbortSignal) => Promise<{ text: string; isHandled: boolean }>;
  sentences: () => Sentences;
  /** Throws AppError. */
  speak: (pieces: AsyncIterable<string>, voice: string | null, signal: AbortSignal) => AsyncIterable<Pcm>;
  /** That can be listened for, now. */
  wakeWords: () => Parameters<typeof createWakeWatch>[0]['words'];
  onFault: (error: unknown) => void;
}

type Sent = Pick<WyomingEvent, 'type'> & Partial<WyomingEvent>;

/** Serves one connection of the Wyoming protocol: its requests one after the other, each ended by the next of its kind and by the end of the line. */
export function serveWyoming(
  socket: Socket,
  services: WyomingServices,
  /** Called with a sentence when the caller is hung up on for what it sends, or does not. */
  onHangUp: (why: string) => void,
): void {
  const gone = new AbortController();
  let dictation: (ReturnType<typeof createDictation> & { close: () => void }) | null = null;
  let speech: { text: ReturnType<typeof createSpokenText>; abort: AbortController } | null = null;
  let watch: ReturnType<typeof createWakeWatch> | null = null;
  let inHand = 0;
  let hasRoom = true;
  let isBroken = false;
  /** One sound after the other. */
  let lastSpoken: Promise<void> = Promise.resolve();

  const flow = (): void => {
    if (hasRoom && inHand < maxInHand && !isBroken) socket.resume();
    else socket.pause();
  };
  const send = async (event: Sent): Promise<void> => {
    if (gone.signal.aborted) return;
    if (socket.write(frameOf(event))) return;
    // Nobody reads any more; the work that wanted to send finds out by the signal.
    await once(socket, 'drain', { signal: gone.signal }).catch(() => undefined);
  };
  const tellError = async (error: unknown): Promise<void> => {
    const { message, code } = toAppError(error);
    await send({ type: 'error', data: { text: message, code } });
  };
  /** Work whose failure the caller is told, unless nobody waits for it any more. */
  const work = (run: () => Promise<void>, signal: AbortSignal = gone.signal): void => {
    inHand += 1;
    flow();
    run()
      .catch(async (error: unknown) => {
        if (signal.aborted || gone.signal.aborted) return;
        if (!(error instanceof AppError)) services.onFault(error);
        await tellError(error);
      })
      .finally(() => {
        inHand -= 1;
        if (!gone.signal.aborted) flow();
      });
  };

  const endDictation = (): void => {
    dictation?.close();
    dictation = null;
    hasRoom = true;
  };
  const endWatch = (): void => {
    watch?.close();
    watch = null;
  };
  const detect = ({ names }: RequestData<'detect'>): void => {
    endDictation();
    endWatch();
    const words = services.wakeWords();
    watch = createWakeWatch({
      words,
      names,
      onDetection: (data) => send({ type: 'detection', data: { ...data } }),
    });
  };
  const listen = (request: RequestData<'transcribe'>): void => {
    endDictation();
    endWatch();
    const over = new AbortController();
    const opened = createDictation({
      ...services,
      request,
      signal: over.signal,
      onRoom: (thereIsRoom) => {
        hasRoom = thereIsRoom || dictation?.words !== opened.words;
        if (!gone.signal.aborted) flow();
      },
    });
    dictation = { ...opened, close: () => over.abort() };
    const { language } = request;
    work(async () => {
      const text = await opened.words;
      await send({ type: 'transcript', data: { text, ...(language && { language }) } });
      if (dictation?.words === opened.words) endDictation();
    }, over.signal);
  };

  const hear = async (format: RequestData<'audio-chunk'>, bytes: Buffer): Promise<void> => {
    if (watch !== null) await watch.push(format, bytes);
    else dictation?.push(format, bytes);
  };
  const endSound = async (): Promise<void> => {
    if (watch === null) return dictation?.end();
    const watched = watch;
    const wasHeard = await watched.end();
    if (!wasHeard && watch === watched) await send({ type: 'not-detected' });
    if (watch === watched) endWatch();
  };

  const endSpeech = (): void => {
    speech?.abort.abort();
    speech?.text.close();
    speech = null;
  };
  /** `isStream`: the text comes in pieces. */
  const speak = (voice: RequestData<'synthesize'>['voice'], isStream: boolean) => {
    endSpeech();
    const text = createSpokenText(services.sentences());
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, gone.signal]);
    speech = { text, abort };
    const before = lastSpoken;
    const spoken = async () => {
      await before;
      for await (const event of soundEvents(services.speak(text.pieces, voice?.name ?? null, signal))) {
        if (signal.aborted) return;
        await send(event);
      }
      if (isStream) await send({ type: 'synthesize-stopped' });
    };
    work(() => {
      const told = spoken();
      lastSpoken = told.catch(() => undefined);
      return told;
    }, abort.signal);
    return text;
  };
  const synthesize = ({ text, voice }: RequestData<'synthesize'>): void => {
    // A caller that has sent the text in pieces sends the whole of it too, for those who know no pieces.
    if (speech !== null) return;
    const spoken = speak(voice, false);
    spoken.push(text);
    spoken.end();
    speech = null;
  };

  const answer = ({ text, context }: RequestData<'transcript'>): void => {
    const question = {
      text,
      conversation: context?.conversation_id ?? null,
      places: [context?.satellite_id, context?.device_id].filter((id) => typeof id === 'string'),
    };
    work(async () => {
      const told = await services.answer(question, gone.signal);
      await send({ type: told.isHandled ? 'handled' : 'not-handled', data: { text: told.text } });
    });
  };

  const take = async ({ type, data, payload }: WyomingRequest): Promise<void> => {
    switch (type) {
      case 'describe':
        return send({ type: 'info', data: services.info() });
      case 'ping':
        return send({ type: 'pong', data: data.text ? { text: data.text } : {} });
      case 'transcribe':
        return listen(data);
      // Whoever sends sound without a word wants it written down.
      case 'audio-start':
        if (dictation === null && watch === null) listen({});
        return;
      case 'audio-chunk':
        return hear(data, payload);
      case 'audio-stop':
        return endSound();
      case 'detect':
        return detect(data);
      case 'synthesize':
        return synthesize(data);
      case 'synthesize-start':
        speak(data.voice, true);
        return;
      case 'synthesize-chunk':
        speech?.text.push(data.text);
        return;
      case 'synthesize-stop':
        speech?.text.end();
        speech = null;
        return;
      case 'transcript':
        return answer(data);
    }
  };
  const stopReading = readMessages(socket, {
    ...services,
    take: (event) =>
      work(async () => {
        const request = readRequest(event);
        if (request !== null) await take(request);
      }),
    onHangUp: (why) => {
      isBroken = true;
      onHangUp(why);
    },
  });
  socket.setTimeout(idleMs, () => {
    const waitsForCaller = dictation !== null || speech !== null || watch !== null;
    if (inHand === 0 || waitsForCaller) socket.destroy();
  });
  // The next message would be told why; there is none.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    stopReading();
    gone.abort(new AppError('turn_cancelled'));
    endDictation();
    endSpeech();
    endWatch();
  });
}
