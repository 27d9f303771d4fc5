import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../language/translate.ts';
import type { Device, TalkMode } from '../../live/device.ts';
import { type Exchange, isOver } from '../../live/exchanges.ts';
import type { Talk } from '../../live/talk.ts';
import { Icon } from '../../parts/icon.tsx';
import { hashOf } from '../../route.ts';

interface HoldButtonProps {
  talk: Talk;
  device: ReadonlySignal<Device>;
}

/** The large button: held while speaking, or an indicator in a mode that always listens. */
export function HoldButton({ talk, device }: HoldButtonProps) {
  const { mode } = device.value;
  useSpaceBar(talk, mode);
  const words = wordsFor(talk, mode);
  return (
    <>
      <p class="hold-words quiet" data-state={stateOf(talk, mode)} aria-hidden="true">
        {/* Other words are another element: centred text that changes counts as moving. */}
        <span key={words}>{words}</span>
      </p>
      <div class="hold-row">
        <ModeChoice mode={mode} onChoice={talk.choose} />
        <Big talk={talk} mode={mode} />
        <StopOrHelp talk={talk} />
      </div>
      {mode !== 'hold' && !hasKeyboard && (
        <p class="hold-note quiet small">
          {t('A phone may stop listening while its screen is off or it shows another app.')}
        </p>
      )}
    </>
  );
}

function Big({ talk, mode }: { talk: Talk; mode: TalkMode }) {
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = talk.live.value.kind === 'open';
  const isListening = talk.microphoneState.value === 'open';
  useLoudness(talk, button);
  /** A click without a pointer, as from a keyboard or a screen reader: the first starts, the second ends. */
  const click = (event: MouseEvent): void => {
    if (mode !== 'hold') return void talk.mute();
    if (event.detail !== 0) return;
    if (talk.isHeld.value) talk.release();
    else void talk.press();
  };
  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || mode !== 'hold') return;
    button.current?.setPointerCapture(event.pointerId);
    void talk.press();
  };
  return (
    <button
      class="hold"
      type="button"
      ref={button}
      disabled={!isOpen}
      data-listens={mode === 'hold' ? undefined : isListening}
      aria-pressed={mode === 'hold' ? talk.isHeld.value : !isListening}
      onPointerDown={press}
      onPointerUp={talk.release}
      onPointerCancel={talk.release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={click}
    >
      <Icon name={mode === 'hold' || isListening ? 'talk' : 'muted'} />
      <span class="visually-hidden">{mode === 'hold' ? t('Hold to talk') : t('Mute the microphone')}</span>
    </button>
  );
}

function ModeChoice({ mode, onChoice }: { mode: TalkMode; onChoice: (mode: TalkMode) => Promise<void> }) {
  const choices: [TalkMode, string][] = [
    ['hold', t('Hold')],
    ['free', t('Just speak')],
    ['name', t('By name')],
    ['word', t('By wake word')],
    ['word+name', t('Name or word')],
  ];
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{t('How to talk')}</legend>
      {choices.map(([each, words]) => (
        <label key={each}>
          <input type="radio" name="mode" checked={mode === each} onChange={() => void onChoice(each)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/**
 * Stops an answer. The bar above stops ringing timers. At other times its place has the link to the
 * sentences.
 */
function StopOrHelp({ talk }: { talk: Talk }) {
  const isBusy = talk.exchanges.value.some((each) => each.kind !== 'told' && isAnswering(each));
  if (!isBusy && !talk.isSpeakingTyped.value)
    return (
      <a class="small help" href={hashOf('talk', 'sentences')}>
        {t('What can I say?')}
      </a>
    );
  return (
    <button class="stop" type="button" onClick={talk.stop}>
      <Icon name="stop" /> {t('Stop')}
    </button>
  );
}

const isAnswering = (exchange: Exchange) => !isOver(exchange) && exchange.state !== 'listening';

const hasKeyboard = matchMedia('(pointer: fine)').matches;

function wordsFor(talk: Talk, mode: TalkMode): string {
  if (talk.live.value.kind !== 'open')
    return talk.live.value.kind === 'connecting' ? t('Connecting …') : t('Not connected');
  if (talk.microphoneState.value === 'opening') return t('Opening the microphone …');
  const last = talk.exchanges.value.at(-1);
  if (last && isAnswering(last)) return last.state === 'thinking' ? t('Thinking …') : t('Speaking');
  if (mode !== 'hold') return openWords(talk);
  if (talk.isHeld.value) return t('Listening. Let go when you are done');
  if (talk.isFree.value) return t('Listening. Just speak');
  return hasKeyboard ? t('Hold the button or space bar, and speak') : t('Hold the button, and speak');
}

/** The hint in a mode that always listens. */
function openWords(talk: Talk): string {
  if (talk.isMuted.value) return t('Muted. Press the button to unmute');
  if (talk.microphoneState.value !== 'open') return t('Press the button to listen');
  const wake = talk.wakeMode.value;
  if (wake === 'open') return t('Listening. Just speak');
  if (talk.isLoadingWakeWord.value) return t('Loading the wake word …');
  if (talk.isAwake.value) return t('Awake: just speak');
  const all = [...talk.names.value, ...(wake === 'name' ? [] : talk.wakeWords.value)];
  if (all.length === 0) return t('There is no wake word yet');
  const openers = all
    .map((opener) => t('“{opener}”', { opener }))
    .reduce((one, other) => t('{one} or {other}', { one, other }));
  return t('Say {openers} and what you want', { openers });
}

/** The state of a microphone that is always open. Undefined: it listens only while it is held. */
function stateOf(talk: Talk, mode: TalkMode): 'listens' | 'awake' | 'muted' | undefined {
  if (mode === 'hold') return undefined;
  if (talk.microphoneState.value !== 'open') return 'muted';
  return talk.wakeMode.value === 'open' || talk.isAwake.value ? 'awake' : 'listens';
}

/** Draws a ring around the button, fifty times a second, without rendering. Its width shows the loudness. */
function useLoudness(talk: Talk, button: { current: HTMLButtonElement | null }): void {
  useEffect(
    () =>
      talk.level.subscribe((level) => {
        const isListening = talk.isHeld.value || talk.microphoneState.value === 'open';
        button.current?.style.setProperty('--loud', isListening ? Math.min(1, level * 2).toFixed(2) : '0');
      }),
    [talk],
  );
}

/** The space bar acts as the button, unless the focused element uses it. */
function useSpaceBar(talk: Talk, mode: TalkMode): void {
  useEffect(() => {
    if (mode !== 'hold') return undefined;
    const isOurs = ({ code, target }: KeyboardEvent) =>
      code === 'Space' &&
      !(
        target instanceof Element &&
        target.closest('input, textarea, select, a, button:not(.hold), [contenteditable]')
      );
    const down = (event: KeyboardEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      if (!event.repeat) void talk.press();
    };
    const up = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || !talk.isHeld.value) return;
      event.preventDefault();
      talk.release();
    };
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    addEventListener('blur', talk.release);
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
      removeEventListener('blur', talk.release);
    };
  }, [talk, mode]);
}
