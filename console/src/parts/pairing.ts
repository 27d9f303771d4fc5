import { useSignal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import { sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import { useChanges } from './change.ts';
import { useResource } from './resource.tsx';

export type ShownPairing = components['schemas']['Pairing'];
export type Network = Partial<components['schemas']['Network']>;
type NewPairing = components['schemas']['NewPairing'];

const path = '/admin/network';
const intervalMs = 3_000;

/** Codes that pair another device. They require that Hearth is open to the home network. */
export function usePairing(house: House) {
  const poll = useResource<components['schemas']['Network']>(house, path, intervalMs);
  const { trouble, change } = useChanges(house, poll);
  const pairing = useSignal<Partial<ShownPairing> | null>(null);
  const { value: network, isMissing, isAway } = poll.state.value;
  const isClosed = network?.is_open === false;
  const open = (isOpen: boolean) => change(path, { method: 'PATCH', body: { is_open: isOpen } });
  const pair = async (wish: NewPairing): Promise<void> => {
    try {
      const { body } = await house.caller.call('/admin/pairings', { body: wish });
      pairing.value = bodyOf<ShownPairing>(body);
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
  };
  return {
    /** Null: not known yet. */
    network,
    isMissing,
    isClosed,
    /** Only this machine can use Hearth, and the page cannot change that. */
    isLocked: isClosed && network?.set_by !== 'page',
    /** The last code. Null: there is none, or Hearth was closed after it. */
    pairing: isClosed ? null : pairing.value,
    trouble,
    open,
    /** Null: this device has no access, so it cannot confirm. */
    confirm: isAway ? null : () => void change(`${path}/confirmation`, { method: 'POST' }),
    /** Opens Hearth if it is closed, and makes a code. */
    async begin(wish: NewPairing): Promise<void> {
      pairing.value = null;
      if (isClosed && !(await open(true))) return;
      await pair(wish);
    },
  };
}

const whyClosed: Readonly<Record<string, () => string>> = {
  settings: () =>
    t(
      'HOST in .env is set, but other devices need an access key first. “make phone” in Hearth’s folder makes one.',
    ),
  containers: () =>
    t(
      'Only the computer that runs Hearth can use it now. With Docker, “make phone” in Hearth’s folder opens it.',
    ),
};

/** Which devices can use Hearth. */
export function accessWords({ is_open: isOpen = false, set_by: setBy = 'page', url }: Network): string {
  if (!isOpen) return whyClosed[setBy]?.() ?? t('Only the computer that runs Hearth can use it now.');
  return url
    ? t('Devices at home can use it with a code or an access key, at {url}.', { url })
    : t('Devices at home can use it with a code or an access key.');
}
