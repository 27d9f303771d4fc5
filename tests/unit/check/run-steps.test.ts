import { describe, expect, test } from 'vitest';
import { runSteps } from '../../../api/src/check/run-steps.ts';
import { type Finding, failed, fine, type Step, warning } from '../../../api/src/check/step.ts';
import { AppError } from '../../../api/src/errors.ts';
import type { CheckResult, StepResult } from '../../../api/src/status/check-log.ts';

const step = (name: string, look: Step['look'] | Finding, more: Partial<Step> = {}): Step => ({
  name,
  title: `The ${name}`,
  limitMs: 1_000,
  look: typeof look === 'function' ? look : async () => look,
  ...more,
});

const never = () => new Promise<Finding>(() => undefined);

async function run(steps: Step[], before: CheckResult[] = []) {
  const told: StepResult[] = [];
  const { signal } = new AbortController();
  const result = await runSteps({ id: 'one', steps, before, onStep: (each) => told.push(each), signal });
  return { result, told, states: result.steps.map(({ name, state }) => [name, state]) };
}

const earlier = (name: string, tookMs: number): CheckResult => ({
  id: '',
  startedAt: 0,
  tookMs,
  ok: true,
  summary: '',
  steps: [{ name, title: '', state: 'ok', tookMs, usualMs: null, message: '', advice: null }],
});

describe('a check', () => {
  test('passes if every step passes', async () => {
    const { result, told } = await run([step('ears', fine('They hear.')), step('voice', fine('It speaks.'))]);

    expect([result.ok, result.summary]).toEqual([true, 'Everything works.']);
    expect(told).toEqual(result.steps);
  });

  test('reports what fails with a remedy, and skips the steps that need it', async () => {
    const { result, states } = await run([
      step('ears', failed('They hear nothing.', 'Clean them.')),
      step('turn', fine('It turns.'), { needs: ['ears'] }),
      step('talk', fine('It talks.'), { needs: ['turn'] }),
      step('voice', warning('It is hoarse.', 'Rest.')),
    ]);

    expect(states).toEqual([
      ['ears', 'failed'],
      ['turn', 'skipped'],
      ['talk', 'skipped'],
      ['voice', 'warning'],
    ]);
    expect(result.steps[1]?.message).toBe('Skipped, because it needs the ears.');
    expect(result.summary).toBe(
      'Something does not work: The ears. They hear nothing. Clean them. The voice: It is hoarse. Rest.',
    );
  });

  test('names a step that hangs, even one that ignores the signal', async () => {
    const { result } = await run([
      step('ears', never, { limitMs: 20, advice: 'Wake them.' }),
      step('voice', fine('It speaks.')),
    ]);

    expect(result.steps[0]).toMatchObject({
      state: 'failed',
      message: 'The ears did not answer within 0 seconds.',
      advice: 'Wake them.',
    });
    expect(result.steps[1]?.state).toBe('ok');
  });

  test('shows our own errors, and hides others', async () => {
    const { result } = await run([
      step('ears', async () => Promise.reject(new AppError('stt_timeout'))),
      step('voice', async () => Promise.reject(new Error('secret path'))),
    ]);

    expect(result.steps.map(({ message }) => message)).toEqual([
      'The speech recognition took too long.',
      'The voice failed with an unexpected error.',
    ]);
  });

  test('knows the usual duration after enough runs', async () => {
    const few = await run(
      [step('ears', fine(''))],
      [10, 20, 30, 40].map((ms) => earlier('ears', ms)),
    );
    const many = await run(
      [step('ears', fine(''))],
      [50, 10, 20, 30, 40].map((ms) => earlier('ears', ms)),
    );

    expect([few.result.steps[0]?.usualMs, many.result.steps[0]?.usualMs]).toEqual([null, 30]);
  });

  test('ends when the process does', async () => {
    const ending = AbortSignal.timeout(10);

    const result = await runSteps({
      id: 'one',
      steps: [step('ears', never, { limitMs: 60_000 }), step('voice', never, { limitMs: 60_000 })],
      before: [],
      onStep: () => undefined,
      signal: ending,
    });

    expect(result.ok).toBe(false);
  });
});
