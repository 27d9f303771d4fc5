import { z } from 'zod';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { ListName } from '../../lists/list-action.ts';
import { type ItemFault, keyOf, type ListItem } from '../../lists/list-item.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { ListTalk } from '../skills/lists/list-talk.ts';
import type { NotItem } from '../skills/lists/list-words.ts';
import { defineTool, type Tool, type ToolAsk, type ToolOutcome } from './tool.ts';
import type { SayTool } from './tool-words.ts';
import type { HasUserEvidence } from './user-evidence.ts';

interface ListToolsOptions {
  talk: ListTalk;
  pendingQuestions: HouseholdQuestions;
  grammar: Grammar;
  hasUserEvidence: HasUserEvidence;
  ask: SayTool;
}

/** Longer than any list's name; the list rejects longer names. */
const list = z.string().min(1).max(200).describe('Which list: shopping, todo, or one of the household.');
const item = z.string().min(1).max(20_000).describe('The thing, in a few words.');

/** Tools for the household's lists, with the functions of the lists skill. */
export function createListTools(options: ListToolsOptions): Tool[] {
  const calls = createListCalls(options);
  return [addTool(options, calls), removeTool(options, calls), readTool(options, calls)];
}

type ListCalls = ReturnType<typeof createListCalls>;

/** Shared by the calls: reads a list and its items, and answers if nothing can be done at once. */
function createListCalls({ talk, pendingQuestions, grammar, hasUserEvidence }: ListToolsOptions) {
  const { reply, names, say } = talk;

  /** A list as a model names it: "shopping", "todo", "Camping list". */
  const readName = (text: string) => {
    const said = grammar.readWords(text);
    const meant = names.readName(said.at(-1)?.word === talk.words.list ? said.slice(0, -1) : said);
    const joined = (key: string) => key.replaceAll(' ', '');
    return { said, meant: names.always.find(({ key }) => joined(key) === joined(meant.key)) ?? meant };
  };
  const named = (text: string): Promise<ListName> => {
    const { said, meant } = readName(text);
    return talk.current(meant, names.keysOf(said));
  };
  const itemsOf = (text: string, list: ListName): Promise<ListItem[] | ItemFault | NotItem> =>
    talk.itemsIn({ text, said: grammar.readWords(text), list });

  const failed = (ask: ToolAsk, key: 'no_list' | ItemFault | NotItem, name = ''): ToolOutcome => {
    const said = reply(key === 'empty' || key === 'no_thing' ? 'not_items' : key, { name }, ask.turn);
    return { state: 'failed', error: said, said };
  };

  /** As in the skill, an unknown list is created only after a yes. */
  const askWhetherToMake = async (ask: ToolAsk, meant: ListName, found: ListItem[]): Promise<ToolOutcome> => {
    const { turn, turnId } = ask;
    if (turn.conversation === null) return { state: 'asks', said: reply('cannot_ask', {}, turn) };
    await pendingQuestions.note({ ...turn, id: turnId }, { kind: 'list.make', list: meant, items: found });
    return {
      state: 'asks',
      said: reply('shall_make', { name: meant.name, items: say.items(found) }, turn),
    };
  };

  /** The list, if it exists and can hold the items. */
  const knownIn = async (args: { list: string; item: string }) => {
    const meant = await named(args.list);
    const found = await itemsOf(args.item, meant);
    return Array.isArray(found) ? { known: await talk.known(meant.key), found } : { known: null, found: [] };
  };
  /** The person requested it in their own words. */
  const isSaid = (act: 'add' | 'take', args: { list: string; item: string }, { turn }: ToolAsk) =>
    hasUserEvidence({ act, list: readName(args.list).meant.key, text: args.item }, turn.text);

  return { named, itemsOf, failed, askWhetherToMake, knownIn, isSaid };
}

function outcomeOf(isDone: boolean, { name }: ListName, said: string): ToolOutcome {
  return isDone
    ? { state: 'done', result: { ok: true, list: name }, said }
    : { state: 'failed', error: said, said };
}

function addTool({ talk, grammar, ask: shall }: ListToolsOptions, calls: ListCalls): Tool {
  const { names, say } = talk;
  return defineTool({
    name: 'add_to_list',
    description: 'Add an item to a list.',
    effect: 'act',
    args: z.object({ list, item }),
    async question(args, ask) {
      const { known, found } = await calls.knownIn(args);
      // For an unknown list `run` asks anyway.
      if (!known || calls.isSaid('add', args, ask)) return null;
      return shall('shall_add', { items: say.items(found), list: say.list(known) }, ask.turn);
    },
    async run(args, ask) {
      const meant = await calls.named(args.list);
      const found = await calls.itemsOf(args.item, meant);
      if (!Array.isArray(found)) return calls.failed(ask, found);
      const known = await talk.known(meant.key);
      if (!known && !names.isName(grammar.readWords(meant.name)))
        return calls.failed(ask, 'no_list', args.list.slice(0, 40));
      if (!known) return calls.askWhetherToMake(ask, meant, found);
      const put = await talk.change.put(ask, known, found);
      return outcomeOf(typeof put !== 'string', known, talk.tellPut(put, { ask, meant: known, found }));
    },
  });
}

function removeTool({ talk, ask: shall }: ListToolsOptions, calls: ListCalls): Tool {
  const { things, say } = talk;
  return defineTool({
    name: 'remove_from_list',
    description: 'Take an item off a list.',
    effect: 'act',
    args: z.object({ list, item }),
    async question(args, ask) {
      const { known, found } = await calls.knownIn(args);
      if (!known || calls.isSaid('take', args, ask)) return null;
      const { items: there } = await talk.read(ask, known);
      const items = found.flatMap((each) => things.find(there, each));
      // If no item is there, `run` says so.
      if (items.length === 0) return null;
      return shall('shall_take', { items: say.items(items), list: say.list(known) }, ask.turn);
    },
    async run(args, ask) {
      const meant = await calls.named(args.list);
      const found = await calls.itemsOf(args.item, meant);
      if (!Array.isArray(found)) return calls.failed(ask, found);
      const known = await talk.known(meant.key);
      if (!known) return calls.failed(ask, 'no_list', meant.name);
      const { taken, said } = await talk.take(ask, known, found);
      return outcomeOf(taken.length > 0, known, said);
    },
  });
}

function readTool({ talk }: ListToolsOptions, calls: ListCalls): Tool {
  return defineTool({
    name: 'get_list',
    description: 'Get the items on a list.',
    effect: 'read',
    bringsWords: true,
    args: z.object({ list }),
    async run(args, ask) {
      const meant = await calls.named(args.list);
      const known = await talk.known(meant.key);
      if (!known) return calls.failed(ask, 'no_list', keyOf(args.list).slice(0, 40));
      const { items, said } = await talk.read(ask, known);
      return { state: 'done', result: { list: known.name, items: items.map(({ text }) => text) }, said };
    },
  });
}
