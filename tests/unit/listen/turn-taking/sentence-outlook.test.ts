import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createSentenceOutlook } from '../../../../api/src/listen/turn-taking/sentence-outlook.ts';
import { createTranscriptClassifier } from '../../../../api/src/respond/skills/transcript-classifier.ts';
import { englishSkills } from '../../../support/skills.ts';

/** Understanding needs no Redis: this client is never connected. */
const judge = createTranscriptClassifier(englishSkills(new Redis({ lazyConnect: true })), () => false);
const slowly = { voicedMs: 5_000, isAnswer: false, endsEarly: true, waitsForMore: true };

// The first transcript of a connection: it is not yet known that the recognition writes full stops.
test.each([
  ['What timers are running?', true, 'whole'],
  ['What timers are r...', true, 'open'],
  ['What timers are r...', false, 'open'],
  ['Tell me I st...', false, 'open'],
  ['What?', true, 'open'],
  ['Why?', true, 'open'],
  ['Hello.', true, 'ordinary'],
  ['Play.', true, 'ordinary'],
  ['Stop.', true, 'whole'],
  ['Mm-hm.', true, 'stated'],
  ['现在几点', true, 'ordinary'],
])('the outlook of %j (sure: %s) is %s', (text, isSure, outlook) => {
  expect(createSentenceOutlook(judge)({ text, isSure }, slowly)).toBe(outlook);
});
