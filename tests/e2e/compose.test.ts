import { randomBytes } from 'node:crypto';
import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasRealHome } from '../support/servers/real-home.ts';
import { canWatchContainers } from '../support/servers/way-out.ts';
import { checkSuite } from './check-suite.ts';
import { commandsSuite } from './commands-suite.ts';
import { type ComposedHousehold, composedHousehold, restartApi } from './composed-household.ts';
import { homeSuite } from './home-suite.ts';
import {
  ask,
  checkout,
  hasDocker,
  hasHouseholdModel,
  health,
  householdModel,
  removeFolder,
  run,
  type Settings,
  sizeForTiny,
  untilReady,
} from './household.ts';
import { householdSuite } from './household-suite.ts';
import { listenFailuresSuite } from './listen-failures-suite.ts';
import { hasSpokenClips, listenSuite } from './listen-suite.ts';
import { timersSuite } from './timers-suite.ts';
import { composedWayOutSuite } from './way-out-suite.ts';

/** The parts of compose's resolved configuration that the tests read. */
interface Stack {
  services: Record<
    string,
    {
      scale?: number;
      ports?: { host_ip?: string }[];
      deploy?: { resources?: { reservations?: { devices?: unknown[] } } };
    }
  >;
}

describe.skipIf(!hasDocker)('in containers (needs Docker)', () => {
  let household: ComposedHousehold;
  let said: string;

  beforeAll(async () => {
    household = await composedHousehold();
    said = await household.start(await sizeForTiny());
  });
  afterAll(async () => await household?.remove());

  describe('with defaults', () => {
    test('prints its address', () => {
      expect(said).toContain(`http://localhost:${household.port}`);
    });

    test('answers with the language model of size tiny', async () => {
      await untilReady(household);

      const { reply, via } = await ask(household, 'What is the capital of France?');

      expect(reply).toContain('Paris');
      expect(via).toBe('local');
      expect((await health(household)).configured.models).toBe('tiny');
    });

    test('runs in the time zone of this machine', async () => {
      const zone = (await realpath('/etc/localtime')).split('/zoneinfo/')[1];

      expect((await health(household)).configured.time_zone).toBe(zone);
    });

    test('serves the page', async () => {
      const address = `http://localhost:${household.port}`;
      const page = await (await fetch(address)).text();
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';

      expect(page).toContain('<title>Hearth</title>');
      expect((await fetch(address + script)).headers.get('content-type')).toContain('javascript');
    });

    test('has only healthy containers, and no running fetcher', async () => {
      await vi.waitFor(
        async () => {
          const { models, keys, ...rest } = await household.containers();
          expect([models, keys]).toEqual(['exited', 'exited']);
          expect(new Set(Object.values(rest))).toEqual(new Set(['healthy']));
        },
        { timeout: 60_000, interval: 500 },
      );
    });

    test('runs everything as an ordinary user on a read-only filesystem', async () => {
      for (const service of ['api', 'worker', 'redis', 'llm', 'stt', 'tts']) {
        const inside = 'id -u; touch /written 2>/dev/null && echo writable; grep CapEff /proc/self/status';
        const lines = (await household.compose('exec', '-T', service, 'sh', '-c', inside)).trim().split('\n');

        expect(Number(lines[0]), service).toBeGreaterThan(0);
        expect(lines.slice(1), service).toEqual(['CapEff:\t0000000000000000']);
      }
    });

    test('gives engines and Redis no port and no way out', async () => {
      for (const service of ['redis', 'llm', 'stt', 'tts']) {
        expect((await household.compose('ps', '--format', '{{.Publishers}}', service)).trim(), service).toBe(
          '[]',
        );
        const name = service === 'redis' ? 'store' : 'inside';
        expect(await networksOf(household, service), service).toEqual([{ name, internal: true }]);
      }
    });

    test('has a Redis that refuses callers without its password', async () => {
      const ping = await household.compose('exec', '-T', 'redis', 'redis-cli', 'ping');

      expect(ping).toContain('NOAUTH');
      expect((await household.redis('ping')).trim()).toBe('PONG');
    });

    test('gives each process only its own secrets', async () => {
      const secrets = join(household.folder, 'secrets.env');
      const before = await readFile(secrets);
      await writeFile(
        secrets,
        'SERVICE_TOKEN=a-token-for-the-api-alone\nHOME_ASSISTANT_URL=http://house.invalid\nHOME_ASSISTANT_TOKEN=for-the-workers-alone\n',
      );
      // Without make, which would open the port for good once there is a token.
      const config = ['docker', 'compose', 'config', '--format', 'json'];
      const { services } = JSON.parse(await run(config, { folder: household.folder, settings: {} }));
      await writeFile(secrets, before);

      expect(services.api.environment).toMatchObject({
        SERVICE_TOKEN: 'a-token-for-the-api-alone',
        HOME_ASSISTANT_TOKEN: 'withheld',
      });
      expect(services.worker.environment).toMatchObject({
        SERVICE_TOKEN: '',
        HOME_ASSISTANT_TOKEN: 'for-the-workers-alone',
      });
    });

    test('makes secrets.env readable for its owner only', async () => {
      expect((await stat(join(household.folder, 'secrets.env'))).mode & 0o777).toBe(0o600);
    });
  });

  test.each([[[]], [['-f', 'docker-compose.gpu.yml']]])(
    'has files that compose accepts, with %j',
    async (more) => {
      const command = [
        'docker',
        'compose',
        '-f',
        'docker-compose.yml',
        ...more,
        'config',
        '--format',
        'json',
      ];

      const { services } = JSON.parse(await run(command, { folder: household.folder, settings: {} }));

      const card = [{ capabilities: ['gpu'], count: 1, driver: 'nvidia' }];
      expect(services.api.ports).toEqual([
        expect.objectContaining({ host_ip: '127.0.0.1', published: '8765' }),
      ]);
      expect(services.llm.deploy?.resources?.reservations?.devices).toEqual(more.length ? card : undefined);
      expect(services.models.environment.MODELS).toBe(more.length ? 'large' : 'small');
    },
  );

  describe.skipIf(!hasHouseholdModel)("with the owner's own model file (needs ../shared/models)", () => {
    test('keeps the choice', async () => {
      expect(await readFile(join(household.folder, '.env'), 'utf8')).toBe(`LLM_MODEL=${householdModel}\n`);
    });

    householdSuite(() => household);
    checkSuite(() => household);
    timersSuite(() => household);

    describe.skipIf(!hasSpokenClips)('live (needs ../shared/speech)', () => {
      commandsSuite(() => household);
      listenSuite(() => household);
      listenFailuresSuite(() => household);
    });

    describe.skipIf(!hasRealHome || !hasSpokenClips)(
      'beside a Home Assistant (needs the image offline/home-assistant and ../shared/speech)',
      () => homeSuite(() => household),
    );

    test('distributes the work over three workers', async () => {
      household.use({ WORKERS: '3' });
      await household.compose('up', '--detach', '--no-recreate');
      await vi.waitFor(async () => expect((await health(household)).workers).toBe(3), {
        timeout: 60_000,
        interval: 200,
      });

      const replies = await Promise.all(
        Array.from({ length: 6 }, () => ask(household, 'What colour is snow?')),
      );
      expect(replies).toEqual(Array(6).fill({ reply: 'Snow is white.', via: 'local' }));
      household.use({ WORKERS: '1' });
      await household.compose('up', '--detach', '--no-recreate');
    });

    describe.skipIf(!canWatchContainers)('with a watch on its connections (needs root)', () => {
      composedWayOutSuite(() => household);
    });

    describe('published on the network', () => {
      test('refuses another machine without a token', async () => {
        await restartApi(household, { LISTEN_ADDRESS: '0.0.0.0' });

        expect(await askFromOutside(household, {})).toEqual({ status: 403, code: 'local_only' });
      });

      test('answers another machine only with the right token', async () => {
        await run(['make', 'token'], { folder: household.folder, settings: {} });
        const secrets = await readFile(join(household.folder, 'secrets.env'), 'utf8');
        const token = /^SERVICE_TOKEN=(\S{40,})$/m.exec(secrets)?.[1] ?? '';
        await restartApi(household, { LISTEN_ADDRESS: '0.0.0.0' });

        expect(await askFromOutside(household, {})).toEqual({ status: 401, code: 'unauthorized' });
        const wrong = { authorization: `Bearer ${randomBytes(32).toString('hex')}` };
        expect(await askFromOutside(household, wrong)).toEqual({ status: 401, code: 'unauthorized' });
        expect(await askFromOutside(household, { authorization: `Bearer ${token}` })).toEqual({
          status: 200,
          reply: 'The capital of France is Paris.',
        });
        expect(await household.compose('logs', 'api', 'worker', 'llm')).not.toContain(token);
      });
    });
  });

  test('make token creates a token once and keeps the other lines', async () => {
    const secrets = join(household.folder, 'secrets.env');
    await writeFile(secrets, '# mine\nLLM_API_KEY=kept\nSERVICE_TOKEN=\n');
    const token = () => run(['make', 'token'], { folder: household.folder, settings: {} });

    await token();
    const first = await readFile(secrets, 'utf8');
    await token();

    expect(first).toMatch(/^# mine\nLLM_API_KEY=kept\nSERVICE_TOKEN=[\w-]{43}\n$/);
    expect(await readFile(secrets, 'utf8')).toBe(first);
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
  });
});

describe.skipIf(!hasDocker)('make and plain compose start the same stack (needs Docker)', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await checkout();
  });
  afterAll(async () => await removeFolder(folder));

  const read = async (command: string[], settings: Settings) => {
    const words = [...command, 'config', '--format', 'json'];
    return JSON.parse(await run(words, { folder, settings: { GPU: '0', ...settings } })) as Stack;
  };
  const byMake = (settings: Settings = {}) => read(['scripts/compose'], settings);
  const alone = (settings: Settings = {}) => read(['docker', 'compose'], settings);
  const isPublishedOn = (stack: Stack) => stack.services['api']?.ports?.[0]?.host_ip;

  test('with defaults', async () => {
    expect(await alone()).toEqual(await byMake());
  });

  test.each(['LLM', 'STT', 'TTS', 'REDIS'])('with %s_URL, without starting that server', async (engine) => {
    const settings = { [`${engine}_URL`]: 'http://192.168.1.20:11434' };

    const stack = await alone(settings);

    expect(stack).toEqual(await byMake(settings));
    expect(Object.keys((await alone()).services)).toContain(engine.toLowerCase());
    expect(Object.keys(stack.services)).not.toContain(engine.toLowerCase());
  });

  test('with a graphics card that was named once', async () => {
    await byMake({ GPU: '1' });

    const stack = await alone();
    expect(stack.services['llm']?.deploy?.resources?.reservations?.devices).toHaveLength(1);
    expect(stack).toEqual(await byMake({ GPU: '1' }));
    await byMake();
    expect((await alone()).services['llm']?.deploy).toBeUndefined();
  });

  test('with the number of workers in .env', async () => {
    await writeFile(join(folder, '.env'), 'WORKERS=3\n');

    expect((await alone()).services['worker']?.scale).toBe(3);
    expect(await alone()).toEqual(await byMake());
  });

  test('on the network with a token, on this machine only without one', async () => {
    expect(isPublishedOn(await alone())).toBe('127.0.0.1');

    await run(['make', 'token'], { folder, settings: {} });
    expect(isPublishedOn(await alone())).toBe('0.0.0.0');
    expect(await alone()).toEqual(await byMake());

    await rm(join(folder, 'secrets.env'));
    await byMake();
    expect(isPublishedOn(await alone())).toBe('127.0.0.1');
  });

  test('on the address in .env, whatever make detects', async () => {
    await writeFile(join(folder, '.env'), 'LISTEN_ADDRESS=192.168.1.5\n');

    await run(['make', 'token'], { folder, settings: {} });
    await byMake();

    expect(isPublishedOn(await alone())).toBe('192.168.1.5');
    const written = await readFile(join(folder, '.env'), 'utf8');
    expect(written.split('\n').filter((line) => line.startsWith('LISTEN_ADDRESS'))).toEqual([
      'LISTEN_ADDRESS=192.168.1.5',
    ]);
  });
});

