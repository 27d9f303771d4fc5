import type { Clock } from '../clock.ts';
import type { ServerEvent } from '../listen/events/listen-events.ts';
import type { Loudspeaker } from '../listen/playback/playback.ts';
import type { Session } from '../listen/session.ts';
import type { DeviceAnswer } from './answer-server.ts';
import { createUnwantedTurns } from './unwanted-turns.ts';
import type { VoiceLink } from './voice-link.ts';

/** Timeout for speech to begin after a device was woken. */
const maxSilenceMs = 8_000;
/** Listening timeout, longer than the longest utterance. */
const maxListeningMs = 40_000;
/** How much sound may still arrive after a device was told to stop. */
const maxLateBytes = 5 * 32_000;
const bytesPerMs = 32;

/** Faults of a device. Each is logged once per device. */
export type DeviceFault = 'endless sound' | 'cannot announce';

/** After a question, people can answer without a wake word. */
const asks = (text: string) => text.trimEnd().endsWith('?');

interface VoiceTurnsOptions {
  link: Pick<VoiceLink, 'accept' | 'tell' | 'announce' | 'facts'>;
  clock: Clock;
  /** Opens a new answer with the URL for the device. */
  newAnswer: (onLeft: () => void) => DeviceAnswer & { url: string };
  /** Whether another device has just been woken by the same words and answers. */
  isTaken: (wakeWord: string) => Promise<boolean>;
  conversation: string;
  onFault: (fault: DeviceFault) => void;
}

/** The sound that is being sent. */
interface Saying {
  turnId: string;
  answer: ReturnType<VoiceTurnsOptions['newAnswer']>;
  text: string;
  bytes: number;
  hasBegun: boolean;
  /** When the device received the order to play it. */
  begunAtMs: number;
}

/** One request of the device, from the wake word to the end of its answer. */
interface Run {
  state: 'listening' | 'transcribed' | 'waiting';
  /** The turns of its utterance. More than one if late sound continues the utterance. */
  turns: Set<string>;
  answer: Saying['answer'];
  cancelTimeout: () => void;
}

/**
 * Connects a device to a session. Its requests open the microphone. Session events become ESPHome voice
 * assistant events, and the sound becomes an answer to download.
 */
export function createVoiceTurns(options: VoiceTurnsOptions) {
  const { link, clock, newAnswer, isTaken, conversation, onFault } = options;
  let session: Pick<Session, 'pushAudio' | 'take'> | null = null;
  let lateBytes = 0;
  /** Cancelled utterances whose end may still arrive. */
  const unwanted = createUnwantedTurns();

  const take = (event: Parameters<Session['take']>[0]): void => void session?.take(event, () => undefined);
  const run = createDeviceRun({
    link,
    clock,
    conversation,
    onDrop: unwanted.add,
    onFail: (isAnswering) => {
      take({ type: 'input_audio_buffer.clear' });
      if (isAnswering) take({ type: 'response.cancel' });
    },
    onClose: () => {
      lateBytes = 0;
    },
  });
  const saying = createSaying({
    link,
    clock,
    newAnswer,
    onFault,
    run,
    // Someone has stopped the answer on the device.
    onLeft: (turnId) => take({ type: 'response.cancel', turn_id: turnId }),
  });

  const done = (event: Done): void => {
    const turnId = event.turn_id;
    saying.end(turnId, { isCancelled: event.status === 'cancelled' });
    if (!run.has(turnId)) return;
    const isLast = run.remove(turnId);
    // Another turn has replaced this one.
    if (event.status === 'cancelled' && !isLast) return;
    endWith(run, event, saying.of(turnId));
  };
  const onTurnEvent = (event: ServerEvent): void => {
    if (event.type === 'input_audio_buffer.speech_started') {
      if (!run.speechBegan(event.turn_id)) unwanted.add(event.turn_id);
    } else if (event.type === 'response.created' && unwanted.has(event.turn_id)) {
      take({ type: 'response.cancel', turn_id: event.turn_id });
    } else if ('turn_id' in event && run.has(event.turn_id)) run.onUtteranceEvent(event, event.turn_id);
  };
  const send = (event: ServerEvent): void => {
    if (event.type === 'response.output_audio.started') saying.begin(event.turn_id);
    else if (event.type === 'response.output_audio_transcript.delta')
      saying.addText(event.turn_id, event.delta);
    else if (event.type === 'response.output_audio.done') saying.finish(event.turn_id);
    else if (event.type === 'response.done') done(event);
    else onTurnEvent(event);
  };

  return {
    line: { send, loudspeaker: saying.loudspeaker },
    /** Call once the session exists. The device is heard from then on. */
    serve(served: Pick<Session, 'pushAudio' | 'take'>): void {
      session = served;
    },
    /** The device was woken. */
    onRequest(wakeWord: string): void {
      run.drop();
      take({ type: 'response.cancel' });
      take({ type: 'input_audio_buffer.clear' });
      const isCurrent = run.start(saying.newAnswer());
      if (wakeWord === '') return;
      void isTaken(wakeWord).then((taken) => {
        if (taken && isCurrent()) run.fail('duplicate_wake_up_detected', 'Another device answers.');
      });
    },
    /** Someone has stopped it on the device. */
    stopped(): void {
      run.drop();
      take({ type: 'input_audio_buffer.clear' });
      take({ type: 'response.cancel' });
    },
    sound(samples: Buffer): void {
      if (run.isListening()) {
        void session?.pushAudio(samples);
        return;
      }
      lateBytes += samples.length;
      if (lateBytes > maxLateBytes) onFault('endless sound');
    },
    /** Playback is over. If someone stopped it on the device, less time has passed. */
    played(): void {
      const played = saying.played();
      if (played === null) return;
      take({ type: 'playback.finished', turn_id: played.turnId, played_ms: played.playedMs });
    },
    /** The device has disconnected. */
    close(): void {
      run.drop();
      saying.now()?.answer.drop();
      session = null;
    },
  };
}

