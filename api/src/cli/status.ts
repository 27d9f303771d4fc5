import { gettext } from './gettext.ts';
import { type EngineHealth, type Health, readHealth } from './health.ts';
import { ownOrigin } from './own-api.ts';

const titles: Readonly<Record<string, string>> = {
  llm: gettext('Language model'),
  stt: gettext('Recognition'),
  tts: gettext('Voice'),
};
const titleWidth = Math.max(...Object.values(titles).map((title) => title.length));
const summaries: Readonly<Record<Health['status'], string>> = {
  ready: gettext('Everything is ready.'),
  starting: gettext('Some of it is still starting.'),
  degraded: gettext('Not everything works. "make check-up" and "make logs" show more.'),
};
const states: Readonly<Record<string, string>> = {
  off: gettext('off'),
  starting: gettext('starting'),
  downloading: gettext('downloading'),
  loading: gettext('loading'),
  ready: gettext('ready'),
  failed: gettext('failed'),
};
/** Units of time in seconds, largest first. */
const spans: readonly [seconds: number, words: (count: number) => string][] = [
  [86_400, (count) => gettext(count === 1 ? '%s day' : '%s days', count)],
  [3_600, (count) => gettext(count === 1 ? '%s hour' : '%s hours', count)],
  [60, (count) => gettext(count === 1 ? '%s minute' : '%s minutes', count)],
];
const secondsOf = (count: number) => gettext(count === 1 ? '%s second' : '%s seconds', count);

process.exitCode = await main(ownOrigin('localhost'));

/**
 * Prints the state of each part of a running assistant. Exit code 0: all is ready; 1: a part is not; 2: no
 * answer.
 */
async function main(address: string): Promise<number> {
  const health = await readHealth(address);
  if (!health) {
    const line = gettext('Hearth does not answer at %s. Start it with "make up" or "make run".', address);
    process.stdout.write(`${line}\n`);
    return 2;
  }
  process.stdout.write(`${linesOf(address, health).join('\n')}\n`);
  return health.status === 'ready' && health.redis.state === 'ready' ? 0 : 1;
}

function answersFor(address: string, { version, uptime_s }: Health): string {
  return gettext('Hearth %s has answered at %s for %s.', version, address, lengthOf(uptime_s));
}

function linesOf(address: string, health: Health): string[] {
  const { engines, redis, note, warnings, workers } = health;
  return [
    `${answersFor(address, health)} ${summaries[health.status]}`,
    ...Object.entries(engines).map(
      ([engine, is]) => `  ${(titles[engine] ?? engine).padEnd(titleWidth)}  ${wordsOf(is)}`,
    ),
    ...(redis.state === 'ready' ? [] : [redis.reason ?? gettext('Redis is not ready.')]),
    ...(workers > 0 ? [] : [gettext('No worker is alive: nothing is answered.')]),
    ...(note === null ? [] : [note]),
    ...warnings.map(({ message, advice }) => `${message} ${advice}`),
  ];
}

function wordsOf({ state, reason, model, download }: EngineHealth): string {
  if (download) {
    const percent = Math.floor((100 * download.bytes_done) / Math.max(1, download.bytes_total));
    return gettext('downloading, %s %%', percent);
  }
  const more = state === 'ready' ? model : reason;
  return `${states[state] ?? state}${more === null ? '' : `: ${more}`}`;
}

function lengthOf(seconds: number): string {
  const [length, words] = spans.find(([each]) => seconds >= each) ?? [1, secondsOf];
  return words(Math.floor(seconds / length));
}
