import { type Signal, useSignal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import { type Changes, useChanges } from '../parts/change.ts';
import { useResource } from '../parts/resource.tsx';
import { bytesWords, languageWords } from '../parts/words.ts';
import type { Poll } from '../server/poll.ts';

export type ModelChoices = components['schemas']['ModelChoices'];
export type ModelChoice = components['schemas']['ModelChoice'];
export type ShownOrder = components['schemas']['ModelOrder'];

/** Interval at which the progress bar moves, short enough to look alive. */
const intervalMs = 1_500;

/** The available models, and the actions on them. */
export interface Choosing {
  poll: Poll<Partial<ModelChoices>>;
  trouble: Signal<string>;
  /** An order was started on this page, so this page reports its end. */
  isFollowed: Signal<boolean>;
  order: (model: ModelChoice) => Promise<void>;
  stop: () => Promise<void>;
  findVoices: () => Promise<void>;
  change: Changes['change'];
}

export function useChoosing(house: House): Choosing {
  const poll = useResource<ModelChoices>(house, '/admin/models', intervalMs);
  const { trouble, change } = useChanges(house, poll);
  const isFollowed = useSignal(false);
  return {
    poll,
    trouble,
    isFollowed,
    change,
    order: async ({ engine, id }) => {
      isFollowed.value = true;
      await change('/admin/models/order', { body: { engine, id } });
    },
    stop: async () => void (await change('/admin/models/order', { method: 'DELETE' })),
    findVoices: async () => void (await change('/admin/models/voices', { method: 'POST' })),
  };
}

export function isOrderRunning(order: ShownOrder | null | undefined): order is ShownOrder {
  return order != null && order.state !== 'done' && order.state !== 'failed';
}

/** "486 MB · MIT · English" */
export function aboutWords({ size_bytes: bytes, licence, languages }: ModelChoice): string {
  return [bytesWords(bytes), licence, languages.map(languageWords).join(', ')].filter(Boolean).join(' · ');
}

/** The progress of an order in words. */
export function orderWords({
  name,
  state,
  bytes_done: done,
  bytes_total: total,
  reason,
}: ShownOrder): string {
  if (state === 'checking') return t('{name}: looking for the download …', { name });
  if (state === 'downloading')
    return t('{name}: {done} of {total} downloaded.', {
      name,
      done: bytesWords(done),
      total: bytesWords(total),
    });
  if (state === 'verifying') return t('{name}: checking the download …', { name });
  if (state === 'trying')
    return t('{name}: testing it. The old one works until the new one answers.', { name });
  return reason ?? '';
}
