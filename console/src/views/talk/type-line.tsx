import { useRef } from 'preact/hooks';
import { t } from '../../language/translate.ts';
import type { DeviceKeeper } from '../../live/device.ts';
import type { Talk } from '../../live/talk.ts';
import { Icon } from '../../parts/icon.tsx';

/** A field for typed questions, with a switch for spoken answers and a button that announces the text. */
export function TypeLine({ talk, keeper }: { talk: Talk; keeper: DeviceKeeper }) {
  const field = useRef<HTMLInputElement>(null);
  const { speaksTyped } = keeper.device.value;
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
        {t('Type a question')}
      </label>
      <input
        id="question"
        ref={field}
        placeholder={t('Or type')}
        maxLength={8_000}
        autocomplete="off"
        enterkeyhint="send"
      />
      <button type="submit" aria-label={t('Ask')}>
        <Icon name="send" />
      </button>
      <button
        class="wide speaks"
        type="button"
        aria-pressed={speaksTyped}
        title={t('Speak the answers to typed questions')}
        onClick={() => keeper.change({ speaksTyped: !speaksTyped })}
      >
        <Icon name={speaksTyped ? 'loud' : 'quiet'} />
        <span class="button-words">{t('Speak answers')}</span>
      </button>
      <button class="wide" type="button" title={t('Say this text in the other rooms')} onClick={announce}>
        <Icon name="announce" />
        <span class="button-words">{t('Announce')}</span>
      </button>
    </form>
  );
}
