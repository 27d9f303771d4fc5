import { useSignal } from '@preact/signals';
import { Screen } from './screen.tsx';
import { phoneStepsOf } from './steps.ts';
import { type System, systemOf, systems } from './system.ts';

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
      <h1>Let this device trust your home</h1>
      <p>
        Your browser allows the microphone only over a private connection. Your home has a certificate for it,
        and this device does not trust it yet.
      </p>
      <section class="card stack">
        <h2>Quick</h2>
        <p>
          Continue without it. The browser warns: choose <strong>Advanced</strong> (Safari: Show Details),
          then <strong>Proceed</strong> or <strong>visit this website</strong>. It may ask again one day.
        </p>
        <a class="button primary" href={goOn}>
          Continue without the certificate
        </a>
      </section>
      <section class="card stack">
        <h2>For good</h2>
        <label>
          This device
          <select
            value={system.value}
            onChange={({ currentTarget }) => (system.value = chosen(currentTarget.value))}
          >
            {systems.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <a class="button" href="/hearth-ca.crt" download="hearth-ca.crt">
          Get the certificate
        </a>
        <ol class="steps">
          {phoneStepsOf[system.value].map(({ text, screen }) => (
            <li key={text}>
              <p>{text}</p>
              <Screen {...screen} />
            </li>
          ))}
        </ol>
        <button class="primary" type="button" onClick={onAgain}>
          I have installed it
        </button>
        <p class="quiet small">The certificate is valid only for names and addresses at home.</p>
      </section>
    </div>
  );
}

function chosen(value: string): System {
  return systems.find((each) => each === value) ?? 'Linux';
}
