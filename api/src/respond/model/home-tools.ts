import { z } from 'zod';
import type { WordReader } from '../../language/grammar/words.ts';
import type { HomeControl } from '../home/home-control.ts';
import { defineTool, type Tool } from './tool.ts';
import type { SayTool } from './tool-words.ts';
import type { HasUserEvidence } from './user-evidence.ts';

interface HomeToolsOptions {
  home: Pick<HomeControl, 'run' | 'opensUp'>;
  readWords: WordReader;
  hasUserEvidence: HasUserEvidence;
  ask: SayTool;
}

/**
 * Reports the house's actions and answers in the house's own words. The model never reads them, because
 * strangers may have named its entities.
 */
export function createHomeTools({ home, readWords, hasUserEvidence, ask: shall }: HomeToolsOptions): Tool[] {
  return [
    defineTool({
      name: 'control_home',
      description: 'Run one smart home command, in plain words.',
      effect: 'act',
      args: z.object({ command: z.string().min(1).max(300).describe('As it was said.') }),
      async question({ command }, { turn, turnId, signal, beginActing }) {
        // As plain words: a model may write symbols that no one can follow by ear.
        const words = readWords(command).map(({ word }) => word);
        if (words.length === 0) return null;
        const isAsked = hasUserEvidence({ act: 'home', command }, turn.text);
        // A door opens only after a yes: no one may get in by manipulating the model.
        const asksAnyway =
          isAsked && (await home.opensUp(command, { turn: { ...turn, id: turnId }, signal, beginActing }));
        if (isAsked && !asksAnyway) return null;
        return shall('shall_command', { command: words.join(' ') }, turn);
      },
      async run({ command }, ask) {
        const { turn, turnId, signal, beginActing } = ask;
        // The house itself ensures that a turn runs a command only once.
        const { ok, text } = await home.run(command, { turn: { ...turn, id: turnId }, signal, beginActing });
        return ok
          ? { state: 'done', result: { ok: true }, said: text }
          : { state: 'failed', error: 'That was not done.', said: text };
      },
    }),
  ];
}
