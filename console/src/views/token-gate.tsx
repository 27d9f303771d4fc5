import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { House } from '../house.ts';
import { t, tRich } from '../language/translate.ts';
import { ErrorText } from '../parts/error-text.tsx';

/** Asks for an access key when the server wants one. */
export function TokenGate({ house }: { house: House }) {
  const trouble = useSignal(house.wanted.value ?? '');
  const isBusy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token === '') {
      trouble.value = t('Enter the access key.');
      return;
    }
    isBusy.value = true;
    trouble.value = (await house.enter(token, remember.current?.checked ?? false)) ?? '';
    isBusy.value = false;
    field.current?.select();
  };

  return (
    <form class="card gate" onSubmit={(event) => void submit(event)}>
      <h1>{t('Sign in')}</h1>
      <p>
        {tRich(
          'Enter this device’s access key. You can make one in the settings, or use the {token} in {file} on the machine that runs Hearth.',
          { token: <code>SERVICE_TOKEN</code>, file: <code>secrets.env</code> },
        )}
      </p>
      <label for="token">{t('Access key')}</label>
      <input
        id="token"
        ref={field}
        type="password"
        autocomplete="current-password"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="token-trouble"
        aria-invalid={trouble.value !== ''}
      />
      <ErrorText text={trouble} id="token-trouble" />
      <label class="check">
        <input ref={remember} type="checkbox" /> {t('Remember it on this device')}
      </label>
      <button class="primary" type="submit" disabled={isBusy}>
        {t('Sign in')}
      </button>
    </form>
  );
}
