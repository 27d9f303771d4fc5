import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { sentenceOf } from '../../server/call.ts';
import { createNameLesson, type Lesson, times } from '../../settings/name-lesson.ts';

/** Records a name five times, so that Hearth learns how its speech recognition writes it. */
export function SayName({ house }: { house: House }) {
  const lesson = useMemo(() => createNameLesson(house.caller), [house]);
  const trouble = useSignal('');
  const kept = useSignal('');
  const typed = useSignal<string | null>(null);
  const left = useMemo(() => new AbortController(), []);
  useEffect(() => () => left.abort(), [left]);
  const names = house.settings.form.state.value.values?.names ?? [];
  const name = typed.value ?? names[0] ?? '';

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    [trouble.value, kept.value] = ['', ''];
    await work().catch((error: unknown) => {
      if (!left.signal.aborted) trouble.value = sentenceOf(error);
    });
  };
  const keep = (spellings: readonly string[]) =>
    attempt(async () => {
      await lesson.keep(spellings);
      kept.value = t('Hearth knows it now.');
      await house.settings.form.load();
    });
  const { heard, judged } = lesson.lesson.value ?? { heard: [], judged: null };
  return (
    <section class="card stack" aria-labelledby="say-name">
      <h2 id="say-name">{t('Say its name')}</h2>
      <p class="quiet">
        {t(
          'Say the name five times, with a pause after each. Hearth learns how its speech recognition writes it.',
        )}
      </p>
      <label class="stack">
        {t('The name')}
        <input
          maxLength={40}
          value={name}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </label>
      <div>
        <button
          type="button"
          disabled={lesson.isListening.value || name.trim() === ''}
          onClick={() => void attempt(() => lesson.begin(name.trim(), left.signal))}
        >
          {lesson.isListening.value
            ? t('Say “{name}”: {n} of {times}', { name, n: heard.length + 1, times })
            : t('Say it five times')}
        </button>
      </div>
      {heard.length > 0 && (
        <p class="words">
          {t('Heard: {words}', { words: heard.map((words) => words || t('(nothing)')).join(' · ') })}
        </p>
      )}
      <p class="words" role="status">
        {kept.value || verdictOf(name, { heard, judged })}
      </p>
      {judged?.judgement === 'learned' && kept.value === '' && (
        <div>
          <button type="button" onClick={() => void keep(judged.spellings)}>
            {t('Learn it')}
          </button>
        </div>
      )}
      <ErrorText text={trouble} />
    </section>
  );
}

function verdictOf(name: string, { heard, judged }: Lesson): string {
  if (judged === null) return '';
  if (judged.judgement === 'known') return t('“{name}” is heard well. There is nothing to learn.', { name });
  const written = [...new Set(heard.filter((words) => words !== ''))]
    .map((words) => t('“{words}”', { words }))
    .join(', ');
  if (judged.judgement === 'learned') return t('I hear that as {written}, and can learn it.', { written });
  return written === ''
    ? t('I cannot hear that name. Try another one.')
    : t('I hear that as {written}. Try another one.', { written });
}
