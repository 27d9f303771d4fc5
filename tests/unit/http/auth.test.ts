import Fastify, { type InjectOptions } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../api/src/errors.ts';
import { type AccessOptions, createAccess } from '../../../api/src/http/auth.ts';
import type { RequiredScope } from '../../../api/src/http/scopes.ts';
import { digestOf, matchOf, newSecret, type Scope, scopes } from '../../../api/src/tokens/device-token.ts';

const token = 'Correct-Horse-Battery-Staple';

/** Redis was read and has no device tokens. */
const none = { find: () => undefined, isRead: true, isEmpty: true };

/** Callers get `ok`, or the code of the refusal. */
function door(options: Partial<AccessOptions> = {}, need: RequiredScope = 'talk') {
  const access = createAccess({
    serviceToken: undefined,
    tokens: none,
    trustedHosts: [],
    trustedOrigins: [],
    isOpenToHome: () => false,
    gateway: null,
    ...options,
  });
  const app = Fastify();
  app.all('/*', (request) => {
    try {
      access.check(request, need);
      return 'ok';
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  });
  return async (request: InjectOptions = {}): Promise<string> => {
    const headers = { host: 'localhost:8765', ...request.headers };
    return (await app.inject({ url: '/', remoteAddress: '127.0.0.1', ...request, headers })).body;
  };
}

describe('open to the home network', () => {
  const ask = door({ isOpenToHome: () => true });

  test('asks other devices for a token, and this machine for none', async () => {
    const elsewhere = { remoteAddress: '192.168.1.9', headers: { host: '192.168.1.5:8765' } };

    expect(await ask(elsewhere)).toBe('unauthorized');
    expect(await ask()).toBe('ok');
    expect(await door({ isOpenToHome: () => true }, 'open')(elsewhere)).toBe('ok');
  });
});

describe('without a token', () => {
  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])(
    'the address %s is this machine',
    async (remoteAddress) => {
      expect(await door()({ remoteAddress })).toBe('ok');
    },
  );

  test.each(['192.168.1.7', '10.0.0.1', '::ffff:192.168.1.7', 'fe80::1', '128.0.0.1', '::2', '172.17.0.1'])(
    'the address %s is another machine',
    async (remoteAddress) => {
      expect(await door()({ remoteAddress })).toBe('local_only');
    },
  );

  test('the gateway of a container is this machine, and only that one', async () => {
    const knock = door({ gateway: '172.17.0.1' });

    expect(await knock({ remoteAddress: '172.17.0.1' })).toBe('ok');
    expect(await knock({ remoteAddress: '::ffff:172.17.0.1' })).toBe('ok');
    expect(await knock({ remoteAddress: '172.17.0.2' })).toBe('local_only');
  });

  test.each([
    'localhost',
    'localhost:8765',
    'LocalHost',
    'localhost.',
    'hearth.localhost:8765',
    '127.0.0.1',
    '127.0.0.1:8765',
    '[::1]',
    '[::1]:8765',
    '[0:0:0:0:0:0:0:1]:8765',
    'trusted.example',
    'TRUSTED.example:443',
  ])('the Host %s means this machine', async (host) => {
    expect(await door({ trustedHosts: ['trusted.example'] })({ headers: { host } })).toBe('ok');
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    'notlocalhost',
    'trusted.example.evil.example',
    'sub.trusted.example',
    '192.168.1.7:8765',
    '0.0.0.0',
    '[::]',
    '[fe80::1]',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example\\localhost',
    'localhost:99999',
    'localhost:x',
    ' ',
  ])('the Host %o does not', async (host) => {
    expect(await door({ trustedHosts: ['trusted.example'] })({ headers: { host } })).toBe('local_only');
  });

  test('headers added by a proxy are not trusted', async () => {
    const forwarded = {
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-host': 'localhost',
      forwarded: 'for=127.0.0.1;host=localhost',
    };

    expect(await door()({ remoteAddress: '192.168.1.7', headers: forwarded })).toBe('local_only');
    expect(await door()({ headers: { ...forwarded, host: 'evil.example' } })).toBe('local_only');
  });

  test.each([
    ['Forwarded', 'for=203.0.113.9'],
    ['Via', '1.1 proxy'],
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', ''],
    ['X-Forwarded-Host', 'localhost:8765'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Server', 'proxy'],
    ['X-Forwarded', '203.0.113.9'],
    ['X-Real-IP', '203.0.113.9'],
    ['X-Client-IP', '203.0.113.9'],
    ['True-Client-IP', '203.0.113.9'],
    ['CF-Connecting-IP', '203.0.113.9'],
    ['CDN-Loop', 'cloudflare'],
    ['Tailscale-User-Login', 'anna@example.com'],
  ])('a request through a proxy is not from this machine: %s: %o', async (name, value) => {
    const websocket = { connection: 'Upgrade', upgrade: 'websocket' };

    expect(await door()({ headers: { [name]: value } })).toBe('local_only');
    expect(await door()({ headers: { [name]: value, ...websocket } })).toBe('local_only');
    expect(
      await door({ gateway: '172.17.0.1' })({ remoteAddress: '172.17.0.1', headers: { [name]: value } }),
    ).toBe('local_only');
  });

  test("a browser's or program's own headers do not make it a proxy", async () => {
    const headers = {
      'x-requested-with': 'fetch',
      'x-request-id': '1',
      'x-hearth-via': 'local',
      accept: '*/*',
      viaduct: '1',
    };

    expect(await door()({ headers })).toBe('ok');
  });

  test.each([
    ['http://localhost:3000', 'ok'],
    ['http://localhost:8765', 'ok'],
    ['https://127.0.0.1', 'ok'],
    ['http://[::1]:3000', 'ok'],
    ['https://trusted.example', 'ok'],
    ['https://evil.example', 'foreign_origin'],
    ['https://localhost.evil.example', 'foreign_origin'],
    ['null', 'foreign_origin'],
    ['', 'foreign_origin'],
    ['file://', 'foreign_origin'],
    ['chrome-extension://localhost', 'foreign_origin'],
  ])('any request of a page from %o gets %s', async (origin, expected) => {
    const knock = door({ trustedHosts: ['trusted.example'] });

    expect(await knock({ headers: { origin } })).toBe(expected);
    expect(await knock({ method: 'POST', headers: { origin } })).toBe(expected);
  });
});

