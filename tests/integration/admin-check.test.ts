/** @module-tag slow */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { hangs, sends } from '../support/fakes/fake-llm.ts';
import { neverSpeaks } from '../support/fakes/fake-piper.ts';
import { failsToHear, neverHears } from '../support/fakes/fake-stt.ts';
import { startApi } from '../support/servers/assistant.ts';
import { question, speaking, startCheckedHousehold, steps } from '../support/servers/checked-household.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { waitFor } from '../support/wait-for.ts';

/** Runs `make check-up` without the script around it. */
async function checkUp(env: Record<string, string>): Promise<{ code: number; said: string }> {
  const program = fileURLToPath(new URL('../../api/src/cli/check-up.ts', import.meta.url));
  const child = execFile(process.execPath, [program], { env });
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  return { code: Number(code), said };
}

/** Requests wait for a hanging engine. */
const patient = { timeout: 60_000 };

let house: Awaited<ReturnType<typeof startCheckedHousehold>>;
beforeAll(async () => {
  house = await startCheckedHousehold();
});
afterAll(() => house?.stop());

/** Working engines, ready for the check. */
async function wellAgain(): Promise<void> {
  house.workWell();
  for (const engine of [house.stt, house.llm, house.piper]) await engine.start();
  await waitFor(async () => {
    const { engines } = await house.assistant.health();
    return Object.values(engines).every(({ state }) => state === 'ready');
  });
}
beforeEach(wellAgain);

