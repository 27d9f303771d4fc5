import { AppError } from '../errors.ts';
import type { SettingsState } from './known-settings.ts';
import type { Patch } from './settings.ts';

/** The available names, or why they are unknown. */
export interface Choice {
  names?: readonly string[];
  unknown?: string;
}

export interface PipelineOptions {
  languages: Choice;
  voices: Choice;
  stt_models: Choice;
  llm_models: Choice;
  wake_words: Choice;
  /** Programs that may be started as tool servers. */
  commands: readonly string[];
}

type Chosen = 'language' | 'voice' | 'stt_model' | 'llm_model' | 'wake_words';

interface ChoiceRules {
  key: Chosen;
  among: Exclude<keyof PipelineOptions, 'commands'>;
  /** The component with these options, as the subject of a sentence. */
  who: string;
  /** How to install more options. */
  how: string;
}

const choices: readonly ChoiceRules[] = [
  {
    key: 'language',
    among: 'languages',
    who: 'Hearth',
    how: 'A language is a folder of api/languages with all its files.',
  },
  {
    key: 'voice',
    among: 'voices',
    who: 'The speech server',
    how: 'To fetch another voice: "make models TTS_VOICE=<voice>".',
  },
  {
    key: 'stt_model',
    among: 'stt_models',
    who: 'The speech recognition',
    how: 'To fetch another model: "make models STT_MODEL=<model>".',
  },
  {
    key: 'llm_model',
    among: 'llm_models',
    who: 'The language model server',
    how: 'To fetch another model: "make models LLM_MODEL=<model>".',
  },
  {
    key: 'wake_words',
    among: 'wake_words',
    who: 'Hearth',
    how: 'To add a word: put its .tflite and its .json into the folder wake-words.',
  },
];

/** Maximum number of names in an error message. */
const maxNamed = 20;

/** Throws `invalid_request` with the available options if the engines do not support a choice. */
export function checkChoices(patch: Patch, possible: PipelineOptions): void {
  for (const rules of choices) {
    const chosen = patch[rules.key];
    for (const each of [chosen ?? []].flat()) checkChoice(each, rules, possible[rules.among]);
  }
  const servers = patch.mcp_servers?.map(({ name }) => name) ?? [];
  if (new Set(servers).size < servers.length) {
    throw new AppError('invalid_request', '"mcp_servers" has two servers of the same name.', {
      param: 'mcp_servers',
    });
  }
  for (const [at, { command, url }] of (patch.mcp_servers ?? []).entries()) {
    if (url !== undefined && !URL.canParse(url)) {
      throw new AppError(
        'invalid_request',
        'This is not an address. An address looks like http://nas.home:3000/mcp.',
        {
          param: `mcp_servers.${at}.url`,
        },
      );
    }
    if (command === undefined || possible.commands.includes(command)) continue;
    throw new AppError(
      'invalid_request',
      'Hearth is not allowed to start this program. To allow it, list it in MCP_COMMANDS in the environment of Hearth.',
      { param: `mcp_servers.${at}.command` },
    );
  }
}

/** Throws `invalid_request` if a change sets a time zone that does not exist, or that TZ fixes. */
export function checkTimeZone(
  { time_zone: chosen }: Patch,
  { sources, isTimeZone }: Pick<SettingsState, 'sources'> & { isTimeZone: (name: string) => boolean },
): void {
  if (chosen === undefined || chosen === null) return;
  const more = { param: 'time_zone' };
  if (sources.time_zone === 'fixed') {
    const how =
      'TZ in the environment of Hearth sets the time zone. To choose it here, remove TZ and restart.';
    throw new AppError('invalid_request', how, more);
  }
  if (isTimeZone(chosen)) return;
  throw new AppError(
    'invalid_request',
    'This is not a time zone. A time zone looks like Europe/Berlin or America/New_York.',
    more,
  );
}

/** Throws `invalid_request` with the available voices if this one is unknown. */
export function checkVoice(voice: string, there: Choice): void {
  for (const rules of choices) if (rules.key === 'voice') checkChoice(voice, rules, there);
}

function checkChoice(chosen: string, { key, who, how }: ChoiceRules, { names, unknown }: Choice): void {
  if (names?.includes(chosen)) return;
  const more = { param: key };
  if (names === undefined) {
    throw new AppError(
      'invalid_request',
      `"${key}" cannot be checked now: ${unknown ?? 'the reason is unknown'}`,
      more,
    );
  }
  const shown = names.slice(0, maxNamed).join(', ');
  const has = names.length > maxNamed ? `${shown} and more` : shown || 'nothing to choose from';
  throw new AppError('invalid_request', `${who} does not have this "${key}". It has ${has}. ${how}`, more);
}
