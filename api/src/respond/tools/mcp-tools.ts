import { z } from 'zod';
import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { IdempotencyGuard } from '../../actions/idempotency-guard.ts';
import { McpError } from '../../engines/mcp-client.ts';
import type { McpServers } from '../../engines/mcp-servers.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { ActionKind } from '../household-actions.ts';
import type { HouseholdQuestions } from '../household-questions.ts';
import type { Ask, Skill } from '../skills/skill.ts';
import { type OfferedTool, offeredTools } from './offered-tools.ts';
import { faultIn, plainSchema } from './plain-schema.ts';
import type { Tool, ToolAsk, ToolOutcome } from './tool.ts';
import type { McpAction } from './tool-records.ts';
import type { SayTool } from './tool-words.ts';

/** Most letters of a question that can still be followed by ear. */
const mostSpoken = 160;

interface McpToolsOptions {
  servers: Pick<McpServers, 'states' | 'call'>;
  asked: HouseholdQuestions;
  isFirstAttempt: IdempotencyGuard;
  notes: Pick<ActionNotes<McpAction>, 'note'>;
  say: SayTool;
}

export interface McpTools {
  /** The tools of all servers, by name, so that they stand in the same order every time. */
  tools: (settings: Pick<Pipeline, 'mcp_servers' | 'mcp_confirms'>) => readonly Tool[];
  /** A skill without sentences: it uses a tool after a yes, and tells of it afterwards. */
  skill: (settings: () => Pick<Pipeline, 'mcp_servers'>) => Skill;
}

/** Uses tools, each action once, and notes those that did something or may have. */
function createToolUse({ servers, isFirstAttempt, notes, say }: Omit<McpToolsOptions, 'asked'>) {
  /** Its answer is for the model, and only where the tool was called for that. */
  const use = async ({ server, tool, effect }: OfferedTool, args: Record<string, unknown>, ask: Ask) => {
    const names = { tool: spoken(tool.name), server: spoken(server) };
    try {
      const { text, isError } = await servers.call({ server, tool: tool.name, args, signal: ask.signal });
      if (isError) return failed('The tool says that it failed.', say('failed', {}, ask.turn));
      if (effect === 'read') return { state: 'done', told: { text }, said: '' } satisfies ToolOutcome;
      await note('mcp.use', { server, tool }, ask);
      return { state: 'done', told: { ok: true }, said: say('used', names, ask.turn) } satisfies ToolOutcome;
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      if (error.failure === 'unreachable')
        return failed('It cannot be reached.', say('unavailable', {}, ask.turn));
      const wrong = 'It did not answer as it should.';
      if (effect === 'read') return failed(wrong, say('unavailable', {}, ask.turn));
      await note('mcp.begin', { server, tool }, ask);
      return failed(wrong, say('unknown_whether', names, ask.turn));
    }
  };

  const note = (
    kind: McpAction['kind'],
    { server, tool }: Pick<OfferedTool, 'server' | 'tool'>,
    { turn }: Ask,
  ) => notes.note({ turn: turn.id, at: turn.createdAt, kind, server, tool: tool.name }, turn.conversation);

  return async (each: OfferedTool, args: Record<string, unknown>, ask: Ask): Promise<ToolOutcome> => {
    if (each.effect === 'act' && !(await isFirstAttempt(ask.turn.id))) {
      const names = { tool: spoken(each.tool.name), server: spoken(each.server) };
      return failed('It was begun before.', say('unknown_whether', names, ask.turn));
    }
    return use(each, args, ask);
  };
}

/** Tools of servers that the household has named. Hearth never tells their words as its own, and asks before they do anything. */
export function createMcpTools({ servers, asked, isFirstAttempt, notes, say }: McpToolsOptions): McpTools {
  const offered = ({ mcp_servers }: Pick<Pipeline, 'mcp_servers'>) =>
    offeredTools(mcp_servers, servers.states());
  const useOnce = createToolUse({ servers, isFirstAttempt, notes, say });

  /** Asks for a yes and remembers the call, so that a yes runs exactly this call and no other. */
  const askFirst = async (
    each: OfferedTool,
    args: Record<string, unknown>,
    ask: ToolAsk,
  ): Promise<ToolOutcome> => {
    const { turn, turnId } = ask;
    if (turn.conversation === null) return { state: 'asks', said: say('cannot_ask', {}, turn) };
    await asked.note({ ...turn, id: turnId }, { kind: 'mcp', name: each.name, args });
    const values = { tool: spoken(each.tool.name), server: spoken(each.server), with: withWords(args) };
    return { state: 'asks', said: say('shall_use', values, turn) };
  };
  const withWords = (args: Record<string, unknown>): string => {
    const values = Object.entries(args).map(([name, value]) => `${spoken(name)} ${spoken(wordsOf(value))}`);
    return values.length === 0 ? '' : say('with', { values: values.join(', ').slice(0, mostSpoken) });
  };

  const toTool = (each: OfferedTool, confirms: boolean): Tool => {
    const schema = plainSchema(each.tool.schema);
    const parameters = { type: 'object', properties: {}, ...schema };
    const needsYes = each.effect === 'act' && confirms;
    return {
      spec: { name: each.name, description: each.tool.description, parameters },
      effect: each.effect,
      bringsWords: each.effect === 'read',
      isForeign: true,
      fault: (args) => faultIn(args, { ...schema, type: 'object' }),
      run: (args, ask) => {
        const checked = z.record(z.string(), z.unknown()).parse(args);
        return needsYes ? askFirst(each, checked, ask) : useOnce(each, checked, ask);
      },
    };
  };

  const told = (did: Parameters<SayTool>[0], undid: Parameters<SayTool>[0]): ActionKind<McpAction> => ({
    tell: (action, turn) => say(did, namesIn(action), turn),
    undo: async ({ action }, { turn }) => say(undid, namesIn(action), turn),
  });

  return {
    tools: (settings) => offered(settings).map((each) => toTool(each, settings.mcp_confirms)),

    skill: (settings) => ({
      name: 'mcp',
      sentences: {},
      intents: {},
      onYes: {
        async mcp({ name, args }, ask) {
          const each = offered(settings()).find((one) => one.name === name);
          if (!each) return say('unavailable', {}, ask.turn);
          await ask.certain();
          const id = actionId(ask.turn.id, JSON.stringify({ name, args }));
          return (await useOnce(each, args, { ...ask, turn: { ...ask.turn, id } })).said;
        },
      },
      actions: {
        'mcp.use': told('did_use', 'cannot_take_back'),
        'mcp.begin': told('unknown_whether', 'unknown_whether'),
      },
    }),
  };
}

function failed(error: string, said: string): ToolOutcome {
  return { state: 'failed', error, said };
}

function namesIn({ tool, server }: Pick<McpAction, 'tool' | 'server'>) {
  return { tool: spoken(tool), server: spoken(server) };
}

/** A name or a value as it can be said: letters, digits and plain signs. */
function spoken(text: string): string {
  return text
    .replaceAll(/[_\s-]+/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,:'’&%+/@]/gu, '')
    .trim()
    .slice(0, mostSpoken);
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
