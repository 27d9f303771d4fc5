import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useFew } from '../../parts/few.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';

type AllTokens = components['schemas']['Tokens'];
type Token = AllTokens['tokens'][number];
type MadeToken = components['schemas']['MadeToken'];

const intervalMs = 15_000;
const fewTokens = 8;

const may: Readonly<Record<string, () => string>> = {
  lend: () => t('Lend its engines'),
  talk: () => t('Talk|scope'),
  look: () => t('Talk and look'),
  administer: () => t('Administer'),
};

/** Lists, creates and revokes the tokens of devices and programs. Shows a new token only once. */
export function Tokens({ house }: { house: House }) {
  const poll = useResource<AllTokens>(house, '/admin/tokens', intervalMs);
  const made = useSignal<Partial<MadeToken> | null>(null);
  const trouble = useSignal('');
  const change = async (call: () => Promise<void>): Promise<boolean> => {
    try {
      await call();
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
      return false;
    }
    await poll.ask();
    return true;
  };
  const make = (name: string, scope: string) =>
    change(async () => {
      made.value = null;
      const { body } = await house.caller.call('/admin/tokens', { body: { name, scope } });
      made.value = bodyOf<MadeToken>(body);
    });
  const revoke = (name: string) =>
    change(async () => {
      await house.caller.call(`/admin/tokens/${encodeURIComponent(name)}`, { method: 'DELETE' });
      if (made.value?.name === name) made.value = null;
    });
  if (poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="tokens">
      <h2 id="tokens">{t('Access keys')}</h2>
      <p class="quiet">
        {t(
          'Give each satellite, tablet and program a separate access key. One that may only talk cannot read what others said.',
        )}
      </p>
      <Loaded state={poll.state.value} what={t('access keys')}>
        {({ tokens = [] }) => <Made tokens={tokens} onRevoke={revoke} />}
      </Loaded>
      <ErrorText text={trouble} />
      <div role="status">{made.value && <Secret made={made.value} />}</div>
      <NewToken onMake={make} />
    </section>
  );
}

interface MadeProps {
  tokens: readonly Token[];
  onRevoke: (name: string) => Promise<boolean>;
}

function Made({ tokens, onRevoke }: MadeProps) {
  const { shown, button, search } = useFew(tokens, fewTokens, t('access keys'), {
    wordsOf: ({ name }) => name,
  });
  if (tokens.length === 0) return <p class="quiet">{t('There are no access keys yet.')}</p>;
  return (
    <>
      {search}
      <ul class="items">
        {shown.map((token) => (
          <OneToken key={token.name} token={token} onRevoke={onRevoke} />
        ))}
      </ul>
      {button}
    </>
  );
}

function OneToken({ token, onRevoke }: { token: Token; onRevoke: (name: string) => Promise<boolean> }) {
  const { timeWords } = useHouseholdTimes();
  const { name, scope, last_used_at: at, last_used_from: from } = token;
  return (
    <li class="row">
      <span class="words">
        {name} <span class="quiet small">{may[scope]?.() ?? scope}</span>
      </span>
      <span class="quiet small">
        {at === null
          ? t('never used')
          : t('{time}, from {address}', { time: timeWords(at), address: from ?? '' })}
      </span>
      <ConfirmButton sure={t('Revoke it?')} onConfirm={() => void onRevoke(name)}>
        {t('Revoke')}
        <span class="visually-hidden"> {name}</span>
      </ConfirmButton>
    </li>
  );
}

function Secret({ made: { name = '', token = '' } }: { made: Partial<MadeToken> }) {
  return (
    <div class="note secret">
      <label for="secret">
        {t('The access key of “{name}”. It is shown only this once: put it into the device now.', {
          name,
        })}
      </label>
      <CopyField id="secret" value={token} />
    </div>
  );
}

function NewToken({ onMake }: { onMake: (name: string, scope: string) => Promise<boolean> }) {
  const isBusy = useSignal(false);
  const name = useRef<HTMLInputElement>(null);
  const scope = useRef<HTMLSelectElement>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    const isMade = await onMake(name.current?.value.trim() ?? '', scope.current?.value ?? 'talk');
    isBusy.value = false;
    if (isMade && name.current) name.current.value = '';
  };
  return (
    <form class="new-token" noValidate onSubmit={(event) => void submit(event)}>
      <label>
        {t('Device or program')}
        <input
          ref={name}
          type="text"
          maxLength={40}
          autocomplete="off"
          spellcheck={false}
          placeholder={t('kitchen')}
        />
      </label>
      <label>
        {t('It may')}
        <select ref={scope}>
          <option value="talk">{t('talk: ask and command')}</option>
          <option value="look">{t('look: also read everything')}</option>
          <option value="administer">{t('administer: everything')}</option>
        </select>
      </label>
      <button type="submit" disabled={isBusy.value}>
        {t('Make an access key')}
      </button>
    </form>
  );
}
