import { z } from 'zod';
import { toNumbers } from '../../../api/src/audio/pcm.ts';
import { writeWav } from '../../../api/src/audio/wav.ts';
import { tone } from '../audio/tones.ts';
import type { SttCall } from '../fakes/fake-stt.ts';
import { startVoiceHousehold } from './voice-household.ts';

/** The sentence that the check has the engines speak and recognize. */
export const question = 'What is the capital of France?';

/** Voices of the fake, distinguished by loudness. */
const heights = { clear: 4_000, garbled: 1_500 };

export const speaking = (how: keyof typeof heights) => () =>
  writeWav(tone(200, { sampleRateHz: 22_050, height: heights[how] }));

/** Returns the question for any sound, except in a garbled voice. */
function transcriptIn({ sound }: Pick<SttCall, 'sound'>): string {
  const loudest = toNumbers(sound?.samples ?? Buffer.alloc(0)).reduce(
    (most, n) => Math.max(most, Math.abs(n)),
    0,
  );
  return loudest < 2_000 ? 'Bananas grow on trees.' : question;
}

const resultSchema = z.object({
  id: z.string(),
  ok: z.boolean(),
  summary: z.string(),
  steps: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      message: z.string(),
      advice: z.string().nullable(),
      took_ms: z.number(),
      usual_ms: z.number().nullable(),
    }),
  ),
});
type CheckResult = z.infer<typeof resultSchema>;

/** A household in which everything works, and its check. */
export async function startCheckedHousehold({ checkPatience = 0.25, env = {} } = {}) {
  const house = await startVoiceHousehold({ limits: { checkPatience }, env });
  const workWell = () => {
    house.forget();
    house.stt.hears(transcriptIn);
    house.piper.speaks(speaking('clear'));
    house.llm.answers(() => 'The capital of France is Paris.');
  };
  workWell();
  return {
    ...house,
    workWell,
    async check(): Promise<CheckResult> {
      const { status, text, body } = await house.assistant.call('/admin/check', { method: 'POST' });
      if (status !== 200) throw new Error(`the check was answered with ${status}: ${text}`);
      return resultSchema.parse(body);
    },
  };
}

/** The names of the steps in a state. */
export function steps({ steps: all }: CheckResult, state: 'ok' | 'warning' | 'failed' | 'skipped'): string[] {
  return all.filter((step) => step.state === state).map(({ name }) => name);
}
