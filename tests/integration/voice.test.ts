import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { durationMs, type Pcm, toNumbers } from '../../api/src/audio/pcm.ts';
import { writeWav } from '../../api/src/audio/wav.ts';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { queuePrefix } from '../../api/src/jobs/queues.ts';
import { timedParts } from '../../api/src/turn/turn.ts';
import { replyOf, timingOf } from '../support/clients/caller.ts';
import { says } from '../support/fakes/fake-llm.ts';
import {
  spokenAnswerOf,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let house: VoiceHousehold;
beforeAll(async () => {
  house = await startVoiceHousehold({ env: { ROOMS: 'Kitchen,Cellar', DEVICES: 'Toaster' } });
});
beforeEach(() => house.forget());
afterAll(() => house?.stop());

describe('a recording', () => {
  test('is answered in words and as sound', async () => {
    const { stt, llm, piper } = house;
    llm.answers(() => 'The capital of France is Paris.');

    const answer = spokenAnswerOf(await house.say('What is the capital of France?', { client: 'first' }));

    const { sound, ...words } = answer;
    expect(words).toEqual({
      heard: 'What is the capital of France?',
      reply: 'The capital of France is Paris.',
      via: 'local',
    });
    expect(piper.texts).toEqual([words.reply]);
    expect(sound?.sampleRateHz).toBe(22_050);
    // The fake says a character in 10 ms.
    expect(durationMs(sound ?? silence)).toBeCloseTo(words.reply.length * 10, -2);
    expect([stt.calls.length, llm.calls.length]).toEqual([1, 1]);
    expect(llm.calls[0]?.question).toBe('What is the capital of France?');
  });

  test('reaches the speech recognition unchanged, with the priority of a waiting caller', async () => {
    await house.say('Good evening.');

    const [call] = house.stt.calls;
    expect(call?.sound).toMatchObject({ sampleRateHz: 16_000 });
    expect(call?.priority).toBe('u=1');
    expect(call?.form).toMatchObject({ language: 'en' });
  });

  test('is transcribed with the hints of the household and of its room', async () => {
    await house.say('Good evening.', { room: 'Attic' });

    const told = house.stt.calls[0]?.form['prompt'] ?? '';
    for (const name of ['Kitchen', 'Cellar', 'Attic', 'Toaster']) expect(told).toContain(name);
    expect(told.split(/\s+/).length).toBeLessThan(60);
    expect(house.llm.calls[0]?.newest).toContain('Room: Attic.');
  });

  test('is transcribed with the names that the settings have instead of the environment', async () => {
    const change = (body: object) => house.assistant.call('/admin/pipeline', { method: 'PATCH', body });
    expect((await change({ rooms: ['Winter garden'], devices: ['Juicer'] })).status).toBe(200);
    await house.say('Good evening.');

    const told = house.stt.calls[0]?.form['prompt'] ?? '';
    for (const name of ['Winter garden', 'Juicer']) expect(told).toContain(name);
    for (const name of ['Kitchen', 'Toaster']) expect(told).not.toContain(name);
    const { body } = await change({ rooms: null, devices: null });
    expect(body).toMatchObject({
      values: { rooms: ['Kitchen', 'Cellar'], devices: ['Toaster'] },
      sources: { rooms: 'environment', devices: 'environment' },
    });
  });

  test('of many sentences is answered sentence by sentence in order', async () => {
    const sentences = ['The first one is red.', 'The second one is green.', 'The third one is blue.'];
    house.llm.answers(() => says(sentences.join(' ')));
    // The first takes longest, so that it arrives last.
    house.piper.speaks(async ({ text }) => {
      if (text.includes('first')) await waitFor(() => house.piper.texts.length > 1);
      return lasting(lengthOf(text));
    });

    const { reply, sound } = spokenAnswerOf(await house.say('Which colours are there?'));

    expect(reply).toBe(sentences.join(' '));
    expect(house.piper.texts.toSorted()).toEqual(sentences.toSorted());
    expect(lengthsIn(sound)).toEqual([200, 400, 600]);
  });

  test('is answered aloud while the model still writes', async () => {
    const { llm, piper } = house;
    llm.answers(() => async (wire) => {
      wire.begin();
      wire.delta({ content: 'The first sentence is whole. ' });
      wire.delta({ content: 'And ' });
      // The fake writes no more before that one is on its way to the voice.
      await waitFor(() => piper.texts.length === 1);
      wire.delta({ content: 'here is the rest.' });
      wire.end();
    });

    const { reply } = spokenAnswerOf(await house.say('Say something long.'));

    expect(piper.texts).toEqual(['The first sentence is whole.', 'And here is the rest.']);
    expect(reply).toBe('The first sentence is whole. And here is the rest.');
  });

  test('gets a reply that is word for word the spoken text', async () => {
    const written = '**Boil** the [eggs](https://eggs.example/boil?x=1) 🥚 for 7 min:\n\n- stir\n- wait\n';
    house.llm.answers(() => says(written));

    const { reply } = spokenAnswerOf(await house.say('How do I boil eggs?'));

    expect(reply).toBe(house.piper.texts.join(' '));
    expect(reply).not.toMatch(/[*[\]#🥚]|https/u);
    expect(reply).toMatch(/Boil the eggs/);
  });

  test('reports the time of each step', async () => {
    const answer = await house.say('What is the capital of France?');

    const parts = timingOf(answer);
    expect([...parts.keys()]).toEqual(timedParts.filter((part) => part !== 'tools'));
    const total = parts.get('total') ?? 0;
    expect(total).toBeLessThanOrEqual(answer.ms);
    for (const part of ['decode', 'queue', 'stt', 'llm-first', 'llm', 'first-audio'])
      expect(parts.get(part), part).toBeLessThanOrEqual(total);
    expect(parts.get('llm-first')).toBeLessThanOrEqual(parts.get('llm') ?? 0);
  });
});

describe('a conversation', () => {
  test('continues from a recording to text and back', async () => {
    const { llm, assistant } = house;
    const anna = { client: 'anna' };
    llm.answers(({ question }) => `You said: ${question}`);

    await house.say('My name is Anna.', anna);
    replyOf(await assistant.ask('I like green.', anna));
    await house.say('What do I like?', anna);

    expect(
      llm.calls
        .at(-1)
        ?.body.messages.slice(1)
        .map(({ content }) => content.replace(context, '')),
    ).toEqual([
      'My name is Anna.',
      'You said: My name is Anna.',
      'I like green.',
      'You said: I like green.',
      'What do I like?',
    ]);
  });

  test('without a name is shared with /ask', async () => {
    await house.assistant.ask('Is anybody there?');

    await house.say('And now?');

    expect(house.llm.calls.at(-1)?.prompt).toContain('Is anybody there?');
  });

  test('stores the words of a recording once', async () => {
    await house.say('Only once.', { client: 'once' });

    const kept = await house.store.lrange(conversationKeys('once').exchanges, 0, -1);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toContain('Only once.');
  });
});

describe('a recording in Redis', () => {
  const secret = 'Nobody else must hear this question.';

  test('leaves no word in the log of turns', async () => {
    const answer = await house.say(secret, { client: 'diary', room: 'Attic' });

    const id = String(answer.headers['x-request-id']);
    const { told, line } = await waitFor(async () => lastTurn(id), { what: 'the turn is in the log' });
    expect(told).toMatchObject({ id, source: 'voice', room: 'Attic', via: 'local', outcome: 'done' });
    expect(Object.keys(told.timings)).toEqual(
      expect.arrayContaining(['queue', 'stt', 'llm', 'tts', 'total']),
    );
    expect(line).not.toMatch(/Nobody|question|Yes|diary/);
  });

  test('leaves no word and no sound in any job', async () => {
    await house.say(secret);

    const jobs = await jobsData();
    expect(jobs.length).toBeGreaterThanOrEqual(4);
    for (const job of jobs) {
      expect(job).not.toMatch(/Nobody|Yes/);
      expect(job.length).toBeLessThan(300);
    }
  });

  test('expires', async () => {
    await house.say(secret);

    const kept = await house.store.keys('hearth:*');
    const ownKeys = kept.filter((key) => /^hearth:(sound|sentence|turn):/.test(key));
    expect(ownKeys.length).toBeGreaterThan(0);
    for (const key of ownKeys) expect(await house.store.ttl(key), key).toBeGreaterThan(0);
  });

  test('leaves nothing in the logs of the processes', async () => {
    house.llm.answers(() => 'Nor this answer.');

    await house.say(secret, { client: 'diary' });

    const logged = [...house.assistant.log, ...house.assistant.workers.flatMap(({ log }) => log)].join('');
    expect(logged).not.toMatch(/Nobody else|Nor this|diary/);
  });
});

test('many concurrent recordings each get their own answer, and no engine gets more than it can handle', async () => {
  const { stt, llm, piper } = house;
  llm.answers(({ question }) => says(`You said: ${question}`, { intervalMs: 1 }));
  const words = Array.from({ length: 12 }, (_, index) => `This is recording ${index}.`);

  const answers = await Promise.all(words.map((said) => house.say(said, { client: said })));

  expect(answers.map(spokenAnswerOf).map(({ heard, sound }) => [heard, sound !== null])).toEqual(
    words.map((said) => [said, true]),
  );
  for (const [index, answer] of answers.entries())
    expect(spokenAnswerOf(answer).reply).toMatch(
      new RegExp(`You said: This is recording ${numberOf(index)}`),
    );
  expect(stt.maxAsked).toBeLessThanOrEqual(2);
  expect(llm.maxAsked).toBeLessThanOrEqual(2);
  expect(piper.maxAsked).toBeLessThanOrEqual(2);
});

const silence: Pcm = { sampleRateHz: 16_000, samples: Buffer.alloc(0) };
const context = /^\(It is .*?\.\) /;

/** The text as a voice says it, or as written. */
function numberOf(index: number): string {
  const names = [
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
  ];
  return `(${index}|${names[index]})`;
}

/** A sound of one length, so that it is recognizable in the joined sound. */
function lasting(ms: number): Buffer {
  const samples = Buffer.from(new Int16Array(Math.round(22.05 * ms)).fill(8_000).buffer);
  return writeWav({ sampleRateHz: 22_050, samples });
}

/** In milliseconds. */
function lengthOf(sentence: string): number {
  return 200 * (['first', 'second', 'third'].findIndex((word) => sentence.includes(word)) + 1);
}

/** The lengths of the sounds between silences, to 50 ms, in playback order. */
function lengthsIn(sound: Pcm | null): number[] {
  const { samples, sampleRateHz } = sound ?? silence;
  const loud = [...toNumbers(samples)].map((sample) => (Math.abs(sample) > 100 ? '#' : ' ')).join('');
  return loud
    .split(/ {200,}/)
    .filter((part) => part !== '')
    .map((part) => 50 * Math.round((part.length / sampleRateHz) * 20));
}

const turnEnd = z.looseObject({ id: z.string(), timings: z.record(z.string(), z.number()) });

/** The log entry of a turn. */
async function lastTurn(id: string) {
  const entries = await house.store.xrange('hearth:turns', '-', '+');
  const line = entries.flatMap(([, fields]) => fields).find((field) => field.includes(id));
  if (line === undefined) return false;
  return { line, told: turnEnd.parse(JSON.parse(line)) };
}

/** The data of the jobs in all queues. */
async function jobsData(): Promise<string[]> {
  const found: string[] = [];
  for (const queue of ['transcribe', 'respond', 'think', 'speak']) {
    for (const key of await house.store.keys(`${queuePrefix}:${queue}:*`)) {
      if ((await house.store.type(key)) !== 'hash') continue;
      const data = await house.store.hget(key, 'data');
      if (data !== null) found.push(data);
    }
  }
  return found;
}
