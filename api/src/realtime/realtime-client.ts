import { randomUUID } from 'node:crypto';
import { speechRateHz } from '../audio/speech-rate.ts';
import { AppError } from '../errors.ts';
import type { ServerEvent } from '../listen/listen-events.ts';
import type { Session } from '../listen/session.ts';
import { bytesOf, type ItemWish, type RealtimeClientEvent, readClientEvent } from './client-events.ts';
import { turnOfAnswer } from './open-response.ts';
import { createRealtimeEvents } from './server-events.ts';
import { choiceOfState, firstState, toldSession, updatedState } from './session-state.ts';
import { createHearing } from './sound-formats.ts';

/** Longer than any answer. */
const wholeMs = 600_000;
/** Listened to one after the other: a minute in one piece would keep the others waiting. */
const pieceBytes = 32_000;

interface RealtimeClientOptions {
  send: (event: object) => void;
  /** Samples of 16 kHz, to be heard. */
  onSound: (session: Session, samples: Buffer) => void;
  onFault: (error: unknown) => void;
}

export type RealtimeClient = ReturnType<typeof createRealtimeClient>;

/** A client of OpenAI's Realtime interface on a live connection: its events become ours, and ours become its. */
export function createRealtimeClient({ send, onSound, onFault }: RealtimeClientOptions) {
  let state = firstState;
  let usualSilenceMs = 0;
  let hearing = createHearing(state.input);
  let uncommittedBytes = 0;
  /** What was written since the last answer. */
  const written: string[] = [];

  const events = createRealtimeEvents({
    send,
    state: () => state,
    onSession: ({ type, session }) => {
      if (state.endSilenceMs === null) usualSilenceMs = session.end_silence_ms;
      events.send(type, { session: toldSession(session.id, state, usualSilenceMs) });
    },
  });

  const take = (
    session: Session,
    event: Parameters<Session['take']>[0],
    eventId: string | null,
    onRefusal: () => void = () => undefined,
  ): void => {
    const refuse = (error: AppError) => {
      onRefusal();
      events.refuse(error, eventId);
    };
    session.take(event, refuse).catch((error) => {
      onFault(error);
      events.refuse(new AppError('internal'), eventId);
    });
  };

  const update = (
    session: Session,
    wish: Parameters<typeof updatedState>[1],
    eventId: string | null,
  ): void => {
    if (wish.type === 'transcription')
      throw refused(
        'This is a conversation. To write down alone, connect with "?intent=transcription".',
        'session.type',
      );
    const { input } = state;
    state = updatedState(state, wish);
    if (state.input !== input) hearing = createHearing(state.input);
    take(session, { type: 'session.update', session: choiceOfState(state) }, eventId);
  };

  const hear = (session: Session, audio: string): void => {
    const samples = hearing(bytesOf(audio));
    uncommittedBytes += samples.length;
    for (let at = 0; at < samples.length; at += pieceBytes) {
      onSound(session, samples.subarray(at, at + pieceBytes));
    }
  };

  const create = ({ id, type, role, content, ...others }: ItemWish): void => {
    const item = {
      ...others,
      id: id ?? `item_${randomUUID()}`,
      object: 'realtime.item',
      type,
      status: 'completed',
      ...(role && { role }),
      content: content ?? [],
    };
    if (role === 'user') {
      if (content?.some((part) => part.type !== 'input_text'))
        throw refused('An item holds "input_text" here; append sound to the buffer.', 'item.content');
      written.push(...(content ?? []).flatMap(({ text }) => text ?? []));
    }
    events.items.addWhole(item);
  };

  const retrieve = (itemId: string): void => {
    const item = events.items.get(itemId);
    if (item === undefined) throw refused('There is no such item, or it was too long ago.', 'item_id');
    events.send('conversation.item.retrieved', { item });
  };

  const truncate = (session: Session, itemId: string, audioEndMs: number, eventId: string | null): void => {
    const turnId = turnOfAnswer(itemId);
    if (turnId === null) throw refused('Only an answer can be truncated.', 'item_id');
    take(session, { type: 'playback.finished', turn_id: turnId, played_ms: audioEndMs }, eventId);
    const place = { item_id: itemId, content_index: 0, audio_end_ms: audioEndMs };
    events.send('conversation.item.truncated', place);
  };

  const respond = (session: Session, metadata: object | null, eventId: string | null): void => {
    if (events.isAnswering())
      throw refused('There is a response already. Wait for "response.done", or cancel it.', undefined);
    const text = written.splice(0).join('\n').trim();
    events.note(metadata);
    if (events.items.hasCommitted())
      take(session, { type: 'input_audio_buffer.commit' }, eventId, events.items.dropCommitted);
    else if (text === '') throw refused('There is nothing to answer: nobody has said or written anything.');
    else {
      // Its client has all of the answer before, and plays it to its end.
      const before = events.lastSent();
      if (before !== null)
        take(session, { type: 'playback.finished', turn_id: before, played_ms: wholeMs }, eventId);
      session.ask(text);
    }
  };

  const serve = (session: Session, event: RealtimeClientEvent, eventId: string | null): void => {
    switch (event.type) {
      case 'session.update':
        update(session, event.session, eventId);
        break;
      case 'input_audio_buffer.append':
        hear(session, event.audio);
        break;
      case 'input_audio_buffer.commit':
        // Where the client says when somebody has finished, it also says when to answer.
        if (state.isManual) events.items.commitByClient(secondsOf(uncommittedBytes));
        else take(session, event, eventId);
        uncommittedBytes = 0;
        break;
      case 'input_audio_buffer.clear':
        uncommittedBytes = 0;
        events.items.dropCommitted();
        take(session, event, eventId);
        break;
      case 'conversation.item.create':
        create(event.item);
        break;
      case 'conversation.item.truncate':
        truncate(session, event.item_id, event.audio_end_ms, eventId);
        break;
      case 'conversation.item.retrieve':
        retrieve(event.item_id);
        break;
      case 'response.create':
        respond(session, event.response?.metadata ?? null, eventId);
        break;
      case 'response.cancel':
        if (!events.isAnswering()) throw refused('There is no response to cancel.');
        take(session, { type: 'response.cancel' }, eventId);
        break;
    }
  };

  return {
    /** For the session: its events and its sound. */
    tell: (event: ServerEvent): void => events.tell(event),
    tellUsage: events.tellUsage,
    play: events.play,
    /** A text frame of the client. */
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

function refused(message: string, param?: string): AppError {
  return new AppError('invalid_request', message, param ? { param } : {});
}

/** How long samples of 16 kHz last. */
function secondsOf(bytes: number): number {
  return bytes / 2 / speechRateHz;
}
