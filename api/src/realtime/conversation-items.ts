import { randomUUID } from 'node:crypto';

/** Sends an event of OpenAI's Realtime interface. */
export type SendEvent = (type: string, fields?: object) => void;

/** A part of the conversation: what was said or written, or an answer. */
export interface Item {
  id: string;
  [field: string]: unknown;
}

/** Clients ask for the newest items. */
const mostKept = 100;

interface ConversationItemsOptions {
  send: SendEvent;
  /** Whether the client wants to know in words what was said. */
  transcribes: () => boolean;
}

export type ConversationItems = ReturnType<typeof createConversationItems>;

/** The items of a connection, in their order. What somebody says becomes one when it is to be answered. */
export function createConversationItems({ send, transcribes }: ConversationItemsOptions) {
  const kept = new Map<string, Item>();
  let last: string | null = null;
  /** An item that the client has committed itself, whose turn has not begun. */
  let committed: string | null = null;
  /** The items of turns, and the transcripts of those that have none yet. */
  const itemOfTurn = new Map<string, string>();
  const early = new Map<string, string>();

  const keep = (item: Item): void => {
    kept.set(item.id, item);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  };
  const add = (item: Item): void => {
    send('conversation.item.added', { previous_item_id: last, item });
    last = item.id;
    keep(item);
  };
  const end = (item: Item, previous: string | null): void => {
    keep(item);
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
  const tellTranscript = (id: string, transcript: string): void => {
    keep(spokenItem(id, transcript));
    if (!transcribes()) return;
    const type = 'conversation.item.input_audio_transcription';
    const about = { item_id: id, content_index: 0 };
    if (transcript !== '') send(`${type}.delta`, { ...about, delta: transcript });
    send(`${type}.completed`, { ...about, transcript });
  };

  return {
    add,
    addWhole,
    end,
    /** The item that came last; null: there is none. */
    last: () => last,
    /** An item as it is now; undefined: it is not known, or too long ago. */
    get: (id: string): Item | undefined => kept.get(id),

    /** The client says that somebody has finished. Its turn begins when an answer is wanted. */
    commitByClient(): void {
      if (committed !== null) return;
      committed = `item_${randomUUID()}`;
      tellCommitted(committed);
    },
    hasCommitted: () => committed !== null,
    /** Nobody had spoken in what was committed, or it was cleared. */
    dropCommitted(): void {
      committed = null;
    },

    /** What somebody said is answered in this turn. */
    commit(turnId: string, id: string): void {
      const itemId = committed ?? id;
      itemOfTurn.set(turnId, itemId);
      if (committed === null) tellCommitted(itemId);
      committed = null;
      const transcript = early.get(turnId);
      early.delete(turnId);
      if (transcript !== undefined) tellTranscript(itemId, transcript);
    },
    /** The words of a turn, which may be known before it is certain that they are answered. */
    transcribed(turnId: string, transcript: string): void {
      const id = itemOfTurn.get(turnId);
      if (id === undefined) early.set(turnId, transcript);
      else tellTranscript(id, transcript);
    },
    /** The turn is over. */
    forget(turnId: string): void {
      early.delete(turnId);
      itemOfTurn.delete(turnId);
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
