import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';

type Pairing = components['schemas']['Pairing'];

/** A code that a phone's camera reads, with which it gets a token of its own. */
export function PairPhone({ house }: { house: House }) {
  const pairing = useSignal<Partial<Pairing> | null>(null);
  const trouble = useSignal('');
  const scope = useRef<HTMLSelectElement>(null);
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    pairing.value = null;
    try {
      const wish = { scope: scope.current?.value ?? 'talk' };
      const { body } = await house.caller.call('/admin/pairings', { body: wish });
      pairing.value = bodyOf<Pairing>(body);
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
  };
  return (
    <section class="stack" aria-labelledby="pair-phone">
      <h3 id="pair-phone">Pair a phone</h3>
      <form class="new-token" onSubmit={(event) => void begin(event)}>
        <label>
          The phone may
          <select ref={scope}>
            <option value="talk">talk: ask and command</option>
            <option value="look">look: also read everything</option>
            <option value="administer">administer: everything</option>
          </select>
        </label>
        <button type="submit">Show a code for its camera</button>
      </form>
      <ErrorText text={trouble} />
      <div role="status">{pairing.value?.url !== undefined && <Code pairing={pairing.value} />}</div>
    </section>
  );
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
