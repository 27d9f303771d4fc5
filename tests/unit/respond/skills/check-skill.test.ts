import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { replyOf } from '../../../../api/src/respond/core/skill.ts';
import { createCheckSkill } from '../../../../api/src/respond/skills/check-skill.ts';
import type { CheckResult } from '../../../../api/src/status/check-log.ts';
import type { EngineStatus } from '../../../../api/src/status/engine-status.ts';
import { question } from '../../../support/skills.ts';

const { files } = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });

const ready: EngineStatus = { state: 'ready', reason: null, since: 0, model: 'local' };
const down: EngineStatus = { ...ready, state: 'failed', reason: 'The voice cannot be reached.' };

const minuteMs = 60_000;

interface Given {
  engines?: EngineStatus[];
  last?: Partial<CheckResult>;
  /** Time since the last check. */
  agoMs?: number;
}

async function answer({ engines = [ready], last, agoMs = 0 }: Given): Promise<string | null> {
  const asked = question('Are you all right?');
  const result: CheckResult = {
    id: 'one',
    startedAt: asked.turn.createdAt - agoMs,
    tookMs: 1,
    ok: true,
    summary: '',
    steps: [],
    ...last,
  };
  const skill = createCheckSkill({
    files,
    lastCheck: async () => (last ? result : undefined),
    engines: () => engines,
  });
  return await replyOf(skill, 'well', asked);
}

describe('the answer to "Is everything all right?"', () => {
  test('names the current failures', async () => {
    expect(await answer({ engines: [ready, down], last: {} })).toBe(
      'Not quite. The voice cannot be reached.',
    );
  });

  test('says that no check has run', async () => {
    expect(await answer({})).toBe(
      'I am fine as far as I can tell. I have not checked myself thoroughly yet.',
    );
  });

  test.each([
    [0, 'just now'],
    [minuteMs, 'a minute ago'],
    [59 * minuteMs, '59 minutes ago'],
    [60 * minuteMs, 'an hour ago'],
    [47 * 60 * minuteMs, '47 hours ago'],
    [48 * 60 * minuteMs, '2 days ago'],
  ])('after a check %i ms ago says %s', async (agoMs, when) => {
    const said = await answer({ last: { ok: true }, agoMs });

    expect(said).toContain(when);
    expect(said).toMatch(/worked/);
  });

  test('names the failures of the last check', async () => {
    const step = { name: 'stt', title: 'The speech recognition', tookMs: 1, usualMs: null, advice: null };
    const steps = [{ ...step, state: 'failed', message: 'The speech recognition was silent.' } as const];

    expect(await answer({ last: { ok: false, steps }, agoMs: 5 * minuteMs })).toBe(
      'I seem to be fine now. But when I checked myself 5 minutes ago, I found a problem. The speech recognition was silent.',
    );
  });
});
