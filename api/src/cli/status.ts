import { type EngineHealth, type Health, readHealth } from './health.ts';
import { ownOrigin } from './own-api.ts';

const titles: Readonly<Record<string, string>> = { llm: 'Language model', stt: 'Recognition', tts: 'Voice' };
const titleWidth = Math.max(...Object.values(titles).map((title) => title.length));
const summaries: Readonly<Record<Health['status'], string>> = {
  ready: 'Everything is ready.',
  starting: 'Some of it is still starting.',
  degraded: 'Not everything works. "make check-up" and "make logs" show more.',
};
/** Units of time in seconds, largest first. */
const spans = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

process.exitCode = await main(ownOrigin('localhost'));

/**
 * Prints the state of each part of a running assistant. Exit code 0: all is ready; 1: a part is not; 2: no
 * answer.
 */
async function main(address: string): Promise<number> {
  const health = await readHealth(address);
  if (!health) {
    process.stdout.write(`Hearth does not answer at ${address}. Start it with "make up" or "make run".\n`);
    return 2;
  }
  process.stdout.write(`${linesOf(address, health).join('\n')}\n`);
  return health.status === 'ready' && health.redis.state === 'ready' ? 0 : 1;
}

function linesOf(address: string, health: Health): string[] {
  const { engines, redis, note, warnings, workers } = health;
  return [
    `Hearth ${health.version} has answered at ${address} for ${lengthOf(health.uptime_s)}. ${summaries[health.status]}`,
    ...Object.entries(engines).map(
      ([engine, is]) => `  ${(titles[engine] ?? engine).padEnd(titleWidth)}  ${wordsOf(is)}`,
    ),
    ...(redis.state === 'ready' ? [] : [redis.reason ?? 'Redis is not ready.']),
    ...(workers > 0 ? [] : ['No worker is alive: nothing is answered.']),
    ...(note === null ? [] : [note]),
    ...warnings.map(({ message, advice }) => `${message} ${advice}`),
  ];
}

function wordsOf({ state, reason, model, download }: EngineHealth): string {
  if (download)
    return `downloading, ${Math.floor((100 * download.bytes_done) / Math.max(1, download.bytes_total))} %`;
  if (state === 'ready') return model === null ? 'ready' : `ready: ${model}`;
  return reason === null ? state : `${state}: ${reason}`;
}

function lengthOf(seconds: number): string {
  const [length, unit] = spans.find(([each]) => seconds >= each) ?? [1, 'second'];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
