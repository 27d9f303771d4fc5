import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { OwnSentenceFiles, SentenceDraft } from '../settings/own-sentences.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { hangUpSignal } from './caller-turn.ts';
import type { Handlers } from './contract-routes.ts';

interface OwnSentenceRoutesOptions {
  sentences: OwnSentenceFiles;
  /** Asks a worker whether Hearth could start with a file. */
  check: WorkerCalls['sentences'];
  log: Logger;
}

type OwnSentenceHandlers = Pick<
  Handlers,
  'listOwnSentences' | 'getShippedSentences' | 'saveOwnSentences' | 'removeOwnSentences'
>;

/** A worker rebuilds all its responders, which takes seconds on a busy machine. */
const checkSentencesMs = 120_000;

/** The household's additions to the sentences of its languages. */
export function adminSentenceRoutes(options: OwnSentenceRoutesOptions): OwnSentenceHandlers {
  const { sentences, check, log } = options;
  const shown = () => ({
    files: sentences.added(),
    possible: [...sentences.files],
    restart_needed: sentences.needRestart(),
  });

  /** An invalid file would keep Hearth from starting, so each file is checked before it is saved. */
  const change = async (draft: SentenceDraft, signal: AbortSignal, tokenName: string | null) => {
    sentences.known(draft.file);
    const fault = await check(draft, { withinMs: checkSentencesMs, signal });
    if (fault !== null) throw new AppError('invalid_request', fault, { param: 'text' });
    sentences.keep(draft);
    log.info({ token_name: tokenName, file: draft.file }, 'household sentences changed from the page');
    return shown();
  };

  return {
    listOwnSentences: shown,
    getShippedSentences: ({ query: { file } }) => ({ file, text: sentences.shipped(file) }),
    saveOwnSentences: ({ body, reply, request: { caller } }) =>
      change(body, hangUpSignal(reply), caller.tokenName),
    removeOwnSentences: ({ query: { file }, reply, request: { caller } }) =>
      change({ file, text: null }, hangUpSignal(reply), caller.tokenName),
  };
}