type Done = Extract<ServerEvent, { type: 'response.done' }>;

/** Ends the request of a turn that is done. `said`: its answer, if any was sent. */
function endWith(run: DeviceRun, { status, reason }: Done, said: Saying | null): void {
  if (reason === 'duplicate') run.fail('duplicate_wake_up_detected', 'Another device answers.');
  else if (reason === 'nothing_heard' || reason === 'echo') run.noSpeech();
  else if (status === 'failed' && said === null)
    run.fail(reason ?? 'failed', 'I cannot answer at the moment.');
  else run.end(said ?? { text: '', hasBegun: false });
}

interface SayingOptions extends Pick<VoiceTurnsOptions, 'link' | 'clock' | 'newAnswer' | 'onFault'> {
  run: DeviceRun;
  /** Called when the device has disconnected from the answer. */
  onLeft: (turnId: string) => void;
}

/** Sends the sound of one answer at a time to the device, as a download. */
function createSaying({ link, clock, newAnswer, onFault, run, onLeft }: SayingOptions) {
  let saying: Saying | null = null;

  const left = (): void => {
    if (saying !== null) onLeft(saying.turnId);
  };
  const end = (turnId: string, { isCancelled }: { isCancelled: boolean }): void => {
    if (saying?.turnId !== turnId) return;
    if (isCancelled) saying.answer.drop();
    else saying.answer.end();
  };
  /** Tells the device to start the download. */
  const play = (said: Saying): void => {
    said.hasBegun = true;
    said.begunAtMs = clock.nowMs();
    if (run.has(said.turnId)) {
      link.tell('progress', { tts_start_streaming: '1' });
      return;
    }
    const { text, answer } = said;
    if (link.facts.announces)
      link.announce({ url: answer.url, text, listens: link.facts.startsConversations && asks(text) });
    else onFault('cannot announce');
  };

  const loudspeaker: Loudspeaker = {
    play(samples) {
      if (saying === null) return;
      if (!saying.hasBegun) play(saying);
      saying.bytes += samples.length;
      saying.answer.push(samples);
    },
    unreadBytes: () => 0,
    giveUp: () => saying?.answer.drop(),
  };

  return {
    newAnswer: () => newAnswer(left),
    now: (): Saying | null => saying,
    of: (turnId: string): Saying | null => (saying?.turnId === turnId ? saying : null),
    /** Called before the sound of a turn. */
    begin(turnId: string): void {
      saying?.answer.end();
      const answer = run.answerOf(turnId) ?? newAnswer(left);
      saying = { turnId, answer, text: '', bytes: 0, hasBegun: false, begunAtMs: 0 };
    },
    addText(turnId: string, text: string): void {
      if (saying?.turnId === turnId) saying.text += text;
    },
    end,
    /** All sound of the answer was sent, so the request is over. */
    finish(turnId: string): void {
      end(turnId, { isCancelled: false });
      if (saying !== null && run.has(turnId)) run.end(saying);
    },
    /** How much the device can have played by now. Null: there is no sound. */
    played(): { turnId: string; playedMs: number } | null {
      if (saying === null) return null;
      const { turnId, bytes, begunAtMs } = saying;
      return { turnId, playedMs: Math.min(bytes / bytesPerMs, Math.round(clock.nowMs() - begunAtMs)) };
    },
    loudspeaker,
  };
}

