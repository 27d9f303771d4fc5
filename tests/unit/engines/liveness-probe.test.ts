import { describe, expect, test } from 'vitest';
import { createLivenessProbe } from '../../../api/src/engines/liveness-probe.ts';
import { waitFor } from '../../support/wait-for.ts';

const url = 'http://server/v1/models';

/** A server that gets a probe during its work, and answers when the test says so. */
function setUp() {
  const asked: PromiseWithResolvers<void>[] = [];
  const probe = () => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    return answer.promise;
  };
  return { asked, liveness: createLivenessProbe({ http: { probe }, url }) };
}

describe('a liveness check', () => {
  test('is expected of a server that answers during its work', async () => {
    const { asked, liveness } = setUp();
    const answered = liveness.watch();
    await waitFor(() => asked.length === 1);
    const before = liveness.callOptions;

    asked[0]?.resolve();
    await waitFor(() => 'livenessProbe' in liveness.callOptions);
    answered();

    expect(before).toEqual({});
    expect(liveness.callOptions).toEqual({ livenessProbe: { url } });
  });

  test('is not expected of one that answers only after its work', async () => {
    const { asked, liveness } = setUp();
    const answered = liveness.watch();
    await waitFor(() => asked.length === 1);

    answered();
    asked[0]?.resolve();
    await asked[0]?.promise;

    expect(liveness.callOptions).toEqual({});
  });

  test('is not expected of one that could not be asked', async () => {
    const { asked, liveness } = setUp();
    liveness.watch();
    await waitFor(() => asked.length === 1);

    asked[0]?.reject(new Error('refused'));
    await asked[0]?.promise.catch(() => undefined);

    expect(liveness.callOptions).toEqual({});
  });
});
