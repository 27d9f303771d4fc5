import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { durationWords, timeWords, viaWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { sentenceOf } from '../../server/call.ts';
import { Bars } from './turn-list.tsx';
import type { TurnRecord } from './waterfall.ts';

type Found = components['schemas']['FoundExchanges'];
type Exchange = Found['exchanges'][number];

const everyMs = 5_000;
/** So many are shown at first, and so many at the most. */
const limits = { few: 20, most: 200 } as const;
/** A pause in typing this long starts the search, so that not every letter does. */
const typedMs = 300;

interface SaidProps {
  house: House;
  /** Null until the server has answered. */
  turns: readonly TurnRecord[] | null;
}

/** Everything that was said in the house, the newest first. */
export function Said({ house, turns }: SaidProps) {
  const text = useSignal('');
  const limit = useSignal<number>(limits.few);
  const trouble = useSignal('');
  const query = new URLSearchParams({ limit: String(limit.value) });
  if (text.value !== '') query.set('text', text.value);
  const poll = useResource<Found>(house, `/admin/exchanges?${query}`, everyMs);
  const forget = async ({ conversation: name, turn }: Exchange): Promise<void> => {
    const which = new URLSearchParams({ name, turn: turn ?? '' });
    try {
      await house.caller.call(`/admin/conversations?${which}`, { method: 'DELETE' });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await poll.ask();
  };
  return (
    <section class="card stack" aria-labelledby="said">
      <div class="row spread">
        <h2 id="said">What was said</h2>
        <Search onText={(words) => (text.value = words)} />
      </div>
      <p class="wrong" role="alert">
        {trouble}
      </p>
      <Loaded
        state={turns === null ? { ...poll.state.value, value: null } : poll.state.value}
        what="what was said"
      >
        {({ exchanges = [] }) => (
          <>
            {exchanges.length === 0 && (
              <p class="quiet">{text.value === '' ? 'Hearth remembers nothing.' : 'Nothing was found.'}</p>
            )}
            <ul class="said-list">
              {exchanges.map((each, at) => (
                <One
                  key={each.turn ?? at}
                  exchange={each}
                  turn={turns?.find(({ id }) => id === each.turn)}
                  onForget={() => void forget(each)}
                />
              ))}
            </ul>
            {exchanges.length === limit.value && limit.value < limits.most && (
              <div>
                <button type="button" onClick={() => (limit.value = limits.most)}>
                  Show more
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Search({ onText }: { onText: (text: string) => void }) {
  const typed = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => onText(typed.value.trim()), typedMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <input
      class="search"
      type="search"
      aria-label="Search what was said"
      placeholder="Search"
      maxLength={200}
      value={typed.value}
      onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
    />
  );
}

interface OneProps {
  exchange: Exchange;
  /** How it went, as long as that is known. */
  turn: TurnRecord | undefined;
  onForget: () => void;
}

function One({ exchange: { user, assistant, at, conversation, turn: id }, turn, onForget }: OneProps) {
  return (
    <li>
      <p class="words asked">{user}</p>
      <p class="words">{assistant}</p>
      <div class="row">
        <span class="quiet small">{timeWords(at)}</span>
        {turn?.room != null && <span class="tag">{turn.room}</span>}
        <span class="tag words">{conversation}</span>
        {id !== null && (
          <ConfirmButton class="plain small" sure="Forget it?" onConfirm={onForget}>
            Forget<span class="visually-hidden"> {user}</span>
          </ConfirmButton>
        )}
      </div>
      {turn !== undefined && <Details turn={turn} />}
    </li>
  );
}

function Details({ turn }: { turn: TurnRecord }) {
  const { id, via, timings } = turn;
  const took = timings['first-audio'] ?? timings['total'];
  const told = [viaWords(via ?? ''), took === undefined ? '' : `after ${durationWords(took)}`];
  return (
    <details>
      <summary class="small">Details</summary>
      <p class="small quiet">{told.filter((each) => each !== '').join(', ')}</p>
      <Bars turn={turn} />
      <a class="small" href={hashOf('activity', id)}>
        How it went
      </a>
    </details>
  );
}
