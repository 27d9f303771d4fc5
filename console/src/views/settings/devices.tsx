import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { Joinings } from './joinings.tsx';
import { PairPhone } from './pair-phone.tsx';
import { ThisDevice } from './this-device.tsx';

/** This device, phones to pair, and satellites that ask to join. */
export function Devices({ house }: { house: House }) {
  return (
    <section class="card stack" aria-labelledby="devices">
      <h2 id="devices">{t('Phone and devices')}</h2>
      <section class="stack" aria-labelledby="pair-phone">
        <h3 id="pair-phone">{t('Use it on your phone')}</h3>
        <PairPhone house={house} />
      </section>
      <Joinings house={house} />
      <ThisDevice house={house} />
    </section>
  );
}
