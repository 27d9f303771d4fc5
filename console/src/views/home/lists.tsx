import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useFew } from '../../parts/few.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { UndoNote } from '../../parts/undo-note.tsx';
import { sentenceOf } from '../../server/call.ts';
import { DefaultList } from './default-list.tsx';
import { OneList } from './one-list.tsx';

type AdminLists = components['schemas']['Lists'];

const intervalMs = 5_000;
/** Number of lists shown at first. */
const fewLists = 8;
const maxNameCharacters = 40;

/** The actions on lists. Each returns whether it succeeded. */
export interface ListActions {
  put: (name: string, items: readonly string[]) => Promise<boolean>;
  rename: (key: string, item: string | null, text: string) => Promise<boolean>;
  remove: (key: string, item: string | null) => Promise<boolean>;
}

/** The items removed last, until the next action. */
interface Gone {
  words: string;
  name: string;
  items: readonly string[];
}

/** The household's lists. */
export function Lists({ house }: { house: House }) {
  const poll = useResource<AdminLists>(house, '/admin/lists', intervalMs);
  const { shown, button, search, showAll } = useFew(
    poll.state.value.value?.lists ?? [],
    fewLists,
    t('lists|search'),
    {
      wordsOf: ({ name }) => name,
      // Low, because lists are long and a few of them fill a phone.
      maxWithout: fewLists,
    },
  );
  const trouble = useSignal('');
  const gone = useSignal<Gone | null>(null);
  const actions = createListActions(house, {
    async onDone() {
      trouble.value = '';
      await poll.ask();
    },
    onRefused(why) {
      trouble.value = why;
      void poll.ask();
    },
  });
  const takeAway = async (key: string, item: string | null, what: Gone): Promise<boolean> => {
    const isDone = await actions.remove(key, item);
    gone.value = isDone ? what : null;
    return isDone;
  };
  const putBack = async ({ name, items }: Gone): Promise<void> => {
    if (await actions.put(name, items)) gone.value = null;
  };

  return (
    <section class="card stack" aria-labelledby="lists">
      <h2 id="lists">{t('Lists')}</h2>
      <ErrorText text={trouble} />
      <UndoNote words={gone.value?.words ?? ''} onUndo={() => gone.value && void putBack(gone.value)} />
      <Loaded state={poll.state.value} what={t('lists|report')}>
        {({ lists = [] }) => (
          <>
            {lists.length === 0 && <p class="quiet">{t('There are no lists yet.')}</p>}
            {search}
            {shown.map((list) => (
              <OneList
                key={list.key}
                list={list}
                actions={actions}
                onDone={({ key, text }) =>
                  takeAway(list.key, key, {
                    words: t('{item} is done.', { item: text }),
                    name: list.name,
                    items: [text],
                  })
                }
                onRemove={() =>
                  takeAway(list.key, null, {
                    words: t('The list {list} was deleted.', { list: list.name }),
                    name: list.name,
                    items: list.items.map(({ text }) => text),
                  })
                }
              />
            ))}
            {button}
            <NewList
              onMake={(name) => {
                showAll();
                return actions.put(name, []);
              }}
            />
            {lists.length > 0 && <DefaultList house={house} lists={lists} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface ActionEnds {
  /** Resolves once the page shows the result. */
  onDone: () => Promise<void>;
  onRefused: (why: string) => void;
}

function createListActions({ caller }: House, { onDone, onRefused }: ActionEnds): ListActions {
  const does = async (path: string, method: string, body?: unknown): Promise<boolean> => {
    try {
      await caller.call(path, { method, body });
    } catch (error) {
      onRefused(sentenceOf(error));
      return false;
    }
    await onDone();
    return true;
  };
  const pathOf = (key: string, item: string | null) =>
    `/admin/lists/${encodeURIComponent(key)}${item === null ? '' : `?item=${encodeURIComponent(item)}`}`;
  return {
    put: (name, items) => does('/admin/lists', 'POST', { name, items }),
    rename: (key, item, text) => does(pathOf(key, item), 'PATCH', { text }),
    remove: (key, item) => does(pathOf(key, item), 'DELETE'),
  };
}

function NewList({ onMake }: { onMake: (name: string) => Promise<boolean> }) {
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const name = field.current?.value.trim() ?? '';
    if (name === '') return field.current?.focus();
    if ((await onMake(name)) && field.current) field.current.value = '';
  };
  return (
    <form class="typing" onSubmit={(event) => void submit(event)}>
      <input
        ref={field}
        aria-label={t('Name of a new list')}
        placeholder={t('A new list')}
        maxLength={maxNameCharacters}
        autocomplete="off"
      />
      <button class="wide" type="submit">
        {t('Create')}
      </button>
    </form>
  );
}
