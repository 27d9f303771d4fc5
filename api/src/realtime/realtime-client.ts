import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { ServerEvent } from '../listen/events/listen-events.ts';
import type { Session } from '../listen/session.ts';
import type { PictureSupport } from '../turn/shown-pictures.ts';
import { type RealtimeClientEvent, type ResponseParams, readClientEvent } from './client-events.ts';
import { createEarlyTranscription, type TranscribeSpeech } from './early-transcription.ts';
import { createInputAudioBuffer } from './input-audio-buffer.ts';
import { turnOfAnswer } from './open-response.ts';
import { refused } from './refusals.ts';
import {
  followed,
  isNothing,
  lastWritten,
  orderAlone,
  requestedResponse,
  type UserInput,
} from './response-params.ts';
import { createRealtimeEvents, type RealtimeEvents } from './server-events.ts';
import { choiceOfState, firstState, sessionBody, updatedState } from './session-state.ts';
import { checkVoices } from './voice-names.ts';
import { createWrittenItems, type WrittenItems } from './written-items.ts';

/** 30 s at 16 kHz, the longest utterance. */
const maxHeldBytes = 960_000;

interface RealtimeClientOptions {
  send: (event: object) => void;
  /** Handles input samples at 16 kHz. */
  onSound: (session: Session, samples: Buffer) => void;
  sight: PictureSupport;
  /** The question to answer if a program requests an answer before the person has spoken. */
  greetMe: string;
  /** The names of the household's voices. Undefined: they are unknown now. */
  voices: () => readonly string[] | undefined;
  clock: Pick<Clock, 'after'>;
  transcribe: TranscribeSpeech;
  onFault: (error: unknown) => void;
}

type SessionTake = ReturnType<typeof createSessionTake>;
type SessionParams = Parameters<typeof updatedState>[1];

/** Connects a client of OpenAI's Realtime interface: translates its events to ours and ours to its format. */
export function createRealtimeClient(options: RealtimeClientOptions) {
  const { send, onSound, sight, greetMe, voices, onFault } = options;
  let state = firstState;
  let usualSilenceMs = 0;
  const buffer = createInputAudioBuffer(() => state.input);

  const events = createRealtimeEvents({
    send,
    state: () => state,
    onSession: ({ type, session }) => {
      if (state.endSilenceMs === null) usualSilenceMs = session.end_silence_ms;
      events.send(type, { session: sessionBody(session.id, state, usualSilenceMs) });
    },
  });

  const written = createWrittenItems(events, sight);
  const take = createSessionTake(events, onFault);
  const early = createEarlyTranscription({
    clock: options.clock,
    transcribe: options.transcribe,
    tell: events.items.tellEarly,
    fail: events.items.tellNotWritten,
  });
  const responding = createResponding({ events, written, sight, greetMe, voices, take });

  const update = (session: Session, params: SessionParams, eventId: string | null): void => {
    checkSession(params, voices());
    state = updatedState(state, params);
    if (!state.isManual) early.clear();
    take(session, { type: 'session.update', session: choiceOfState(state) }, eventId);
  };

  const sound = createInputSound({ onSound, state: () => state, buffer, events, early, take });

  const serve = (session: Session, event: RealtimeClientEvent, eventId: string | null): void => {
    switch (event.type) {
      case 'session.update':
        update(session, event.session, eventId);
        break;
      case 'input_audio_buffer.append':
        sound.append(session, event.audio);
        break;
      case 'input_audio_buffer.commit':
        sound.commit(session, event, eventId);
        break;
      case 'input_audio_buffer.clear':
        sound.clear(session, event, eventId);
        break;
      case 'conversation.item.create':
        written.create(event.item, event.previous_item_id ?? null);
        break;
      case 'conversation.item.truncate':
        responding.truncate(session, event, eventId);
        break;
      case 'conversation.item.delete':
        written.remove(event.item_id);
        break;
      case 'conversation.item.retrieve':
        written.retrieve(event.item_id);
        break;
      case 'response.create':
        responding.respond(session, event.response ?? {}, eventId);
        if (!events.items.hasCommitted()) early.request();
        break;
      case 'response.cancel':
        responding.cancel(session, event, eventId);
        break;
    }
  };

  return {
    /** Events and sound from the session. */
    tell(event: ServerEvent): void {
      events.tell(event);
      // A response ends later in the same tick, and the client may request the next one at once.
      queueMicrotask(sound.releaseUnlessAnswered);
    },
    tellUsage: events.tellUsage,
    play: events.play,
    isReadOnly: events.isReadOnly,
    /** The client is gone. */
    close: early.clear,
    /** Handles a text frame of the client. */
    read(session: Session, text: string): void {
      const given = readClientEvent(text);
      try {
        if ('error' in given) throw given.error;
        serve(session, given.event, given.eventId);
      } catch (error) {
        if (!(error instanceof AppError)) onFault(error);
        events.refuse(error instanceof AppError ? error : new AppError('internal'), given.eventId);
      }
    },
  };
}

