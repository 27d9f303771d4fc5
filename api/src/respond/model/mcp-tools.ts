import { z } from 'zod';
import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { IdempotencyGuard } from '../../actions/idempotency-guard.ts';
import { McpError } from '../../engines/mcp-client.ts';
import type { McpServers } from '../../engines/mcp-servers.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { ActionKind } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Ask, Skill } from '../core/skill.ts';
import { tellsMore } from './leaks.ts';
import { type OfferedTool, offeredTools } from './offered-tools.ts';
import { faultIn, plainSchema } from './plain-schema.ts';
import { asSpoken, describeArgs } from './said-args.ts';
import type { Tool, ToolAsk, ToolOutcome } from './tool.ts';
import type { McpAction } from './tool-records.ts';
import type { SayTool } from './tool-words.ts';

interface McpToolsOptions {
  servers: Pick<McpServers, 'states' | 'call'>;
  pendingQuestions: HouseholdQuestions;
  isFirstAttempt: IdempotencyGuard;
  notes: Pick<ActionNotes<McpAction>, 'note'>;
  say: SayTool;
}

export interface McpTools {
  /** The tools of all servers sorted by name, so that their order never changes. */
  tools: (settings: Pick<Pipeline, 'mcp_servers' | 'mcp_confirms'>) => readonly Tool[];
  /** A skill without sentences: it runs a tool after a yes, and reports it afterwards. */
  skill: (settings: () => Pick<Pipeline, 'mcp_servers'>) => Skill;
}

/** Runs tools, each action once, and records those that did or may have done something. */
function createToolUse({ servers, isFirstAttempt, notes, say }: Omit<McpToolsOptions, 'pendingQuestions'>) {
  /** The result is for the model, and only if the call was made for it. */
  const use = async ({ server, tool, effect }: OfferedTool, args: Record<string, unknown>, ask: Ask) => {
    const names = { tool: asSpoken(tool.name), server: asSpoken(server) };
    try {
      const { text, isError } = await servers.call({ server, tool: tool.name, args, signal: ask.signal });
      if (isError) return failed('The tool says that it failed.', say('failed', {}, ask.turn));
      if (effect === 'read') return { state: 'done', result: { text }, said: '' } satisfies ToolOutcome;
      await note('mcp.use', { server, tool }, ask);
      return {
        state: 'done',
        result: { ok: true },
        said: say('used', names, ask.turn),
      } satisfies ToolOutcome;
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
      const names = { tool: asSpoken(each.tool.name), server: asSpoken(each.server) };
      return failed('It was begun before.', say('unknown_whether', names, ask.turn));
    }
    return use(each, args, ask);
  };
}

/** Tools of the configured servers. Hearth never presents their text as its own, and asks before they act. */
export function createMcpTools({
  servers,
  pendingQuestions,
  isFirstAttempt,
  notes,
  say,
}: McpToolsOptions): McpTools {
  const offered = ({ mcp_servers }: Pick<Pipeline, 'mcp_servers'>) =>
    offeredTools(mcp_servers, servers.states());
  const useOnce = createToolUse({ servers, isFirstAttempt, notes, say });

  /** Asks for a yes and stores the call, so that the yes runs exactly this call. */
  const askFirst = async (
    each: OfferedTool,
    args: Record<string, unknown>,
    ask: ToolAsk,
  ): Promise<ToolOutcome> => {
    const { turn, turnId } = ask;
    if (turn.conversation === null) return { state: 'asks', said: say('cannot_ask', {}, turn) };
    const names = { tool: asSpoken(each.tool.name), server: asSpoken(each.server) };
    const values = describeArgs(args, turn.speaks);
    if (values === null) {
      const why = turn.speaks ? 'too_long_to_hear' : 'too_long_to_read';
      return failed('It is too long to be read out, so it cannot be confirmed.', say(why, names, turn));
    }
    await pendingQuestions.note({ ...turn, id: turnId }, { kind: 'mcp', name: each.name, args });
    const withWords = values === '' ? '' : say('with', { values });
    return { state: 'asks', said: say('shall_use', { ...names, with: withWords }, turn) };
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
      async run(args, ask) {
        const checked = z.record(z.string(), z.unknown()).parse(args);
        const tells = ask.mayLeak && tellsMore(checked, schema, ask.turn.text);
        // The result would come too late for this turn, so a yes is pointless.
        if (tells && each.effect === 'read')
          return failed(
            'Not allowed.',
            say('not_after_private', { server: asSpoken(each.server) }, ask.turn),
          );
        return needsYes || tells ? askFirst(each, checked, ask) : useOnce(each, checked, ask);
      },
    };
  };

  const actionKind = (did: Parameters<SayTool>[0], undid: Parameters<SayTool>[0]): ActionKind<McpAction> => ({
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
          await ask.beginActing();
          const id = actionId(ask.turn.id, JSON.stringify({ name, args }));
          return (await useOnce(each, args, { ...ask, turn: { ...ask.turn, id } })).said;
        },
      },
      actions: {
        'mcp.use': actionKind('did_use', 'cannot_take_back'),
        'mcp.begin': actionKind('unknown_whether', 'unknown_whether'),
      },
    }),
  };
}

function failed(error: string, said: string): ToolOutcome {
  return { state: 'failed', error, said };
}

function namesIn({ tool, server }: Pick<McpAction, 'tool' | 'server'>) {
  return { tool: asSpoken(tool), server: asSpoken(server) };
}
