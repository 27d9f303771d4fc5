import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { HouseholdFolder } from '../settings/household-folder.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { HouseholdWakeWords } from '../wake/household-wake-words.ts';
import { createStreamingModel } from '../wake/streaming-model.ts';
import { UnreadableModel } from '../wake/unreadable-model.ts';
import { readWakeWordManifest, type WakeWord } from '../wake/wake-word.ts';
import { maxWakeWords } from '../wake/wake-word-folder.ts';
import type { Handlers } from './contract-routes.ts';

interface AdminWakeWordRoutesOptions {
  wakeWords: HouseholdWakeWords;
  /** The household's own wake words, the last folder of `wakeWords`. */
  folder: HouseholdFolder;
  settings: () => Pick<Pipeline, 'wake_words'>;
  log: Logger;
}

type WakeWordHandlers = Pick<Handlers, 'listWakeWordFiles' | 'addWakeWord' | 'removeWakeWord'>;

/** Lists, adds and deletes the household's own wake words, which are files in its folder. */
export function adminWakeWordRoutes(options: AdminWakeWordRoutesOptions): WakeWordHandlers {
  const { wakeWords, folder, settings, log } = options;

  const shown = () => {
    const { words, refused } = wakeWords.now();
    const { own } = wakeWords.origins();
    const used = settings().wake_words;
    return {
      words: words.map(({ id, phrase, languages, model }) => ({
        word: id,
        phrase,
        languages: [...languages],
        size_bytes: model.length,
        is_own: own.includes(id),
        is_used: used.includes(id),
      })),
      refused,
    };
  };
  /** A manifest may have another name than its model. */
  const removeManifestsOf = (word: string): void => {
    for (const name of folder.names().filter((each) => each.endsWith('.json'))) {
      if (modelIn(folder.read(name)) === `${word}.tflite`) folder.remove(name);
    }
  };

  return {
    listWakeWordFiles: shown,

    addWakeWord({ body, request: { caller } }) {
      const word = readNew(body);
      wakeWords.now();
      const { own } = wakeWords.origins();
      if (own.length >= maxWakeWords && !own.includes(word.id))
        throw new AppError(
          'not_possible',
          `You have already added ${maxWakeWords} wake words. Delete one first.`,
        );
      folder.write(word.modelFile, word.model);
      removeManifestsOf(word.id);
      folder.write(`${word.id}.json`, body.manifest);
      wakeWords.lookAgain();
      log.info({ token_name: caller.tokenName, word: word.id }, 'wake word added from the page');
      return shown();
    },

    removeWakeWord({ path: { word }, request: { caller } }) {
      wakeWords.now();
      const { own, shipped } = wakeWords.origins();
      if (!own.includes(word))
        throw new AppError('not_found', 'Your household has no wake word of this name.', { param: 'word' });
      if (settings().wake_words.includes(word) && !shipped.includes(word)) {
        const how = 'This wake word is in use. Choose another one with the setting Wake words first.';
        throw new AppError('not_possible', how, { param: 'word' });
      }
      removeManifestsOf(word);
      folder.remove(`${word}.tflite`);
      wakeWords.lookAgain();
      log.info({ token_name: caller.tokenName, word }, 'wake word deleted from the page');
      return shown();
    },
  };
}

/** Undefined: it does not describe a model. */
function modelIn(manifest: Buffer | null): string | undefined {
  try {
    return manifest === null ? undefined : readWakeWordManifest(manifest.toString('utf8')).modelFile;
  } catch (error) {
    if (error instanceof UnreadableModel) return undefined;
    throw error;
  }
}

/** Loading the model proves that it can run. */
function readNew({ manifest, model }: { manifest: string; model: string }): WakeWord {
  const tried = <Result>(param: string, work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UnreadableModel)) throw error;
      throw new AppError('invalid_request', `This wake word cannot be used: ${error.message}.`, { param });
    }
  };
  const read = tried('manifest', () => readWakeWordManifest(manifest));
  const bytes = Uint8Array.from(Buffer.from(model, 'base64'));
  tried('model', () => createStreamingModel(bytes));
  return { ...read, id: read.modelFile.replace(/\.tflite$/, ''), model: bytes };
}
