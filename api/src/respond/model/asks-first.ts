import { z } from 'zod';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Skill } from '../core/skill.ts';
import type { Tool } from './tool.ts';
import type { SayTool } from './tool-words.ts';

/** Arguments without a fault are always an object. */
const argsSchema = z.record(z.string(), z.unknown());

interface AsksFirstOptions {
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
  say: SayTool;
}

/** Makes a tool with a question ask for a yes first. If no one can answer, the tool does nothing. */
export function createAsksFirst({ pendingQuestions, say }: AsksFirstOptions) {
  return (tool: Tool): Tool => ({
    ...tool,
    async run(args, ask) {
      const { turn, turnId, agreed } = ask;
      // Builds the question again. If others changed its meaning meanwhile, it differs and the yes does not
      // count.
      const asAsked = agreed ? { ...ask, turn: { ...turn, id: agreed.id, text: '' } } : ask;
      const question = (await tool.question?.(args, asAsked)) ?? null;
      if (question === null || question === agreed?.question) return tool.run(args, ask);
      if (turn.conversation === null) return { state: 'asks', said: say('cannot_ask', {}, turn) };
      const noted = { name: tool.spec.name, args: argsSchema.parse(args), id: asAsked.turn.id, question };
      await pendingQuestions.note({ ...turn, id: turnId }, { kind: 'tool', ...noted });
      return { state: 'asks', said: question };
    },
  });
}

interface AgreedOptions {
  tools: () => readonly Tool[];
  say: SayTool;
}

/** A skill without sentences: after a yes it runs exactly the call in question. */
export function createAgreedSkill({ tools, say }: AgreedOptions): Skill {
  return {
    name: 'tools',
    sentences: {},
    intents: {},
    onYes: {
      async tool({ name, args, id, question }, ask) {
        const tool = tools().find(({ spec }) => spec.name === name);
        // An older version with other tools may have asked.
        if (!tool || tool.fault(args) !== null) return say('unavailable', {}, ask.turn);
        await ask.beginActing();
        return (await tool.run(args, { ...ask, turnId: ask.turn.id, agreed: { id, question } })).said;
      },
    },
  };
}
