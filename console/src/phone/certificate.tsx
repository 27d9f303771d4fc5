import { useSignal } from '@preact/signals';
import { t, tRich } from '../language/translate.ts';
import { Screen } from './screen.tsx';
import { phoneStepsOf } from './steps.ts';
import { type System, systemOf, systems, systemWords } from './system.ts';

interface CertificateProps {
  /** The page to open without a certificate. */
  goOn: string;
  onAgain: () => void;
}

/** The steps to install the household's certificate, and a link to continue without it. */
export function Certificate({ goOn, onAgain }: CertificateProps) {
  const system = useSignal<System>(systemOf(navigator.userAgent, navigator.maxTouchPoints));
  return (
    <div class="stack">
      <h1>{t('Let this device trust your home')}</h1>
      <p>
        {t(
          'Your browser allows the microphone only over a private connection. Your home has a certificate for it, and this device does not trust it yet.',
        )}
      </p>
      <section class="card stack">
        <h2>{t('Quick')}</h2>
        <p>
          {tRich(
            'Continue without it. The browser warns: choose {advanced} (Safari: Show Details), then {proceed} or {visit}. It may ask again one day.',
            {
              advanced: <strong>{t('Advanced')}</strong>,
              proceed: <strong>{t('Proceed')}</strong>,
              visit: <strong>{t('visit this website')}</strong>,
            },
          )}
        </p>
        <a class="button primary" href={goOn}>
          {t('Continue without the certificate')}
        </a>
      </section>
      <section class="card stack">
        <h2>{t('For good')}</h2>
        <label>
          {t('This device')}
          <select
            value={system.value}
            onChange={({ currentTarget }) => (system.value = chosen(currentTarget.value))}
          >
            {systems.map((each) => (
              <option key={each} value={each}>
                {systemWords(each)}
              </option>
            ))}
          </select>
        </label>
        <a class="button" href="/hearth-ca.crt" download="hearth-ca.crt">
          {t('Get the certificate')}
        </a>
        <ol class="steps">
          {phoneStepsOf[system.value]().map(({ text, screen }) => (
            <li key={text}>
              <p>{text}</p>
              <Screen {...screen} />
            </li>
          ))}
        </ol>
        <button class="primary" type="button" onClick={onAgain}>
          {t('I have installed it')}
        </button>
        <p class="quiet small">{t('The certificate is valid only for names and addresses at home.')}</p>
      </section>
    </div>
  );
}

function chosen(value: string): System {
  return systems.find((each) => each === value) ?? 'Linux';
}
