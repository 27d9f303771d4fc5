import { expect, test } from 'vitest';
import { readRequest } from '../../../api/src/wyoming/requests.ts';

const payload = Buffer.alloc(0);

test('a question of spaces is an empty one, which is not given to the model', () => {
  const request = readRequest({ type: 'transcript', data: { text: ' \n' }, payload });

  expect(request?.data).toEqual({ text: '' });
});
