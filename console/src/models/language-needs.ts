import type { components } from '../../../api/src/http/contract-types.ts';
import { t } from '../language/translate.ts';
import { bytesWords, languageWords } from '../parts/words.ts';

type KnownModel = Pick<
  components['schemas']['ModelChoice'],
  'engine' | 'name' | 'size_bytes' | 'languages' | 'is_here' | 'is_chosen'
>;

interface Need {
  name: string;
  language: string;
}

/** Sentences about a model that does not know a language. */
const engines = [
  ['stt', (need: Need) => t('The speech recognition {name} does not know {language}.', { ...need })],
  ['llm', (need: Need) => t('The language model {name} does not know {language}.', { ...need })],
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
    return [words({ name: used.name, language }) + adviceOf(those.filter(knows))];
  });
  const voices = models.filter(({ engine }) => engine === 'tts');
  if (voices.length === 0 || voices.some((voice) => voice.is_here && knows(voice))) return needs;
  return [
    ...needs,
    t('No downloaded voice speaks {language}. Until you download one, espeak-ng speaks.', { language }),
  ];
}

/** Names the model that is here, or the smallest download. */
function adviceOf(models: readonly KnownModel[]): string {
  const [best] = models.toSorted(
    (one, other) =>
      Number(other.is_here) - Number(one.is_here) || (one.size_bytes ?? 0) - (other.size_bytes ?? 0),
  );
  if (best === undefined) return '';
  const { name, size_bytes: bytes, is_here: isHere } = best;
  const size = bytesWords(bytes);
  return ` ${isHere ? t('{name} does.', { name }) : t('{name} does, a download of {size}.', { name, size })}`;
}
