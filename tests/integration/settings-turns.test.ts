import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatCall, type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type FakePiper, startFakePiper } from '../support/fakes/fake-piper.ts';
import { type FakeStt, type SttCall, startFakeStt } from '../support/fakes/fake-stt.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { recordingOf, spokenAnswerOf, wordsIn } from '../support/servers/voice-household.ts';

const voices = ['anna', 'bert', 'clara'];
const [atOnce, rounds] = [20, 2];

/** Settings that all contain their number. */
const settingsOf = (number: number) => ({
  hints: [`Name${number}`],
  stt_model: number % 2 === 0 ? 'whisper' : 'whisper-large',
  persona: `You are number ${number}.`,
  temperature: number / 100,
  reply_tokens: 100 + number,
  llm_model: number % 2 === 0 ? 'even' : 'odd',
  voice: voices[number % voices.length],
  speed: (100 + number) / 100,
});

/** Long enough that its first sentences are spoken while the last are still being written. */
const story = (turn: string) =>
  [1, 2, 3, 4, 5, 6].map((place) => `This is sentence ${place} of turn ${turn} today.`).join(' ');
const turnIn = (words: string | null): string => /turn (\d+)/.exec(words ?? '')?.[1] ?? '';

let redis: OwnRedis;
let stt: FakeStt;
let llm: FakeLlm;
let piper: FakePiper;
let assistants: Assistant[] = [];

beforeAll(async () => {
  [redis, stt, llm, piper] = await Promise.all([
    startRedis(),
    startFakeStt({
      installed: ['whisper', 'whisper-large'],
      hears: wordsIn,
    }),
    startFakeLlm({
      foreign: true,
      models: ['even', 'odd'],
      answers: ({ question }) => says(story(turnIn(question)), { intervalMs: 2 }),
    }),
    startFakePiper({ voices }),
  ]);
  const urls = { redisUrl: redis.url, llmUrl: llm.url, sttUrl: stt.url, ttsUrl: piper.url };
  assistants = [await startAssistant({ ...urls, workers: 2 }), await startAssistant(urls)];
});
afterAll(async () => {
  for (const assistant of assistants) await assistant.stop();
  for (const part of [stt, llm, piper, redis]) await part?.stop();
});

/** One of the two api processes. */
function apiOf(number: number): Assistant {
  const assistant = assistants[number % assistants.length];
  if (!assistant) throw new Error('nobody is there');
  return assistant;
}

async function change(number: number): Promise<void> {
  const body = settingsOf(number);
  const { status, text } = await apiOf(number).call('/admin/pipeline', { method: 'PATCH', body });
  expect(status, text).toBe(200);
}

async function ask(turn: number): Promise<boolean> {
  await delay((turn % atOnce) * 25);
  const recording = recordingOf(`Tell me a story for turn ${turn}`);
  const answer = await apiOf(turn).voice(recording, { client: `child ${turn}` });
  return spokenAnswerOf(answer).sound !== null;
}

/** The settings of an engine call, as far as the engine can see them. */
const sttCallOf = ({ form }: SttCall) => ({
  hints: [/Name\d+/.exec(form['prompt'] ?? '')?.[0]],
  stt_model: form['model'],
});
const byModel = ({ body, prompt }: ChatCall) => ({
  persona: /You are number \d+\./.exec(prompt)?.[0],
  temperature: body['temperature'],
  reply_tokens: body.max_tokens,
  llm_model: body['model'],
});
const byVoice = ({ voice, length_scale: scale = 1 }: FakePiper['spoken'][number]) => ({
  voice,
  speed: Math.round(100 / scale) / 100,
});

/** For each turn, the distinct settings with which the three engines were called. */
function asked(): Map<string, Set<string>> {
  const all: [string, object][] = [
    ...stt.calls.map((call): [string, object] => [turnIn(wordsIn(call)), sttCallOf(call)]),
    ...llm.calls.map((call): [string, object] => [turnIn(call.question), byModel(call)]),
    ...piper.spoken.map((call): [string, object] => [turnIn(call.text), byVoice(call)]),
  ];
  const byTurn = new Map<string, Set<string>>();
  for (const [turn, settings] of all) {
    if (turn !== '') byTurn.set(turn, (byTurn.get(turn) ?? new Set()).add(JSON.stringify(settings)));
  }
  return byTurn;
}

/** The number of the settings behind all of these calls; undefined if there is none. */
function numberOf(settings: ReadonlySet<string>): number | undefined {
  const parts = Object.assign({}, ...[...settings].map((json) => JSON.parse(json)));
  const number = Math.round(Number(parts.temperature) * 100);
  const isOne = JSON.stringify(sorted(parts)) === JSON.stringify(sorted(settingsOf(number)));
  // One kind of question per engine: more would need two different sets of settings.
  return isOne && settings.size === 3 ? number : undefined;
}

const sorted = (settings: object) =>
  Object.entries(settings).toSorted(([one], [other]) => one.localeCompare(other));

test('no turn sees half of a change, with any number of changes while twenty run', {
  timeout: 90_000,
  tags: 'slow',
}, async () => {
  await change(1);
  let isOver = false;
  const changing = (async () => {
    for (let number = 2; !isOver; number = (number % 90) + 1) await change(number);
  })();

  const spoken: boolean[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = Array.from({ length: atOnce }, (_, place) => 100 + round * atOnce + place);
    spoken.push(...(await Promise.all(turns.map(ask))));
  }
  isOver = true;
  await changing;
  const numbers = [...asked().values()].map(numberOf);

  expect(spoken.every(Boolean)).toBe(true);
  expect(numbers).toHaveLength(rounds * atOnce);
  expect(numbers).not.toContain(undefined);
  // It would prove nothing if all had run under one.
  expect(new Set(numbers).size).toBeGreaterThan(5);
});
