import { refused } from './refusals.ts';

/** OpenAI's voices (https://platform.openai.com/docs/guides/text-to-speech). Its clients offer no others. */
export const openaiVoices: ReadonlySet<string> = new Set(
  'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(' '),
);

type GivenVoice = string | { id: string } | null | undefined;

/** The household's own voice that a request names. Null: it names none, or a name of OpenAI's. */
export function ownVoiceOf(voice: GivenVoice): string | null {
  const named = (typeof voice === 'string' ? voice : voice?.id)?.trim();
  return !named || openaiVoices.has(named.toLowerCase()) ? null : named;
}

interface VoiceFields {
  voice?: GivenVoice;
  audio?: { output?: { voice?: GivenVoice } | null | undefined } | null | undefined;
}

/** Refuses a voice that neither OpenAI nor the household has. Undefined: the household's are unknown now. */
export function checkVoices(
  { voice, audio }: VoiceFields,
  own: readonly string[] | undefined,
  param: 'session' | 'response',
): void {
  const given = { [`${param}.voice`]: voice, [`${param}.audio.output.voice`]: audio?.output?.voice };
  for (const [field, each] of Object.entries(given)) {
    const named = ownVoiceOf(each);
    if (named === null || own === undefined || own.includes(named)) continue;
    const shown = named.slice(0, 100);
    throw refused(`There is no voice "${shown}" here. GET /v1/audio/voices lists the voices.`, field);
  }
}
