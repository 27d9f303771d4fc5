import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { compareNames } from '../../../../api/src/name-order.ts';
import { t, tRich } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useFew } from '../../parts/few.tsx';
import { EditWords } from './edit-words.tsx';
import type { ListActions } from './lists.tsx';

type Item = components['schemas']['ListItem'];

const maxCharacters = { name: 40, item: 100 };
/** Number of items shown at first. */
const fewItems = 15;

interface OneListProps {
  list: components['schemas']['List'];
  actions: ListActions;
  /** Returns whether it succeeded. */
  onDone: (item: Item) => Promise<boolean>;
  onRemove: () => Promise<boolean>;
}

/** Shows a list. Its items can be added, changed and ticked off. */
export function OneList({ list, actions, onDone, onRemove }: OneListProps) {
  const { key, name, items } = list;
  /** The key of the item in the editor; '' means the name of the list. */
  const editing = useSignal<string | null>(null);
  const whole = useRef<HTMLDivElement>(null);
  const isSorted = useSignal(isSortedHere(key));
  const inOrder = isSorted.value ? items.toSorted((one, other) => compareNames(one.text, other.text)) : items;
  const { shown, button, search } = useFew(inOrder, fewItems, t('on {list}|search', { list: name }), {
    wordsOf: ({ text }) => text,
  });
  const sort = (): void => {
    isSorted.value = !isSorted.value;
    sortHere(key, isSorted.value);
  };
  const close = (): void => {
    editing.value = null;
    // Move the keyboard focus, because the field is gone.
    whole.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={whole} class="one-list" tabIndex={-1}>
      {editing.value === '' ? (
        <EditWords
          label={t('New name of the list {list}', { list: name })}
          first={name}
          maxLength={maxCharacters.name}
          onKeep={(text) => actions.rename(key, null, text)}
          onClose={close}
        />
      ) : (
        <div class="row spread">
          <h3 class="words">{name}</h3>
          <div class="row">
            {items.length > 1 && (
              <button class="plain" type="button" aria-pressed={isSorted.value} onClick={sort}>
                {isSorted.value ? t('As added') : t('A to Z')}
                <span class="visually-hidden">, {name}</span>
              </button>
            )}
            <button class="plain" type="button" onClick={() => (editing.value = '')}>
              {t('Rename')}
              <span class="visually-hidden"> {name}</span>
            </button>
            <ConfirmButton class="plain" sure={t('Delete the whole list?')} onConfirm={() => void onRemove()}>
              {t('Delete')}
              <span class="visually-hidden"> {name}</span>
            </ConfirmButton>
          </div>
        </div>
      )}
      {search}
      <ul class="items">
        {shown.map((item) => (
          <li key={item.key}>
            {editing.value === item.key ? (
              <EditWords
                label={t('New words for {item}', { item: item.text })}
                first={item.text}
                maxLength={maxCharacters.item}
                onKeep={(text) => actions.rename(key, item.key, text)}
                onClose={close}
              />
            ) : (
              <Thing item={item} onDone={() => onDone(item)} onEdit={() => (editing.value = item.key)} />
            )}
          </li>
        ))}
      </ul>
      {button}
      <Add name={name} onAdd={(text) => actions.put(name, [text])} />
    </div>
  );
}

/** The sort order of a list is stored on this device. */
const sortedKey = (key: string) => `hearth-sorted-${key}`;
const isSortedHere = (key: string): boolean => localStorage.getItem(sortedKey(key)) !== null;
function sortHere(key: string, isSorted: boolean): void {
  if (isSorted) localStorage.setItem(sortedKey(key), '1');
  else localStorage.removeItem(sortedKey(key));
}

interface ThingProps {
  item: Item;
  onDone: () => Promise<boolean>;
  onEdit: () => void;
}

function Thing({ item: { text }, onDone, onEdit }: ThingProps) {
  const tick = async (box: HTMLInputElement): Promise<void> => {
    if (box.checked && !(await onDone())) box.checked = false;
  };
  return (
    <>
      <label class="check">
        <input type="checkbox" onChange={({ currentTarget }) => void tick(currentTarget)} />
        <span class="words">
          {tRich('Done with {item}', { item: <>{text}</> })
            .filter((part) => part !== '')
            .map((part) => (typeof part === 'string' ? <span class="visually-hidden">{part}</span> : part))}
        </span>
      </label>
      <button class="plain" type="button" onClick={onEdit}>
        {t('Edit')}
        <span class="visually-hidden"> {text}</span>
      </button>
    </>
  );
}

function Add({ name, onAdd }: { name: string; onAdd: (text: string) => Promise<boolean> }) {
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text === '') return field.current?.focus();
    if ((await onAdd(text)) && field.current) field.current.value = '';
    field.current?.focus();
  };
  return (
    <form class="typing" onSubmit={(event) => void submit(event)}>
      <input
        ref={field}
        aria-label={t('Add to {list}', { list: name })}
        placeholder={t('Add something')}
        maxLength={maxCharacters.item}
        autocomplete="off"
        enterkeyhint="done"
      />
      <button class="wide" type="submit">
        {t('Add')}
        <span class="visually-hidden"> {t('to {list}|Add', { list: name })}</span>
      </button>
    </form>
  );
}
