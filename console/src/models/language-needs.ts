import type { components } from '../../../api/src/http/contract-types.ts';
import { bytesWords, languageWords } from '../parts/words.ts';

type KnownModel = Pick<
  components['schemas']['ModelChoice'],
  'engine' | 'name' | 'size_bytes' | 'languages' | 'is_here' | 'is_chosen'
>;

const engines = [
  ['stt', 'speech recognition'],
  ['llm', 'language model'],
] as const;

/** Sentences about the models and the voice that a language still needs. */
export function languageNeeds(models: readonly KnownModel[], tag: string): string[] {
  const code = tag.split('-')[0] ?? tag;
  const language = languageWords(tag);
  const knows = ({ languages }: KnownModel) =>
    languages.length === 0 || languages.includes('multilingual') || languages.includes(code);
  const needs = engines.flatMap(([engine, words]): string[] => {
    const those = models.filter((model) => model.engine === engine);
    const used = those.find((model) => model.is_chosen);
    if (used === undefined || knows(used)) return [];
    return [`The ${words} ${used.name} does not know ${language}.${adviceOf(those.filter(knows))}`];
  });
  const voices = models.filter(({ engine }) => engine === 'tts');
  if (voices.length === 0 || voices.some((voice) => voice.is_here && knows(voice))) return needs;
  return [...needs, `No downloaded voice speaks ${language}. Until you download one, espeak-ng speaks.`];
}

/** Names the model that is here, or the smallest download. */
function adviceOf(models: readonly KnownModel[]): string {
  const [best] = models.toSorted(
    (one, other) =>
      Number(other.is_here) - Number(one.is_here) || (one.size_bytes ?? 0) - (other.size_bytes ?? 0),
  );
  if (best === undefined) return '';
  const size = best.is_here ? '' : `, a download of ${bytesWords(best.size_bytes)}`;
  return ` ${best.name} does${size}.`;
}
