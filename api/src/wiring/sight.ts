import { createSay } from '../language/phrases.ts';
import type { PictureSupport } from '../turn/shown-pictures.ts';
import type { ApiCore } from './api-core.ts';

/** Whether the language model accepts pictures, as reported by the workers. */
export function sightOf({ language, workers }: Pick<ApiCore, 'language' | 'workers'>): PictureSupport {
  return {
    sees: () => workers.engine('llm')?.sees ?? false,
    aboutPictures: createSay(language.phrases)('about_pictures'),
  };
}