describe('with a token', () => {
  const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
  const far = { remoteAddress: '192.168.1.7', headers: { host: 'hearth.lan' } };

  test.each([
    ['header', { headers: bearer(token) }],
    ['header, in lower case', { headers: { authorization: `bearer ${token}` } }],
    ['header, with more spaces', { headers: { authorization: `Bearer   ${token} ` } }],
    ['query', { url: `/?token=${token}` }],
    ['both', { url: `/?token=${token}`, headers: bearer(token) }],
    ['query, twice', { url: `/?token=${token}&token=${token}` }],
    [
      'query beside a header of another kind',
      { url: `/?token=${token}`, headers: { authorization: 'Basic eDp5' } },
    ],
    [
      'header of a call that a proxy passed on',
      { headers: { ...bearer(token), 'x-forwarded-for': '203.0.113.9' } },
    ],
  ])('a request with it in the %s is allowed', async (_where, request) => {
    expect(await door({ serviceToken: token })({ ...far, ...request })).toBe('ok');
  });

  test.each([
    ['nothing', {}],
    ['a wrong one', { headers: bearer('wrong') }],
    ['a part of it', { headers: bearer(token.slice(0, -1)) }],
    ['more than it', { headers: bearer(`${token}x`) }],
    ['it in other letters', { headers: bearer(token.toLowerCase()) }],
    ['it without the scheme', { headers: { authorization: token } }],
    ['it in another scheme', { headers: { authorization: `Basic ${token}` } }],
    ['an empty one', { url: '/?token=' }],
    ['it in another parameter', { url: `/?Token=${token}` }],
    ['it as an object', { url: `/?token[x]=${token}` }],
    ['it as a cookie', { headers: { cookie: `token=${token}` } }],
    ['being this machine', { remoteAddress: '127.0.0.1' }],
    ['it beside a wrong header', { url: `/?token=${token}`, headers: bearer('wrong') }],
    ['it beside a wrong query', { url: '/?token=wrong', headers: bearer(token) }],
    ['it as one of two in the query', { url: `/?token=wrong&token=${token}` }],
    [
      'it as one of 1,300 in the query',
      { url: `/?${Array.from({ length: 1_299 }, (_, place) => `token=${place}`).join('&')}&token=${token}` },
    ],
  ])('a request with %s is refused', async (_what, request) => {
    expect(await door({ serviceToken: token })({ ...far, ...request })).toBe('unauthorized');
  });

  test('a foreign page may read with it but change nothing', async () => {
    const headers = { ...bearer(token), origin: 'https://evil.example' };
    const knock = door({ serviceToken: token });

    expect(await knock({ headers })).toBe('ok');
    expect(await knock({ method: 'POST', headers })).toBe('foreign_origin');
    expect(await knock({ headers: { ...headers, connection: 'upgrade', upgrade: 'websocket' } })).toBe(
      'foreign_origin',
    );
  });

  test('a page of the same host may change things', async () => {
    const headers = { ...bearer(token), host: 'hearth.lan:8765', origin: 'http://hearth.lan:8765' };

    expect(await door({ serviceToken: token })({ method: 'POST', headers })).toBe('ok');
  });
});

