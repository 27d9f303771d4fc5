import '../../style/talk.css';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { type Device, isGeneratedName } from '../../live/device.ts';
import { Announcer } from './announcer.tsx';
import { Conversation } from './conversation.tsx';
import { FirstSteps, stepCount } from './first-steps.tsx';
import { HoldButton } from './hold-button.tsx';
import { Timers } from './timers.tsx';
import { Trouble } from './trouble.tsx';
import { TypeLine } from './type-line.tsx';
import { WhoAndWhere } from './who-and-where.tsx';

/** The view to talk to Hearth and read the conversation. */
export function TalkView({ house }: { house: House }) {
  const { talk, keeper } = house;
  const device = keeper.device.value;
  const isChoosing = useSignal(false);
  const chooser = useRef<HTMLButtonElement>(null);
  const closeChoice = (): void => {
    isChoosing.value = false;
    chooser.current?.focus();
  };
  const step = useSignal(stepIn(location.search) ?? (device.isChosen ? null : 1));
  const showStep = (next: number | null): void => {
    step.value = next;
    const query = next === null ? '' : `?step=${next}`;
    history.replaceState(null, '', `${location.pathname}${query}${location.hash}`);
  };

  return (
    <div class={step.value === null || step.value === stepCount ? 'talk' : 'talk asks'}>
      {step.value === null && <Timers house={house} />}
      <Conversation talk={talk} isBeginning={step.value !== null}>
        <div class="row spread talk-top">
          <h1>{t('Talk')}</h1>
          {step.value === null && (
            <button
              ref={chooser}
              class="plain small"
              type="button"
              aria-expanded={isChoosing.value}
              onClick={() => (isChoosing.value = !isChoosing.value)}
            >
              {deviceWords(device)}
              <span class="visually-hidden">{t(': change the name and the room')}</span>
            </button>
          )}
        </div>
        {step.value === null && isChoosing.value && (
          <WhoAndWhere
            name={device.name}
            room={device.room}
            onClose={closeChoice}
            onChoice={(choice) => {
              talk.rename(choice);
              closeChoice();
            }}
          />
        )}
        {step.value !== null && (
          <FirstSteps
            house={house}
            step={step.value}
            onStep={showStep}
            onDone={() => {
              keeper.change({ isChosen: true });
              showStep(null);
            }}
          />
        )}
      </Conversation>
      <Trouble talk={talk} />
      <div class="talk-controls">
        <HoldButton talk={talk} device={keeper.device} />
        <TypeLine talk={talk} keeper={keeper} />
      </div>
      <Announcer exchanges={talk.exchanges} />
    </div>
  );
}

/** The step that an address names: `?step=2`. */
function stepIn(search: string): number | null {
  const step = Number(new URLSearchParams(search).get('step') ?? Number.NaN);
  return Number.isInteger(step) && step >= 1 && step <= stepCount ? step : null;
}

/** The name and the room, without a name that this page has made up. */
function deviceWords({ name, room }: Device): string {
  const words = [isGeneratedName(name) ? '' : name, room].filter((each) => each !== '');
  return words.length === 0 ? t('Choose a room') : words.join(', ');
}
