import { z } from 'zod';
import type { LanguageFiles } from '../../language/language.ts';
import { rulesOf } from '../../language/language.ts';
import { fill, phraseSchema } from '../../language/phrase.ts';
import type { CheckResult } from '../../status/check-log.ts';
import type { EngineStatus } from '../../status/engine-status.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';

const counted = z.strictObject({ one: phraseSchema([]), other: phraseSchema(['n']) });

const wordsSchema = z.strictObject({
  just_now: z.string(),
  minutes: counted,
  hours: counted,
  days: counted,
});

const shape = {
  replies: {
    well: ['when'],
    unchecked: [],
    ill: ['reasons'],
    was_ill: ['when', 'reasons'],
  },
  words: wordsSchema,
} as const;

/** Listeners cannot remember more. */
const maxReasons = 3;
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

interface CheckSkillOptions {
  files: LanguageFiles;
  /** The findings of the last check; undefined before the first. */
  lastCheck: () => Promise<CheckResult | undefined>;
  /** The current engines, without those that are off. */
  engines: () => readonly EngineStatus[];
}

/** Reports Hearth's health: from the engines' current state, else from the last check. */
export function createCheckSkill({ files, lastCheck, engines }: CheckSkillOptions): Skill {
  const { reply, words, ...language } = loadSkill(files, 'check', shape);
  const { formOf } = rulesOf(files);
  const { tells } = intentsOf();

  const ago = (ms: number): string => {
    if (ms < minuteMs) return words.just_now;
    const [unit, n] =
      ms < hourMs
        ? (['minutes', Math.floor(ms / minuteMs)] as const)
        : ms < 2 * dayMs
          ? (['hours', Math.floor(ms / hourMs)] as const)
          : (['days', Math.floor(ms / dayMs)] as const);
    return fill(words[unit][formOf(n)], { n });
  };

  const well = async ({ turn }: Ask): Promise<string> => {
    const now = engines().flatMap(({ state, reason }) => (state === 'ready' ? [] : (reason ?? [])));
    if (now.length > 0) return reply('ill', { reasons: now.slice(0, maxReasons).join(' ') }, turn);
    const last = await lastCheck();
    if (!last) return reply('unchecked', {}, turn);
    const when = ago(turn.createdAt - last.startedAt);
    if (last.ok) return reply('well', { when }, turn);
    const found = last.steps.flatMap(({ state, message }) => (state === 'failed' ? [message] : []));
    return reply('was_ill', { when, reasons: found.slice(0, maxReasons).join(' ') }, turn);
  };

  return defineSkill({ name: 'check', ...language, slots: {}, intents: { well: tells(well) } });
}
