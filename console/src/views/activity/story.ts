import { durationWords, outcomeWords } from '../../parts/words.ts';
import { type TurnRecord, waterfallOf } from './waterfall.ts';

const sources: Record<string, string> = {
  ask: 'Someone typed a question',
  chat: 'A chat program asked',
  voice: 'A recording came in',
  listen: 'Someone spoke',
};

const answerers: Record<string, string> = {
  skills: 'Fixed rules answered',
  home: 'Home Assistant answered',
  local: 'The language model answered',
  timer: 'A timer rang',
};

/** Describes a turn in sentences: the events and the time of each part. */
export function storyOf(turn: Partial<TurnRecord>): string[] {
  const { source = '', room, via, outcome = '', timings = {} } = turn;
  const opening = `${sources[source] ?? 'Someone asked'}${room ? ` in the room “${room}”` : ''}.`;
  return [opening, ...transcribedWords(timings), answeredWords(via, outcome), ...timeWords(turn)];
}

function transcribedWords({ stt }: Record<string, number>): string[] {
  return stt === undefined ? [] : [`Speech recognition took ${durationWords(stt)}.`];
}

function answeredWords(via: string | null | undefined, outcome: string): string {
  if (outcome !== 'done') return `It was not answered: ${outcomeWords(outcome)}.`;
  return `${answerers[via ?? ''] ?? `Answered by ${via ?? 'an unknown part'}`}.`;
}

function timeWords(turn: Partial<TurnRecord>): string[] {
  const { timings = {} } = turn;
  const firstSound = timings['first-audio'];
  const total = timings['total'];
  const longest = waterfallOf(turn).bars.toSorted((a, b) => b.tookMs - a.tookMs)[0];
  const since = turn.source === 'listen' ? 'after the end of speech' : 'after the beginning';
  return [
    ...(firstSound === undefined ? [] : [`The first sound came ${durationWords(firstSound)} ${since}.`]),
    ...(total === undefined ? [] : [`All of it took ${durationWords(total)}.`]),
    ...(longest ? [`Most of the time went into ${longest.words}: ${durationWords(longest.tookMs)}.`] : []),
  ];
}