describe('with tokens of devices', () => {
  const far = { remoteAddress: '192.168.1.7', headers: { host: 'hearth.lan' } };
  const bearer = (given: string) => ({
    ...far,
    headers: { ...far.headers, authorization: `Bearer ${given}` },
  });
  const [desktop, hall, panel, office] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const tokenOf = (name: string, secret: string, scope: Scope) => ({
    ...{ name, scope, madeAt: 0, madeBy: null },
    hash: digestOf(secret).toString('hex'),
    digest: digestOf(secret),
  });
  const all = [
    tokenOf('desktop', desktop, 'lend'),
    tokenOf('hall', hall, 'talk'),
    tokenOf('panel', panel, 'look'),
    tokenOf('office', office, 'administer'),
  ];
  const tokens = { find: (digest: Buffer) => matchOf(all, digest), isRead: true, isEmpty: false };

  test.each([
    [desktop, ['ok', 'insufficient_scope', 'insufficient_scope', 'insufficient_scope']],
    [hall, ['insufficient_scope', 'ok', 'insufficient_scope', 'insufficient_scope']],
    [panel, ['insufficient_scope', 'ok', 'ok', 'insufficient_scope']],
    [office, ['insufficient_scope', 'ok', 'ok', 'ok']],
    [token, ['insufficient_scope', 'ok', 'ok', 'ok']],
    [hall.slice(0, -1), Array(4).fill('unauthorized')],
    [digestOf(hall).toString('hex'), Array(4).fill('unauthorized')],
  ])('%s allows the routes in its scope', async (secret, expected) => {
    const told = scopes.map((need) => door({ serviceToken: token, tokens }, need)(bearer(secret)));

    expect(await Promise.all(told)).toEqual(expected);
  });

  test('and without SERVICE_TOKEN, only the machine itself needs none', async () => {
    const knock = door({ tokens }, 'administer');

    expect(await knock()).toBe('ok');
    expect(await knock(far)).toBe('unauthorized');
    expect(await knock(bearer(office))).toBe('ok');
    expect(await knock(bearer(hall))).toBe('insufficient_scope');
    expect(await knock({ headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe('unauthorized');
    expect(await knock({ headers: { host: 'evil.example' } })).toBe('unauthorized');
    expect(await knock({ headers: { origin: 'https://evil.example' } })).toBe('foreign_origin');
    expect(await knock({ headers: { authorization: 'Bearer wrong' } })).toBe('unauthorized');
  });

  test('and with SERVICE_TOKEN, the machine itself needs one, too', async () => {
    expect(await door({ serviceToken: token, tokens })()).toBe('unauthorized');
  });

  test('open routes need none, and a foreign page changes nothing there', async () => {
    const knock = door({ tokens }, 'open');

    expect(await knock(far)).toBe('ok');
    expect(await knock(bearer('wrong'))).toBe('ok');
    expect(await knock({ ...far, method: 'POST', headers: { origin: 'https://evil.example' } })).toBe(
      'foreign_origin',
    );
  });

  test('that are not loaded yet are not called wrong, and the machine itself still works', async () => {
    const unread = { ...none, isRead: false };

    expect(await door({ serviceToken: token, tokens: unread })(bearer(hall))).toBe('redis_unavailable');
    expect(await door({ serviceToken: token, tokens: unread })(bearer(token))).toBe('ok');
    expect(await door({ serviceToken: token, tokens: unread })(far)).toBe('unauthorized');
    expect(await door({ tokens: unread })(bearer(hall))).toBe('redis_unavailable');
    expect(await door({ tokens: unread })(far)).toBe('local_only');
    expect(
      await door({ tokens: unread }, 'administer')({ headers: { authorization: `Bearer ${hall}` } }),
    ).toBe('ok');
    expect(
      await door({ tokens: unread })({
        headers: { ...bearer(hall).headers, origin: 'https://evil.example', host: 'localhost' },
      }),
    ).toBe('foreign_origin');
  });

  test('all are compared, whichever matches', () => {
    const compared: string[] = [];
    const watched = all.map((each) => ({
      ...each,
      get digest() {
        compared.push(each.name);
        return each.digest;
      },
    }));

    matchOf(watched, digestOf(hall));

    expect(compared).toEqual(['desktop', 'hall', 'panel', 'office']);
  });
});

describe('wrong tokens', () => {
  const home = '192.168.1.7';
  const setUp = () => {
    const clock = { now: 1_000_000 };
    const knock = door({ serviceToken: token, now: () => clock.now });
    const send = (sent: string, { from = home, headers = {} } = {}) =>
      knock({ remoteAddress: from, headers: { authorization: `Bearer ${sent}`, ...headers } });
    let guessed = 0;
    const guess = (from?: string) => send(`guess-${guessed++}`, { from });
    const guesses = async (count: number, from?: string) => {
      const told: string[] = [];
      for (let done = 0; done < count; done += 1) told.push(await guess(from));
      return told;
    };
    return { clock, knock, send, guess, guesses };
  };

  test('must wait from the eleventh on', async () => {
    const { guesses, guess } = setUp();

    expect(new Set(await guesses(10))).toEqual(new Set(['unauthorized']));
    expect(await guess()).toBe('too_many_wrong_tokens');
  });

  test('never lock out the right one, however many came from its address', async () => {
    const { guesses, send } = setUp();
    await guesses(30);

    expect(await send(token)).toBe('ok');
  });

  test('are forgotten a minute after the first', async () => {
    const { clock, guesses, guess } = setUp();
    await guesses(10);

    clock.now += 59_999;
    expect(await guess()).toBe('too_many_wrong_tokens');
    clock.now += 1;
    expect(new Set(await guesses(10))).toEqual(new Set(['unauthorized']));
  });

  test('of one address do not affect another', async () => {
    const { guesses, guess } = setUp();
    await guesses(11);

    expect(await guess('192.168.1.8')).toBe('unauthorized');
  });

  test('do not include requests without a token', async () => {
    const { knock, guess } = setUp();
    for (let count = 0; count < 30; count += 1) await knock({ remoteAddress: home });

    expect(await guess()).toBe('unauthorized');
  });

  test('count once per token, as from a satellite with an old one', async () => {
    const { send, guesses } = setUp();
    const told: string[] = [];
    for (let count = 0; count < 30; count += 1) told.push(await send('the-token-of-last-year'));

    expect(new Set(told)).toEqual(new Set(['unauthorized']));
    expect(new Set(await guesses(9))).toEqual(new Set(['unauthorized']));
    expect(await send('the-token-of-last-year')).toBe('unauthorized');
    expect(await guesses(1)).toEqual(['too_many_wrong_tokens']);
  });

  test("that another site's page has a browser send do not count", async () => {
    const { send, guess } = setUp();
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (let count = 0; count < 30; count += 1) await send(`image-${count}`, { headers });

    expect(await guess()).toBe('unauthorized');
  });

  test('use the monotonic clock', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const knock = door({ serviceToken: token });
      const guess = (place: number) => knock({ headers: { authorization: `Bearer guess-${place}` } });
      for (let place = 0; place < 10; place += 1) await guess(place);

      vi.setSystemTime(Date.now() + 3_600_000);

      expect(await guess(10)).toBe('too_many_wrong_tokens');
    } finally {
      vi.useRealTimers();
    }
  });

  test('from a flood of addresses do not fill the memory', async () => {
    const { guesses, guess } = setUp();
    await guesses(10, '10.0.0.1');
    expect(await guess('10.0.0.1')).toBe('too_many_wrong_tokens');

    for (let count = 0; count < 1_001; count += 1) await guess(`11.0.${count >> 8}.${count & 255}`);

    expect(await guess('10.0.0.1')).toBe('unauthorized');
  });
});
