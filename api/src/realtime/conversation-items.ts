import { randomUUID } from 'node:crypto';
import type { AppError } from '../errors.ts';

/** Sends an event of OpenAI's Realtime interface. */
export type SendEvent = (type: string, fields?: object) => void;

/** Gives each event an id. */
export const sendEventBy =
  (write: (event: object) => void): SendEvent =>
  (type, fields = {}) =>
    write({ type, event_id: `event_${randomUUID()}`, ...fields });

/** A conversation item: speech, text or an answer. */
export interface Item {
  id: string;
  [field: string]: unknown;
}

interface CommittedSpeech {
  id: string;
  previous: string | null;
  seconds: number;
}

const transcription = 'conversation.item.input_audio_transcription';

/**
 * Limits for the stored items, of which the newest are kept. Characters are limited too, because an item may
 * hold any content.
 */
const maxKept = 100;
const maxKeptCharacters = 1_000_000;

interface ConversationItemsOptions {
  send: SendEvent;
  /** Whether the client wants transcripts of the speech. */
  transcribes: () => boolean;
}

export type ConversationItems = ReturnType<typeof createConversationItems>;

/** The items of a connection, in order. Speech becomes an item once an answer is requested. */
export function createConversationItems({ send, transcribes }: ConversationItemsOptions) {
  const kept = createItemCache();
  let last: string | null = null;
  /** Speech that the client committed and has not requested an answer for. */
  let committed: CommittedSpeech | null = null;
  /** Speech with a requested answer, until its turn starts. */
  let requested: CommittedSpeech | null = null;
  const input = createInputTranscription({ send, transcribes, keep: kept.keep });

  const add = (item: Item): void => {
    send('conversation.item.added', { previous_item_id: last, item });
    last = item.id;
    kept.keep(item);
  };
  const end = (item: Item, previous: string | null): void => {
    kept.keep(item);
    send('conversation.item.done', { previous_item_id: previous, item });
  };
  const addWhole = (item: Item): void => {
    const previous = last;
    add(item);
    end(item, previous);
  };

  const tellCommitted = (id: string): void => {
    send('input_audio_buffer.committed', { previous_item_id: last, item_id: id });
    addWhole(spokenItem(id, null));
  };

  return {
    add,
    addWhole,
    end,
    /** The latest item; null: there is none. */
    last: () => last,
    /** Removes an item. */
    drop(id: string): void {
      kept.drop(id);
      if (last === id) last = kept.newest();
      send('conversation.item.deleted', { item_id: id });
    },
    isBehind: kept.isBehind,
    get: kept.get,

    tellCommitted,
    tellWords: input.words,
    tellWritten: input.completed,
    tellNotWritten: input.failed,

    /** The client commits this much speech, and gets its item id. An answer starts on request. */
    commitByClient(seconds: number): string {
      if (committed === null) {
        committed = { id: `item_${randomUUID()}`, previous: last, seconds };
        tellCommitted(committed.id);
        return committed.id;
      }
      // The speech joins the item that waits for its answer.
      committed.seconds += seconds;
      input.isUnknown(committed.id);
      send('input_audio_buffer.committed', {
        previous_item_id: committed.previous,
        item_id: committed.id,
      });
      return committed.id;
    },
    /** Sends the transcript of committed speech that waits for no answer yet. */
    tellEarly(id: string, transcript: string): void {
      if (committed?.id === id) input.early(id, transcript, committed.seconds);
    },
    hasCommitted: () => committed !== null,
    /** The client cleared the committed sound. */
    dropCommitted(): void {
      committed = null;
    },
    /** The client requests an answer to the committed speech. Later commits belong to the next request. */
    request(): void {
      requested = committed;
      committed = null;
    },
    /** An answer is requested, and its turn has not started. */
    isRequested: () => requested !== null,
    /** The requested turn will not start. */
    dropRequested(): void {
      requested = null;
    },
    /** The sound of a requested answer contained no speech. */
    requestedSilence(): void {
      if (requested !== null && transcribes() && !input.isTold(requested.id))
        input.completed(requested.id, '', requested.seconds);
      requested = null;
    },

    spoke: input.spoke,
    /** Creates the item for speech that this turn answers. */
    commit(turnId: string, id: string): void {
      const itemId = requested?.id ?? id;
      if (requested === null) tellCommitted(itemId);
      else input.spoke(turnId, requested.seconds);
      requested = null;
      input.assign(turnId, itemId);
    },
    transcribed: input.transcribed,
    forget: input.forget,
  };
}

