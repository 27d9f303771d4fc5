import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeWav } from '../../api/src/audio/wav.ts';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { fan, quiet } from '../support/audio/spoken-clips.ts';
import type { SttTranscript } from '../support/fakes/fake-stt.ts';
import {
  spokenAnswerOf,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';

let house: VoiceHousehold;
beforeAll(async () => {
  house = await startVoiceHousehold();
});
beforeEach(() => house.forget());
afterAll(() => house?.stop());

const kept = (client: string) => house.store.llen(conversationKeys(client).exchanges);

/** Results of the speech recognition for a room without speech. */
const nothing: [what: string, transcript: SttTranscript | null][] = [
  ['silence', null],
  ['a word of which it says that nobody spoke', { text: 'So.', noSpeechProb: 0.9, avgLogprob: -1.3 }],
  ['a phrase from captions', { text: 'Thank you for watching!', noSpeechProb: 0.5, avgLogprob: -0.6 }],
  ['the same words over and over', { text: 'the the the the the the', compressionRatio: 3.1 }],
  ['dots', { text: '...', noSpeechProb: 0.4 }],
];

describe('a recording without speech', () => {
  test.each(nothing)('gets that error when the engine hears %s', async (_, transcript) => {
    const { stt, llm, piper } = house;
    stt.hears(transcript);

    const answer = spokenAnswerOf(await house.say('', { client: 'nobody' }));

    expect(answer).toMatchObject({ heard: '', reply: 'I did not catch that.', via: 'skills' });
    expect(answer.sound?.samples.length).toBeGreaterThan(0);
    expect(piper.texts.every((text) => text === answer.reply)).toBe(true);
    expect(llm.calls).toEqual([]);
    expect(await kept('nobody')).toBe(0);
  });

  test('leaves the conversation unchanged', async () => {
    const { stt, llm, assistant } = house;
    await assistant.ask('My name is Anna.', { client: 'anna' });
    stt.hears(null);
    await house.say('', { client: 'anna' });

    await assistant.ask('What is my name?', { client: 'anna' });

    expect(await kept('anna')).toBe(2);
    expect(llm.calls.at(-1)?.prompt).not.toContain('catch');
  });
});

describe('a recording without a voice', () => {
  const noVoice: [what: string, sound: Buffer][] = [
    ['digital silence', quiet(2_000)],
    ['a fan', fan(2_000)],
    ['a recording shorter than a frame', quiet(10)],
  ];

  test.each(noVoice)('is never taken for words: %s', async (_, samples) => {
    const { stt, llm, assistant } = house;
    stt.hears({ text: 'Thank you.', noSpeechProb: 0.01, avgLogprob: -0.1 });

    const answer = spokenAnswerOf(await assistant.voice(writeWav({ sampleRateHz: 16_000, samples })));

    expect(answer).toMatchObject({ heard: '', reply: 'I did not catch that.', via: 'skills' });
    expect([stt.calls, llm.calls]).toEqual([[], []]);
  });
});

describe('an uncertain transcript', () => {
  const doubtful = { text: 'Turn on the chicken rights.', avgLogprob: -1.4, noSpeechProb: 0.2 };

  test('is asked back and never acted upon', async () => {
    const { stt, llm, piper } = house;
    stt.hears(doubtful);

    const answer = spokenAnswerOf(await house.say('?', { client: 'doubt' }));

    expect(answer).toMatchObject({
      heard: 'Turn on the chicken rights.',
      reply: 'Did you say "Turn on the chicken rights"?',
      via: 'skills',
    });
    expect(answer.sound).not.toBeNull();
    expect(piper.texts).toEqual([answer.reply]);
    expect(llm.calls).toEqual([]);
  });

  test('is answered if it is a whole sentence that a skill knows', async () => {
    house.stt.hears({ ...doubtful, text: 'What time is it?' });

    const { reply, via } = spokenAnswerOf(await house.say('?'));

    expect(via).toBe('skills');
    expect(reply).not.toContain('Did you say');
    expect(house.llm.calls).toEqual([]);
  });

  test('is asked back if a skill could not undo its action', async () => {
    house.stt.hears({ ...doubtful, text: 'Forget this conversation.' });

    const { reply } = spokenAnswerOf(await house.say('?', { client: 'doubt-final' }));
    house.stt.hears({ text: 'Yes.' });
    const after = spokenAnswerOf(await house.say('?', { client: 'doubt-final' }));

    expect(reply).toBe('Did you say "Forget this conversation"?');
    expect(after.via).toBe('skills');
    expect(after.reply).not.toContain('Did you say');
  });

  test('is not spoken in a reply if it is not a sentence', async () => {
    house.stt.hears({ ...doubtful, text: '"quoted" & <b>marked</b> [[words]]' });

    const { reply } = spokenAnswerOf(await house.say('?'));

    expect(reply).toBe(house.piper.texts.join(' '));
    expect(reply).not.toMatch(/\[\[|<b>/);
  });
});

describe('words without scores', () => {
  test('are trusted, because most servers send none', async () => {
    house.stt.hears({ text: 'What is the capital of France?', bare: true });

    const answer = spokenAnswerOf(await house.say('?'));

    expect(answer).toMatchObject({ heard: 'What is the capital of France?', via: 'local' });
  });
});