describe('the check', () => {
  test('finds that everything works by using it', async () => {
    const result = await house.check();

    // The tests' Redis stores nothing on disk, and no fetcher runs.
    expect([steps(result, 'failed'), steps(result, 'warning')]).toEqual([[], ['persistence']]);
    expect(steps(result, 'ok')).toEqual(
      expect.arrayContaining([
        'redis',
        'clock',
        'disk',
        'ffmpeg',
        'workers',
        'espeak',
        'stt',
        'tts',
        'llm',
        'turn',
      ]),
    );
    expect(result.ok).toBe(true);
    expect(house.piper.texts).toContain(question);
    expect(house.llm.calls.map((call) => call.question)).toEqual([question, question]);
  });

  test('leaves no trace in views for people', async () => {
    const turns = () => house.store.xlen('hearth:turns');
    const before = await turns();

    await house.check();

    expect(await turns()).toBe(before);
    expect(await house.store.keys('hearth:conversation:*')).toEqual([]);
  });

  test('is stored, the newest first', async () => {
    const { id } = await house.check();

    const { body } = await house.assistant.call('/admin/checks');

    expect(body).toMatchObject({ checks: expect.arrayContaining([]) });
    expect(JSON.stringify(body).indexOf(id)).toBeLessThan(30);
  });

  test('is listed although another version has stored some in another format', async () => {
    const { id } = await house.check();
    await house.store.lpush('hearth:checks', '{"id":"of another version"}', '{');

    const { status, body } = await house.assistant.call('/admin/checks');

    expect({ status, isTold: JSON.stringify(body).includes(id) }).toEqual({ status: 200, isTold: true });
  });

  test('reports each step as it ends', async () => {
    const { text, headers } = await house.assistant.call('/admin/check', {
      method: 'POST',
      headers: { accept: 'text/event-stream' },
    });

    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event, data = '']) => [
      event,
      JSON.parse(data),
    ]);
    expect(headers['content-type']).toContain('text/event-stream');
    expect(events.map(([event]) => event)).toEqual([...Array(events.length - 1).fill('step'), 'result']);
    expect(events.slice(0, -1).map(([, step]) => step)).toEqual(events.at(-1)?.[1].steps);
  });

  test('runs once for any number of requests', async () => {
    const other = await startApi({ ...house.urls, limits: { checkPatience: 0.25 } });
    await waitFor(async () => (await other.health()).workers === 1);
    const asked = Array.from({ length: 50 }, (_, n) =>
      (n % 2 ? other : house.assistant).call('/admin/check', { method: 'POST' }),
    );

    const answers = await Promise.all(asked);
    await other.stop();

    const ids = answers.map(({ body }) => JSON.stringify(body).slice(0, 50));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(ids).size).toBe(1);
    expect(house.llm.calls).toHaveLength(2);
  });

  const engines = [
    ['stt', () => house.stt.stop()],
    ['llm', () => house.llm.stop()],
    ['tts', () => house.piper.stop()],
  ] as const;
  test.each(engines)('names %s when it is gone', patient, async (name, stop) => {
    await stop();

    const result = await house.check();

    expect([result.ok, steps(result, 'failed')]).toEqual([false, [name]]);
    expect(result.steps.find((step) => step.name === name)).toMatchObject({
      message: expect.stringContaining('cannot be reached'),
      advice: expect.stringContaining(name),
    });
  });

  const hanging = [
    ['stt', () => house.stt.hears(() => neverHears)],
    ['llm', () => house.llm.answers(() => hangs)],
    ['tts', () => house.piper.speaks(neverSpeaks)],
  ] as const;
  test.each(hanging)('names %s when it is silent', patient, async (name, hang) => {
    hang();

    const result = await house.check();

    expect([result.ok, steps(result, 'failed')]).toEqual([false, [name]]);
  });

  const nonsense = [
    ['stt', 'other words', () => house.stt.hears(() => 'Thanks for watching!')],
    ['stt', 'no words', () => house.stt.hears(() => null)],
    ['stt', 'a failure', () => house.stt.hears(() => failsToHear(500))],
    ['llm', 'another answer', () => house.llm.answers(() => 'Bananas.')],
    ['llm', 'a page', () => house.llm.answers(() => sends(200, 'text/html', '<p>secret</p>'))],
    ['llm', 'nothing', () => house.llm.answers(() => '')],
    ['tts', 'another sound', () => house.piper.speaks(speaking('garbled'))],
    [
      'tts',
      'silence',
      () =>
        house.piper.speaks(() => Buffer.concat([speaking('clear')().subarray(0, 44), Buffer.alloc(44_100)])),
    ],
    ['tts', 'a page', () => house.piper.speaks(() => Buffer.from('<p>secret</p>'))],
    ['tts', 'an error', () => house.piper.speaks(() => 500)],
  ] as const;
  test.each(nonsense)('names %s when it gives %s', patient, async (name, _what, spoil) => {
    spoil();

    const result = await house.check();

    expect([result.ok, steps(result, 'failed')]).toEqual([false, [name]]);
    expect(result.steps.find((step) => step.name === 'turn')?.state).toBe('skipped');
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('names the workers when none is left', patient, async () => {
    const alone = await startCheckedHousehold();
    await alone.assistant.workers[0]?.stop();

    const result = await alone.check();
    await alone.stop();

    expect(steps(result, 'failed')).toEqual(['workers']);
  });

  test.each(['gone', 'frozen'] as const)(
    'names Redis when it is %s, and adds no follow-up errors',
    patient,
    async (how) => {
      if (how === 'gone') await house.redis.kill();
      else await house.redis.freeze();

      const result = await house.check();
      if (how === 'gone') await house.redis.revive();
      else await house.redis.thaw();
      await wellAgain();

      expect(steps(result, 'failed')).toEqual(['redis']);
      expect((await house.check()).ok).toBe(true);
    },
  );

  test('is shown in the terminal, and its exit code is for programs', async () => {
    const well = await checkUp({ PORT: String(house.assistant.port) });
    await house.llm.stop();
    const ill = await checkUp({ PORT: String(house.assistant.port) });
    const nobody = await checkUp({ PORT: '9' });

    expect([well.code, ill.code, nobody.code]).toEqual([0, 1, 2]);
    expect(well.said).toMatch(/^works +The voice /m);
    expect(ill.said).toMatch(/^FAILS +The language model .*cannot be reached/m);
    expect(nobody.said).toContain('Is it running?');
  });

  test('is shown in the terminal as incomplete when it breaks off', async () => {
    const breaking = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: nothing\ndata: {}\n\n', () => response.destroy());
    });
    const { port } = new URL(await listenOnFreePort(breaking));
    onTestFinished(() => void breaking.close());

    const { code, said } = await checkUp({ PORT: port });

    expect([code, said]).toEqual([2, 'The check was interrupted. "make logs" may show why.\n']);
  });

  test("uses the server's configured address", async () => {
    const { said } = await checkUp({ HOST: '::1', PORT: '9' });

    expect(said).toContain('does not answer at http://[::1]:9.');
  });

  test('is shown in the terminal with the right token', async () => {
    const token = 'a-token-that-only-we-know';
    const api = await startApi({ ...house.urls, env: { SERVICE_TOKEN: token } });
    const at = { PORT: String(api.port) };
    await waitFor(async () => (await api.health()).workers === 1);

    const [known, unknown] = [await checkUp({ ...at, SERVICE_TOKEN: token }), await checkUp(at)];
    await api.stop();

    expect([known.code, unknown.code]).toEqual([0, 2]);
    expect(unknown.said).toContain('You need a token');
    expect(known.said).not.toContain(token);
  });

  test('includes a configured Home Assistant, and names it when it is gone', {
    ...patient,
    tags: 'slow',
  }, async () => {
    const home = await startFakeHome();
    const withHome = await startCheckedHousehold({
      env: { HOME_ASSISTANT_URL: home.url, HOME_ASSISTANT_TOKEN: homeToken },
    });
    const found = await withHome.check();
    await home.stop();
    const gone = await withHome.check();
    await withHome.stop();

    expect([steps(found, 'failed'), steps(gone, 'failed')]).toEqual([[], ['home']]);
    expect(found.steps.find(({ name }) => name === 'home')?.state).toBe('ok');
  });

  test('explains the effect of a disabled engine', async () => {
    const { redisUrl, sttUrl } = house.urls;
    const api = await startApi({ redisUrl, sttUrl, limits: { checkPatience: 0.25 } });
    await waitFor(async () => (await api.health()).workers === 1);

    const { body } = await api.call('/admin/check', { method: 'POST' });
    await api.stop();

    expect(body).toMatchObject({
      ok: true,
      steps: expect.arrayContaining([
        expect.objectContaining({ name: 'llm', state: 'skipped', message: 'It is off: LLM_URL is not set.' }),
      ]),
    });
  });
});
