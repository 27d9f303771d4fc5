import { batch, signal } from '@preact/signals';
import type { ClientEvent, ServerEvent, SessionState } from '../../../api/src/listen/events/listen-events.ts';
import { t } from '../language/translate.ts';
import type { Caller } from '../server/call.ts';
import { createLoudspeaker } from '../sound/loudspeaker.ts';
import type { Played } from '../sound/playout.ts';
import { createSoundCard, type SoundCard } from '../sound/sound-card.ts';
import { createListenConnection, type LiveOptions, type LiveState } from './connection.ts';
import type { DeviceKeeper, TalkMode } from './device.ts';
import { createEarlier } from './earlier.ts';
import { afterEvent, afterLoss, type Exchange, isGoingOn } from './exchanges.ts';
import { isSent } from './hold.ts';
import { createPlace } from './place.ts';
import { createPushToTalk } from './push-to-talk.ts';
import { createSoundGate } from './sound-gate.ts';
import { createSpeech } from './speech.ts';
import { createTalkMicrophone } from './talk-microphone.ts';
import { createTimers } from './timers.ts';
import { createTyping } from './typing.ts';
import { createUndoable } from './undoable.ts';

interface TalkOptions extends Pick<LiveOptions, 'address' | 'whyRefused'> {
  caller: Caller;
  keeper: DeviceKeeper;
  /** Called after a change of a timer. */
  onTimers: () => void;
}

export type Talk = ReturnType<typeof createTalk>;

/** The live parts of the page: the connection, the microphone, the loudspeaker, and the conversation. */
export function createTalk(options: TalkOptions) {
  const shown = createShown();
  const card = createSoundCard();
  const parts = createParts(options, { shown, card });
  const { connection, microphone, button, typing, earlier, undoable } = parts;
  return {
    ...shown,
    level: microphone.level,
    microphoneState: microphone.state,
    /** The wake word detector is loading, so the word is not heard yet. */
    isLoadingWakeWord: parts.gate.isLoading,
    /** The person holds the button. */
    isHeld: button.isHeld,
    /** It listens for one utterance without the button. */
    isFree: button.isFree,
    isTyping: typing.isWaiting,
    /** An answer to a typed question is being spoken. */
    isSpeakingTyped: typing.isSpeaking,
    /** The earlier exchanges are known, or cannot be loaded. */
    isRecalled: earlier.isKnown,
    /** The turn that "undo that" would undo here. */
    undoable: undoable.turn,
    connect(): void {
      connection.open();
      void earlier.recall();
    },
    disconnect(): void {
      connection.close();
      microphone.close();
    },
    /** Removes the conversation of this device from the screen. */
    forget: earlier.forget,
    wake(): void {
      connection.wake();
      void earlier.recall();
    },
    press: button.press,
    release: button.release,
    ask: typing.ask,
    /** Asks to undo the actions of the last turn. */
    undo: () => typing.ask(t('Undo that'), { otherwise: undoable.words }),
    announce: typing.announce,
    announceAnyway: typing.announceAnyway,
    ...createChoices(options.keeper, parts, shown.isMuted),
    stop(): void {
      // Speaking while a timer rings does not stop it; this button does.
      if (isGoingOn(shown.exchanges.value, 'told')) connection.send({ type: 'response.cancel' });
      parts.hush();
    },
    /** Plays a sound that belongs to no turn. */
    playSample: card.play,
  };
}

type Shown = ReturnType<typeof createShown>;

/** The state that the views show. */
function createShown() {
  return {
    live: signal<LiveState>({ kind: 'closed' }),
    exchanges: signal<readonly Exchange[]>([]),
    trouble: signal<string | null>(null),
    played: signal<Played | null>(null),
    timers: createTimers(),
    /** Which speech is answered. The household’s choice for this device takes precedence over its mode. */
    wakeMode: signal<SessionState['wake']>('open'),
    /** Unless all speech is answered: the next sentence needs neither a name nor a wake word. */
    isAwake: signal(false),
    /** In a mode that always listens: the person has muted the microphone. */
    isMuted: signal(false),
    /** The wake words, if one is needed. */
    wakeWords: signal<readonly string[]>([]),
    /** The assistant's names, if one is needed. */
    names: signal<readonly string[]>([]),
  };
}

