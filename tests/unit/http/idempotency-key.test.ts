import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../api/src/http/caller.ts';
import { owner, thisMachine } from '../../../api/src/http/caller.ts';
import { idempotentRequestOf, noteBody } from '../../../api/src/http/idempotency-key.ts';

const device = (hash: string): Caller => ({
  tokenName: 'hall',
  scope: 'talk',
  device: { name: 'hall', hash, scope: 'talk', madeAt: 0, madeBy: null },
});

interface Sent {
  caller?: Caller;
  operation?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
}

/** The claim of a request; values that a test does not name are equal. */
function claimOf({ caller = owner, operation = 'ask', query = {}, headers = {}, body = '{}' }: Sent = {}) {
  const sent = { 'idempotency-key': 'the-key', 'content-type': 'application/json', ...headers };
  const request = {
    caller,
    routeOptions: { config: { operation } },
    query,
    headers: sent,
    raw: { headers: sent },
    bodyDigest: null,
  } as never;
  noteBody(request, Buffer.from(body));
  return idempotentRequestOf(request);
}

describe('a request with a key', () => {
  test('is recognized when it is repeated', () => {
    expect(claimOf()).toEqual(claimOf());
    expect(claimOf({ query: { room: 'hall', client: 'a', token: 'one' } })).toEqual(
      claimOf({ query: { client: 'a', room: 'hall', token: 'other' } }),
    );
  });

  test.each<[string, Sent]>([
    ['another body', { body: '{ }' }],
    ['another address', { operation: 'voice' }],
    ['another parameter', { query: { client: 'a' } }],
    ['another type', { headers: { 'content-type': 'audio/pcm;rate=8000' } }],
    ['another chat', { headers: { 'x-openwebui-chat-id': 'chat' } }],
  ])('is a different request with %s', (_what, sent) => {
    expect(claimOf(sent)?.id).toBe(claimOf()?.id);
    expect(claimOf(sent)?.fingerprint).not.toBe(claimOf()?.fingerprint);
  });

  test('belongs to the token that sent it, not to another token of the same name', () => {
    const callers = [owner, thisMachine, device('first'), device('second')];

    expect(new Set(callers.map((caller) => claimOf({ caller })?.id)).size).toBe(4);
    expect(new Set(callers.map((caller) => claimOf({ caller })?.caller)).size).toBe(4);
  });

  test('does not reveal its words without its key', () => {
    const other = claimOf({ headers: { 'idempotency-key': 'another-key' } });

    expect(other?.fingerprint).not.toBe(claimOf()?.fingerprint);
    expect(JSON.stringify(other)).not.toContain('another-key');
  });
});

test('a request without a key makes no claim', () => {
  const request = { headers: {}, bodyDigest: null } as never;
  noteBody(request, Buffer.from('{}'));

  expect([idempotentRequestOf(request), request]).toEqual([null, { headers: {}, bodyDigest: null }]);
});
