import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { type Changes, useChanges } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useResource } from '../../parts/resource.tsx';
import { DeviceSearch, type FoundDeviceRow } from './device-search.tsx';

type AllDevices = components['schemas']['VoiceDevices'];
type Device = AllDevices['devices'][number];
type NewDevice = components['schemas']['NewVoiceDevice'];
type DeviceChanges = components['schemas']['VoiceDeviceChanges'];

/** Short, because a person who has just adopted a device waits for its connection. */
const intervalMs = 3_000;

/** Devices with ESPHome's firmware, such as the Voice PE: a search, an address form, and their states. */
export function VoiceDevices({ house }: { house: House }) {
  const poll = useResource<AllDevices>(house, '/admin/devices', intervalMs);
  const { trouble, change } = useChanges(house, poll);
  if (poll.state.value.isMissing) return null;
  const { devices = [] } = poll.state.value.value ?? {};
  return (
    <section class="card stack" aria-labelledby="voice-devices">
      <h2 id="voice-devices">{t('Voice devices')}</h2>
      <p class="quiet">
        {t(
          'A Voice PE or another device with ESPHome talks to Hearth directly. If it is in Home Assistant, remove it there first: it connects to only one program.',
        )}
      </p>
      {devices.length > 0 && (
        <ul class="items">
          {devices.map((device) => (
            <OneDevice key={device.id} device={device} onChange={change} />
          ))}
        </ul>
      )}
      <ErrorText text={trouble} />
      <h3>{t('Add a voice device')}</h3>
      <Adopt house={house} onAdopt={(body) => change('/admin/devices', { body })} />
    </section>
  );
}

const stateWords: Readonly<Record<string, () => string>> = {
  connecting: () => t('connecting …'),
  connected: () => t('connected'),
  failed: () => t('failed'),
};

function OneDevice({ device, onChange }: { device: Device; onChange: Changes['change'] }) {
  const { id, name, room, state, problem, model } = device;
  const path = `/admin/devices/${id}`;
  return (
    <li class="device">
      <div class="row">
        <span class="words">
          {name} <span class="quiet small">{[room, model].filter(Boolean).join(', ')}</span>
        </span>
        <span class="quiet small">{stateWords[state]?.() ?? state}</span>
        <ConfirmButton sure={t('Remove it?')} onConfirm={() => void onChange(path, { method: 'DELETE' })}>
          {t('Remove')}
          <span class="visually-hidden"> {name}</span>
        </ConfirmButton>
      </div>
      {problem !== null && <p class={state === 'failed' ? 'wrong words' : 'quiet words'}>{problem}</p>}
      <WakeWords device={device} onChange={(body) => onChange(path, { method: 'PATCH', body })} />
      <Edit device={device} onChange={(body) => onChange(path, { method: 'PATCH', body })} />
    </li>
  );
}

type OnChange = (changes: DeviceChanges) => Promise<boolean>;

function WakeWords({ device, onChange }: { device: Device; onChange: OnChange }) {
  const { name, wake_words: offered } = device;
  if (offered.length === 0) return null;
  const chosen = offered.filter(({ active }) => active).map(({ id }) => id);
  return (
    <fieldset>
      <legend class="quiet small">{t('{name}: wake words', { name })}</legend>
      {offered.map(({ id, words, active }) => (
        <label key={id} class="row">
          <input
            type="checkbox"
            checked={active}
            // Keep the last wake word: without one, the device could not be woken.
            disabled={active && chosen.length === 1}
            onChange={() =>
              void onChange({ wake_words: active ? chosen.filter((each) => each !== id) : [...chosen, id] })
            }
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

function Edit({ device, onChange }: { device: Device; onChange: OnChange }) {
  const [room, address, key] = [useField(), useField(), useField()];
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    const [where, secret] = [typed(room), typed(key)];
    const isDone = await onChange({
      address: typed(address),
      ...(where !== '' && { room: where }),
      ...(secret !== '' && { key: secret }),
    });
    isBusy.value = false;
    if (isDone && key.current) key.current.value = '';
  };
  return (
    <details>
      <summary>
        {t('Change')}
        <span class="visually-hidden"> {device.name}</span>
      </summary>
      <form class="new-token" noValidate onSubmit={(event) => void submit(event)}>
        <label>
          {t('Room')}
          <input ref={room} type="text" maxLength={100} autocomplete="off" defaultValue={device.room ?? ''} />
        </label>
        <label>
          {t('Address')}
          <input ref={address} type="text" maxLength={260} autocomplete="off" defaultValue={device.address} />
        </label>
        <label>
          {device.has_key ? t('Another key') : t('Encryption key')}
          <input ref={key} type="password" maxLength={60} autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit" disabled={isBusy.value}>
          {t('Save')}
        </button>
        {device.has_key && (
          <button type="button" disabled={isBusy.value} onClick={() => void onChange({ key: null })}>
            {t('Remove the key')}
          </button>
        )}
      </form>
    </details>
  );
}

interface AdoptProps {
  house: House;
  onAdopt: (device: NewDevice) => Promise<boolean>;
}

function Adopt({ house, onAdopt }: AdoptProps) {
  const [address, name, room, key] = [useField(), useField(), useField(), useField()];
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    const [where, secret] = [typed(room), typed(key)];
    const isDone = await onAdopt({
      name: typed(name),
      address: typed(address),
      ...(where !== '' && { room: where }),
      ...(secret !== '' && { key: secret }),
    });
    isBusy.value = false;
    if (isDone) form.current?.reset();
  };
  const fill = (found: FoundDeviceRow): void => {
    if (address.current) address.current.value = found.address;
    if (name.current) name.current.value = (found.label ?? found.name).replaceAll('/', ' ').slice(0, 40);
    (found.encrypted ? key : room).current?.focus();
  };
  return (
    <form ref={form} class="new-token" noValidate onSubmit={(event) => void submit(event)}>
      <DeviceSearch house={house} onChoose={fill} />
      <label>
        {t('Address')}
        <input ref={address} type="text" maxLength={260} autocomplete="off" placeholder="192.168.1.30" />
      </label>
      <label>
        {t('Name')}
        <input ref={name} type="text" maxLength={40} autocomplete="off" placeholder={t('kitchen puck')} />
      </label>
      <label>
        {t('Room')}
        <input ref={room} type="text" maxLength={100} autocomplete="off" placeholder={t('kitchen')} />
      </label>
      <label>
        {t('Encryption key, if it has one')}
        <input ref={key} type="password" maxLength={60} autocomplete="off" spellcheck={false} />
      </label>
      <button type="submit" disabled={isBusy.value}>
        {t('Add it')}
      </button>
    </form>
  );
}

type Input = ReturnType<typeof useField>;

const useField = () => useRef<HTMLInputElement>(null);
const typed = (field: Input): string => field.current?.value.trim() ?? '';
