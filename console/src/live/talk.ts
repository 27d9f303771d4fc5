import { batch, signal } from '@preact/signals';
import type { RunningTimer, ServerEvent } from '../../../api/src/listen/listen-events.ts';
import { type Caller, sentenceOf } from '../server/call.ts';
import { createLoudspeaker } from '../sound/loudspeaker.ts';
import { createMicrophone, NoMicrophone } from '../sound/microphone.ts';
import type { Played } from '../sound/playout.ts';
import { createSoundCard } from '../sound/sound-card.ts';
import { createLiveConnection, type LiveOptions, type LiveState } from './connection.ts';
import type { DeviceKeeper } from './device.ts';
import { afterEvent, afterLoss, type Exchange, isOver } from './exchanges.ts';
import { createSpeech } from './speech.ts';
import { createTimers } from './timers.ts';
import { createTyping } from './typing.ts';

interface TalkOptions extends Pick<LiveOptions, 'address' | 'whyRefused'> {
  caller: Caller;
  keeper: DeviceKeeper;
  /** Something has happened to a timer. */
  onTimers: () => void;
}

export type Talk = ReturnType<typeof createTalk>;

/** The end of a word is still on its way from the microphone when the button is let go. */
const tailMs = 160;
/** A microphone that nobody uses is given back. */
const idleMicrophoneMs = 60_000;

/** Everything about talking to the house: the connection, the microphone, the loudspeaker, and what was said. */
export function createTalk({ address, whyRefused, caller, keeper, onTimers }: TalkOptions) {
  const { device } = keeper;
  const live = signal<LiveState>({ kind: 'closed' });
  const exchanges = signal<readonly Exchange[]>([]);
  /** How loud the microphone is, 0 to 1. */
  const level = signal(0);
  const microphoneState = signal<'closed' | 'opening' | 'open'>('closed');
  /** The person holds the button. */
  const isHeld = signal(false);
  const trouble = signal<string | null>(null);
  const played = signal<Played | null>(null);
  const timers = createTimers();
  let letGo: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const isSending = () =>
    live.value.kind === 'open' && (device.value.mode === 'free' || isHeld.value || letGo !== undefined);

  const card = createSoundCard();
  const loudspeaker = createLoudspeaker({
    card,
    onPlayed: (news) => {
      played.value = news;
      speech.played(news);
    },
    onFault: () => {
      trouble.value = 'This browser plays no sound. The answers can be read here.';
    },
  });
  const microphone = createMicrophone({
    card,
    onFrame: ({ frame, level: loudest }) => {
      level.value = loudest;
      if (isSending()) connection.sendSound(frame.buffer);
    },
    onLost: () => {
      microphoneState.value = 'closed';
      trouble.value = 'The microphone is gone. Plug it in again, or allow it again in the browser.';
      keeper.change({ mode: 'hold' });
    },
  });
  const connection = createLiveConnection({
    address,
    whyRefused,
    onState: (state) => {
      const wasOpen = live.value.kind === 'open';
      live.value = state;
      if (wasOpen && state.kind !== 'open') forget();
    },
    onEvent: (event) => handle(event),
    onSound: (sound) => speech.sound(sound),
  });
  const speech = createSpeech({ send: connection.send, loudspeaker });
  const typing = createTyping({ caller, device, exchanges });

  const forget = (): void => {
    speech.silence();
    exchanges.value = afterLoss(exchanges.value);
    isHeld.value = false;
  };
  const handle = (event: ServerEvent): void => {
    batch(() => {
      if (event.type === 'session.created') welcome(event.session.timers);
      timers.handle(event);
      if (event.type.startsWith('timer.')) onTimers();
      speech.handle(event);
      exchanges.value = afterEvent(exchanges.value, event, Date.now());
      if (event.type === 'error' && event.turn_id === null) trouble.value = said(event);
    });
  };
  const welcome = (running: RunningTimer[]): void => {
    timers.reset(running);
    sayMode();
    if (device.value.mode === 'free') void openMicrophone();
  };
  const sayMode = (): void =>
    connection.send({
      type: 'session.update',
      session: { endpointing: device.value.mode === 'free' ? 'server' : 'manual' },
    });

  const openMicrophone = async (): Promise<boolean> => {
    clearTimeout(idle);
    if (microphone.isOpen) return true;
    microphoneState.value = 'opening';
    trouble.value = null;
    try {
      await microphone.open();
      microphoneState.value = 'open';
      return true;
    } catch (error) {
      microphoneState.value = 'closed';
      trouble.value = error instanceof NoMicrophone ? error.message : sentenceOf(error);
      return false;
    }
  };
  const closeMicrophone = (): void => {
    clearTimeout(idle);
    microphone.close();
    microphoneState.value = 'closed';
    level.value = 0;
  };
  const isGoingOn = (kind: Exchange['kind']) =>
    exchanges.value.some((each) => each.kind === kind && !isOver(each));
  const hush = (): void => {
    if (isGoingOn('spoken')) connection.send({ type: 'response.cancel' });
    typing.stop();
    speech.silence();
  };

  const press = async (): Promise<void> => {
    if (isHeld.value || device.value.mode === 'free') return;
    isHeld.value = true;
    clearTimeout(letGo);
    letGo = undefined;
    hush();
    connection.send({ type: 'input_audio_buffer.clear' });
    loudspeaker.prepare();
    if (!(await openMicrophone())) isHeld.value = false;
  };
  const release = (): void => {
    if (!isHeld.value) return;
    isHeld.value = false;
    clearTimeout(letGo);
    letGo = setTimeout(() => {
      letGo = undefined;
      connection.send({ type: 'input_audio_buffer.commit' });
    }, tailMs);
    idle = setTimeout(closeMicrophone, idleMicrophoneMs);
  };

  return {
    live,
    exchanges,
    level,
    microphoneState,
    isHeld,
    trouble,
    played,
    timers,
    isTyping: typing.isWaiting,
    connect: connection.open,
    disconnect(): void {
      connection.close();
      closeMicrophone();
    },
    wake: connection.wake,
    press,
    release,
    stop(): void {
      // To speak while a timer rings does not stop it; this button does.
      if (isGoingOn('told')) connection.send({ type: 'response.cancel' });
      hush();
    },
    ask: typing.ask,
    /** "Just speak" keeps the microphone open, "hold to talk" only while the button is held. */
    async choose(mode: 'hold' | 'free'): Promise<void> {
      if (mode === 'free' && !(await openMicrophone())) return;
      keeper.change({ mode });
      loudspeaker.prepare();
      sayMode();
      if (mode === 'hold') closeMicrophone();
    },
    /** The server keeps the conversation by its name. */
    rename({ name, room }: { name: string; room: string }): void {
      keeper.change({ name, room, isChosen: true });
      connection.send({ type: 'session.update', session: { client: name, room } });
    },
    /** A sound that belongs to no turn. */
    playSample: card.play,
  };
}

function said(event: Extract<ServerEvent, { type: 'error' }>): string {
  if (event.error.code === 'no_audio') return 'Nothing was heard. Hold the button while you speak.';
  return event.error.message;
}