interface DeviceRunOptions extends Pick<VoiceTurnsOptions, 'link' | 'clock' | 'conversation'> {
  /** Called for each turn whose answer is not wanted any more. */
  onDrop: (turnId: string) => void;
  /** `isAnswering`: a response to the request has begun. */
  onFail: (isAnswering: boolean) => void;
  onClose: () => void;
}

type DeviceRun = ReturnType<typeof createDeviceRun>;

/** Tracks the current request of a device, and reports its progress to the device. */
function createDeviceRun({ link, clock, conversation, onDrop, onFail, onClose }: DeviceRunOptions) {
  let run: Run | null = null;

  const end = (): void => {
    run?.cancelTimeout();
    run = null;
    onClose();
  };
  /** Drops the request with everything that was said. */
  const drop = (): void => {
    for (const turnId of run?.turns ?? []) onDrop(turnId);
    run?.answer.drop();
    end();
  };
  const fail = (code: string, message: string): void => {
    if (run === null) return;
    const isAnswering = run.state === 'waiting';
    drop();
    onFail(isAnswering);
    link.tell('failed', { code, message });
    link.tell('runEnd');
  };
  const noSpeech = (): void => fail('stt-no-text-recognized', 'Nothing was said that I understood.');
  const waitForSpeech = (now: Run): void => {
    now.cancelTimeout();
    now.cancelTimeout = clock.after(maxSilenceMs, noSpeech);
  };
  const cleared = (turnId: string, now: Run): void => {
    now.turns.delete(turnId);
    if (now.turns.size > 0) return;
    // It was noise, so the person may still speak.
    if (now.state === 'listening') waitForSpeech(now);
    else noSpeech();
  };

  return {
    has: (turnId: string | null): turnId is string => turnId !== null && (run?.turns.has(turnId) ?? false),
    isListening: () => run?.state === 'listening',
    /** The answer to this turn. Null: the turn does not belong to the request. */
    answerOf: (turnId: string) => (run?.turns.has(turnId) ? run.answer : null),
    /** Starts a request. The returned function tells whether it is still the current one. */
    start(answer: Run['answer']): () => boolean {
      const mine: Run = { state: 'listening', turns: new Set(), answer, cancelTimeout: () => undefined };
      run = mine;
      waitForSpeech(mine);
      link.accept();
      link.tell('runStart', { url: answer.url });
      link.tell('listening');
      return () => run === mine;
    },
    /** Removes a turn. Returns whether it was the last one. */
    remove(turnId: string): boolean {
      run?.turns.delete(turnId);
      return run === null || run.turns.size === 0;
    },
    /** Speech has begun. False: there is no request. */
    speechBegan(turnId: string): boolean {
      if (run === null) return false;
      run.turns.add(turnId);
      if (run.state === 'listening') {
        run.cancelTimeout();
        run.cancelTimeout = clock.after(maxListeningMs, noSpeech);
        link.tell('speechStarted');
      }
      return true;
    },
    /** Converts the events of an utterance for the device. */
    onUtteranceEvent(event: ServerEvent, turnId: string): void {
      if (run === null) return;
      switch (event.type) {
        case 'input_audio_buffer.speech_stopped':
          run.state = 'transcribed';
          link.tell('speechEnded');
          return;
        case 'input_audio_buffer.cleared':
          cleared(turnId, run);
          return;
        case 'response.created':
          run.state = 'waiting';
          // From here on, the timeout of the response applies.
          run.cancelTimeout();
          return;
        case 'conversation.item.input_audio_transcription.completed':
          link.tell('transcript', { text: event.transcript });
          link.tell('thinking');
          return;
      }
    },
    /** The answer is complete. The device may listen again once it has played it. */
    end(said: Pick<Saying, 'text' | 'hasBegun'>): void {
      if (run === null) return;
      if (!said.hasBegun) run.answer.drop();
      tellAnswer({ link, conversation }, said, run.answer.url);
      end();
    },
    drop,
    fail,
    noSpeech,
  };
}

/** Tells the device that the answer is complete, and whether it should listen after playback. */
function tellAnswer(
  { link, conversation }: Pick<VoiceTurnsOptions, 'link' | 'conversation'>,
  { text, hasBegun }: Pick<Saying, 'text' | 'hasBegun'>,
  url: string,
): void {
  link.tell('thought', { conversation_id: conversation, continue_conversation: asks(text) ? '1' : '0' });
  if (hasBegun) {
    link.tell('speaking', { text });
    link.tell('spoken', { url });
  }
  link.tell('runEnd');
}