/** Throws AppError if a conversation cannot have these settings. */
function checkSession(params: SessionParams, voices: readonly string[] | undefined): void {
  if (params.type === 'transcription')
    throw refused(
      'This is a conversation. To transcribe only, connect with "?intent=transcription".',
      'session.type',
    );
  checkVoices(params, voices, 'session');
}

interface InputSoundOptions extends Pick<RealtimeClientOptions, 'onSound'> {
  state: () => typeof firstState;
  buffer: ReturnType<typeof createInputAudioBuffer>;
  events: ReturnType<typeof createRealtimeEvents>;
  early: ReturnType<typeof createEarlyTranscription>;
  take: SessionTake;
}

type EventOf<Type extends RealtimeClientEvent['type']> = Extract<RealtimeClientEvent, { type: Type }>;

/** Serves the events of the client's sound. */
function createInputSound({ onSound, state, buffer, events, early, take }: InputSoundOptions) {
  const held = createHeldSound(onSound);
  const isAnswered = (): boolean => events.items.isRequested() || events.isAnswering();

  return {
    append(session: Session, audio: string): void {
      const samples = buffer.append(audio);
      held.add(session, samples);
      const { isManual } = state();
      if (isManual) for (const each of samples) early.add(each);
      // With manual turn detection the client cancels answers, so its sound must not interrupt one.
      if (!isManual || !isAnswered()) held.release();
    },
    commit(session: Session, event: EventOf<'input_audio_buffer.commit'>, eventId: string | null): void {
      const seconds = buffer.commit() / 1_000;
      const { isManual, transcribes } = state();
      if (!isManual) {
        take(session, event, eventId);
        return;
      }
      // A client that commits utterances itself also requests the answers itself.
      const itemId = events.items.commitByClient(seconds);
      if (transcribes) early.commit(itemId);
    },
    clear(session: Session, event: EventOf<'input_audio_buffer.clear'>, eventId: string | null): void {
      buffer.clear();
      events.items.dropCommitted();
      held.drop();
      early.clear();
      take(session, event, eventId);
    },
    releaseUnlessAnswered(): void {
      if (!isAnswered()) held.release();
    },
  };
}

/** Sound that waits for the end of an answer. Passes it on early if it is longer than an utterance. */
function createHeldSound(pass: (session: Session, samples: Buffer) => void) {
  let held: { session: Session; samples: Buffer }[] = [];
  let heldBytes = 0;

  const drop = (): void => {
    held = [];
    heldBytes = 0;
  };
  const release = (): void => {
    const all = held;
    drop();
    for (const { session, samples } of all) pass(session, samples);
  };
  return {
    add(session: Session, pieces: readonly Buffer[]): void {
      for (const samples of pieces) {
        held.push({ session, samples });
        heldBytes += samples.length;
      }
      if (heldBytes > maxHeldBytes) release();
    },
    release,
    drop,
  };
}

/** Passes an event to the session. Unless `onRefusal` handles a refusal, the client gets it. */
function createSessionTake(
  events: Pick<RealtimeEvents, 'refuse'>,
  onFault: RealtimeClientOptions['onFault'],
) {
  return (
    session: Session,
    event: Parameters<Session['take']>[0],
    eventId: string | null,
    onRefusal = (error: AppError) => events.refuse(error, eventId),
  ): void => {
    session.take(event, onRefusal).catch((error) => {
      onFault(error);
      events.refuse(new AppError('internal'), eventId);
    });
  };
}

