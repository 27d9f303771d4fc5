import { z } from 'zod';
import type { HomeControl } from '../home/home-control.ts';
import { defineTool, type Tool } from './tool.ts';

/** What the house does and answers is told in the house's own words, and never read by the model: others may have named its things. */
export function createHomeTools(home: Pick<HomeControl, 'run'>): Tool[] {
  return [
    defineTool({
      name: 'control_home',
      description: 'Run one smart home command, in plain words.',
      effect: 'act',
      args: z.object({ command: z.string().min(1).max(300).describe('As it was said.') }),
      async run({ command }, ask) {
        const { turn, turnId, signal, certain } = ask;
        // Of its own accord the house acts once for a turn and a command.
        const { ok, text } = await home.run(command, { turn: { ...turn, id: turnId }, signal, certain });
        return ok
          ? { state: 'done', told: { ok: true }, said: text }
          : { state: 'failed', error: 'That was not done.', said: text };
      },
    }),
  ];
}
