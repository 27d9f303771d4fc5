import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t, tRich } from '../language/translate.ts';
import { Brand } from '../parts/brand.tsx';
import { sentenceOf } from '../server/call.ts';
import { Certificate } from './certificate.tsx';
import { pairDevice } from './pair-device.ts';
import { readFacts, secureOrigin, trustedOrigin } from './trust.ts';

type Shown =
  | { what: 'looking' }
  | { what: 'certificate'; port: number }
  | { what: 'pairing' }
  | { what: 'none' }
  | { what: 'trouble'; why: string };

/** Moves a device to https if available, pairs it with the code of the link, and opens the page. */
export function PhoneView() {
  const shown = useSignal<Shown>({ what: 'looking' });
  const code = location.hash.slice(1);
  const begin = async (): Promise<void> => {
    shown.value = { what: 'looking' };
    shown.value = await goOn(code, () => {
      shown.value = { what: 'pairing' };
    });
  };
  useEffect(() => {
    document.title = t('Hearth on this device');
    void begin();
  }, []);
  return (
    <div class="phone">
      <header>
        <Brand />
      </header>
      <main>
        <Part shown={shown.value} code={code} onAgain={() => void begin()} />
      </main>
    </div>
  );
}

/** Leaves the page, or returns the next screen. */
async function goOn(code: string, onPairing: () => void): Promise<Shown> {
  const facts = await readFacts();
  const port = facts?.https_port ?? null;
  if (location.protocol === 'http:' && port !== null && location.hostname !== 'localhost') {
    const trusted = await trustedOrigin(port);
    if (trusted === null) return { what: 'certificate', port };
    location.replace(`${trusted}/phone#${code}`);
    return { what: 'looking' };
  }
  if (code === '') return { what: 'none' };
  onPairing();
  try {
    await pairDevice(code);
    location.replace('/');
    return { what: 'pairing' };
  } catch (error) {
    return { what: 'trouble', why: sentenceOf(error) };
  }
}

function Part({ shown, code, onAgain }: { shown: Shown; code: string; onAgain: () => void }) {
  switch (shown.what) {
    case 'looking':
      return <p role="status">{t('Looking for Hearth …')}</p>;
    case 'pairing':
      return <p role="status">{t('Pairing this device …')}</p>;
    case 'certificate':
      return <Certificate goOn={`${secureOrigin(shown.port)}/phone#${code}`} onAgain={onAgain} />;
    case 'none':
      return (
        <div class="stack">
          <h1>{t('Pair this device')}</h1>
          <p>
            {tRich(
              'Run {command} on the machine that runs Hearth, or open its settings there, and scan the code with this device’s camera.',
              { command: <code>make phone</code> },
            )}
          </p>
          <p>
            <a href="/">{t('Open Hearth')}</a>
          </p>
        </div>
      );
    case 'trouble':
      return (
        <div class="stack">
          <h1>{t('This device was not paired')}</h1>
          <p class="words" role="alert">
            {shown.why}
          </p>
          <button class="primary" type="button" onClick={onAgain}>
            {t('Try again')}
          </button>
        </div>
      );
  }
}
