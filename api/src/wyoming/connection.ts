import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { AppError, toAppError } from '../errors.ts';
import { frameOf, type WyomingEvent } from './frames.ts';
import { readMessages } from './message-intake.ts';
import { type RequestData, readRequest, type WyomingRequest } from './requests.ts';
import { createSpokenText, refusing, type Speaker, soundEvents } from './speech.ts';
import { createTranscription } from './transcription.ts';
import { createWakeWatch } from './wake-watch.ts';

/** An idle connection is closed after this time without traffic. */
const idleMs = 90_000;
/** Maximum number of concurrent requests. Further ones wait, also those that have already been read. */
const maxInHand = 32;

/** A sentence for the conversation, and where it was said. */
export interface WyomingQuestion {
  text: string;
  /** Null: the client names none. */
  conversation: string | null;
  /** The tag of its language. Undefined: the household's first. */
  language: string | undefined;
  /** Home Assistant's ids of the device and the satellite. */
  places: readonly string[];
}

/** Services behind the protocol. */
export interface WyomingServices
  extends Pick<Parameters<typeof createTranscription>[0], 'open' | 'languageIn'> {
  clock: Clock;
  /** The content of `info`. */
  info: () => Record<string, unknown>;
  /** Never rejects: a failure has an answer, too. */
  answer: (question: WyomingQuestion, signal: AbortSignal) => Promise<{ text: string; isHandled: boolean }>;
  /** The named voice, in its language. Throws AppError. */
  speaker: (voice: NonNullable<RequestData<'synthesize'>['voice']>) => Speaker;
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
  /** Called with the reason when we disconnect the client, such as invalid data or a timeout. */
  onHangUp: (why: string) => void,
): void {
  const gone = new AbortController();
  const link = createLink(socket, gone.signal, services.onFault);
  const { send, work } = link;
  const sound = createSoundRequests(link, services, gone.signal);
  const speech = createSpeechRequests(link, services, gone.signal);

  const answer = ({ text, context, language }: RequestData<'transcript'>): void => {
    const question = {
      text,
      conversation: context?.conversation_id ?? null,
      language: services.languageIn(language),
      places: [context?.satellite_id, context?.device_id].filter((id) => typeof id === 'string'),
    };
    work(async () => {
      const reply = await services.answer(question, gone.signal);
      await send({ type: reply.isHandled ? 'handled' : 'not-handled', data: { text: reply.text } });
    });
  };

  const take = async ({ type, data, payload }: WyomingRequest): Promise<void> => {
    switch (type) {
      case 'describe':
        return send({ type: 'info', data: services.info() });
      case 'ping':
        return send({ type: 'pong', data: data.text ? { text: data.text } : {} });
      case 'transcribe':
        return sound.listen(data);
      // Sound without a request is transcribed.
      case 'audio-start':
        if (!sound.isExpected()) sound.listen({});
        return;
      case 'audio-chunk':
        return sound.pushAudio(data, payload);
      case 'audio-stop':
        return sound.end();
      case 'detect':
        return sound.detect(data);
      case 'synthesize':
        return speech.synthesize(data);
      case 'synthesize-start':
        speech.speak(data.voice, true);
        return;
      case 'synthesize-chunk':
        speech.push(data.text);
        return;
      case 'synthesize-stop':
        speech.end();
        return;
      case 'transcript':
        return answer(data);
    }
  };
  const stopReading = readMessages(socket, {
    ...services,
    take: (event) =>
      link.enqueue(async () => {
        const request = readRequest(event);
        if (request !== null) await take(request);
      }),
    onHangUp: (why) => {
      link.stopReading();
      onHangUp(why);
    },
  });
  socket.setTimeout(idleMs, () => {
    if (link.isIdle() || sound.isExpected() || speech.isExpected()) socket.destroy();
  });
  // A write after this error would fail, so close the socket.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    stopReading();
    link.close();
    gone.abort(new AppError('turn_cancelled'));
    sound.stop();
    speech.stop();
  });
}

type Link = ReturnType<typeof createLink>;