interface RespondingOptions extends Pick<RealtimeClientOptions, 'sight' | 'greetMe' | 'voices'> {
  events: RealtimeEvents;
  written: Pick<WrittenItems, 'takeAll'>;
  take: SessionTake;
}

/** Starts, cancels and truncates the answers that the client requests. */
function createResponding({ events, written, sight, greetMe, voices, take }: RespondingOptions) {
  const truncate = (
    session: Session,
    event: EventOf<'conversation.item.truncate'>,
    eventId: string | null,
  ): void => {
    const { item_id, audio_end_ms, content_index } = event;
    if (content_index) throw refused('An answer has only one content part, with index 0.', 'content_index');
    const turnId = turnOfAnswer(item_id);
    const sound = turnId === null ? null : session.soundOf(turnId);
    if (events.items.get(item_id) === undefined || (turnId !== null && sound === null))
      throw refused('Only a known answer can be truncated.', 'item_id', 'item_truncate_invalid_item_id');
    if (turnId === null || sound === null || sound.sentMs === 0)
      throw refused('Only an answer with sound can be truncated.', 'item_id', 'unsupported_content_type');
    if (audio_end_ms > Math.ceil(sound.playedMs))
      throw refused(
        `Audio content of ${Math.floor(sound.playedMs)}ms is already shorter than ${audio_end_ms}ms`,
        'audio_end_ms',
      );
    take(session, { type: 'playback.finished', turn_id: turnId, played_ms: audio_end_ms }, eventId);
    events.send('conversation.item.truncated', { item_id, content_index: 0, audio_end_ms });
  };

  /** Without words it asks anyway: the answer then says that no one spoke. */
  const ask = (session: Session, { text, pictures }: UserInput, eventId: string | null): void => {
    // The client has the whole previous answer and plays it to the end, unless it has truncated it.
    const before = events.lastSent();
    const sound = before === null ? null : session.soundOf(before);
    if (before !== null && sound !== null)
      take(session, { type: 'playback.finished', turn_id: before, played_ms: sound.playedMs }, eventId);
    session.ask({ text: pictures.length > 0 ? text || sight.aboutPictures : text, pictures });
  };
  const answerSpoken = (session: Session, waiting: UserInput, eventId: string | null): void => {
    if (waiting.pictures.length > 0)
      throw refused('Ask about a picture in writing: a spoken question cannot include one.');
    events.items.request();
    take(session, { type: 'input_audio_buffer.commit' }, eventId, () => {
      events.items.requestedSilence();
      ask(session, orGreeting({}, waiting), eventId);
    });
  };
  /** Some programs start a conversation by requesting an answer before the person has spoken. */
  const orGreeting = ({ input }: ResponseParams, waiting: UserInput): UserInput =>
    !input && isNothing(waiting) && !events.hasAnswered() ? { text: greetMe, pictures: [] } : waiting;
  const respond = (session: Session, params: ResponseParams, eventId: string | null): void => {
    // An unrequested response, such as a ringing timer, is interrupted.
    if (events.items.isRequested() || (events.isAnswering() && session.isAnswering()))
      throw refused(
        'A response is already in progress. Wait for "response.done", or cancel it.',
        undefined,
        'conversation_already_has_active_response',
      );
    checkVoices(params, voices(), 'response');
    const requested = requestedResponse(params);
    const isSpoken = !params.input && events.items.hasCommitted();
    const waiting = params.input ? lastWritten(params.input, { sees: sight.sees() }) : written.takeAll();
    const order = isSpoken ? null : orderAlone(params, waiting);
    events.note(order === null ? requested : followed(requested, 'instructions'));
    if (isSpoken) answerSpoken(session, waiting, eventId);
    else ask(session, order ?? orGreeting(params, waiting), eventId);
  };

  const cancel = (session: Session, event: EventOf<'response.cancel'>, eventId: string | null): void => {
    if (!events.isAnswering(event.response_id))
      throw refused('There is no response to cancel.', undefined, 'response_cancel_not_active');
    take(session, { type: 'response.cancel' }, eventId);
  };

  return { truncate, respond, cancel };
}
