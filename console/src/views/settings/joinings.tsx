import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t, tRich } from '../../language/translate.ts';
import { useChanges } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useResource } from '../../parts/resource.tsx';

type AllJoinings = components['schemas']['Joinings'];
type Joining = AllJoinings['joinings'][number];
type Admission = components['schemas']['Admission'];

/** Short, because a person who has just plugged in a satellite watches this page. */
const intervalMs = 3_000;

/** Lists the satellites that ask to join, and tells how to install one. */
export function Joinings({ house }: { house: House }) {
  const requests = useRequests(house);
  if (requests.poll.state.value.isMissing) return null;
  return (
    <section class="stack" aria-labelledby="satellites">
      <h3 id="satellites">{t('Satellites')}</h3>
      <Requests
        requests={requests}
        none={t('When you start a new satellite, it asks here whether it may join.')}
      />
      <Installation />
    </section>
  );
}

/** The same for Home, where it appears only while a satellite asks. */
export function NewSatellites({ house }: { house: House }) {
  const requests = useRequests(house);
  if (requests.joinings.length === 0 && requests.status.value === '') return null;
  return (
    <section class="card stack" aria-labelledby="satellites">
      <h2 id="satellites">{t('Satellites')}</h2>
      <Requests requests={requests} />
    </section>
  );
}

function useRequests(house: House) {
  const poll = useResource<AllJoinings>(house, '/admin/joinings', intervalMs);
  const status = useSignal('');
  const { joinings = [] } = poll.state.value.value ?? {};
  return { poll, status, joinings, ...useChanges(house, poll) };
}

interface RequestsProps {
  requests: ReturnType<typeof useRequests>;
  /** The sentence for the case that none asks. */
  none?: string;
}

/** The six digits that a satellite says and shows admit it. */
function Requests({ requests: { joinings, status, trouble, change }, none = '' }: RequestsProps) {
  return (
    <>
      <p class="quiet" role="status">
        {status.value || (joinings.length === 0 && none)}
      </p>
      <ErrorText text={trouble} />
      {joinings.map((joining) => (
        <OneJoining
          key={joining.id}
          joining={joining}
          onAdmit={(body) =>
            change(`/admin/joinings/${joining.id}`, { body }, () => {
              status.value = t('“{name}” has joined.', { name: body.name });
            })
          }
          onRefuse={() =>
            change(`/admin/joinings/${joining.id}`, { method: 'DELETE' }, () => {
              status.value = '';
            })
          }
        />
      ))}
    </>
  );
}

const parts = 'Makefile scripts satellite api/src/wake api/src/cli/gettext.ts services/requirements.lock';

/** Copies the satellite to a machine and installs it there, in two steps: sudo may ask for a password. */
function installCommand({ hostname, origin }: Pick<Location, 'hostname' | 'origin'>): string {
  // Other machines can use the address of this page unless it is a loopback address.
  const address = /^(localhost|127\..*|\[::1\])$/.test(hostname) ? '' : ` ${origin}`;
  const unpack = "'mkdir -p hearth && tar -xC hearth'";
  return `H=pi@kitchen.local; tar -c ${parts} | ssh $H ${unpack} && ssh -t $H sudo hearth/satellite/install${address}`;
}

function Installation() {
  return (
    <details>
      <summary>{t('Install a satellite')}</summary>
      <div class="stack">
        <p>
          {tRich(
            'You need a Raspberry Pi or another machine with Debian, a microphone and a loudspeaker. Type this in the folder of Hearth, on the machine that runs it, with the name of the other machine instead of {machine}. The same command updates a satellite later.',
            { machine: <code>pi@kitchen.local</code> },
          )}
        </p>
        <label for="install-satellite">{t('Command')}</label>
        <CopyField id="install-satellite" value={installCommand(location)} />
      </div>
    </details>
  );
}

interface OneJoiningProps {
  joining: Joining;
  onAdmit: (admission: Admission) => Promise<boolean>;
  onRefuse: () => Promise<boolean>;
}

function OneJoining({ joining: { name, from }, onAdmit, onRefuse }: OneJoiningProps) {
  const isBusy = useSignal(false);
  const digits = useRef<HTMLInputElement>(null);
  const room = useRef<HTMLInputElement>(null);
  const called = useRef<HTMLInputElement>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const value = (field: typeof room) => field.current?.value.trim() ?? '';
    isBusy.value = true;
    // Digits may be typed in groups, as the satellite says them.
    await onAdmit({ digits: value(digits).replaceAll(/\D/g, ''), name: value(called), room: value(room) });
    isBusy.value = false;
  };
  return (
    <form class="new-token" noValidate onSubmit={(event) => void submit(event)}>
      <p class="words">
        {t('A satellite asks to join: {name}', { name })}{' '}
        <span class="quiet small">{t('at {address}', { address: from })}</span>
      </p>
      <label>
        {t('Six digits')}
        <input ref={digits} type="text" inputMode="numeric" autocomplete="one-time-code" maxLength={11} />
      </label>
      <label>
        {t('Room')}
        <input ref={room} type="text" maxLength={100} autocomplete="off" placeholder={t('kitchen')} />
      </label>
      <label>
        {t('Name')}
        <input ref={called} type="text" maxLength={40} autocomplete="off" placeholder={t('kitchen shelf')} />
      </label>
      <button type="submit" disabled={isBusy.value}>
        {t('Let it in')}
      </button>
      <ConfirmButton sure={t('Refuse it?')} onConfirm={() => void onRefuse()}>
        {t('Refuse')}
      </ConfirmButton>
    </form>
  );
}
