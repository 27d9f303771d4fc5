import {
  ConnectionClosedByPeerError,
  ConnectionRefusedError,
  EncryptionKeyInvalidError,
  EncryptionRequiredError,
} from 'esphome-client';
import { describe, expect, test } from 'vitest';
import { LinkProblem, problemOf } from '../../../api/src/esphome/link-problem.ts';

describe('what is wrong with a device', () => {
  test.each([
    [new EncryptionKeyInvalidError('x'), /encryption key is wrong/],
    [new EncryptionRequiredError('x'), /asks for an encryption key/],
    [new ConnectionClosedByPeerError('x'), /If it has an encryption key, enter it/],
    [new ConnectionRefusedError('x'), /Nothing listens there/],
    [new Error('ENOBUFS'), /The connection to the device failed/],
  ])('is a sentence for %o', (error, sentence) => {
    expect(problemOf(error).message).toMatch(sentence);
  });

  test('that is known stays as it is', () => {
    const known = new LinkProblem('It is a lamp.');

    expect(problemOf(known)).toBe(known);
  });
});
