import { describe, expect, test } from 'vitest';
import { AppError, isErrorCode, toAppError } from '../../api/src/errors.ts';

describe('an error', () => {
  test('shows the caller its sentence, type, code and field', () => {
    const error = new AppError('invalid_request', '"text" is missing.', {
      param: 'text',
      cause: new Error('x'),
    });

    expect(error.toBody()).toEqual({
      error: {
        message: '"text" is missing.',
        type: 'invalid_request_error',
        code: 'invalid_request',
        param: 'text',
      },
    });
    expect(error.status).toBe(400);
  });

  test('has a default sentence if none is given', () => {
    expect(new AppError('llm_timeout').toBody().error.message).toBe('The language model took too long.');
  });

  test.each([
    ['llm_unavailable', 503, 5],
    ['overloaded', 429, 5],
    ['llm_timeout', 504, undefined],
    ['unauthorized', 401, undefined],
  ] as const)('%s has status %i and asks for a retry after %s s', (code, status, retryAfterS) => {
    expect(new AppError(code)).toMatchObject({ status, retryAfterS });
  });

  test('keeps the cause for the log and out of the answer', () => {
    const error = toAppError(new Error('postgres://secret'));

    expect(error).toMatchObject({ code: 'internal', status: 500, cause: new Error('postgres://secret') });
    expect(JSON.stringify(error.toBody())).not.toContain('secret');
  });

  test('that is known stays unchanged', () => {
    const error = new AppError('not_found');

    expect(toAppError(error)).toBe(error);
  });

  test.each(['toString', '__proto__', 'constructor', 'nonsense', ''])('has no code %s', (code) => {
    expect(isErrorCode(code)).toBe(false);
  });
});
