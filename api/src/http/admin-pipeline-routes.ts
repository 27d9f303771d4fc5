import type { FastifyReply } from 'fastify';
import type { Pcm } from '../audio/pcm.ts';
import { writeWav } from '../audio/wav.ts';
import { AppError } from '../errors.ts';
import type { SettingsState } from '../settings/known-settings.ts';
import { checkChoices, checkTimeZone, type PipelineOptions } from '../settings/possible.ts';
import type { Routine } from '../settings/routine.ts';
import { type RoutineFault, type RoutinesToCheck, routineError } from '../settings/routine-fault.ts';
import type { Settings } from '../settings/settings.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import type { HouseholdWakeWords } from '../wake/household-wake-words.ts';
import { hangUpSignal } from './caller-turn.ts';
import type { Call, Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { choiceOf } from './engine-choice.ts';
import { createRoomCheck, sharedName } from './room-check.ts';

type State = components['schemas']['PipelineState'];
type SettingsChange = Call<'changePipeline'>['body'];

interface PipelineRoutesOptions {
  settings: Settings;
  /** Languages whose files are installed. */
  languages: readonly string[];
  isTimeZone: (name: string) => boolean;
  /** Programs that may be started as MCP servers. */
  mcpCommands: readonly string[];
  workers: WorkerRegistry;
  wakeWords: HouseholdWakeWords;
  /** The reason each disabled engine is off, by engine name. */
  off: Partial<Record<EngineName, string>>;
  /** Speaks a text without the fallback voice. Rejects with an AppError if the voice fails. */
  speak: (text: string, how: SpokenHow) => Promise<{ sound: Pcm | null }>;
  /** Asks a worker whether routines can run. */
  checkRoutines: (routines: RoutinesToCheck, limits: Limits) => Promise<RoutineFault | null>;
  /** The sentence a voice introduces itself with. */
  sampleText: string;
  /** The rooms of the house, as far as they are known now. */
  rooms: () => Promise<readonly string[]>;
}

interface Limits {
  withinMs: number;
  signal: AbortSignal;
}

interface SpokenHow extends Limits {
  by: 'voice';
  manner: { voice: string | null; speed: number };
}

type PipelineHandlers = Pick<
  Handlers,
  'getPipeline' | 'changePipeline' | 'getPipelineHistory' | 'getPipelineOptions' | 'speakSample'
>;

/** Enough for a few sentences. */
const sampleMs = 20_000;
/** Maximum time a person waits for a form. */
const checkMs = 13_000;

/** Reads and changes the household's settings. */
export function adminPipelineRoutes(options: PipelineRoutesOptions): PipelineHandlers {
  const { settings, languages, isTimeZone, mcpCommands, workers, wakeWords, off, speak, sampleText } =
    options;

  /** The options of an engine, or the reason they are unknown. */
  const has = (engine: EngineName) => choiceOf(workers.engine(engine), off[engine]);
  const possible = (): PipelineOptions => ({
    languages: { names: languages },
    voices: has('tts'),
    stt_models: has('stt'),
    llm_models: has('llm'),
    wake_words: { names: wakeWords.now().words.map(({ id }) => id) },
    commands: mcpCommands,
  });
  const { checkNames, checkRooms, checkNewRoutines } = createSettingsChecks(options);

  return {
    async getPipeline({ reply }) {
      return tell(await settings.read(), reply);
    },

    async changePipeline({ body, headers, reply }) {
      const expected = expectedRevision(headers);
      checkChoices(body, possible());
      checkTimeZone(body, { sources: settings.latest().sources, isTimeZone });
      checkRooms(body);
      await checkNames(body.names ?? []);
      await checkNewRoutines(body.routines ?? [], hangUpSignal(reply));
      return tell(await settings.change(body, expected), reply);
    },

    async getPipelineHistory() {
      const changes = await settings.history();
      return { changes: changes.map(({ at, ...change }) => ({ ...change, at: new Date(at).toISOString() })) };
    },

    async speakSample({ body, reply }) {
      checkChoices(body, possible());
      const { voice, speed } = settings.current();
      const manner = { voice: body.voice ?? voice, speed: body.speed ?? speed };
      const signal = hangUpSignal(reply);
      const how = { by: 'voice', manner, withinMs: sampleMs, signal } as const;
      const { sound } = await speak(body.text ?? sampleText, how);
      if (!sound) throw new AppError('invalid_request', '"text" holds nothing to say.', { param: 'text' });
      return reply.type('audio/wav').send(writeWav(sound));
    },

    getPipelineOptions() {
      const { languages: spoken, voices, stt_models, llm_models, wake_words } = possible();
      return {
        languages: [...(spoken.names ?? [])],
        voices: [...(voices.names ?? [])],
        stt_models: [...(stt_models.names ?? [])],
        llm_models: [...(llm_models.names ?? [])],
        wake_words: [...(wake_words.names ?? [])],
        refused_wake_words: wakeWords.now().refused,
      };
    },
  };
}

/** Checks of changed settings that need the house or a worker. They throw AppError. */
function createSettingsChecks({
  settings,
  checkRoutines,
  rooms,
}: Pick<PipelineRoutesOptions, 'settings' | 'checkRoutines' | 'rooms'>) {
  /**
   * Checks only new routines. Saved ones were checked when they were created. A later change in the house
   * must not block a change to others.
   */
  const checkNewRoutines = async (routines: readonly Routine[], signal: AbortSignal): Promise<void> => {
    const kept = new Set(settings.current().routines.map((each) => JSON.stringify(each)));
    const changed = routines.flatMap((each, at) => (kept.delete(JSON.stringify(each)) ? [] : [at]));
    if (changed.length === 0) return;
    const limits = { withinMs: checkMs, signal };
    const fault = await checkRoutines({ routines: [...routines], changed }, limits);
    if (fault) throw routineError(fault);
  };

  /** An assistant named "Kitchen" would take the room of "lights off in the kitchen" for its name. */
  const checkNames = async (names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    const room = sharedName(names, await rooms());
    if (room === undefined) return;
    throw new AppError('invalid_request', `"${room}" is a room of this house. Choose another name.`, {
      param: 'names',
    });
  };

  const checkRooms = ({ names, rooms: newRooms }: SettingsChange): void =>
    newRooms?.forEach(createRoomCheck(() => names ?? settings.current().names, 'rooms'));

  return { checkNames, checkRooms, checkNewRoutines };
}

function tell({ revision, values, sources }: SettingsState, reply: FastifyReply): State {
  reply.header('etag', `"${revision}"`);
  return { revision, values, sources };
}

/** Null: overwrite any revision. */
function expectedRevision(headers: Call<'changePipeline'>['headers']): number | null {
  const tag = headers['if-match']?.trim();
  if (tag === undefined || tag === '*') return null;
  const [, revision] = /^"(\d{1,15})"$/.exec(tag) ?? [];
  // This ETag was never issued, so reading the settings again would not help.
  if (revision === undefined) {
    const how = 'If-Match must be the ETag that was read, with its quotation marks: like "7".';
    throw new AppError('stale', how, { param: 'if-match' });
  }
  return Number(revision);
}
