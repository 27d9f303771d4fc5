import type { HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError } from '../../engines/home-fault.ts';
import { fill } from '../../language/phrase.ts';
import type { HomeReports } from './home-reports.ts';
import type { HomeAsk } from './home-result.ts';
import type { Order } from './target-resolver.ts';
import type { HomeWords } from './understand/home-words.ts';

interface ObeyOptions {
  client: Pick<HomeClient, 'act'>;
  reports: Pick<HomeReports, 'named'>;
  words: Pick<HomeWords, 'told'>;
  onFailure: (error: HomeError) => void;
}

/** Maximum number of things in a command by their ids that the answer names. */
export const maxTold = 3;

/** Commands that must not be retried: a second "louder" is louder still. */
const isRelative = (orders: readonly Order[]) =>
  orders.some(({ call }) => /_(up|down|track)$/.test(call.service));

export type Obey = ReturnType<typeof createObey>;

/** Commands entities by their ids. */
export function createObey({ client, reports, words, onFailure }: ObeyOptions) {
  const call = async (orders: readonly Order[], isFirst: boolean, signal: AbortSignal): Promise<boolean> => {
    const [first] = orders;
    if (!first) return true;
    const ids = orders.map(({ thing }) => thing.id);
    try {
      await client.act(first.call.service, ids, signal, first.call.data);
      return true;
    } catch (error) {
      const isOurs = error instanceof HomeError;
      // Home Assistant refused the call. Any other failure before the first call concerns the whole command.
      if (!isOurs || (isFirst && error.failure !== 'broken' && error.failure !== 'missing')) throw error;
      onFailure(error);
      return false;
    }
  };

  /** The orders of one call that were carried out. One broken entity fails the call for all of them. */
  const callGroup = async (orders: readonly Order[], isFirst: boolean, signal: AbortSignal) => {
    if (await call(orders, isFirst, signal)) return orders;
    if (orders.length === 1 || isRelative(orders)) return [];
    const done: Order[] = [];
    for (const order of orders) if (await call([order], false, signal)) done.push(order);
    return done;
  };

  return async (
    intent: string,
    orders: readonly Order[],
    { signal }: Pick<HomeAsk, 'signal'>,
  ): Promise<HomeAnswer> => {
    const groups = [...Map.groupBy(orders, (order) => JSON.stringify(order.call)).values()];
    const [done, failed]: [Order[], Order[]] = [[], []];
    for (const [at, group] of groups.entries()) {
      const obeyed = await callGroup(group, at === 0, signal);
      done.push(...obeyed);
      failed.push(...group.filter((order) => !obeyed.includes(order)));
    }
    const [succeeded, broken] = [done, failed].map((some) => some.map(({ thing }) => thing));
    const phrase = orders.length <= maxTold ? words.told[intent] : undefined;
    return {
      kind: failed.length > 0 ? 'failed' : 'done',
      speech: phrase === undefined ? '' : fill(phrase, { things: reports.named(succeeded ?? []) }),
      succeeded: succeeded ?? [],
      failed: broken ?? [],
      asksBack: false,
    };
  };
}
