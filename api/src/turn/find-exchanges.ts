import type { KeptConversations, KeptExchange } from './kept-conversations.ts';

export interface FoundExchange extends KeptExchange {
  conversation: string;
}

interface Wanted {
  /** Stands in the question or in the answer, in upper or lower case; empty: any. */
  text: string;
  /** Undefined: of all. */
  conversation: string | undefined;
  /** Unix time in ms. */
  before: number;
  most: number;
}

/** The newest turns of all conversations that are wanted, the newest first. */
export async function findExchanges(
  kept: Pick<KeptConversations, 'all' | 'read'>,
  { text, conversation, before, most }: Wanted,
): Promise<FoundExchange[]> {
  const wanted = text.toLowerCase();
  const isWanted = ({ user, assistant, at }: KeptExchange): boolean =>
    (at ?? 0) < before && (wanted === '' || `${user}\n${assistant}`.toLowerCase().includes(wanted));
  let found: FoundExchange[] = [];
  for await (const { name, lastAt } of kept.all()) {
    if (conversation !== undefined && name !== conversation) continue;
    // They come with the newest first: in this one and in all that follow, everything is older.
    const [oldest] = found.slice(most - 1);
    if (oldest !== undefined && lastAt < (oldest.at ?? 0)) break;
    const more = (await kept.read(name)).filter(isWanted).map((each) => ({ conversation: name, ...each }));
    found = [...found, ...more].toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0)).slice(0, most);
  }
  return found;
}
