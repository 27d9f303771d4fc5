import { afterEach, describe, expect, test, vi } from 'vitest';
import { resume, touches } from '../../../console/src/sound/resume.ts';

afterEach(() => vi.restoreAllMocks());

/** An audio context that refuses its first attempts to play, as during a call. */
function contextOf(state: string, refusals = 0) {
  let attempts = 0;
  const context = {
    state,
    resume: vi.fn(async () => {
      attempts += 1;
      if (attempts <= refusals)
        throw new DOMException('Failed to start the audio device', 'InvalidStateError');
      context.state = 'running';
    }),
  };
  return context;
}

describe('the sound of the page', () => {
  test.each(['suspended', 'interrupted'] as const)('plays again after it was %s', async (state) => {
    const context = contextOf(state);

    await resume(context);

    expect(context.state).toBe('running');
  });

  test.each(['running', 'closed'] as const)('is left alone while it is %s', async (state) => {
    const context = contextOf(state);

    await resume(context);

    expect(context.resume).not.toHaveBeenCalled();
  });

  test('is refused during a call without an unhandled error, and plays at the next touch', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const context = contextOf('interrupted', 1);

    await resume(context);
    const during = context.state;
    await resume(context);

    expect([during, context.state]).toEqual(['interrupted', 'running']);
    expect(warned).toHaveBeenCalledOnce();
  });

  test('resumes at the end of a touch, the only part that iOS counts', () => {
    expect(touches).toContain('pointerup');
  });
});
