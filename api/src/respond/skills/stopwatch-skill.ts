import type { ActionNotes } from '../../actions/action-notes.ts';
import type { LanguageFiles } from '../../language/language.ts';
import {
  type Stopwatch,
  type StopwatchAction,
  type Stopwatches,
  shownOn,
  stopwatchPlace,
} from '../../timers/stopwatch.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill, noWords } from '../core/skill-language.ts';

const time = ['time'];
const shape = {
  replies: {
    started: [],
    runs_already: time,
    resumed: time,
    stopped: time,
    stands_already: time,
    runs: time,
    stands: time,
    reset: time,
    none: [],
    did: [],
    undid: [],
  },
  words: noWords,
} as const;

interface StopwatchOptions {
  files: LanguageFiles;
  stopwatches: Stopwatches;
  notes: ActionNotes<StopwatchAction>;
  /** The household's monotonic time in ms. */
  steady: () => number;
  /** "two minutes and five seconds" */
  sayDuration: (ms: number) => string;
}

interface Meant {
  place: string;
  stopwatch: Stopwatch | null;
}

/** A stopwatch per room, which keeps running while Hearth is off. */
export function createStopwatchSkill(options: StopwatchOptions): Skill {
  const { files, stopwatches, notes, steady, sayDuration } = options;
  const { reply, words: _words, ...language } = loadSkill(files, 'stopwatch', shape);
  const { tells, does } = intentsOf();

  /** The room's stopwatch; without one, the only one in the house. */
  const meantBy = async ({ turn }: Ask): Promise<Meant> => {
    const all = await stopwatches.all();
    const place = stopwatchPlace(turn);
    const [only] = all.size === 1 ? all : [];
    const own = all.get(place);
    if (own === undefined && only) return { place: only[0], stopwatch: only[1] };
    return { place, stopwatch: own ?? null };
  };
  const change = async (ask: Ask, { place, stopwatch }: Meant, after: Stopwatch | null): Promise<void> => {
    const { turn } = ask;
    await ask.beginActing();
    await stopwatches.put(place, after);
    const action = { kind: 'stopwatch.change', place, before: stopwatch, after } as const;
    await notes.note({ turn: turn.id, at: turn.createdAt, ...action }, turn.conversation);
  };

  const start = async (ask: Ask): Promise<string> => {
    const place = stopwatchPlace(ask.turn);
    const stopwatch = (await stopwatches.all()).get(place) ?? null;
    if (stopwatch?.runsSince != null)
      return reply('runs_already', { time: sayDuration(shownOn(stopwatch, steady())) }, ask.turn);
    await change(ask, { place, stopwatch }, { runsSince: steady(), shownMs: 0 });
    return reply('started', {}, ask.turn);
  };

  /** Runs an action on an existing stopwatch. */
  const withOne =
    (act: (ask: Ask, meant: Meant & { stopwatch: Stopwatch }, time: string) => Promise<string>) =>
    async (ask: Ask): Promise<string> => {
      const { place, stopwatch } = await meantBy(ask);
      if (stopwatch === null) return reply('none', {}, ask.turn);
      return act(ask, { place, stopwatch }, sayDuration(shownOn(stopwatch, steady())));
    };

  const stop = withOne(async (ask, meant, shown) => {
    if (meant.stopwatch.runsSince === null) return reply('stands_already', { time: shown }, ask.turn);
    const shownMs = shownOn(meant.stopwatch, steady());
    await change(ask, meant, { runsSince: null, shownMs });
    return reply('stopped', { time: sayDuration(shownMs) }, ask.turn);
  });
  const resume = withOne(async (ask, meant, shown) => {
    if (meant.stopwatch.runsSince !== null) return reply('runs_already', { time: shown }, ask.turn);
    await change(ask, meant, { ...meant.stopwatch, runsSince: steady() });
    return reply('resumed', { time: shown }, ask.turn);
  });
  const reset = withOne(async (ask, meant, shown) => {
    await change(ask, meant, null);
    return reply('reset', { time: shown }, ask.turn);
  });
  const read = withOne(async ({ turn }, { stopwatch }, shown) =>
    reply(stopwatch.runsSince === null ? 'stands' : 'runs', { time: shown }, turn),
  );

  return defineSkill({
    name: 'stopwatch',
    ...language,
    slots: {},
    intents: {
      start: does(start),
      stop: does(stop),
      resume: does(resume),
      reset: does(reset),
      read: tells(read),
    },
    actions: {
      'stopwatch.change': {
        tell: (_action, turn) => reply('did', {}, turn),
        async undo(found, { turn, beginActing }) {
          await beginActing();
          if (!(await notes.mark(found, turn.conversation))) return null;
          await stopwatches.put(found.action.place, found.action.before);
          return reply('undid', {}, turn);
        },
      },
    },
  });
}
