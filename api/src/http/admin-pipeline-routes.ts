import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { checkWishes, type PipelineOptions } from '../settings/possible.ts';
import type { Settings, SettingsState } from '../settings/settings.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import type { Call, Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type State = components['schemas']['PipelineState'];

interface PipelineRoutesOptions {
  settings: Settings;
  /** Those whose files are there. */
  languages: readonly string[];
  workers: WorkerRoll;
  /** Why an engine is off, by its name. */
  off: Partial<Record<EngineName, string>>;
}

/** How the household wants its assistant: read and changed. */
export function adminPipelineRoutes(
  options: PipelineRoutesOptions,
): Pick<Handlers, 'getPipeline' | 'changePipeline' | 'getPipelineHistory' | 'getPipelineOptions'> {
  const { settings, languages, workers, off } = options;

  /** What an engine can be asked for; a reason where nobody knows. */
  const has = (engine: EngineName) => {
    const reason = off[engine];
    if (reason !== undefined) return { unknown: reason };
    const status = workers.engine(engine);
    if (status?.state === 'ready') return { names: status.options ?? [] };
    return { unknown: status?.reason ?? 'No worker has reported yet.' };
  };
  const possible = (): PipelineOptions => ({
    languages: { names: languages },
    voices: has('tts'),
    stt_models: has('stt'),
    llm_models: has('llm'),
  });

  return {
    async getPipeline({ reply }) {
      return tell(await settings.read(), reply);
    },

    async changePipeline({ body, headers, reply }) {
      const expected = expectedRevision(headers);
      checkWishes(body, possible());
      return tell(await settings.change(body, expected), reply);
    },

    async getPipelineHistory() {
      const changes = await settings.history();
      return { changes: changes.map(({ at, ...change }) => ({ ...change, at: new Date(at).toISOString() })) };
    },

    getPipelineOptions() {
      const { languages: spoken, voices, stt_models, llm_models } = possible();
      return {
        languages: [...(spoken.names ?? [])],
        voices: [...(voices.names ?? [])],
        stt_models: [...(stt_models.names ?? [])],
        llm_models: [...(llm_models.names ?? [])],
      };
    },
  };
}

function tell({ revision, values, sources }: SettingsState, reply: FastifyReply): State {
  reply.header('etag', `"${revision}"`);
  return { revision, values, sources };
}

/** Null: whatever is there may be changed. */
function expectedRevision(headers: Call<'changePipeline'>['headers']): number | null {
  const tag = headers['if-match']?.trim();
  if (tag === undefined || tag === '*') return null;
  const [, revision] = /^"(\d{1,15})"$/.exec(tag) ?? [];
  // A tag that was never given out matches nothing.
  if (revision === undefined) throw new AppError('stale');
  return Number(revision);
}
