import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { useChanges } from '../../parts/change.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { accessWords, type ShownPairing, usePairing } from '../../parts/pairing.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { LentMachine } from './machine.tsx';

type Machine = components['schemas']['Machine'];

const intervalMs = 3_000;

/** Lists and invites the machines that lend their engines. */
export function Machines({ house }: { house: House }) {
  const machines = useResource<{ machines: Machine[] }>(house, '/admin/machines', intervalMs);
  const { trouble, change } = useChanges(house, machines);
  if (machines.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="machines">
      <h2 id="machines">{t('Second machine')}</h2>
      <p class="quiet">
        {t(
          'A stronger machine, such as a desktop with a graphics card, can lend its language model and its speech recognition. While it is off, this machine answers alone.',
        )}
      </p>
      <Loaded state={machines.state.value} what={t('machines')}>
        {({ machines: all = [] }) => (
          <ul class="items">
            {all.map(
              (machine) =>
                machine.name !== null && (
                  <LentMachine key={machine.name} machine={machine} name={machine.name} change={change} />
                ),
            )}
          </ul>
        )}
      </Loaded>
      <ErrorText text={trouble} />
      <Invite house={house} />
    </section>
  );
}

function Invite({ house }: { house: House }) {
  const { network, isClosed, isLocked, pairing, trouble, begin } = usePairing(house);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const name = field.current?.value.trim() ?? '';
    void begin({ scope: 'lend', ...(name !== '' && { name }) });
  };
  if (isLocked) return <p class="quiet words">{accessWords(network ?? {})}</p>;
  return (
    <>
      <form class="new-token" noValidate onSubmit={submit}>
        <label>
          {t('Name of the machine')}
          <input
            ref={field}
            type="text"
            maxLength={40}
            autocomplete="off"
            spellcheck={false}
            placeholder={t('desktop')}
          />
        </label>
        <button type="submit">
          {isClosed ? t('Open to my home network, and show the command') : t('Show the command')}
        </button>
      </form>
      <ErrorText text={trouble} />
      <div role="status">{pairing?.join_code != null && <Command pairing={pairing} />}</div>
    </>
  );
}

function Command({ pairing: { join_code: code, expires_at: at = '' } }: { pairing: Partial<ShownPairing> }) {
  const { minuteWords } = useHouseholdTimes();
  return (
    <div class="note stack">
      <p>
        {t(
          'On the other machine, clone Hearth into a new folder, and type this command there. It works once, until {time}. That machine needs Linux.',
          { time: minuteWords(Date.parse(at)) },
        )}
      </p>
      <label for="join-command">{t('Command')}</label>
      <CopyField id="join-command" value={`make join CODE=${code}`} />
    </div>
  );
}
