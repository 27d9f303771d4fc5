import { t } from '../../language/translate.ts';
import { durationWords, outcomeWords } from '../../parts/words.ts';
import { type TurnRecord, waterfallOf } from './waterfall.ts';

const openings: Record<string, (room: string | null | undefined) => string> = {
  ask: (room) =>
    room ? t('Someone typed a question in the room “{room}”.', { room }) : t('Someone typed a question.'),
  chat: (room) =>
    room ? t('A chat program asked in the room “{room}”.', { room }) : t('A chat program asked.'),
  voice: (room) =>
    room ? t('A recording came in in the room “{room}”.', { room }) : t('A recording came in.'),
  listen: (room) => (room ? t('Someone spoke in the room “{room}”.', { room }) : t('Someone spoke.')),
};

const answers: Record<string, () => string> = {
  skills: () => t('Fixed rules answered.'),
  home: () => t('Home Assistant answered.'),
  local: () => t('The language model answered.'),
  timer: () => t('A timer rang.'),
};

/** Describes a turn in sentences: the events and the time of each part. */
export function storyOf(turn: Partial<TurnRecord>): string[] {
  const { source = '', room, via, outcome = '', timings = {} } = turn;
  const opening =
    openings[source]?.(room) ??
    (room ? t('Someone asked in the room “{room}”.', { room }) : t('Someone asked.'));
  return [
    opening,
    ...transcribedWords(timings),
    answeredWords(via, outcome),
    ...machineWords(turn),
    ...timeWords(turn),
  ];
}

function transcribedWords({ stt }: Record<string, number>): string[] {
  return stt === undefined ? [] : [t('Speech recognition took {time}.', { time: durationWords(stt) })];
}

function answeredWords(via: string | null | undefined, outcome: string): string {
  if (outcome !== 'done') return t('It was not answered: {reason}.', { reason: outcomeWords(outcome) });
  const words = answers[via ?? '']?.();
  if (words !== undefined) return words;
  return via == null ? t('Answered by an unknown part.') : t('Answered by {part}.', { part: via });
}

/** The work of other machines. */
function machineWords({ ran_on: ranOn = [] }: Partial<TurnRecord>): string[] {
  return ranOn.flatMap(({ engine, machine, model }) => {
    if (machine === null) return [];
    const values = { machine, model: model ?? '?' };
    return engine === 'stt'
      ? t('It was transcribed on {machine}, by {model}.', values)
      : t('The model ran on {machine}: {model}.', values);
  });
}

function timeWords(turn: Partial<TurnRecord>): string[] {
  const { timings = {} } = turn;
  const firstSound = timings['first-audio'];
  const total = timings['total'];
  const longest = waterfallOf(turn).bars.toSorted((a, b) => b.tookMs - a.tookMs)[0];
  return [
    ...(firstSound === undefined ? [] : [firstSoundWords(firstSound, turn)]),
    ...(total === undefined ? [] : [t('All of it took {time}.', { time: durationWords(total) })]),
    ...(longest
      ? [
          t('Most of the time went into {part}: {time}.', {
            part: longest.words,
            time: durationWords(longest.tookMs),
          }),
        ]
      : []),
  ];
}

function firstSoundWords(ms: number, { source }: Partial<TurnRecord>): string {
  const time = durationWords(ms);
  return source === 'listen'
    ? t('The first sound came {time} after the end of speech.', { time })
    : t('The first sound came {time} after the beginning.', { time });
}
