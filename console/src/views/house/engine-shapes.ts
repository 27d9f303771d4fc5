import type { Health } from '../../house.ts';
import { listOf } from '../../server/shapes.ts';

export interface Download {
  bytes_done: number;
  bytes_total: number;
}

/** A model server, as `GET /admin/servers` tells it; of a server without that route, what /health knows. */
export interface Server {
  name: string;
  state: string;
  reason: string | null;
  since: string | null;
  model: string | null;
  version?: string | null;
  replicas?: { url: string; state: string; reason: string | null }[];
  queue?: { waiting: number; running: number };
  latency?: { p50_ms: number | null; p95_ms: number | null; count: number } | null;
  memory?: unknown;
  last_errors?: { at: string; message: string }[];
  download?: (Partial<Download> & { id?: string }) | null;
  can?: { load?: boolean; unload?: boolean; proxy?: boolean };
}

export const engineWords: Record<string, string> = {
  stt: 'Speech recognition',
  llm: 'Language model',
  tts: 'Voice',
};

const stateWords: Record<string, string> = {
  ready: 'Ready',
  off: 'Switched off',
  starting: 'Starting',
  downloading: 'Being downloaded',
  loading: 'Loading its model',
  failed: 'Down',
};

export function stateOf({ state }: Pick<Server, 'state'>): { mood: 'well' | 'busy' | 'ill'; words: string } {
  const words = stateWords[state] ?? state;
  if (state === 'ready') return { mood: 'well', words };
  return { mood: state === 'failed' ? 'ill' : 'busy', words };
}

export function serversOf(told: readonly Server[] | undefined, health: Health | null): readonly Server[] {
  if (told !== undefined) return listOf(told);
  return Object.entries(health?.engines ?? {}).map(([name, engine]) => ({ name, ...engine }));
}
