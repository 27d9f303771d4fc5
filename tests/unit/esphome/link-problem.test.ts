import {
  ConnectionClosedByPeerError,
  ConnectionRefusedError,
  EncryptionKeyInvalidError,
  EncryptionRequiredError,
} from 'esphome-client';
import { describe, expect, test } from 'vitest';
import { LinkProblem, problemOf } from '../../../api/src/esphome/link-problem.ts';

describe('the problem of a device', () => {
  test.each([
    [new EncryptionKeyInvalidError('x'), /encryption key is wrong/],
    [new EncryptionRequiredError('x'), /asks for an encryption key/],
    [new ConnectionClosedByPeerError('x'), /If it has an encryption key, enter it/],
    [new ConnectionRefusedError('x'), /Nothing listens there/],
    [new Error('ENOBUFS'), /The connection to the device failed/],
  ])('is a sentence for %o', (error, sentence) => {
    expect(problemOf(error).message).toMatch(sentence);
  });

  test('that is known stays unchanged', () => {
    const known = new LinkProblem('It is a lamp.');

    expect(problemOf(known)).toBe(known);
  });
});