/** The networks of a service, and whether Docker blocks their way out. */
async function networksOf(household: ComposedHousehold, service: string) {
  const docker = (...words: string[]) =>
    run(['docker', ...words], { folder: household.folder, settings: {} });
  const id = (await household.compose('ps', '--quiet', service)).trim();
  const names = await docker(
    'inspect',
    '--format',
    '{{range $name, $_ := .NetworkSettings.Networks}}{{println $name}}{{end}}',
    id,
  );
  return await Promise.all(
    names
      .trim()
      .split('\n')
      .map(async (name) => ({
        name: name.replace(/^.*_/, ''),
        internal: (await docker('network', 'inspect', '--format', '{{.Internal}}', name)).trim() === 'true',
      })),
  );
}

/** A container on a separate network calls the host's address on that network, as another machine would. */
async function askFromOutside(household: ComposedHousehold, headers: Record<string, string>) {
  const ask = `
    const route = require('fs').readFileSync('/proc/net/route', 'utf8').split('\\n').map((line) => line.split('\\t')).find((line) => line[1] === '00000000');
    const host = [...Buffer.from(route[2], 'hex')].reverse().join('.');
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...${JSON.stringify(headers)} }, body: JSON.stringify({ text: 'What is the capital of France?' }) };
    fetch('http://' + host + ':${household.port}/ask', init).then(async (answer) => {
      const body = await answer.json();
      console.log(JSON.stringify({ status: answer.status, code: body.error?.code, reply: body.reply }));
    });`;
  const command = [
    'docker',
    'run',
    '--rm',
    '--network',
    'bridge',
    '--entrypoint',
    'node',
    'hearth',
    '-e',
    ask,
  ];
  return JSON.parse(await run(command, { folder: household.folder, settings: {}, limitMs: 60_000 }));
}