interface InputTranscriptionOptions extends ConversationItemsOptions {
  keep: (item: Item) => void;
}

/** The transcripts of the speech items. */
function createInputTranscription({ send, transcribes, keep }: InputTranscriptionOptions) {
  /** The items of turns, the seconds of speech in each turn, and transcripts of turns without an item yet. */
  const itemOfTurn = new Map<string, string>();
  const secondsOf = new Map<string, number>();
  const early = new Map<string, string>();
  /** The item whose transcript the client has before its turn. */
  let told: string | null = null;

  const words = (id: string, delta: string): void => {
    if (delta !== '') send(`${transcription}.delta`, { item_id: id, content_index: 0, delta });
  };
  const completed = (id: string, transcript: string, seconds: number): void => {
    keep(spokenItem(id, transcript));
    const usage = { type: 'duration', seconds: Math.round(seconds * 100) / 100 };
    send(`${transcription}.completed`, { item_id: id, content_index: 0, transcript, usage });
  };
  /** Sets the transcript of a turn. It may arrive before the turn is sure to be answered. */
  const transcribed = (turnId: string, transcript: string): void => {
    const id = itemOfTurn.get(turnId);
    if (id === undefined) {
      early.set(turnId, transcript);
      return;
    }
    keep(spokenItem(id, transcript));
    if (!transcribes() || id === told) return;
    words(id, transcript);
    completed(id, transcript, secondsOf.get(turnId) ?? 0);
  };

  return {
    words,
    completed,
    /** Sends a transcript before any turn. Its turn then sends none. */
    early(id: string, transcript: string, seconds: number): void {
      told = id;
      words(id, transcript);
      completed(id, transcript, seconds);
    },
    isTold: (id: string) => id === told,
    /** More speech has joined the item. */
    isUnknown(id: string): void {
      if (told === id) told = null;
    },
    /** Reports that the speech could not be transcribed. */
    failed(id: string, { code, message }: AppError): void {
      const error = { type: 'server_error', code, message, param: null };
      send(`${transcription}.failed`, { item_id: id, content_index: 0, error });
    },
    /** Records the seconds of speech in a turn. */
    spoke: (turnId: string, seconds: number): void => void secondsOf.set(turnId, seconds),
    /** Names the item of a turn, and sends the transcript that came before it. */
    assign(turnId: string, id: string): void {
      itemOfTurn.set(turnId, id);
      const transcript = early.get(turnId);
      early.delete(turnId);
      if (transcript !== undefined) transcribed(turnId, transcript);
    },
    transcribed,
    /** Removes the data of a finished turn. */
    forget(turnId: string): void {
      early.delete(turnId);
      itemOfTurn.delete(turnId);
      secondsOf.delete(turnId);
    },
  };
}

/** The newest items of a connection, in order. */
function createItemCache() {
  const kept = new Map<string, { item: Item; size: number }>();
  const isTooMuch = (): boolean =>
    kept.size > maxKept || [...kept.values()].reduce((sum, { size }) => sum + size, 0) > maxKeptCharacters;

  return {
    /** Adds an item, or replaces it in its position. */
    keep(item: Item): void {
      kept.set(item.id, { item, size: JSON.stringify(item).length });
      for (const oldest of kept.keys()) {
        if (!isTooMuch()) return;
        kept.delete(oldest);
      }
    },
    drop: (id: string): void => void kept.delete(id),
    /** Null: there is none. */
    newest: (): string | null => [...kept.keys()].at(-1) ?? null,
    /** The current state of an item. Undefined: it is unknown or no longer stored. */
    get: (id: string): Item | undefined => kept.get(id)?.item,
    /** Whether an item comes after another one; false if either is unknown. */
    isBehind(id: string, other: string): boolean {
      const order = [...kept.keys()];
      return order.includes(other) && order.indexOf(id) > order.indexOf(other);
    },
  };
}

function spokenItem(id: string, transcript: string | null): Item {
  return {
    id,
    object: 'realtime.item',
    type: 'message',
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_audio', transcript }],
  };
}
