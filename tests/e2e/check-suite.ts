import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, type Household, untilReady } from './household.ts';

const resultSchema = z.looseObject({
  ok: z.boolean(),
  summary: z.string(),
  steps: z.array(z.looseObject({ name: z.string(), state: z.string(), message: z.string() })),
});

async function check(household: Household): Promise<z.infer<typeof resultSchema>> {
  const { status, body } = await call(household, { path: '/admin/check', method: 'POST', limitMs: 200_000 });
  if (status !== 200) throw new Error(`the check was answered with ${status}: ${JSON.stringify(body)}`);
  return resultSchema.parse(body);
}

const failed = ({ steps }: z.infer<typeof resultSchema>) =>
  steps.flatMap(({ name, state }) => (state === 'failed' ? [name] : []));

/** The check, on the real engines. */
export function checkSuite(of: () => Household): void {
  test('the check finds that everything works', async () => {
    await untilReady(of());

    const result = await check(of());

    expect(failed(result), result.summary).toEqual([]);
    for (const name of ['redis', 'ffmpeg', 'espeak', 'stt', 'tts', 'llm', 'turn']) {
      expect(result.steps.find((step) => step.name === name)?.state, name).not.toBe('skipped');
    }
  });

  test('the terminal shows the result of the check', async () => {
    const shown = await of().make('check-up');

    expect(shown).toMatch(/^works +The voice /m);
    expect(shown).toContain('Checked in');
  });
}

/** The check while an engine hangs. It is the same on either side, so one side runs it. */
export function failedCheckSuite(of: () => Household): void {
  test('the check finds that only the voice is silent', async () => {
    await of().freeze('tts');

    const result = await check(of());
    await of().thaw('tts');

    expect(failed(result), result.summary).toEqual(['tts']);
    await untilReady(of());
  });
}
