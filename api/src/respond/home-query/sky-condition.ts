import type { HomeClient } from '../../engines/home-client.ts';
import { joinedWords, type WordReader } from '../../language/grammar/words.ts';
import type { HomeAsk } from '../home/home-result.ts';
import type { QueryWords } from './query-shape.ts';

interface SkyOptions {
  client: Pick<HomeClient, 'sun'>;
  words: Pick<QueryWords, 'sky'>;
  readWords: WordReader;
}

/** Tests conditions about the sun: "if it is dark, turn on the porch light". Null: it is another one. */
export function createSkyCondition({ client, words: { sky }, readWords }: SkyOptions) {
  const [dark, light] = [sky.dark, sky.light].map(
    (texts) => new Set(texts.map((text) => joinedWords(readWords(text)))),
  );

  return async (readings: readonly string[], { signal }: Pick<HomeAsk, 'signal'>) => {
    const said = readings.map((text) => joinedWords(readWords(text)));
    const asksDark = said.some((text) => dark?.has(text));
    if (!asksDark && !said.some((text) => light?.has(text))) return null;
    const sun = await client.sun(signal);
    if (!sun) return null;
    const isDark = sun.state === 'below_horizon';
    return { holds: isDark === asksDark, clauses: isDark ? sky.is_dark : sky.is_light };
  };
}
