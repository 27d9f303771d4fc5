import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { accessWords, type Network, type ShownPairing, usePairing } from '../../parts/pairing.ts';
import { QrCode } from '../../parts/qr-code.tsx';

type Scope = components['schemas']['Scope'];

const scopes: readonly (readonly [Scope, () => string])[] = [
  ['talk', () => t('talk: ask and command')],
  ['look', () => t('look: also read everything')],
  ['administer', () => t('administer: everything')],
];

/** Opens Hearth to the home network, and shows a code for a phone's camera that gives it a separate token. */
export function PairPhone({ house }: { house: House }) {
  const { network, isMissing, isClosed, isLocked, pairing, trouble, ...pairings } = usePairing(house);
  const field = useRef<HTMLSelectElement>(null);
  const begin = (event: Event): void => {
    event.preventDefault();
    const scope = scopes.find(([each]) => each === field.current?.value)?.[0] ?? 'talk';
    void pairings.begin({ scope });
  };
  return (
    <>
      {!isMissing && (
        <HomeNetwork
          network={network}
          onOpen={(isOpen) => void pairings.open(isOpen)}
          onConfirm={pairings.confirm}
        />
      )}
      {!isLocked && (
        <form class="new-token" onSubmit={begin}>
          <label class="whole">
            {t('The phone may')}
            <select ref={field}>
              {scopes.map(([scope, words]) => (
                <option key={scope} value={scope}>
                  {words()}
                </option>
              ))}
            </select>
          </label>
          <button type="submit">
            {isClosed ? t('Open, and show a code for its camera') : t('Show a code for its camera')}
          </button>
        </form>
      )}
      <ErrorText text={trouble} />
      <div role="status">{pairing?.url !== undefined && <Code pairing={pairing} />}</div>
    </>
  );
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
          {t('Open to my home network')}
        </label>
      )}
      <p class={network === null ? 'quiet loading' : 'quiet words'}>
        {network === null ? t('One moment …') : accessWords(network)}
      </p>
      {revertsAt !== null && (
        <div class="note row spread" role="status">
          <p>
            {t('Hearth opens again at {time}, because a device closed its own access.', {
              time: minuteWords(Date.parse(revertsAt)),
            })}
            {onConfirm === null && ` ${t('To keep it closed, confirm it on the computer that runs Hearth.')}`}
          </p>
          {onConfirm !== null && (
            <button type="button" onClick={onConfirm}>
              {t('Keep it closed')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function Code({ pairing: { url = '', is_secure: isSecure } }: { pairing: Partial<ShownPairing> }) {
  return (
    <div class="note stack">
      <p>{t('Scan this with the phone’s camera. It works for one phone, and for ten minutes.')}</p>
      <QrCode text={url} />
      <p class="mono small words">{url}</p>
      {isSecure === false && (
        <p class="quiet">
          {t(
            'The phone will be able to type, but not to speak: for that, run make phone in a terminal on the machine that runs Hearth.',
          )}
        </p>
      )}
    </div>
  );
}
