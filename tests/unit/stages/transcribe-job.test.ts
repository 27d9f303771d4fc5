import { expect, test } from 'vitest';
import type { Transcript } from '../../../api/src/engines/transcript.ts';
import { createPartialTranscribeJob } from '../../../api/src/stages/transcribe-job.ts';
import type { WordsForIt } from '../../../api/src/stages/words-for-it.ts';

const doubted: Transcript = { text: 'Okay now move, what time is it?', isSure: false, words: [] };
const request = { text: 'what time is it?', isSure: true, isNamed: true };

/** Runs the job on one partial transcript. Returns its requests to recognition and what it published. */
async function partial(calledBy?: string[]) {
  const asked: unknown[] = [];
  const rules: Parameters<WordsForIt>[0][] = [];
  const published: Transcript[] = [];
  const job = createPartialTranscribeJob({
    sounds: { collect: async () => ({ sampleRateHz: 16_000, samples: Buffer.alloc(2) }) },
    transcriber: {
      transcribeSpeech: async ({ words }) => {
        asked.push(words);
        return doubted;
      },
    },
    wordsForIt: async (turn) => {
      rules.push(turn);
      return request;
    },
    turns: { publishPartialTranscript: async (_replyTo, _id, transcript) => void published.push(transcript) },
  });
  const payload = { overheardId: 'one', room: null, replyTo: 'api', deadlineAt: 0, revision: 3 };
  await job({ ...payload, ...(calledBy && { calledBy }) }, AbortSignal.timeout(5_000));
  return { asked, rules, published };
}

test('a partial transcript after a wake word is the request with the certainty of its own words', async () => {
  expect(await partial(['Okay Nabu'])).toEqual({
    asked: [true],
    rules: [{ nameRule: 'said', calledBy: ['Okay Nabu'], revision: 3 }],
    published: [request],
  });
});

test('a partial transcript without a wake word stays unchanged', async () => {
  expect(await partial()).toEqual({ asked: [false], rules: [], published: [doubted] });
});