/** Sends events to one client and runs its requests. Beyond the request limit, it stops reading. */
function createLink(socket: Socket, gone: AbortSignal, onFault: WyomingServices['onFault']) {
  let inHand = 0;
  let hasRoom = true;
  let isBroken = false;
  /** Work of one read at most, because reading stops until all of it has begun. */
  let queued: (() => Promise<void>)[] = [];

  const flow = (): void => {
    if (hasRoom && inHand < maxInHand && queued.length === 0 && !isBroken) socket.resume();
    else socket.pause();
  };
  const send = async (event: Sent): Promise<void> => {
    if (gone.aborted || !socket.writable) return;
    if (socket.write(frameOf(event))) return;
    // The client has disconnected. Pending work learns that from the signal.
    await once(socket, 'drain', { signal: gone }).catch(() => undefined);
  };
  const tellError = async (error: unknown): Promise<void> => {
    const { message, code } = toAppError(error);
    await send({ type: 'error', data: { text: message, code } });
  };
  /** Runs work and reports its failure to the client, unless the client has cancelled it. */
  const work = (run: () => Promise<void>, signal: AbortSignal = gone): void => {
    inHand += 1;
    flow();
    run()
      .catch(async (error: unknown) => {
        if (signal.aborted || gone.aborted) return;
        if (!(error instanceof AppError)) onFault(error);
        await tellError(error);
      })
      .finally(() => {
        inHand -= 1;
        beginQueued();
        if (!gone.aborted) flow();
      });
  };
  const beginQueued = (): void => {
    for (let next = takeNext(); next; next = takeNext()) work(next);
  };
  const takeNext = () => (inHand < maxInHand ? queued.shift() : undefined);

  return {
    send,
    work,
    /** Runs the work of a message in its order, as soon as there are fewer requests than the limit. */
    enqueue(run: () => Promise<void>): void {
      queued.push(run);
      beginQueued();
      flow();
    },
    close(): void {
      queued = [];
    },
    flow,
    /** Whether there is room for more sound. */
    setRoom(isThere: boolean): void {
      hasRoom = isThere;
    },
    stopReading(): void {
      isBroken = true;
    },
    isIdle: () => inHand === 0,
  };
}

/** Transcribes the sound of one client, or detects wake words in it. */
function createSoundRequests(link: Link, services: WyomingServices, gone: AbortSignal) {
  const { send, work } = link;
  let transcription: (ReturnType<typeof createTranscription> & { close: () => void }) | null = null;
  let watch: ReturnType<typeof createWakeWatch> | null = null;

  const endTranscription = (): void => {
    transcription?.close();
    transcription = null;
    link.setRoom(true);
  };
  const endWatch = (): void => {
    watch?.close();
    watch = null;
  };
  const detect = ({ names }: RequestData<'detect'>): void => {
    endTranscription();
    endWatch();
    const words = services.wakeWords();
    watch = createWakeWatch({
      words,
      names,
      onDetection: (data) => send({ type: 'detection', data: { ...data } }),
    });
  };
  const listen = (request: RequestData<'transcribe'>): void => {
    endTranscription();
    endWatch();
    const over = new AbortController();
    const opened = createTranscription({
      ...services,
      request,
      signal: over.signal,
      onRoom: (thereIsRoom) => {
        link.setRoom(thereIsRoom || transcription?.words !== opened.words);
        if (!gone.aborted) link.flow();
      },
    });
    transcription = { ...opened, close: () => over.abort() };
    const { language } = request;
    work(async () => {
      const text = await opened.words;
      await send({ type: 'transcript', data: { text, ...(language && { language }) } });
      if (transcription?.words === opened.words) endTranscription();
    }, over.signal);
  };

  const pushAudio = async (format: RequestData<'audio-chunk'>, bytes: Buffer): Promise<void> => {
    if (watch !== null) await watch.push(format, bytes);
    else transcription?.push(format, bytes);
  };
  const end = async (): Promise<void> => {
    if (watch === null) return transcription?.end();
    const watched = watch;
    const wasDetected = await watched.end();
    if (!wasDetected && watch === watched) await send({ type: 'not-detected' });
    if (watch === watched) endWatch();
  };

  return {
    detect,
    listen,
    pushAudio,
    end,
    isExpected: () => transcription !== null || watch !== null,
    stop(): void {
      endTranscription();
      endWatch();
    },
  };
}

/** Speaks the texts of one client, one at a time. */
function createSpeechRequests({ send, work }: Link, services: WyomingServices, gone: AbortSignal) {
  let speech: { text: ReturnType<typeof createSpokenText>; abort: AbortController } | null = null;
  let lastSpoken: Promise<void> = Promise.resolve();

  const endSpeech = (): void => {
    speech?.abort.abort();
    speech?.text.close();
    speech = null;
  };
  const speakerOf = (voice: RequestData<'synthesize'>['voice']): Speaker => {
    try {
      return services.speaker(voice ?? {});
    } catch (error) {
      return refusing(error);
    }
  };
  /** `isStream`: the text arrives in pieces. */
  const speak = (voice: RequestData<'synthesize'>['voice'], isStream: boolean) => {
    endSpeech();
    const speaker = speakerOf(voice);
    const text = createSpokenText(speaker.sentences);
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, gone]);
    speech = { text, abort };
    const before = lastSpoken;
    const spoken = async () => {
      await before;
      for await (const event of soundEvents(speaker.speak(text.pieces, signal))) {
        if (signal.aborted) return;
        await send(event);
      }
      if (isStream) await send({ type: 'synthesize-stopped' });
    };
    work(() => {
      const speech = spoken();
      lastSpoken = speech.catch(() => undefined);
      return speech;
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

  return {
    speak,
    synthesize,
    push: (text: string): void => speech?.text.push(text),
    end(): void {
      speech?.text.end();
      speech = null;
    },
    /** The client is sending a text in pieces. */
    isExpected: () => speech !== null,
    stop: endSpeech,
  };
}
