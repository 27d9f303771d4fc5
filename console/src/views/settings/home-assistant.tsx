import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { ConnectHome } from '../../home-assistant/connect-home.tsx';
import type { House } from '../../house.ts';
import { t, tRich } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { hashOf } from '../../route.ts';
import { sentenceOf } from '../../server/call.ts';

type Connection = components['schemas']['HomeAssistant'];

const intervalMs = 15_000;

/** Connects, changes and disconnects Home Assistant. */
export function HomeAssistant({ house }: { house: House }) {
  const poll = useResource<Connection>(house, '/admin/home-assistant', intervalMs);
  const status = useSignal('');
  const trouble = useSignal('');
  const takeAway = async (): Promise<void> => {
    try {
      await house.caller.call('/admin/home-assistant', { method: 'DELETE' });
      [status.value, trouble.value] = [t('Home Assistant is disconnected.'), ''];
    } catch (error) {
      [status.value, trouble.value] = ['', sentenceOf(error)];
    }
    await Promise.all([poll.ask(), house.health.ask()]);
  };
  if (poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="home-assistant">
      <h2 id="home-assistant">{'Home Assistant'}</h2>
      <p class={status.value === '' ? 'words' : 'well words'} role="status">
        {status}
      </p>
      <ErrorText text={trouble} />
      <Loaded state={poll.state.value} what="Home Assistant">
        {({ set_by: setBy = null, url = null }) => (
          <>
            <Now setBy={setBy} url={url} onTakeAway={() => void takeAway()} />
            {setBy !== 'environment' && (
              <Form
                house={house}
                url={url}
                onResult={(words) => {
                  [status.value, trouble.value] = [words, ''];
                  if (words !== '') void poll.ask();
                }}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface NowProps {
  setBy: Connection['set_by'];
  url: string | null;
  onTakeAway: () => void;
}

function Now({ setBy, url, onTakeAway }: NowProps) {
  if (setBy === null)
    return (
      <p>{t('Connect it, and Hearth switches your lights, blinds, heating and locks when you say so.')}</p>
    );
  return (
    <>
      <p class="words">
        {tRich('Connected to {address}. {link} shows what it can command.', {
          address: <span class="mono">{url}</span>,
          link: <a href={hashOf('home')}>{t('Home')}</a>,
        })}
      </p>
      {setBy === 'environment' ? (
        <p class="quiet small">
          {t('HOME_ASSISTANT_URL in secrets.env takes precedence. Change it there, and restart Hearth.')}
        </p>
      ) : (
        <div>
          <ConfirmButton sure={t('Disconnect it?')} onConfirm={onTakeAway}>
            {t('Disconnect')}
          </ConfirmButton>
        </div>
      )}
    </>
  );
}

interface FormProps {
  house: House;
  /** The address of the connected one. Null: none is connected. */
  url: string | null;
  onResult: (words: string) => void;
}

function Form({ house, url, onResult }: FormProps) {
  const folded = useRef<HTMLDetailsElement>(null);
  if (url === null) return <ConnectHome house={house} onResult={onResult} />;
  return (
    <details ref={folded}>
      <summary>{t('Another address or access token')}</summary>
      <ConnectHome
        key={url}
        house={house}
        url={url}
        onResult={(words) => {
          // Close the form, which may fill a phone, to show the result above it.
          if (folded.current && words !== '') folded.current.open = false;
          onResult(words);
        }}
      />
    </details>
  );
}
