import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';

type Found = components['schemas']['FoundVoiceDevices'];
export type FoundDeviceRow = Found['devices'][number];

interface DeviceSearchProps {
  house: House;
  onChoose: (device: FoundDeviceRow) => void;
}

/** Lists the ESPHome devices on the network. Searches only on a press of its button. */
export function DeviceSearch({ house, onChoose }: DeviceSearchProps) {
  const found = useSignal<readonly FoundDeviceRow[] | null>(null);
  const [trouble, isBusy] = [useSignal(''), useSignal(false)];
  const search = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const { body } = await house.caller.call('/admin/devices/search', { method: 'POST' });
      const { devices = [] } = bodyOf<Found>(body);
      [found.value, trouble.value] = [devices.filter(({ adopted }) => !adopted), ''];
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return (
    <div class="stack whole">
      <div>
        <button type="button" disabled={isBusy.value} onClick={() => void search()}>
          {isBusy.value ? t('Searching …') : t('Search the network')}
        </button>
      </div>
      <p class="quiet small" role="status">
        {found.value !== null && !isBusy.value && foundWords(found.value)}
      </p>
      {found.value !== null && found.value.length > 0 && (
        <ul class="items">
          {found.value.map((device) => (
            <li key={device.address} class="row">
              <span class="words">
                {device.label ?? device.name}{' '}
                <span class="quiet small">
                  {device.encrypted
                    ? t('{address}, needs its key', { address: device.address })
                    : device.address}
                </span>
              </span>
              <button type="button" onClick={() => onChoose(device)}>
                {t('Choose')}
                <span class="visually-hidden"> {device.label ?? device.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="wrong words" role="alert">
        {trouble}
      </p>
    </div>
  );
}

function foundWords(found: readonly FoundDeviceRow[]): string {
  if (found.length === 0)
    return t(
      'Found no other device. Enter its address: your router lists it. (Hearth cannot search from a container.)',
    );
  return t('Devices with ESPHome, voice devices first. Lamps and sensors are among them, too.');
}
