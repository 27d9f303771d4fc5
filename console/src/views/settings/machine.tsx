import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { pageLocale, t } from '../../language/translate.ts';
import type { Changes } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { durationWords } from '../../parts/words.ts';
import { engineStateOf, engineWords } from '../health/engine-shapes.ts';

type Machine = components['schemas']['Machine'];

interface LentMachineProps {
  machine: Machine;
  name: string;
  change: Changes['change'];
}

/** One machine that has joined: wakes, drains and removes it. */
export function LentMachine({ machine, name, change }: LentMachineProps) {
  const { draining, connected_since: since, mac } = machine;
  const isSent = useSignal(false);
  const path = `/admin/machines/${encodeURIComponent(name)}`;
  const patch = (body: components['schemas']['MachineChange']) => change(path, { method: 'PATCH', body });
  const wake = async (): Promise<void> => {
    isSent.value = false;
    isSent.value = await change(`${path}/wake`, { method: 'POST' });
  };
  const isAway = since === null;
  return (
    <li class="device stack">
      <div class="row">
        <span class="words">
          {name} <span class="quiet small">{lentWords(machine)}</span>
        </span>
        {isAway && mac !== null && (
          <button type="button" onClick={() => void wake()}>
            {t('Wake|machine')}
            <span class="visually-hidden"> {name}</span>
          </button>
        )}
        <button type="button" onClick={() => void patch({ draining: !draining })}>
          {draining ? t('Use it again|machine') : t('Send nothing new|machine')}
          <span class="visually-hidden"> {name}</span>
        </button>
        <ConfirmButton
          sure={t('Remove it?')}
          onConfirm={() => void change(`/admin/tokens/${encodeURIComponent(name)}`, { method: 'DELETE' })}
        >
          {t('Remove')}
          <span class="visually-hidden"> {name}</span>
        </ConfirmButton>
      </div>
      <div role="status">
        {isAway && isSent.value && (
          <p class="quiet small">{t('The packet has been sent. The machine may take a minute to start.')}</p>
        )}
      </div>
      <Waking machine={machine} name={name} patch={patch} />
    </li>
  );
}

interface WakingProps {
  machine: Machine;
  name: string;
  patch: (body: components['schemas']['MachineChange']) => Promise<boolean>;
}

function Waking({ machine: { wake, mac, wake_address: address }, name, patch }: WakingProps) {
  const [card, network] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const submit = (event: Event): void => {
    event.preventDefault();
    const [typedMac, typedAddress] = [card, network].map((field) => field.current?.value.trim() ?? '');
    void patch({
      ...(typedMac && { mac: typedMac }),
      ...(typedAddress && { wake_address: typedAddress }),
    });
  };
  return (
    <details>
      <summary>
        {t('Wake-on-LAN')}
        <span class="visually-hidden"> {name}</span>
      </summary>
      <label class="row">
        <input type="checkbox" checked={wake} onChange={() => void patch({ wake: !wake })} />
        {t('Wake it when it is needed')}
      </label>
      <p class="quiet small">
        {t('After a question that it would have answered, Hearth wakes it, at most once in five minutes.')}
      </p>
      <form class="new-token" noValidate onSubmit={submit}>
        <label>
          {t('MAC address')}
          <input ref={card} type="text" maxLength={17} {...plain} defaultValue={mac ?? ''} />
        </label>
        <label>
          {t('Broadcast address')}
          <input ref={network} type="text" maxLength={21} {...plain} defaultValue={address ?? ''} />
        </label>
        <button type="submit">{t('Save')}</button>
      </form>
    </details>
  );
}

const plain = { autocomplete: 'off', spellcheck: false } as const;

/** "Language model: qwen3-8b, ready." */
function lentWords({ draining, connected_since: since, engines }: Machine): string {
  if (draining) return t('It gets no new questions until you change that.');
  if (since === null) return t('Not connected.');
  const lent = engines.map(({ engine, model, state, usual_ms: usualMs }) => {
    const { words } = engineStateOf({ state });
    const shown = model === null ? words : `${model}, ${withSmallInitial(words)}`;
    const usual = usualMs === null ? '' : ` (${durationWords(usualMs)})`;
    return t('{engine}: {state}.', { engine: engineWords(engine), state: `${shown}${usual}` });
  });
  return lent.join(' ');
}

const withSmallInitial = (words: string): string =>
  words.charAt(0).toLocaleLowerCase(pageLocale()) + words.slice(1);
