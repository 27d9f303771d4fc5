import { describe, expect, test } from 'vitest';
import { createLifeSign } from '../../../api/src/engines/life-sign.ts';
import { waitFor } from '../../support/wait-for.ts';

const url = 'http://server/v1/models';

/** A server that gets a probe during its work, and answers when the test says so. */
function setUp() {
  const asked: PromiseWithResolvers<void>[] = [];
  const sayIfAlive = () => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    return answer.promise;
  };
  return { asked, sign: createLifeSign({ http: { sayIfAlive }, url }) };
}

describe('a liveness check', () => {
  test('is expected of a server that answers during its work', async () => {
    const { asked, sign } = setUp();
    const answered = sign.watch();
    await waitFor(() => asked.length === 1);
    const before = sign.asked;

    asked[0]?.resolve();
    await waitFor(() => 'lifeSign' in sign.asked);
    answered();

    expect(before).toEqual({});
    expect(sign.asked).toEqual({ lifeSign: { url } });
  });

  test('is not expected of one that answers only after its work', async () => {
    const { asked, sign } = setUp();
    const answered = sign.watch();
    await waitFor(() => asked.length === 1);

    answered();
    asked[0]?.resolve();
    await asked[0]?.promise;

    expect(sign.asked).toEqual({});
  });

  test('is not expected of one that could not be asked', async () => {
    const { asked, sign } = setUp();
    sign.watch();
    await waitFor(() => asked.length === 1);

    asked[0]?.reject(new Error('refused'));
    await asked[0]?.promise.catch(() => undefined);

    expect(sign.asked).toEqual({});
  });
});
