import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../api/src/config.ts';

const read = (env: Record<string, string>) => readConfig({ TZ: 'UTC', ...env });

function complaint(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no complaint';
}

describe('the configuration', () => {
  test('has defaults that need no environment', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      https: { isOn: false, port: 8443, own: null, folder: 'data/https', names: [] },
      machineNames: [],
      port: 8765,
      serviceToken: undefined,
      trustedHosts: [],
      trustedOrigins: [],
      trustedProxies: [],
      listenAddress: undefined,
      redisUrl: 'redis://127.0.0.1:6379',
      llm: { off: 'LLM_URL is not set' },
      stt: { off: 'STT_URL is not set' },
      tts: { off: 'TTS_URL is not set' },
      llmModel: undefined,
      sttModel: undefined,
      ttsVoice: undefined,
      llmApiKey: undefined,
      home: null,
      wyoming: null,
      deviceSound: { port: 8767, url: null },
      language: 'en',
      chosenLanguage: null,
      languagesDir: 'languages',
      wakeWordsDir: 'wake-words',
      ffmpeg: 'ffmpeg',
      espeak: 'espeak-ng',
      rooms: [],
      devices: [],
      mcpCommands: [],
      modelsDir: 'data/models',
      backupAt: null,
      logLevel: 'info',
      timeZone: 'UTC',
      ownTimeZone: { name: 'UTC', isFixed: true },
    });
  });

  test('leaves the time zone to the settings, unless TZ names it', () => {
    const fixed = (env: Record<string, string>) => readConfig(env).ownTimeZone.isFixed;

    expect([fixed({}), fixed({ TZ: '' }), fixed({ TZ: 'UTC' })]).toEqual([false, false, true]);
  });

  test('cannot be changed', () => {
    expect(Object.isFrozen(read({}))).toBe(true);
  });

  test('treats an empty value as none, as compose files pass it', () => {
    const names = [
      'HOST',
      'PORT',
      'SERVICE_TOKEN',
      'REDIS_URL',
      'LLM_URL',
      'LLM_MODEL',
      'TZ',
      'LOG_LEVEL',
      'DATA_DIR',
    ];
    const empty = Object.fromEntries(names.map((name) => [name, ' ']));

    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test.each([
    ['PORT', ['eighty', '0', '65536', '80.5', '-1', '0x50', '1e3', '80 81']],
    ['REDIS_URL', ['localhost:6379', 'http://redis', 'redis', '://']],
    [
      'LLM_URL',
      ['llm:8080', 'ftp://llm', 'http://', 'http://a,b', 'http://a,', 'http://user:secret@llm', 'on'],
    ],
    ['STT_URL', ['stt', 'ws://stt:8000']],
    ['TTS_URL', ['tts', 'redis://tts']],
    ['LOG_LEVEL', ['loud', 'INFO', '30']],
    ['TZ', ['Berlin', 'Europe/Atlantis', 'Europe/Berlin; rm']],
    ['ROOMS', ['r'.repeat(41), 'kitchen,'.repeat(101)]],
    ['DEVICES', ['tv\u0007']],
    ['SERVICE_TOKEN', ['with space', 'Schlüssel', 'tab\there', 'line\nbreak', 'fifteen-letters']],
  ])('names the variable of a wrong value: %s', (name, values) => {
    for (const value of values) {
      const said = complaint({ [name]: value });
      expect(said, value).toMatch(new RegExp(`^${name} must be .*\\.`));
    }
  });

  test('enables Home Assistant with its address and its token', () => {
    const home = (url: string) => read({ HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: 'a.b-c' }).home;

    expect(home('http://homeassistant.local:8123')).toEqual({
      url: 'http://homeassistant.local:8123',
      token: 'a.b-c',
    });
    expect(home('https://house.example/api/')?.url).toBe('https://house.example');
  });

  test('requires both values of Home Assistant or none', () => {
    const url = 'http://homeassistant.local:8123';

    expect(complaint({ HOME_ASSISTANT_URL: url })).toMatch(/^HOME_ASSISTANT_TOKEN must be .*\.$/);
    expect(complaint({ HOME_ASSISTANT_TOKEN: 'abc' })).toMatch(/^HOME_ASSISTANT_URL must be .*\.$/);
    for (const wrong of ['homeassistant', 'ws://home:8123', 'http://me:secret@home'])
      expect(complaint({ HOME_ASSISTANT_URL: wrong, HOME_ASSISTANT_TOKEN: 'abc' })).toMatch(
        /^HOME_ASSISTANT_URL must be .*\.$/,
      );
    expect(complaint({ HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: 'two words' })).toMatch(
      /^HOME_ASSISTANT_TOKEN must be .*\.$/,
    );
  });

  test('explains how to get a good token', () => {
    expect(complaint({ SERVICE_TOKEN: 'fifteen-letters' })).toContain('make token');
    expect(read({ SERVICE_TOKEN: 'sixteen--letters' }).serviceToken).toBe('sixteen--letters');
  });

  test('never repeats a secret in an error', () => {
    const said = [
      complaint({ SERVICE_TOKEN: 'top secret' }),
      complaint({ SERVICE_TOKEN: 'topsecret' }),
      complaint({ LLM_URL: 'http://me:topsecret@llm' }),
      complaint({ REDIS_URL: 'redi://:topsecret@redis:6379' }),
      complaint({ HOME_ASSISTANT_URL: 'http://home', HOME_ASSISTANT_TOKEN: 'top secret' }),
    ];

    expect(said.join()).not.toMatch(/top ?secret/);
  });

  test.each([
    'redis+sentinel://one:26379,two.lan,[fd00::5]:26380/mymaster/2',
    'redis+sentinel://:a%20b@one:26379/house?sentinel_password=c%2Fd',
    'rediss+sentinel://one:26379,two.lan/house',
  ])('accepts %s', (address) => {
    expect(read({ REDIS_URL: address }).redisUrl).toBe(address);
  });

  test.each([
    'redis+sentinel://one:26379',
    'redis+sentinel://one:26379,/house',
    'redis+sentinel://one:port/house',
    'redis+sentinel://one/house/two',
    'redis+sentinel:///house',
    'redisss+sentinel://one/house',
  ])('refuses %s', (address) => {
    expect(complaint({ REDIS_URL: address })).toContain('redis+sentinel://host:26379,host2:26379/name');
  });

  test('reads the address of Redis from a file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'redis-url');
    writeFileSync(file, 'redis://:of-this-house@redis:6379\n');

    expect(read({ REDIS_URL: `file://${file}` }).redisUrl).toBe('redis://:of-this-house@redis:6379');
    writeFileSync(file, 'topsecret');
    expect(complaint({ REDIS_URL: `file://${file}` })).toBe(
      `REDIS_URL names the file ${file}, which holds no address like redis://host:6379.`,
    );
    expect(complaint({ REDIS_URL: 'file:///nowhere' })).toBe(
      'REDIS_URL names the file /nowhere, which cannot be read.',
    );
  });

  test('reads the address of Home Assistant even if the token is withheld', () => {
    const token = { HOME_ASSISTANT_TOKEN: 'withheld' };

    expect(read(token).home).toBeNull();
    expect(read({ ...token, HOME_ASSISTANT_URL: 'http://home' }).home?.url).toBe('http://home');
  });

  test('takes one address of an engine, several, or none', () => {
    expect(read({ LLM_URL: 'http://llm:8080' }).llm).toEqual({ urls: ['http://llm:8080'] });
    expect(read({ LLM_URL: 'http://llm.localhost', LLM_SOCKET: '/run/llm.sock' }).llm).toEqual({
      urls: ['http://llm.localhost'],
      socket: '/run/llm.sock',
    });
    expect(read({ LLM_URL: 'http://a/v1/, https://b:1/x/v1 ,http://c/' }).llm).toEqual({
      urls: ['http://a', 'https://b:1/x', 'http://c'],
    });
    expect(read({ LLM_URL: 'Off' }).llm).toEqual({ off: 'switched off by LLM_URL' });
  });

  test('asks an external server for a model, never for one of our files', () => {
    expect(read({ LLM_MODEL: 'qwen3:4b' }).llmModel).toBe('qwen3:4b');
    expect(read({ LLM_MODEL: 'mine.gguf' }).llmModel).toBeUndefined();
  });

  test('finds the models beside the other data', () => {
    expect(read({ DATA_DIR: '/srv' }).modelsDir).toBe('/srv/models');
    expect(read({ DATA_DIR: '/srv', MODELS_DIR: '/models' }).modelsDir).toBe('/models');
  });

  test('compares host names in lower case', () => {
    expect(read({ TRUSTED_HOSTS: ' Hearth.LAN, pi ,,' }).trustedHosts).toEqual(['hearth.lan', 'pi']);
  });

  test('accepts origins of apps and pages as browsers send them', () => {
    const listed =
      'app://obsidian.md, capacitor://localhost,Tauri://localhost, chrome-extension://abc, https://chat.example:8443/';

    expect(read({ TRUSTED_ORIGINS: listed }).trustedOrigins).toEqual([
      'app://obsidian.md',
      'capacitor://localhost',
      'tauri://localhost',
      'chrome-extension://abc',
      'https://chat.example:8443',
    ]);
  });

  test.each(['null', '*', 'https://*', 'chat.example', 'https://chat.example/page'])(
    'accepts no %s as an origin',
    (origin) => {
      expect(() => read({ TRUSTED_ORIGINS: origin })).toThrow('TRUSTED_ORIGINS');
    },
  );

  test('accepts proxies by address and by range', () => {
    const listed = ['192.168.1.5', '172.16.0.0/12', 'fd00::/8', '::1'];

    expect(read({ TRUSTED_PROXIES: listed.join(' , ') }).trustedProxies).toEqual(listed);
  });

  test.each([
    'proxy.lan',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    'loopback',
    '1.2.3.4/x',
  ])('accepts no %s as a proxy', (entry) => {
    expect(() => read({ TRUSTED_PROXIES: `127.0.0.1,${entry}` })).toThrow(
      `TRUSTED_PROXIES must be a comma-separated list of addresses or ranges like 192.168.1.5 or 172.16.0.0/12, but has "${entry}".`,
    );
  });

  test('serves the Wyoming protocol when it is enabled, to other machines only if they are named', () => {
    const on = { WYOMING: '1' };

    expect(read(on).wyoming).toEqual({ address: '127.0.0.1', port: 10_300, allowed: [] });
    expect(
      read({ ...on, WYOMING_ADDRESS: '0.0.0.0', WYOMING_PORT: '10400', WYOMING_ALLOW: '192.168.1.20' })
        .wyoming,
    ).toEqual({ address: '0.0.0.0', port: 10_400, allowed: ['192.168.1.20'] });
    expect(() => read({ WYOMING: 'yes' })).toThrow('WYOMING must be 1 or 0, but is "yes".');
    expect(() => read({ ...on, WYOMING_ADDRESS: 'nas' })).toThrow('WYOMING_ADDRESS must be an address');
    expect(() => read({ ...on, WYOMING_ADDRESS: '0.0.0.0' })).toThrow('WYOMING_ALLOW must name who');
    expect(() => read({ ...on, WYOMING_ALLOW: '0.0.0.0/0' })).toThrow(
      'WYOMING_ALLOW must be a comma-separated list',
    );
  });

  test('tells when a nightly backup runs', () => {
    const at = ['', '0', '1', '02:30'].map((value) => read({ BACKUP_NIGHTLY: value }).backupAt);

    expect(at).toEqual([null, null, '03:00', '02:30']);
    expect(complaint({ BACKUP_NIGHTLY: 'yes' })).toBe(
      'BACKUP_NIGHTLY must be 1, 0 or a time of day like 02:30, but is "yes".',
    );
  });

  test("serves https with our own certificates or the owner's", () => {
    const own = { HTTPS_CERT: '/etc/hearth.pem', HTTPS_KEY: '/etc/hearth.key' };

    expect(read({ HTTPS: '1', TRUSTED_HOSTS: 'Hearth.lan' }).https).toEqual({
      isOn: true,
      port: 8443,
      own: null,
      folder: 'data/https',
      names: ['hearth.lan'],
    });
    expect(read({ HTTPS: '1', HTTPS_PORT: '443', ...own }).https).toMatchObject({
      port: 443,
      own: { cert: '/etc/hearth.pem', key: '/etc/hearth.key' },
    });
    expect(() => read({ HTTPS: '1', HTTPS_CERT: '/etc/hearth.pem' })).toThrow(/HTTPS_CERT and HTTPS_KEY/);
    expect(() => read({ HTTPS: '1', HTTPS_NAMES: 'a b' })).toThrow(/HTTPS_NAMES/);
    expect(() => read({ HTTPS: 'yes' })).toThrow(/HTTPS must be 1 or 0/);
  });
});

describe('the address at which voice devices fetch sound', () => {
  test('is the address at which they reach this machine', () => {
    const read = (url: string) => readConfig({ DEVICE_SOUND_URL: url }).deviceSound.url;

    expect(read('http://192.168.1.10:8767/')).toBe('http://192.168.1.10:8767');
    for (const wrong of ['192.168.1.10', 'https://home:8767', 'http://a@b:1', 'http://home/path'])
      expect(() => read(wrong)).toThrow(/DEVICE_SOUND_URL must be an address/);
  });
});
