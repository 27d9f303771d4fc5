import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { components } from '../../../api/src/http/contract-types.ts';
import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import { ErrorText } from '../parts/error-text.tsx';
import { CallError, sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import { foundWords } from './thing-words.ts';

type Wish = components['schemas']['NewHomeAssistant'];
type Found = components['schemas']['HomeAssistantFound'];
type Homes = components['schemas']['FoundHomeAssistants'];

/** Longer than a worker's own limit of 15 s. */
const withinMs = 20_000;
/** Time after which the form says that it is still trying. */
const saysAfterMs = 1_000;
const exampleUrl = 'http://192.168.1.20:8123';

interface ConnectHomeProps {
  house: House;
  /** The address to begin with. */
  url?: string | null;
  /** Called with a sentence about the result, and with '' when a try begins. */
  onResult: (words: string) => void;
}

/** Asks for the address and token of Home Assistant, and tests them at once. */
export function ConnectHome({ house, url = null, onResult }: ConnectHomeProps) {
  const id = useId();
  const address = useRef<HTMLInputElement>(null);
  const token = useRef<HTMLInputElement>(null);
  const trial = useSignal<AbortController | null>(null);
  const isSlow = useSignal(false);
  const trouble = useSignal<{ param: string | null; words: string } | null>(null);
  const fieldOf = (param: string | null) => (param === 'token' ? token : address).current;
  const connect = async (): Promise<void> => {
    const body: Wish = { url: address.current?.value ?? '', token: token.current?.value ?? '' };
    onResult('');
    trouble.value = whatIsMissing(body);
    if (trouble.value !== null) return fieldOf(trouble.value.param)?.focus();
    const own = new AbortController();
    trial.value = own;
    const slow = setTimeout(() => {
      isSlow.value = true;
    }, saysAfterMs);
    try {
      const options = { method: 'PUT', body, withinMs, signal: own.signal };
      const answer = await house.caller.call('/admin/home-assistant', options);
      if (token.current) token.current.value = '';
      await house.health.ask();
      onResult(foundWords(bodyOf<Found>(answer.body)));
    } catch (error) {
      if (own.signal.aborted) return fieldOf(null)?.focus();
      const param = error instanceof CallError ? error.param : null;
      trouble.value = { param, words: sentenceOf(error) };
      fieldOf(param)?.focus();
    } finally {
      clearTimeout(slow);
      [trial.value, isSlow.value] = [null, false];
    }
  };
  const isBusy = trial.value !== null;
  const marks = (param: string) => ({
    'aria-invalid': trouble.value?.param === param,
    'aria-describedby': trouble.value?.param === param ? `${id}-wrong` : undefined,
  });
  return (
    <form
      class="stack connect-home"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void connect();
      }}
    >
      <HomeSearch
        house={house}
        onChoose={(url) => {
          if (address.current) address.current.value = url;
          token.current?.focus();
        }}
      />
      <label>
        {t('Address of Home Assistant')}
        <input
          ref={address}
          type="url"
          defaultValue={url ?? ''}
          inputMode="url"
          maxLength={300}
          autocomplete="off"
          spellcheck={false}
          placeholder={exampleUrl}
          {...marks('url')}
        />
      </label>
      <label>
        {t('Long-lived access token')}
        <input
          ref={token}
          type="password"
          maxLength={2000}
          autocomplete="off"
          spellcheck={false}
          {...marks('token')}
        />
      </label>
      <p class="quiet small">
        {t('In Home Assistant: your name, then Security, then Create token. Hearth never shows it again.')}
      </p>
      <ErrorText text={trouble.value?.words ?? ''} id={`${id}-wrong`} />
      <p class="quiet small" role="status">
        {isSlow.value && t('No answer yet. Hearth keeps trying for a few seconds.')}
      </p>
      <div class="row">
        <button type="submit" disabled={isBusy}>
          {isBusy ? t('Trying …') : t('Try and connect')}
        </button>
        {isBusy && (
          <button class="plain" type="button" onClick={() => trial.value?.abort()}>
            {t('Cancel')}
          </button>
        )}
      </div>
    </form>
  );
}

interface HomeSearchProps {
  house: House;
  onChoose: (url: string) => void;
}

/** Lists the Home Assistant servers on the network. Searches only on a press of its button. */
function HomeSearch({ house, onChoose }: HomeSearchProps) {
  const homes = useSignal<Homes['homes'] | null>(null);
  const [trouble, isBusy] = [useSignal(''), useSignal(false)];
  const search = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const { body } = await house.caller.call('/admin/home-assistant/search', { method: 'POST' });
      [homes.value, trouble.value] = [bodyOf<Homes>(body).homes ?? [], ''];
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return (
    <div class="stack">
      <div>
        <button type="button" disabled={isBusy.value} onClick={() => void search()}>
          {isBusy.value ? t('Searching …') : t('Find it on the network')}
        </button>
      </div>
      <p class="quiet small" role="status">
        {homes.value?.length === 0 &&
          !isBusy.value &&
          t('Found no Home Assistant. Type its address. (Hearth cannot search from a container.)')}
      </p>
      {homes.value !== null && homes.value.length > 0 && (
        <ul class="items">
          {homes.value.map(({ name, url, version }) => (
            <li key={url} class="row">
              <span class="words">
                {name} <span class="quiet small">{[url, version].filter(Boolean).join(', ')}</span>
              </span>
              <button type="button" onClick={() => onChoose(url)}>
                {t('Choose')}
                <span class="visually-hidden"> {name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ErrorText text={trouble} />
    </div>
  );
}

function whatIsMissing({ url, token }: Wish) {
  if (url.trim() === '') return { param: 'url', words: t('Type the address of your Home Assistant.') };
  return token.trim() === ''
    ? { param: 'token', words: t('Paste an access token from Home Assistant.') }
    : null;
}
