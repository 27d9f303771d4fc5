import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { ConnectHome } from '../../home-assistant/connect-home.tsx';
import type { House } from '../../house.ts';
import { t, tRich } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { deviceZone, isSameClock, zoneTimeWords } from '../../parts/time-zone.ts';
import { hashOf } from '../../route.ts';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';
import { PairPhone } from '../settings/pair-phone.tsx';

type Pipeline = components['schemas']['PipelineState'];

interface FirstStepsProps {
  house: House;
  /** The step that is shown, from 1. */
  step: number;
  onStep: (step: number) => void;
  onDone: () => void;
}

interface StepProps {
  house: House;
  /** Continues with the next step. */
  onNext: () => void;
  children: ComponentChildren;
}

const steps = [Names, ThisRoom, HomeAssistant, Phone, Privacy] as const;

export const stepCount = steps.length;

/** The first start in five steps. Each can be skipped, and the address keeps the current one. */
export function FirstSteps({ house, step, onStep, onDone }: FirstStepsProps) {
  const card = useRef<HTMLElement>(null);
  const Step = steps[step - 1] ?? Names;
  const isLast = step === stepCount;
  const goOn = (): void => (isLast ? onDone() : onStep(step + 1));
  useEffect(() => {
    if (step > 1) card.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <section class="card stack first-steps" ref={card} tabIndex={-1} aria-labelledby="first-step">
      <p class="quiet small row spread">
        {t('Step {step} of {count}', { step, count: stepCount })}
        <button class="plain small" type="button" onClick={onDone}>
          {isLast ? t('Close') : t('Later')}
        </button>
      </p>
      <Step key={step} house={house} onNext={goOn}>
        <div class="row">
          <button class="primary" type="submit">
            {isLast ? t('Done') : t('Next')}
          </button>
          {!isLast && (
            <button class="plain" type="button" onClick={goOn}>
              {t('Skip')}
            </button>
          )}
          {step > 1 && (
            <button class="plain" type="button" onClick={() => onStep(step - 1)}>
              {t('Back')}
            </button>
          )}
        </div>
      </Step>
    </section>
  );
}

function submitting(save: () => void | Promise<void>) {
  return (event: Event): void => {
    event.preventDefault();
    void save();
  };
}

/**
 * The first name of the assistant. Undefined: it is not read yet. Null: it is unknown, or this token cannot
 * change it.
 */
function useAssistantName(house: House) {
  const name = useSignal<string | null | undefined>(undefined);
  useEffect(() => {
    house.caller.call('/admin/pipeline').then(
      ({ body }) => (name.value = bodyOf<Pipeline>(body).values?.names?.[0] ?? null),
      // The step works without it.
      () => (name.value = null),
    );
  }, [house]);
  return name;
}

function Names({ house, onNext, children }: StepProps) {
  const { name, room } = house.keeper.device.value;
  const assistant = useAssistantName(house);
  const trouble = useSignal('');
  const assistantField = useRef<HTMLInputElement>(null);
  const deviceField = useRef<HTMLInputElement>(null);
  const save = async (): Promise<void> => {
    const wanted = assistantField.current?.value.trim() ?? '';
    try {
      if (typeof assistant.value === 'string' && wanted !== '' && wanted !== assistant.value)
        await house.caller.call('/admin/pipeline', { method: 'PATCH', body: { names: [wanted] } });
    } catch (error) {
      trouble.value = sentenceOf(error);
      assistantField.current?.focus();
      return;
    }
    house.talk.rename({ name: deviceField.current?.value.trim() || name, room });
    onNext();
  };
  return (
    <form class="stack" onSubmit={submitting(save)}>
      <h2 id="first-step">{t('Names')}</h2>
      {assistant.value !== null && (
        <label>
          {t('Name of the assistant')}
          <input
            key={assistant.value}
            ref={assistantField}
            defaultValue={assistant.value ?? ''}
            disabled={assistant.value === undefined}
            maxLength={40}
            autocomplete="off"
            aria-describedby="name-trouble"
            aria-invalid={trouble.value !== ''}
          />
        </label>
      )}
      <ErrorText text={trouble} id="name-trouble" />
      <label>
        {t('Name of this device')}
        <input ref={deviceField} defaultValue={name} maxLength={100} autocomplete="off" />
      </label>
      <p class="quiet small">
        {t('Each device has its own conversation, such as “Anna’s phone” or “kitchen tablet”.')}
      </p>
      {children}
    </form>
  );
}

function ThisRoom({ house, onNext, children }: StepProps) {
  const { name, room } = house.keeper.device.value;
  const field = useRef<HTMLInputElement>(null);
  const save = (): void => {
    house.talk.rename({ name, room: field.current?.value.trim() ?? '' });
    onNext();
  };
  return (
    <form class="stack" onSubmit={submitting(save)}>
      <h2 id="first-step">{t('This room')}</h2>
      <label>
        {t('Room')}
        <input
          ref={field}
          defaultValue={room}
          maxLength={100}
          placeholder={t('kitchen')}
          autocomplete="off"
        />
      </label>
      <p class="quiet small">
        {t(
          '“Turn off the light” then means this room, and your timers ring here. Leave it empty for a device that you carry around.',
        )}
      </p>
      <OtherClock house={house} />
      {children}
    </form>
  );
}

/** Offers the time zone of this device if the clock of the household shows another time. */
function OtherClock({ house }: { house: House }) {
  const said = useSignal('');
  const trouble = useSignal('');
  const zone = house.health.state.value.value?.configured?.time_zone;
  const here = deviceZone();
  const nowMs = Date.now();
  if (zone === undefined || isSameClock(zone, here, nowMs)) return null;
  const choose = async (): Promise<void> => {
    trouble.value = '';
    try {
      await house.caller.call('/admin/pipeline', { method: 'PATCH', body: { time_zone: here } });
      await house.caller.call('/admin/restart', { body: { what: 'all' } });
      said.value = t('Saved. Hearth restarts, and uses the time of {zone} in about a minute.', {
        zone: here,
      });
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
  };
  return (
    <div class="note stack">
      <p class="words">
        {t('Hearth’s clock shows {there} ({zone}), this device {here}.', {
          there: zoneTimeWords(nowMs, zone),
          zone,
          here: zoneTimeWords(nowMs, here),
        })}
      </p>
      {said.value === '' && (
        <div>
          <button type="button" onClick={() => void choose()}>
            {t('Use {zone}', { zone: here })}
          </button>
        </div>
      )}
      <ErrorText text={trouble} />
      <p role="status" class={said.value === '' ? 'visually-hidden' : 'words'}>
        {said}
      </p>
    </div>
  );
}

function HomeAssistant({ house, onNext, children }: StepProps) {
  const isConnected = house.health.state.value.value?.configured?.home === true;
  const status = useSignal('');
  return (
    <>
      <h2 id="first-step">{t('Home Assistant')}</h2>
      <p class="well words" role="status">
        {status}
      </p>
      <p>
        {isConnected
          ? t('Home Assistant is connected. Say “turn on the kitchen light”.')
          : t('If you have Home Assistant, connect it here. Hearth then switches your lights.')}
      </p>
      {!isConnected && <ConnectHome house={house} onResult={(words) => (status.value = words)} />}
      <form onSubmit={submitting(onNext)}>{children}</form>
    </>
  );
}

function Phone({ house, onNext, children }: StepProps) {
  return (
    <>
      <h2 id="first-step">{t('Your phone')}</h2>
      <PairPhone house={house} />
      <form onSubmit={submitting(onNext)}>{children}</form>
    </>
  );
}

function Privacy({ house, onNext, children }: StepProps) {
  const begunAtMs = useRef(Date.now());
  const exchange = house.talk.exchanges.value.find(
    ({ kind, state, question, atMs }) =>
      kind === 'spoken' && state === 'done' && question !== '' && atMs >= begunAtMs.current,
  );
  return (
    <form class="stack" onSubmit={submitting(onNext)}>
      <h2 id="first-step">{t('Privacy and backup')}</h2>
      <p>
        {t('Nothing leaves your home.')}{' '}
        {tRich('{link} shows and forgets what Hearth remembers.', {
          link: <a href={hashOf('activity')}>{t('Activity')}</a>,
        })}{' '}
        {tRich('{link} makes a backup.', { link: <a href={hashOf('settings')}>{t('Settings')}</a> })}
      </p>
      <p class={exchange ? 'well' : 'quiet'} role="status">
        {exchange
          ? t('Hearth heard you: “{words}”', { words: exchange.question })
          : t('Now try it: hold the round button, say “What time is it?”, and let go.')}
      </p>
      {children}
    </form>
  );
}
