import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { durationWords } from '../../parts/words.ts';
import { CallError, sentenceOf } from '../../server/call.ts';
import { readEvents } from '../../server/event-stream.ts';
import { bodyOf } from '../../server/shapes.ts';

type CheckStep = components['schemas']['CheckStep'];
type CheckResult = components['schemas']['CheckResult'];

const slowIntervalMs = 60_000;

/** Tests every part of Hearth with real work, one after another, and shows the progress. */
export function Check({ house }: { house: House }) {
  const { timeWords } = useHouseholdTimes();
  const past = useResource<{ checks: CheckResult[] }>(house, '/admin/checks', slowIntervalMs);
  const steps = useSignal<readonly CheckStep[]>([]);
  const result = useSignal<Partial<CheckResult> | null>(null);
  const trouble = useSignal('');
  const isRunning = useSignal(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const hear = (name: string, data: unknown): void => {
    if (name === 'step' && isStep(data)) {
      steps.value = [...steps.value.filter((each) => each.name !== data.name), data];
    }
    if (name === 'result') result.value = bodyOf<CheckResult>(data);
    if (name === 'error')
      trouble.value = bodyOf<{ error: { message: string } }>(data).error?.message ?? t('The check failed.');
  };
  const run = async (): Promise<void> => {
    const own = new AbortController();
    running.current = own;
    steps.value = [];
    result.value = null;
    trouble.value = '';
    isRunning.value = true;
    try {
      const response = await house.caller.open('/admin/check', {
        method: 'POST',
        headers: { accept: 'text/event-stream' },
        signal: own.signal,
        withinMs: 0,
      });
      await readEvents(response, hear);
    } catch (error) {
      if (own.signal.aborted) return;
      const isMissing = error instanceof CallError && error.status === 404;
      trouble.value = isMissing ? t('This server has no check.') : sentenceOf(error);
    }
    isRunning.value = false;
    await past.ask();
  };

  const [last] = past.state.value.value?.checks ?? [];
  const shown = result.value?.steps ?? steps.value;
  return (
    <section class="card stack" aria-labelledby="check">
      <div class="row spread">
        <h2 id="check">{t('Check')}</h2>
        <button class="primary" type="button" disabled={isRunning.value} onClick={() => void run()}>
          {isRunning.value ? t('Checking …') : t('Check everything')}
        </button>
      </div>
      <ErrorText text={trouble} />
      <p class="words" role="status">
        {result.value?.summary ?? (isRunning.value ? t('Every part is doing some real work.') : '')}
      </p>
      {shown.length > 0 ? (
        <Steps steps={shown} />
      ) : (
        <Loaded state={past.state.value} what={t('earlier checks')}>
          {() =>
            last ? (
              <>
                <p class="quiet small">{t('The last one, {time}', { time: timeWords(last.started_at) })}</p>
                <p class="words">{last.summary}</p>
                <Steps steps={last.steps} />
              </>
            ) : (
              <p class="quiet">{t('Nothing has been checked yet.')}</p>
            )
          }
        </Loaded>
      )}
    </section>
  );
}

function isStep(value: unknown): value is CheckStep {
  const { name, title } = bodyOf<CheckStep>(value);
  return typeof name === 'string' && typeof title === 'string';
}

const signs: Record<string, [sign: string, mood: string, words: () => string]> = {
  ok: ['✓', 'well', () => t('good|check')],
  warning: ['!', 'busy', () => t('warning')],
  failed: ['✕', 'ill', () => t('failed')],
  skipped: ['–', 'quiet', () => t('skipped')],
};

function Steps({ steps }: { steps: readonly CheckStep[] }) {
  return (
    <ol class="steps">
      {steps.map(({ name, title, state, took_ms, usual_ms, message, advice }) => {
        const [sign, mood, words] = signs[state] ?? ['…', 'quiet', () => state];
        return (
          <li key={name}>
            <span class={mood} aria-hidden="true">
              {sign}
            </span>
            <span>
              {title}
              <span class="visually-hidden">: {words()}</span>
            </span>
            <span class="quiet small">
              {usual_ms === null
                ? durationWords(took_ms)
                : t('{time}, usually {usual}', {
                    time: durationWords(took_ms),
                    usual: durationWords(usual_ms),
                  })}
            </span>
            {message !== '' && <span class="small words">{message}</span>}
            {advice !== null && <span class="small words busy">{advice}</span>}
          </li>
        );
      })}
    </ol>
  );
}
