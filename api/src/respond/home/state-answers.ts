import type { SayReply } from '../core/skill-language.ts';
import type { HomeReports } from './home-reports.ts';
import type { OwnAnswer } from './own-commands.ts';
import type { outcomeShape } from './understand/home-shape.ts';

type SayOwn = SayReply<keyof (typeof outcomeShape)['replies']>;

/** Phrases the answer to a question about states: "Yes.", "Not all of them." */
export function createStateAnswers({ reply, named }: { reply: SayOwn } & Pick<HomeReports, 'named'>) {
  return ({ yes, no, silent }: OwnAnswer, turn: { id: string }): string => {
    const unknown = reply(
      silent.length === 1 ? 'silent_one' : 'silent_some',
      { things_start: named(silent) },
      turn,
    );
    if (yes.length + no.length === 0) return unknown;
    const text =
      yes.length > 0 && no.length > 0
        ? reply('not_all', { things: named(yes), others: named(no) }, turn)
        : reply(yes.length > 0 ? 'yes' : 'no', {}, turn);
    return silent.length === 0 ? text : `${text} ${unknown}`;
  };
}
