import { Redis } from 'ioredis';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import type { HouseholdQuestions, PendingQuestion } from '../../api/src/respond/core/household-questions.ts';
import type { Responder } from '../../api/src/respond/core/responder.ts';
import { createSkillResponder } from '../../api/src/respond/core/skill-responder.ts';
import { createClockSkill } from '../../api/src/respond/skills/clock/clock-skill.ts';
import { createTalkSkill } from '../../api/src/respond/skills/talk-skill.ts';
import { createTimerSkill } from '../../api/src/respond/skills/timers/timer-skill.ts';
import type { NewTimer, Timer } from '../../api/src/timers/timer.ts';
import { changedTimer } from '../../api/src/timers/timer-records.ts';
import { createTimerStore, type TimerStore } from '../../api/src/timers/timer-store.ts';
import { type Asked, question } from './skills.ts';

interface PlannedOptions {
  timeZone?: string;
  /** The household's rooms, all with a speaker. Undefined if they are unknown. */
  rooms?: readonly string[];
}

interface Planned {
  /** Null if the skill passes the sentence on. */
  reply: string | null;
  set: readonly NewTimer[];
  /** The ids of the cancelled timers. */
  cancelled: readonly string[];
  /** The skill asked a question in return. */
  asks: boolean;
}

/** Precedes the words of every question that a conversation keeps. */
const contextLine = '(It is Saturday 21 November 2026, 15:20. Room: kitchen.) ';

/**
 * The timer skill beside the clock and small talk, with its timers in memory. Shows the timers that a
 * sentence would set, without Redis.
 */
export function createPlannedTimers({ timeZone = 'Europe/London', rooms = [] }: PlannedOptions = {}) {
  const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });
  const jobs = { add: async () => undefined, remove: async () => undefined };
  let there: Timer[] = [];
  let set: NewTimer[] = [];
  let cancelled: string[] = [];
  let asked = new Map<string, PendingQuestion>();
  let ids = 0;

  const kept = (timer: NewTimer): Timer => {
    ids += 1;
    return { ...timer, id: `timer-${ids}`, state: 'running', revision: 1, ringingAt: null, heardAt: null };
  };
  const add = (timer: NewTimer): Timer => {
    const made = kept(timer);
    set.push(timer);
    there.push(made);
    return made;
  };
  const changedTo = ({ timer, to }: Parameters<TimerStore['changeAll']>[1][number]): Timer => {
    const changed = changedTimer(timer, to);
    there = there.map((each) => (each.id === timer.id ? changed : each));
    return changed;
  };
  const { files } = language;
  const numbers = language.rules.createNumberReader(language.numbers);
  const grammar = createGrammar(language.grammar);
  const pendingQuestions: HouseholdQuestions = {
    note: async ({ id }, pending) => void asked.set(id, pending),
    last: async (exchanges) => asked.get(exchanges.at(-1)?.turn ?? '') ?? null,
  };
  const timerSkill = createTimerSkill({
    files,
    numbers,
    timeZone,
    done: { latest: async () => [] },
    timers: {
      // Never connected: every function that the sentences need is defined below.
      ...createTimerStore({ redis: new Redis({ lazyConnect: true }), jobs }),
      all: async () => [...there],
      ringing: async () => [],
      set: async (_doing, timer) => add(timer),
      setAll: async (_doing, timers) => timers.map(add),
      async cancel(_doing, gone) {
        const found = there.filter(({ id }) => gone.includes(id));
        there = there.filter(({ id }) => !gone.includes(id));
        cancelled.push(...found.map(({ id }) => id));
        return found;
      },
      async change(_doing, timer, to) {
        return changedTo({ timer, to });
      },
      changeAll: async (_doing, steps, added = []) => [...steps.map(changedTo), ...added.map(add)],
    },
    pendingQuestions,
    canRing: async () => true,
    house: async () => ({ ringing: rooms, all: rooms }),
    isQuestion: (text) => grammar.beginsToAsk(grammar.readWords(text)),
    grammar,
  });
  const responder: Responder & Pick<ReturnType<typeof createSkillResponder>, 'understood'> =
    createSkillResponder({
      skills: [
        createTalkSkill({ files, pendingQuestions, quiet: timerSkill.quiet, askAgain: timerSkill.askAgain }),
        createClockSkill({ files, numbers, timeZone, read: timerSkill.talk.read }),
        timerSkill,
      ],
      grammar,
    });

  return {
    understood: responder.understood,
    /**
     * Says sentences in one conversation that starts with these timers. Returns the effects of the last one.
     */
    async say(
      texts: readonly string[],
      turn: Asked = {},
      before: readonly NewTimer[] = [],
    ): Promise<Planned> {
      there = before.map(kept);
      asked = new Map();
      const exchanges: Exchange[] = [];
      let planned: Planned = { reply: null, set: [], cancelled: [], asks: false };
      for (const text of texts) {
        [set, cancelled] = [[], []];
        const said = question(text, { room: 'kitchen', ...turn }, [...exchanges]);
        const reply = (await responder.respond(said))?.text ?? null;
        const wordsFrom = contextLine.length;
        const user = `${contextLine}${text}`;
        const isOurs = reply !== null;
        exchanges.push({ user, wordsFrom, assistant: reply ?? '', turn: said.turn.id, isOurs });
        planned = { reply, set, cancelled, asks: asked.has(said.turn.id) };
      }
      return planned;
    },
    there: (): readonly Timer[] => there,
  };
}
