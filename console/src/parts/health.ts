import type { components } from '../../../api/src/http/contract-types.ts';
import { t } from '../language/translate.ts';
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

interface EngineWords {
  failed: () => string;
  downloading: () => string;
  starting: () => string;
}

const engines: Readonly<Record<'llm' | 'stt' | 'tts', EngineWords>> = {
  llm: {
    failed: () => t('The language model is down'),
    downloading: () => t('Downloading the language model'),
    starting: () => t('The language model is starting'),
  },
  stt: {
    failed: () => t('The speech recognition is down'),
    downloading: () => t('Downloading the speech recognition'),
    starting: () => t('The speech recognition is starting'),
  },
  tts: {
    failed: () => t('The voice is down'),
    downloading: () => t('Downloading the voice'),
    starting: () => t('The voice is starting'),
  },
};

/** The overall state in a few words. */
export function describeHealth(health: Health | null, trouble: string | null): HealthWords {
  if (trouble !== null) return { mood: 'ill', words: trouble };
  if (!health) return { mood: 'busy', words: t('Loading') };
  if (health.status === 'ready') return tellReady(health);
  if (health.redis?.state === 'failed')
    return { mood: 'ill', words: health.redis.reason ?? t('Redis is down') };
  if (health.workers === 0) return { mood: 'ill', words: t('No worker is running') };
  for (const [key, words] of Object.entries(engines)) {
    const engine = Object.entries(health.engines ?? {}).find(([engineName]) => engineName === key)?.[1];
    if (engine?.state === 'failed') return { mood: 'ill', words: words.failed() };
    if (engine?.state === 'downloading') return { mood: 'busy', words: words.downloading() };
    if (engine?.state === 'starting' || engine?.state === 'loading')
      return { mood: 'busy', words: words.starting() };
  }
  return { mood: 'busy', words: t('Starting') };
}

function tellReady(health: Health): HealthWords {
  const [warning] = listOf(health.warnings);
  if (warning !== undefined) {
    const told = { mood: 'busy', words: warning.message } as const;
    return settingWarnings.includes(warning.name) ? { ...told, isSetting: true } : told;
  }
  if (smallModels(health) !== null) return { mood: 'busy', words: t('It works, with the smallest models') };
  return { mood: 'well', words: t('All is well') };
}

/** Advice although everything works, because the smallest models understand little. */
export function smallModels({ configured, note }: Health): string | null {
  if (configured?.models !== 'tiny') return null;
  const why = t('Hearth works with the smallest models (tiny). They mishear more, and know little.');
  return `${why} ${note ?? t('If the machine has enough memory, start Hearth with MODELS=small.')}`;
}
