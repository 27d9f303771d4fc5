import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Pcm } from '../audio/pcm.ts';
import type { Clock } from '../clock.ts';
import { AppError, toAppError } from '../errors.ts';
import { createDictation } from './dictation.ts';
import { frameOf, type WyomingEvent } from './frames.ts';
import { readMessages } from './message-intake.ts';
import { type RequestData, readRequest, type WyomingRequest } from './requests.ts';
import { createSpokenText, type Sentences, soundEvents } from './speech.ts';
import { createWakeWatch } from './wake-watch.ts';

/** An idle connection is closed after this time without traffic. */
const idleMs = 90_000;
/** Maximum number of concurrent requests. Further ones wait. */
const maxInHand = 32;

/** A sentence for the conversation, and where it was said. */
export interface WyomingQuestion {
  text: string;
  /** Null: the client names none. */
  conversation: string | null;
  /** Home Assistant's ids of the device and the satellite. */
  places: readonly string[];
}

/** Services behind the protocol. */
export interface WyomingServices extends Pick<Parameters<typeof createDictation>[0], 'open'> {
  clock: Clock;
  /** The content of `info`. */
  info: () => Record<string, unknown>;
  /** Never rejects: a failure has an answer, too. */
  answer: (question: WyomingQuestion, signal: AbortSignal) => Promise<{ text: string; isHandled: boolean }>;
  sentences: () => Sentences;
  /** Throws AppError. */
  speak: (pieces: AsyncIterable<string>, voice: string | null, signal: AbortSignal) => AsyncIterable<Pcm>;
  /** The wake words available now. */
  wakeWords: () => Parameters<typeof createWakeWatch>[0]['words'];
  onFault: (error: unknown) => void;
}

type Sent = Pick<WyomingEvent, 'type'> & Partial<WyomingEvent>;

/**
 * Serves one Wyoming connection. A request of the same kind ends the earlier one, and the end of the
 * connection ends all.
 */
export function serveWyoming(
  socket: Socket,
  services: WyomingServices,
  /** Called with a reason when the client is disconnected for what it sends, or fails to send. */
  onHangUp: (why: string) => void,
): void {
  const gone = new AbortController();
  let dictation: (ReturnType<typeof createDictation> & { close: () => void }) | null = null;
  let speech: { text: ReturnType<typeof createSpokenText>; abort: AbortController } | null = null;
  let watch: ReturnType<typeof createWakeWatch> | null = null;
  let inHand = 0;
  let hasRoom = true;
  let isBroken = false;
  /** Speaks one text at a time. */
  let lastSpoken: Promise<void> = Promise.resolve();

  const flow = (): void => {
    if (hasRoom && inHand < maxInHand && !isBroken) socket.resume();
    else socket.pause();
  };
  const send = async (event: Sent): Promise<void> => {
    if (gone.signal.aborted) return;
    if (socket.write(frameOf(event))) return;
    // The client has disconnected. Pending work learns that from the signal.
    await once(socket, 'drain', { signal: gone.signal }).catch(() => undefined);
  };
  const tellError = async (error: unknown): Promise<void> => {
    const { message, code } = toAppError(error);
    await send({ type: 'error', data: { text: message, code } });
  };
  /** Runs work and reports its failure to the client, unless the client has cancelled it. */
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
  /** `isStream`: the text arrives in pieces. */
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
    // A client that streams the text also sends it as a whole, for servers without streaming.
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
      // Sound without a request is transcribed.
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
  // A write after this error would fail, so close the socket.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    stopReading();
    gone.abort(new AppError('turn_cancelled'));
    endDictation();
    endSpeech();
    endWatch();
  });
}
