import type { StoredConversations, StoredExchange } from './stored-conversations.ts';

export interface FoundExchange extends StoredExchange {
  conversation: string;
}

interface Wanted {
  /** Text to find in the question or answer, ignoring case. Empty: matches all. */
  text: string;
  /** Undefined: all conversations. */
  conversation: string | undefined;
  /** Unix time in ms. */
  before: number;
  limit: number;
}

/** Finds the newest matching turns of all conversations, newest first. */
export async function findExchanges(
  kept: Pick<StoredConversations, 'all' | 'read'>,
  { text, conversation, before, limit }: Wanted,
): Promise<FoundExchange[]> {
  const wanted = text.toLowerCase();
  const isWanted = ({ user, assistant, at }: StoredExchange): boolean =>
    (at ?? 0) < before && (wanted === '' || `${user}\n${assistant}`.toLowerCase().includes(wanted));
  let found: FoundExchange[] = [];
  for await (const { name, lastAt } of kept.all()) {
    if (conversation !== undefined && name !== conversation) continue;
    // Conversations come newest first, so this one and all later ones contain only older turns.
    const [oldest] = found.slice(limit - 1);
    if (oldest !== undefined && lastAt < (oldest.at ?? 0)) break;
    const more = (await kept.read(name)).filter(isWanted).map((each) => ({ conversation: name, ...each }));
    found = [...found, ...more].toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0)).slice(0, limit);
  }
  return found;
}
