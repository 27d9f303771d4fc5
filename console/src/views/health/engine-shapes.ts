import type { components } from '../../../../api/src/http/contract-types.ts';
import type { Health } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { listOf } from '../../server/shapes.ts';

type ModelServer = components['schemas']['ModelServer'];
type Known = 'reason' | 'since' | 'model';

/** A model server as `GET /admin/servers` reports it, or as /health does if that route is missing. */
export type Server = Pick<ModelServer, Known> &
  Partial<Omit<ModelServer, Known | 'name' | 'state'>> & { name: string; state: string };

const names: Record<string, () => string> = {
  stt: () => t('Speech recognition'),
  llm: () => t('Language model'),
  tts: () => t('Voice'),
};

export const engineWords = (name: string): string => names[name]?.() ?? name;

const stateWords: Record<string, () => string> = {
  ready: () => t('Ready'),
  off: () => t('Switched off'),
  starting: () => t('Starting|engine'),
  downloading: () => t('Downloading'),
  loading: () => t('Loading its model'),
  failed: () => t('Down|engine'),
};

/** The value may be out of date. */
export const unknownEngineState = () => ({ mood: 'quiet', words: t('Not known') }) as const;

export function engineStateOf({ state }: Pick<Server, 'state'>): {
  mood: 'well' | 'busy' | 'ill';
  words: string;
} {
  const words = stateWords[state]?.() ?? state;
  if (state === 'ready') return { mood: 'well', words };
  return { mood: state === 'failed' ? 'ill' : 'busy', words };
}

export function serversOf(listed: readonly Server[] | undefined, health: Health | null): readonly Server[] {
  if (listed !== undefined) return listOf(listed);
  return Object.entries(health?.engines ?? {}).map(([name, engine]) => ({ name, ...engine }));
}