type Parts = ReturnType<typeof createParts>;

function createParts(options: TalkOptions, { shown, card }: { shown: Shown; card: SoundCard }) {
  const { caller, keeper } = options;
  const { live, exchanges, trouble } = shown;
  const { device } = keeper;
  const send = (event: ClientEvent): void => connection.send(event);
  const { loudspeaker, speech } = createVoice({ card, shown, send });
  const place = createPlace({ keeper, trouble });
  const typing = createTyping({ caller, device, language: place.language, exchanges, play: card.play });
  const undoable = createUndoable({ caller, device, exchanges });
  const earlier = createEarlier({ caller, device, exchanges, undoable: undoable.look });
  const microphone = createTalkMicrophone({
    card,
    trouble,
    onFrame: (frame) => {
      const situation = { live: live.value, mode: device.value.mode, hold: button.hold.value };
      if (isSent(situation)) gate.hear(frame);
    },
    onGap: () => gate.gap(),
    onLost: () => setMode('hold'),
  });
  const gate = createSoundGate({
    caller,
    mode: () => device.value.mode,
    send,
    sendSound: (frame) => connection.sendSound(frame),
    onFault: () => {
      trouble.value = noDetector();
    },
    onMended: () => {
      if (trouble.value === noDetector()) trouble.value = null;
    },
  });
  const setMode = (mode: TalkMode): void => {
    keeper.change({ mode });
    gate.prepare(mode);
    send(modeUpdate(mode));
  };
  const hush = (): void => {
    if (isGoingOn(exchanges.value, 'spoken')) send({ type: 'response.cancel' });
    typing.stop();
    speech.silence();
  };
  const button = createPushToTalk({
    mode: () => device.value.mode,
    onPress: () => {
      hush();
      send({ type: 'input_audio_buffer.clear' });
      loudspeaker.prepare();
      return microphone.openOnPress();
    },
    onRelease: microphone.closeWhenIdle,
    onEnd: () => send({ type: 'input_audio_buffer.commit' }),
    onFree: (isFree) => send(modeUpdate(isFree ? 'free' : device.value.mode)),
  });
  const connection = createTalkConnection(options, { shown, speech, microphone, gate, button, place });
  return {
    connection,
    microphone,
    gate,
    loudspeaker,
    button,
    place,
    typing,
    earlier,
    undoable,
    setMode,
    hush,
  };
}

interface VoiceOptions {
  card: SoundCard;
  shown: Shown;
  send: (event: ClientEvent) => void;
}

/** The sound of answers. */
function createVoice({ card, shown: { played, trouble }, send }: VoiceOptions) {
  const loudspeaker = createLoudspeaker({
    card,
    onPlayed: (news) => {
      played.value = news;
      speech.played(news);
    },
    onFault: () => {
      trouble.value = t('This browser cannot play sound. You can read the answers here.');
    },
  });
  const speech = createSpeech({ send, loudspeaker });
  return { loudspeaker, speech };
}

interface TalkParts {
  shown: Shown;
  speech: ReturnType<typeof createSpeech>;
  microphone: ReturnType<typeof createTalkMicrophone>;
  gate: ReturnType<typeof createSoundGate>;
  button: ReturnType<typeof createPushToTalk>;
  place: ReturnType<typeof createPlace>;
}

