import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { sentenceOf } from '../../server/call.ts';

type AdminLists = components['schemas']['Lists'];

const everyMs = 5_000;

/** The household's lists. */
export function Lists({ house }: { house: House }) {
  const poll = useResource<AdminLists>(house, '/admin/lists', everyMs);
  const trouble = useSignal('');
  const remove = async (key: string, item?: string): Promise<void> => {
    const query = item === undefined ? '' : `?item=${encodeURIComponent(item)}`;
    try {
      await house.caller.call(`/admin/lists/${encodeURIComponent(key)}${query}`, { method: 'DELETE' });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await poll.ask();
  };
  return (
    <section class="card stack" aria-labelledby="lists">
      <h2 id="lists">Lists</h2>
      <p class="wrong" role="alert">
        {trouble}
      </p>
      <Loaded state={poll.state.value} what="lists">
        {({ lists = [] }) =>
          lists.length === 0 ? (
            <p class="quiet">There is nothing on any list.</p>
          ) : (
            lists.map((list) => <OneList key={list.key} list={list} onRemove={remove} />)
          )
        }
      </Loaded>
    </section>
  );
}

interface OneListProps {
  list: AdminLists['lists'][number];
  onRemove: (key: string, item?: string) => Promise<void>;
}

function OneList({ list, onRemove }: OneListProps) {
  const { key, name, items } = list;
  return (
    <div>
      <div class="row spread">
        <h3 class="words">{name}</h3>
        <ConfirmButton class="plain" sure="Really the whole list?" onConfirm={() => void onRemove(key)}>
          Empty<span class="visually-hidden"> {name}</span>
        </ConfirmButton>
      </div>
      <ul class="items">
        {items.map((item) => (
          <li key={item.key}>
            <span class="words">{item.text}</span>
            <button class="plain" type="button" onClick={() => void onRemove(key, item.key)}>
              Done<span class="visually-hidden"> with {item.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
