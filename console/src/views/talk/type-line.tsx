import { useRef } from 'preact/hooks';
import type { Talk } from '../../live/talk.ts';
import { Icon } from '../../parts/icon.tsx';

/** For those who would rather type. */
export function TypeLine({ talk }: { talk: Talk }) {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text === '' || !field.current) return;
    field.current.value = '';
    void talk.ask(text);
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
    </form>
  );
}
