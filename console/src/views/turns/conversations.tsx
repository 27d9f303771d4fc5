import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { timeWords } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';

type Kept = components['schemas']['Conversations'];
type Conversation = components['schemas']['Conversation'];

const everyMs = 10_000;

/** The remembered conversations, and buttons to forget them. */
export function Conversations({ house }: { house: House }) {
  const poll = useResource<Kept>(house, '/admin/conversations?limit=50', everyMs);
  const trouble = useSignal('');
  const open = useSignal<string | null>(null);
  const forget = async (name: string): Promise<void> => {
    try {
      // As a parameter, because an address cannot hold every name.
      await house.caller.call(`/admin/conversations?name=${encodeURIComponent(name)}`, { method: 'DELETE' });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await poll.ask();
  };
  return (
    <section class="card stack" aria-labelledby="conversations">
      <h2 id="conversations">Conversations</h2>
      <p class="wrong" role="alert">
        {trouble}
      </p>
      <Loaded state={poll.state.value} what="conversations">
        {({ conversations = [] }) => (
          <>
            {conversations.length === 0 && <p class="quiet">None is kept.</p>}
            <ul class="items">
              {conversations.map(({ name, turns, last_at }) => (
                <li key={name} class="row">
                  <button
                    class="plain words"
                    type="button"
                    aria-expanded={open.value === name}
                    onClick={() => {
                      open.value = open.value === name ? null : name;
                    }}
                  >
                    {name}
                  </button>
                  <span class="quiet small">
                    {turns} {turns === 1 ? 'turn' : 'turns'}, {timeWords(last_at)}
                  </span>
                  <ConfirmButton sure="Really forget?" onConfirm={() => void forget(name)}>
                    Forget<span class="visually-hidden"> {name}</span>
                  </ConfirmButton>
                  {open.value === name && <Talked house={house} name={name} />}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}

function Talked({ house, name }: { house: House; name: string }) {
  const { state } = useResource<Conversation>(
    house,
    `/admin/conversations/${encodeURIComponent(name)}`,
    everyMs,
  );
  return (
    <div class="talked-place">
      <Loaded state={state.value} what="this conversation">
        {({ exchanges = [] }) => (
          <dl class="talked">
            {exchanges.slice(-20).map(({ user, assistant, turn, at }, index) => (
              <div key={turn ?? `${at}-${index}`}>
                <dt class="words">{user}</dt>
                <dd class="words">{assistant}</dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </div>
  );
}
