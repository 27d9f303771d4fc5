import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { useChanges } from '../../parts/change.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { QrCode } from '../../parts/qr-code.tsx';
import { useResource } from '../../parts/resource.tsx';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';

type Pairing = components['schemas']['Pairing'];
type Network = Partial<components['schemas']['Network']>;

const path = '/admin/network';
const networkEveryMs = 3_000;

/** Opens Hearth to the home network, and shows a code for a phone's camera that gives it a separate token. */
export function PairPhone({ house }: { house: House }) {
  const network = useResource<components['schemas']['Network']>(house, path, networkEveryMs);
  const { trouble, change } = useChanges(house, network);
  const pairing = useSignal<Partial<Pairing> | null>(null);
  const scope = useRef<HTMLSelectElement>(null);
  const { value, isMissing, isAway } = network.state.value;
  const isClosed = value?.is_open === false;
  const open = (isOpen: boolean) => change(path, { method: 'PATCH', body: { is_open: isOpen } });
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    pairing.value = null;
    const wish = { scope: scope.current?.value ?? 'talk' };
    if (isClosed && !(await open(true))) return;
    await pair(house, wish, { pairing, trouble });
  };
  return (
    <>
      {!isMissing && (
        <HomeNetwork
          network={value}
          onOpen={(isOpen) => void open(isOpen)}
          onConfirm={isAway ? null : () => void change(`${path}/confirmation`, { method: 'POST' })}
        />
      )}
      {!(isClosed && value?.set_by !== 'page') && (
        <form class="new-token" onSubmit={(event) => void begin(event)}>
          <label>
            The phone may
            <select ref={scope}>
              <option value="talk">talk: ask and command</option>
              <option value="look">look: also read everything</option>
              <option value="administer">administer: everything</option>
            </select>
          </label>
          <button type="submit">
            {isClosed ? 'Open, and show a code for its camera' : 'Show a code for its camera'}
          </button>
        </form>
      )}
      <ErrorText text={trouble} />
      <div role="status">
        {!isClosed && pairing.value?.url !== undefined && <Code pairing={pairing.value} />}
      </div>
    </>
  );
}

interface Shown {
  pairing: Signal<Partial<Pairing> | null>;
  trouble: Signal<string>;
}

async function pair(house: House, wish: { scope: string }, { pairing, trouble }: Shown): Promise<void> {
  try {
    const { body } = await house.caller.call('/admin/pairings', { body: wish });
    pairing.value = bodyOf<Pairing>(body);
    trouble.value = '';
  } catch (error) {
    trouble.value = sentenceOf(error);
  }
}

interface HomeNetworkProps {
  /** Null: not known yet. */
  network: Network | null;
  onOpen: (isOpen: boolean) => void;
  /** Null: this device has no access, so it cannot confirm. */
  onConfirm: (() => void) | null;
}

function HomeNetwork({ network, onOpen, onConfirm }: HomeNetworkProps) {
  const { minuteWords } = useHouseholdTimes();
  const { is_open: isOpen = false, set_by: setBy = 'page', reverts_at: revertsAt = null } = network ?? {};
  return (
    <>
      {setBy === 'page' && (
        <label class="check">
          <input
            type="checkbox"
            checked={isOpen}
            disabled={network === null}
            onChange={({ currentTarget }) => onOpen(currentTarget.checked)}
          />
          Open to my home network
        </label>
      )}
      <p class={network === null ? 'quiet loading' : 'quiet words'}>
        {network === null ? 'One moment …' : accessWords(network)}
      </p>
      {revertsAt !== null && (
        <div class="note row spread" role="status">
          <p>
            Hearth opens again at {minuteWords(Date.parse(revertsAt))}, because a device closed its own
            access.
            {onConfirm === null && ' To keep it closed, confirm it on the computer that runs Hearth.'}
          </p>
          {onConfirm !== null && (
            <button type="button" onClick={onConfirm}>
              Keep it closed
            </button>
          )}
        </div>
      )}
    </>
  );
}

const whyClosed: Readonly<Record<string, string>> = {
  settings:
    'HOST in .env is set, but other devices need an access key first. “make phone” in Hearth’s folder makes one.',
  containers:
    'Only the computer that runs Hearth can use it now. With Docker, “make phone” in Hearth’s folder opens it.',
};

function accessWords({ is_open: isOpen = false, set_by: setBy = 'page', url }: Network): string {
  if (!isOpen) return whyClosed[setBy] ?? 'Only the computer that runs Hearth can use it now.';
  return `Devices at home can use it with a code or an access key${url ? `, at ${url}` : ''}.`;
}

function Code({ pairing: { url = '', is_secure: isSecure } }: { pairing: Partial<Pairing> }) {
  return (
    <div class="note stack">
      <p>Scan this with the phone’s camera. It works for one phone, and for ten minutes.</p>
      <QrCode text={url} />
      <p class="mono small words">{url}</p>
      {isSecure === false && (
        <p class="quiet">
          The phone will be able to type, but not to speak: for that, run make phone in a terminal on the
          machine that runs Hearth.
        </p>
      )}
    </div>
  );
}
