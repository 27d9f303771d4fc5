import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../api/src', import.meta.url));

/**
 * The folders that each folder may import besides itself and the commons, from the ground up. Change it here
 * first, with the reason: this table is the only place for these rules.
 */
const mayImport: Record<string, readonly string[]> = {
  audio: [],
  // Runs in satellites and in the page too, so it needs nothing else.
  wake: [],
  language: [],
  redis: [],
  'speech-text': ['language/'],
  status: ['redis/'],
  logs: ['redis/'],
  restart: ['redis/', 'status/'],
  tokens: ['redis/'],
  // Finds services on the network.
  mdns: [],
  // Connections to engines of other machines.
  lending: [],
  // Certificates and names of the machine, for https.
  tls: [],
  // Audio of turns between processes.
  'sound-transport': ['redis/', 'audio/'],
  conversations: ['redis/'],
  turn: ['redis/', 'audio/', 'sound-transport/', 'conversations/'],
  metrics: ['turn/', 'status/'],
  settings: ['redis/', 'turn/'],
  actions: ['redis/', 'turn/', 'conversations/'],
  lists: ['redis/', 'actions/'],
  jobs: ['redis/', 'status/', 'turn/'],
  // The household's calendar schedules what repeats.
  timers: ['redis/', 'jobs/', 'turn/', 'actions/', 'satellites/wake-mode.ts', 'language/calendar/'],
  // Defines a speaker of Home Assistant.
  speakers: ['redis/', 'actions/', 'engines/home-speaker.ts'],
  // The household's settings and requests for its satellites.
  satellites: ['redis/'],
  announcements: ['redis/', 'actions/', 'timers/'],
  engines: ['redis/', 'audio/', 'status/'],
  respond: [
    'language/',
    'turn/',
    'conversations/',
    'engines/',
    'status/',
    'settings/',
    'lists/',
    'timers/',
    'actions/',
    'announcements/',
    'speakers/',
  ],
  // In a worker: each stage of a turn is a job.
  stages: [
    'jobs/',
    'language/',
    'respond/',
    'speech-text/',
    'turn/',
    'conversations/',
    'sound-transport/',
    'redis/',
    'engines/',
    'status/',
    'settings/',
    'audio/',
    'timers/',
    // The requests for the lists.
    'lists/',
  ],
  // In the api: starts a turn and follows it.
  'turn-client': [
    'jobs/',
    'turn/',
    'sound-transport/',
    'redis/',
    'status/',
    'audio/',
    'settings/',
    // The requests for the lists.
    'lists/',
    'engines/home-speaker.ts',
    'conversations/',
  ],
  backup: ['redis/', 'jobs/', 'settings/', 'tokens/'],
  check: [
    'turn/',
    'conversations/',
    'redis/',
    'audio/',
    'status/',
    'timers/',
    'turn-client/turn-client.ts',
    'turn-client/worker-calls.ts',
  ],
  listen: [
    'turn/',
    'redis/',
    'audio/',
    'wake/',
    'timers/',
    'announcements/',
    'speakers/',
    'satellites/',
    'turn-client/turn-client.ts',
    'turn-client/partial-transcription.ts',
    'turn-client/sentence-synthesis.ts',
    'turn-client/conversation-preload.ts',
  ],
  // Rings and announces through Home Assistant in rooms without a satellite.
  'home-sound': ['listen/', 'audio/', 'announcements/', 'speakers/', 'engines/home-speaker.ts'],
  realtime: ['listen/', 'turn/', 'audio/'],
  wyoming: ['listen/', 'turn/', 'audio/', 'wake/'],
  // A kind of satellite that we connect to.
  esphome: ['listen/', 'audio/', 'redis/', 'mdns/'],
  http: [
    'turn/',
    'conversations/',
    'realtime/',
    'redis/',
    'audio/',
    'wake/',
    'status/',
    'settings/',
    'listen/',
    'logs/',
    'metrics/',
    'restart/',
    'timers/',
    'announcements/',
    'speakers/',
    'satellites/',
    'tokens/',
    'tls/',
    'lending/',
    'turn-client/turn-client.ts',
    'turn-client/sentence-synthesis.ts',
    'check/',
    'mdns/',
    // Sends and accepts a file.
    'backup/',
    'esphome/',
    'turn-client/worker-calls.ts',
  ],
};

/**
 * The other programs may use the types of the contracts. The page is bundled with its other parts of api/src;
 * a satellite is copied alone.
 */
const programs: Record<string, { types: readonly string[]; code: readonly string[] }> = {
  'console/src': {
    types: ['http/contract-types.ts', 'listen/events/listen-events.ts'],
    code: [
      ...['audio/resampler.ts', 'audio/speech-rate.ts', 'name-order.ts'],
      ...['wake/local-wake-gate.ts', 'wake/downloaded-wake-memory.ts'],
    ],
  },
  satellite: {
    types: ['listen/events/listen-events.ts'],
    // Optional: a satellite without them sends all sound, and its messages are English.
    code: ['wake/local-wake-gate.ts', 'wake/downloaded-wake-memory.ts', 'cli/gettext.ts'],
  },
};