/** The connection, and the receivers of its events. */
function createTalkConnection({ address, whyRefused, keeper, onTimers }: TalkOptions, parts: TalkParts) {
  const { speech, microphone, gate, button, place } = parts;
  const { live, exchanges, trouble, timers, wakeMode, isAwake, isMuted, wakeWords, names } = parts.shown;
  const onState = (state: LiveState): void => {
    const wasOpen = live.value.kind === 'open';
    live.value = state;
    if (!wasOpen || state.kind === 'open') return;
    speech.silence();
    exchanges.value = afterLoss(exchanges.value);
    button.lost();
  };
  const welcome = (): void => {
    const { mode } = keeper.device.value;
    connection.send(modeUpdate(mode));
    if (mode !== 'hold' && !isMuted.value) void microphone.openUnasked();
  };
  const onEvent = (event: ServerEvent): void => {
    gate.handle(event);
    if (event.type === 'session.created') {
      timers.reset(event.session.timers);
      isAwake.value = false;
      welcome();
    }
    onSpeech(event, button);
    if (event.type === 'wake.changed') isAwake.value = event.awake;
    if (event.type === 'session.updated') {
      wakeMode.value = event.session.wake;
      wakeWords.value = phrasesOf(event.session);
      names.value = namesOf(event.session);
    }
    place.handle(event);
    timers.handle(event);
    if (event.type.startsWith('timer.')) onTimers();
    speech.handle(event);
    const mayBeForOthers = wakeMode.value !== 'open' && !isAwake.value;
    if (!(mayBeForOthers && isSpeechEdge(event)))
      exchanges.value = afterEvent(exchanges.value, event, Date.now());
    if (event.type === 'error' && isForPerson(event)) trouble.value = said(event);
  };
  const connection = createListenConnection({
    address,
    whyRefused,
    onState,
    onEvent: (event) => batch(() => onEvent(event)),
    onSound: speech.sound,
  });
  return connection;
}

function onSpeech(event: ServerEvent, button: TalkParts['button']): void {
  if (event.type === 'input_audio_buffer.speech_started') button.hears();
  if (event.type === 'input_audio_buffer.committed') button.heard();
}

/** Applies the person's choices for this device. */
function createChoices(keeper: DeviceKeeper, parts: Parts, isMuted: Shown['isMuted']) {
  const { connection, microphone, loudspeaker, place, earlier } = parts;
  return {
    /** In a mode that always listens: mutes or unmutes the microphone. */
    async mute(): Promise<void> {
      // If the microphone was never opened, the press opens it.
      isMuted.value = microphone.state.value === 'open';
      loudspeaker.prepare();
      if (!isMuted.value) return void (await microphone.open());
      microphone.close();
      connection.send({ type: 'input_audio_buffer.clear' });
    },
    /** "Hold to talk" opens the microphone while the button is held. The other modes keep it open. */
    async choose(mode: TalkMode): Promise<void> {
      if (mode !== 'hold' && !(await microphone.open())) return;
      isMuted.value = false;
      parts.setMode(mode);
      loudspeaker.prepare();
      if (mode === 'hold') microphone.close();
    },
    /** The server stores the conversation under this name. */
    rename({ name, room }: { name: string; room: string }): void {
      const isOther = name !== keeper.device.value.name;
      keeper.change({ name, room, isChosen: true });
      place.want(room);
      connection.send({ type: 'session.update', session: { client: name, room } });
      if (isOther) void earlier.change();
    },
  };
}

/** Someone is speaking, perhaps not to the assistant. */
function isSpeechEdge({ type }: ServerEvent): boolean {
  return type === 'input_audio_buffer.speech_started' || type === 'input_audio_buffer.speech_stopped';
}

/**
 * With an open microphone, the server detects the end of speech and the addressee. Otherwise the button
 * decides both.
 */
function modeUpdate(mode: TalkMode): ClientEvent {
  const endpointing = mode === 'hold' ? 'manual' : 'server';
  const wake = mode === 'hold' || mode === 'free' ? 'open' : mode;
  return { type: 'session.update', session: { endpointing, wake } };
}

const phrasesOf = ({ wake_words: words = [] }: Pick<SessionState, 'wake_words'>) =>
  words.map(({ phrase }) => phrase);

const namesOf = ({ names = [] }: Pick<SessionState, 'names'>) => names;

type ErrorEvent = Extract<ServerEvent, { type: 'error' }>;

const noDetector = () =>
  t(
    'The wake word detector could not be loaded. This page now sends all sound to Hearth, which listens for the word.',
  );

/** The gate handles a wake word that the household no longer uses. */
const isForPerson = ({ turn_id, event }: ErrorEvent) => turn_id === null && event !== 'wake.heard';

function said(event: ErrorEvent): string {
  if (event.error.code === 'no_audio') return t('Hearth heard nothing. Hold the button while you speak.');
  return event.error.message;
}
