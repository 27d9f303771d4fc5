import type { LastCommand } from '../../actions/last-command.ts';
import { withCapital } from '../../language/capitals.ts';
import type { ConditionalCommand } from '../home-query/condition-reader.ts';
import type { CheckedCondition, HomeQuery } from '../home-query/home-query.ts';
import type { SayHome } from './home-reports.ts';
import { type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { HomeGrammar } from './understand/home-grammar.ts';
import { isHouseCommand, type Understood } from './understand/understood.ts';

interface ConditionalCommandsOptions {
  grammar: HomeGrammar;
  query: Pick<HomeQuery, 'check' | 'conditions' | 'ifAnswered' | 'reply'>;
  reply: SayHome;
  last: Pick<LastCommand, 'read'>;
  read: (text: string) => Promise<readonly Understood[]>;
  answer: (understood: readonly Understood[], ask: HomeAsk) => Promise<HomeResult | null>;
}

/** Runs a command if its condition holds now: "if the front door is unlocked, lock it". */
export function createConditionalCommands(options: ConditionalCommandsOptions) {
  const { grammar, query, reply, last, read, answer } = options;
  const conditionIn = query.conditions((text) => {
    const understood = grammar.read(text);
    return understood.length > 0 && understood.every(isHouseCommand);
  });

  /** "It is below 18" refers to the command's target, to its room, or to the speaker's room. */
  const conditionsOf = (
    { condition, ofTarget }: ConditionalCommand,
    [command]: readonly Understood[],
  ): string[] => {
    const targets = ofTarget === null || !command ? [] : [command.target, command.place];
    const said = targets.filter((target) => target !== '').map((target) => `${target} ${ofTarget}`);
    return [...said, condition].map(grammar.asNamed);
  };

  /** "If not, lock it", right after a question. Null: the sentence is something else. */
  const doIfAnswered = async (ask: HomeAsk): Promise<HomeResult | null> => {
    const { turn } = ask;
    const said = query.ifAnswered(turn.text);
    const before = said && (await last.read(turn.conversation));
    if (!said || !before || before.question === '') return null;
    const referring = before.target === '' ? null : grammar.withReferent(said.command, before.target);
    const commands = await read(referring?.text ?? said.command);
    if (commands.length === 0 || commands.some(({ kind }) => kind === 'question')) return null;
    const { holds, clauses } = await query.check([grammar.asNamed(before.question)], ask);
    return await doWhen({ holds, clauses, isUnless: said.isUnless, commands }, ask);
  };

  const doIf = async (ask: HomeAsk): Promise<HomeResult | null> => {
    const answered = await doIfAnswered(ask);
    if (answered) return answered;
    const { turn } = ask;
    const said = conditionIn(turn.text);
    if (said === null) return null;
    if (said.waits) return no(query.reply('automation', {}, turn));
    const commands = await read(said.command);
    const { holds, clauses } = await query.check(conditionsOf(said, commands), ask);
    return await doWhen({ holds, clauses, isUnless: said.isUnless, commands }, ask);
  };

  const doWhen = async (
    {
      holds,
      clauses,
      isUnless,
      commands,
    }: CheckedCondition & { isUnless: boolean; commands: readonly Understood[] },
    ask: HomeAsk,
  ): Promise<HomeResult> => {
    const { turn } = ask;
    if (holds === null) return no(query.reply('unclear', {}, turn));
    if (holds === isUnless) return no(query.reply('left', { clauses: withCapital(clauses) }, turn));
    const result = await answer(commands, ask);
    const { ok, text: done } = result ?? no(reply('not_a_command', {}, turn));
    return { ok, text: query.reply('so', { clauses: withCapital(clauses), done }, turn) };
  };

  return {
    /** Whether a sentence is a command with a condition. */
    isConditional: (text: string): boolean => conditionIn(text) !== null,
    doIf,
  };
}