/** Files that anything may import; log.ts only for its types, time-zone.ts by config.ts alone. */
const foundations = [
  'errors.ts',
  'json.ts',
  'latest.ts',
  'name-order.ts',
  'abort.ts',
  'awake-limit.ts',
  'clock.ts',
  'listen-on-port.ts',
  'config.ts',
  'log.ts',
  'time-zone.ts',
];
/** Files that any folder may import without restrictions. */
const commons = [
  'errors.ts',
  'json.ts',
  'latest.ts',
  'name-order.ts',
  'abort.ts',
  'awake-limit.ts',
  'clock.ts',
  'listen-on-port.ts',
];

/** The programs, and the code that wires them: they may import anything, and no other code imports them. */
const isEntry = (file: string) =>
  ['announcer.ts', 'server.ts', 'worker.ts'].includes(file) ||
  file.startsWith('wiring/') ||
  file.startsWith('cli/');

interface Import {
  file: string;
  line: string;
  target: string;
  isTypeOnly: boolean;
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const files = filesOf(source);

/** The imports of a file in a folder; targets are relative to api/src. */
function importsOf(file: string, folder = source): Import[] {
  const text = readFileSync(join(folder, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm,
  );
  return [...statements].map(([line, type, ...targets]) => ({
    file,
    line: line.replaceAll(/\s+/g, ' '),
    target: relative(source, join(folder, file, '..', targets.find((target) => target !== undefined) ?? '')),
    isTypeOnly: type !== undefined,
  }));
}

/** Whether a path names this file or a folder around it. */
const isIn = (path: string, file: string) => (path.endsWith('/') ? file.startsWith(path) : file === path);
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

/** The reason why an import is not allowed; undefined if it is. */
function faultOf({ file, target, isTypeOnly }: Import): string | undefined {
  if (isEntry(target) && !isEntry(file)) return 'nobody imports an entry point';
  if (isEntry(file)) return undefined;
  if (commons.includes(target)) return undefined;
  if (target === 'time-zone.ts' && file === 'config.ts') return undefined;
  if (target === 'log.ts') return isTypeOnly ? undefined : 'of log.ts only types may be imported';
  const folder = folderOf(file);
  if (folder === '') return `${file} stands alone`;
  if (folderOf(target) === folder) return undefined;
  const allowed = mayImport[folder] ?? [];
  const isAllowed = allowed.some((each) => (each.endsWith('/') ? target.startsWith(each) : target === each));
  return isAllowed ? undefined : `${folder}/ may import ${allowed.join(', ') || 'nothing'}`;
}

describe('the source tree', () => {
  const imports = files.flatMap((file) => importsOf(file));

  test('has only the folders in the table', () => {
    const others = files.filter((file) => !isEntry(file));
    const folders = new Set(others.map(folderOf).filter(Boolean));
    const alone = others.filter((file) => folderOf(file) === '');

    expect([...folders].filter((folder) => !Object.hasOwn(mayImport, folder))).toEqual([]);
    expect(alone.filter((file) => !foundations.includes(file))).toEqual([]);
  });

  test('has no import that the table forbids', () => {
    const offending = imports.flatMap((each) => {
      const fault = faultOf(each);
      return fault ? [`api/src/${each.file}: ${each.line} (${fault})`] : [];
    });

    expect(imports.length).toBeGreaterThan(50);
    expect(offending).toEqual([]);
  });

  test('copies into the image of the page what the page is bundled with', () => {
    const folder = fileURLToPath(new URL('../../console/src', import.meta.url));
    const image = readFileSync(new URL('../../api/Dockerfile', import.meta.url), 'utf8');
    const copied = [...image.matchAll(/^COPY (api\/src\/.+) \.\.\/api\/src\//gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );

    const bundled = new Set(
      filesOf(folder)
        .flatMap((file) => importsOf(file, folder))
        .filter(({ target, isTypeOnly }) => !target.startsWith('..') && !isTypeOnly)
        .map(({ target }) => target),
    );
    // A set that grows while it is iterated: it also visits files added on the way.
    for (const file of bundled)
      for (const each of imports) if (each.file === file && !each.isTypeOnly) bundled.add(each.target);
    const isCopied = (file: string) => copied.some((path) => isIn(path, `api/src/${file}`));

    expect([...bundled].filter((file) => !isCopied(file))).toEqual([]);
    expect(copied.filter((path) => ![...bundled].some((file) => isIn(path, `api/src/${file}`)))).toEqual([]);
  });

  test.each(Object.entries(programs))(
    'exports from %s only the names in the table',
    (program, { types, code }) => {
      const folder = fileURLToPath(new URL(`../../${program}`, import.meta.url));
      const lent = filesOf(folder)
        .flatMap((file) => importsOf(file, folder))
        .filter(({ target }) => !target.startsWith('../'));

      expect(lent.length).toBeGreaterThan(0);
      expect(
        lent.filter(
          ({ target, isTypeOnly }) => !code.includes(target) && !(isTypeOnly && types.includes(target)),
        ),
      ).toEqual([]);
    },
  );

  test('imports files by their full name, and every file exists', () => {
    expect(imports.filter(({ target }) => !files.includes(target))).toEqual([]);
  });

  test('has no import cycle, types included', () => {
    const targetsOf = Map.groupBy(imports, ({ file }) => file);
    const left = new Set(files);
    // Removes files whose imports are all removed, until nothing changes.
    for (let before = 0; before !== left.size; ) {
      before = left.size;
      for (const file of left)
        if (!(targetsOf.get(file) ?? []).some(({ target }) => left.has(target))) left.delete(file);
    }

    expect([...left]).toEqual([]);
  });

  test("keeps the server's modules out of the worker", () => {
    const loaded = new Set(['worker.ts']);
    // A set that grows while it is iterated: it also visits files added on the way.
    for (const file of loaded)
      for (const each of imports) if (each.file === file && !each.isTypeOnly) loaded.add(each.target);

    expect(loaded.size).toBeGreaterThan(50);
    expect([...loaded].filter((file) => file.startsWith('http/'))).toEqual([]);
  });

  test('reads the environment in config.ts only', () => {
    const readers = files.filter((file) =>
      /process\.env|import\.meta\.env/.test(readFileSync(join(source, file), 'utf8')),
    );

    // announcer.ts, server.ts, worker.ts, backup.ts and check-config.ts pass it to readConfig.
    // await-ready.ts and own-api.ts only need the api's address, and phone.ts its options. gettext.ts reads
    // the terminal's language. join.ts and lend.ts need the household's address and the engines here.
    // audio/vad.ts only turns off a telemetry.
    expect(readers.toSorted()).toEqual([
      'announcer.ts',
      'audio/vad.ts',
      'cli/await-ready.ts',
      'cli/backup.ts',
      'cli/check-config.ts',
      'cli/gettext.ts',
      'cli/join.ts',
      'cli/lend.ts',
      'cli/own-api.ts',
      'cli/phone.ts',
      'server.ts',
      'worker.ts',
    ]);
  });

  test('names Redis keys in their one table only', () => {
    const named = files.filter((file) => /['`]hearth:/.test(readFileSync(join(source, file), 'utf8')));

    // Channels are not keys: they store nothing.
    expect(named.toSorted()).toEqual([
      'announcements/announcement-requests.ts',
      'esphome/device-store.ts',
      'listen/satellite-news.ts',
      'redis/keys.ts',
      'restart/restarts.ts',
      'satellites/choice-store.ts',
      'satellites/satellite-requests.ts',
      'settings/home-store.ts',
      'settings/network-store.ts',
      'settings/settings-store.ts',
      'sound-transport/sound-sender.ts',
      'speakers/home-speaker-store.ts',
      'speakers/speaker-store.ts',
      'status/engine-status.ts',
      'status/machine-registry.ts',
      'status/process-registry.ts',
      'status/worker-presence.ts',
      'timers/timer-news.ts',
      'tokens/token-store.ts',
      'turn/turn-events.ts',
    ]);
  });

  test('adds jobs in a few files only', () => {
    const adders = files.filter((file) =>
      /\bqueues?(\.\w+)?\.add(Bulk)?\(/.test(readFileSync(join(source, file), 'utf8')),
    );

    // call-sender.ts: jobs that are not part of a turn.
    expect(adders.toSorted()).toEqual([
      'stages/next-stages.ts',
      'timers/ring-jobs.ts',
      'turn-client/call-sender.ts',
      'turn-client/conversation-preload.ts',
      'turn-client/partial-transcription.ts',
      'turn-client/sentence-synthesis.ts',
      'turn-client/turn-client.ts',
    ]);
  });

  test('calls the network in a few files only', () => {
    const callers = files.filter((file) =>
      /\bfetch\(|from 'undici'/.test(readFileSync(join(source, file), 'utf8')),
    );

    // Those of cli/ call our own api, from the terminal; wiring/nearby.ts does, from the announcer.
    expect(callers.toSorted()).toEqual([
      'cli/await-ready.ts',
      'cli/check-up.ts',
      'cli/health.ts',
      'cli/own-api.ts',
      'engines/bounded-fetch.ts',
      'engines/engine-client.ts',
      'engines/home-line.ts',
      // Its proxy is a library that needs the engines' Unix sockets.
      'http/engine-proxy.ts',
      'wiring/nearby.ts',
    ]);
  });

  test('lets libraries use the network in one file only, through its fetch or without our environment', () => {
    const users = files.filter((file) =>
      /from '@modelcontextprotocol\//.test(readFileSync(join(source, file), 'utf8')),
    );

    expect(users).toEqual(['engines/mcp-client.ts']);
  });
});
