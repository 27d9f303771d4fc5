import { describe, expect, test } from 'vitest';
import type { Question } from '../../../../api/src/respond/core/responder.ts';
import { contextLinesOf } from '../../../../api/src/respond/model/context-copies.ts';
import { readReply } from '../../../../api/src/respond/model/read-reply.ts';

const newest = '(It is Tuesday 1 December 2026, 13:54.)';
const earlier = '(It is Monday 30 November 2026, 9:05. Room: kitchen.)';

/** The answer and the spoken words, from a model that sends its text in these pieces. */
async function read(pieces: readonly string[], contextLines: readonly string[] = [newest, earlier]) {
  let said = '';
  async function* events() {
    for (const text of pieces) yield { type: 'text' as const, text };
  }
  const { text } = await readReply(events(), (words) => (said += words), { contextLines });
  return { text, said };
}

const inLetters = (text: string) => [...text];

describe('a copied context line at the start of an answer', () => {
  test.each([
    ['the newest line', `${newest} Yes.`, 'Yes.'],
    ['an earlier line', `${earlier} Yes.`, 'Yes.'],
    ['a line on its own', ` ${newest}\n\nYes.`, 'Yes.'],
  ])('is dropped: %s', async (_, written, wanted) => {
    for (const pieces of [[written], inLetters(written)])
      expect(await read(pieces)).toEqual({ text: wanted, said: wanted });
  });

  test.each([
    ['another remark in brackets', '(It is Tuesday evening.) Yes.'],
    ['nothing after the line', newest],
    ['an opening of the line', '(It is'],
    ['a line in the middle', `Yes. ${newest} No.`],
    ['no bracket', 'It is Tuesday.'],
  ])('is kept: %s', async (_, written) => {
    for (const pieces of [[written], inLetters(written)])
      expect(await read(pieces)).toEqual({ text: written, said: written });
  });

  test('is dropped after reasoning', async () => {
    expect(await read(['<think>Hm.</think>', newest, ' Yes.'])).toEqual({ text: 'Yes.', said: 'Yes.' });
  });
});

test('the context lines of a prompt are those of its questions', () => {
  const question = {
    message: `${newest} Is it late?`,
    turn: { text: 'Is it late?' },
    exchanges: [
      { user: `${earlier} Hello.`, wordsFrom: earlier.length + 1, assistant: 'Hi.' },
      { user: 'Typed elsewhere.', wordsFrom: 0, assistant: 'OK.' },
    ],
  } as unknown as Question;

  expect(contextLinesOf(question)).toEqual([newest, earlier]);
});
