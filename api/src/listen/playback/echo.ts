import { wordsOf } from '../utterance/words.ts';

/** Time from sending sound to recording it: network, loudspeaker buffer and room. */
const roundTripMs = 500;
/** Sentences older than this are dropped. */
const keepMs = 30_000;
/**
 * Share of its words that an echo has in common with the reply. Whisper gets some words wrong through a
 * loudspeaker.
 */
const shareOfEcho = 0.75;

interface Span {
  fromMs: number;
  untilMs: number;
}

interface Said extends Span {
  text: string;
}

interface SpokenUtterance extends Said {
  /** It may answer a question of the assistant. */
  answersQuestion?: boolean;
}

export type RecentSentences = ReturnType<typeof createRecentSentences>;

/** The assistant's recent sentences in each room, with their times. All satellites of a process share it. */
export function createRecentSentences() {
  const rooms = new Map<string, Said[]>();
  return {
    /** Records a sentence that starts playing in a room. */
    add(room: string, said: Said): void {
      for (const [each, sentences] of rooms) {
        const recent = sentences.filter(({ untilMs }) => untilMs > said.fromMs - keepMs);
        if (recent.length > 0) rooms.set(each, recent);
        else rooms.delete(each);
      }
      rooms.set(room, [...(rooms.get(room) ?? []), said]);
    },
    /** The loudspeaker in a room has stopped, perhaps sooner than expected. */
    stop(room: string, nowMs: number): void {
      const said = rooms.get(room) ?? [];
      const begun = said.filter(({ fromMs }) => fromMs <= nowMs);
      rooms.set(
        room,
        begun.map((each) => ({ ...each, untilMs: Math.min(each.untilMs, nowMs) })),
      );
    },
    leave(room: string): void {
      rooms.delete(room);
    },
    /** Number of rooms with recent sentences. */
    get size() {
      return rooms.size;
    },
    /** Whether an utterance repeats the sentences that were playing in the room. */
    isEcho(room: string, utterance: SpokenUtterance): boolean {
      const said = (rooms.get(room) ?? []).filter((each) => couldBeEcho(each, utterance));
      return repeats(wordsOf(utterance.text), wordsOf(said.map(({ text }) => text).join(' ')));
    },
  };
}

/**
 * Requires an overlap in time: a person who answers a moment later may use the assistant's words. After a
 * question ("pasta or tea?"), people do so at once.
 */
function couldBeEcho(said: Span, { fromMs, untilMs, answersQuestion = false }: SpokenUtterance): boolean {
  return fromMs <= said.untilMs + (answersQuestion ? 0 : roundTripMs) && said.fromMs <= untilMs;
}

/** Whether most of the words occur in the reply, in the same order. */
function repeats(spoken: readonly string[], said: readonly string[]): boolean {
  if (spoken.length === 0 || said.length === 0) return false;
  return inOrder(spoken, said) >= spoken.length * shareOfEcho;
}

/** Length of the longest common subsequence, within a window of `said` about the length of `spoken`. */
function inOrder(spoken: readonly string[], said: readonly string[]): number {
  const stretch = Math.ceil(spoken.length * 1.5);
  let most = 0;
  for (let from = 0; from < said.length; from += 1) {
    most = Math.max(most, commonLength(spoken, said.slice(from, from + stretch)));
  }
  return most;
}

function commonLength(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const word of left) {
    const above = row;
    row = [0];
    for (const [at, other] of right.entries()) {
      const best = word === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0);
      row.push(best);
    }
  }
  return row.at(-1) ?? 0;
}
