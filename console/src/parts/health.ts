import type { components } from '../../../api/src/http/contract-types.ts';
import { listOf } from '../server/shapes.ts';

type Health = Partial<components['schemas']['Health']>;

interface HealthWords {
  mood: 'well' | 'busy' | 'ill';
  words: string;
  /** A setting can fix it. The settings view shows that setting. */
  isSetting?: true;
}

/** Warnings about a language that an engine does not support. */
export const languageWarnings: readonly string[] = [
  'recognition_language',
  'voice_language',
  'model_language',
];
/** Warnings that the settings explain, with buttons that help. */
const settingWarnings: readonly string[] = ['language', 'time_zone', ...languageWarnings];

const names = { llm: 'language model', stt: 'speech recognition', tts: 'voice' };

/** The overall state in a few words. */
export function describeHealth(health: Health | null, trouble: string | null): HealthWords {
  if (trouble !== null) return { mood: 'ill', words: trouble };
  if (!health) return { mood: 'busy', words: 'Loading' };
  if (health.status === 'ready') return tellReady(health);
  if (health.redis?.state === 'failed') return { mood: 'ill', words: health.redis.reason ?? 'Redis is down' };
  if (health.workers === 0) return { mood: 'ill', words: 'No worker is running' };
  for (const [key, name] of Object.entries(names)) {
    const engine = Object.entries(health.engines ?? {}).find(([engineName]) => engineName === key)?.[1];
    if (engine?.state === 'failed') return { mood: 'ill', words: `The ${name} is down` };
    if (engine?.state === 'downloading') return { mood: 'busy', words: `Downloading the ${name}` };
    if (engine?.state === 'starting' || engine?.state === 'loading')
      return { mood: 'busy', words: `The ${name} is starting` };
  }
  return { mood: 'busy', words: 'Starting' };
}

function tellReady(health: Health): HealthWords {
  const [warning] = listOf(health.warnings);
  if (warning !== undefined) {
    const told = { mood: 'busy', words: warning.message } as const;
    return settingWarnings.includes(warning.name) ? { ...told, isSetting: true } : told;
  }
  if (smallModels(health) !== null) return { mood: 'busy', words: 'It works, with the smallest models' };
  return { mood: 'well', words: 'All is well' };
}

/** Advice although everything works, because the smallest models understand little. */
export function smallModels({ configured, note }: Health): string | null {
  if (configured?.models !== 'tiny') return null;
  const why = 'Hearth works with the smallest models (tiny). They mishear more, and know little.';
  return note == null
    ? `${why} If the machine has enough memory, start Hearth with MODELS=small.`
    : `${why} ${note}`;
}
