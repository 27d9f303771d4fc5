import { useRef } from 'preact/hooks';
import type { Talk } from '../../live/talk.ts';
import { Icon } from '../../parts/icon.tsx';

/** For those who would rather type. */
export function TypeLine({ talk }: { talk: Talk }) {
  const field = useRef<HTMLInputElement>(null);
  /** The words, taken out of the field. */
  const take = (): string => {
    const text = field.current?.value.trim() ?? '';
    if (field.current && text !== '') field.current.value = '';
    return text;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = take();
    if (text !== '') void talk.ask(text);
  };
  const announce = (): void => {
    const text = take();
    if (text === '') field.current?.focus();
    else void talk.announce(text);
  };
  return (
    <form class="typing" onSubmit={submit}>
      <label class="visually-hidden" for="question">
        Type a question
      </label>
      <input
        id="question"
        ref={field}
        placeholder="Or type"
        maxLength={8_000}
        autocomplete="off"
        enterkeyhint="send"
      />
      <button type="submit" aria-label="Ask">
        <Icon name="send" />
      </button>
      <button
        type="button"
        aria-label="Announce to everybody else"
        title="Announce to everybody else"
        onClick={announce}
      >
        <Icon name="announce" />
      </button>
    </form>
  );
}
