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
  /** When the device was told to play it. */
  begunAtMs: number;
}

/** One request of the device, from the wake word to the end of its answer. */
interface Run {
  state: 'listening' | 'heard' | 'waiting';
  /** Turns of its utterance. More than one if late sound continues it. */
  turns: Set<string>;
  answer: Saying['answer'];
  callOff: () => void;
}

/**
 * Connects a device to a session. Its requests open the microphone. Session events become ESPHome voice
 * assistant events, and the sound becomes an answer to download.
 */
export function createVoiceTurns(options: VoiceTurnsOptions) {
  const { link, clock, newAnswer, isTaken, conversation, onFault } = options;
  let session: Pick<Session, 'hear' | 'take'> | null = null;
  let run: Run | null = null;
  let saying: Saying | null = null;
  let lateBytes = 0;
  /** Cancelled utterances whose end may still arrive. */
  const unwanted = createUnwantedTurns();

  const take = (event: Parameters<Session['take']>[0]): void => void session?.take(event, () => undefined);

  const closeRun = (): void => {
    run?.callOff();
    run = null;
    lateBytes = 0;
  };
  /** The device has disconnected from the answer, because someone stopped it there. */
  const left = (): void => {
    if (saying !== null) take({ type: 'response.cancel', turn_id: saying.turnId });
  };
  /** Drops the request with everything that was said. */
  const dropRun = (): void => {
    for (const turnId of run?.turns ?? []) unwanted.add(turnId);
    run?.answer.drop();
    closeRun();
  };
  const fail = (code: string, message: string): void => {
    if (run === null) return;
    dropRun();
    take({ type: 'input_audio_buffer.clear' });
    link.tell('failed', { code, message });
    link.tell('runEnd');
  };
  const nothingHeard = (): void => fail('stt-no-text-recognized', 'Nothing was said that I understood.');
  const waitForSpeech = (ofRun: Run): void => {
    ofRun.callOff();
    ofRun.callOff = clock.after(maxSilenceMs, nothingHeard);
  };
  /** The answer is complete. The device may listen again once it has played it. */
  const endRun = (said: Pick<Saying, 'text' | 'hasBegun'>): void => {
    if (run === null) return;
    const { url } = run.answer;
    link.tell('thought', {
      conversation_id: conversation,
      continue_conversation: asks(said.text) ? '1' : '0',
    });
    if (said.hasBegun) {
      link.tell('speaking', { text: said.text });
      link.tell('spoken', { url });
    } else run.answer.drop();
    link.tell('runEnd');
    closeRun();
  };
  const isOfRun = (turnId: string | null): turnId is string =>
    turnId !== null && (run?.turns.has(turnId) ?? false);

  /** Called before the sound of a turn. */
  const begin = (turnId: string): void => {
    saying?.answer.end();
    const isAsked = run !== null && isOfRun(turnId);
    const answer = run !== null && isAsked ? run.answer : newAnswer(left);
    saying = { turnId, answer, text: '', bytes: 0, hasBegun: false, begunAtMs: 0 };
  };
  /** Tells the device to start the download. */
  const play = (said: Saying): void => {
    said.hasBegun = true;
    said.begunAtMs = clock.nowMs();
    if (isOfRun(said.turnId)) {
      link.tell('progress', { tts_start_streaming: '1' });
      return;
    }
    const { text, answer } = said;
    if (link.facts.announces)
      link.announce({ url: answer.url, text, listens: link.facts.startsConversations && asks(text) });
    else onFault('cannot announce');
  };
  const ended = (turnId: string, how: { isCancelled: boolean }): void => {
    if (saying?.turnId !== turnId) return;
    if (how.isCancelled) saying.answer.drop();
    else saying.answer.end();
  };
  type Done = Extract<ServerEvent, { type: 'response.done' }>;
  const endWith = ({ status, reason }: Done, said: Saying | null): void => {
    if (reason === 'duplicate') fail('duplicate_wake_up_detected', 'Another device answers.');
    else if (reason === 'nothing_heard' || reason === 'echo') nothingHeard();
    else if (status === 'failed' && said === null) fail(reason ?? 'failed', 'I cannot answer at the moment.');
    else endRun(said ?? { text: '', hasBegun: false });
  };
  const done = (event: Done): void => {
    const turnId = event.turn_id;
    ended(turnId, { isCancelled: event.status === 'cancelled' });
    if (run === null || !isOfRun(turnId)) return;
    run.turns.delete(turnId);
    // Another turn has replaced this one.
    if (event.status === 'cancelled' && run.turns.size > 0) return;
    endWith(event, saying?.turnId === turnId ? saying : null);
  };
  const cleared = (turnId: string, now: Run): void => {
    now.turns.delete(turnId);
    if (now.turns.size > 0) return;
    // It was noise, so the person may still speak.
    if (now.state === 'listening') waitForSpeech(now);
    else nothingHeard();
  };

  /** Converts the events of an utterance for the device. */
  const heard = (event: ServerEvent, turnId: string, now: Run): void => {
    switch (event.type) {
      case 'input_audio_buffer.speech_stopped':
        now.state = 'heard';
        link.tell('speechEnded');
        return;
      case 'input_audio_buffer.cleared':
        cleared(turnId, now);
        return;
      case 'response.created':
        now.state = 'waiting';
        // From here on, the timeout of the response applies.
        now.callOff();
        return;
      case 'conversation.item.input_audio_transcription.completed':
        link.tell('heard', { text: event.transcript });
        link.tell('thinking');
        return;
    }
  };
  const speechBegan = (turnId: string, now: Run): void => {
    now.turns.add(turnId);
    if (now.state !== 'listening') return;
    now.callOff();
    now.callOff = clock.after(maxListeningMs, nothingHeard);
    link.tell('speechStarted');
  };
  const hear = (event: ServerEvent): void => {
    if (event.type === 'input_audio_buffer.speech_started') {
      if (run !== null) speechBegan(event.turn_id, run);
      else unwanted.add(event.turn_id);
    } else if (event.type === 'response.created' && unwanted.has(event.turn_id)) {
      take({ type: 'response.cancel', turn_id: event.turn_id });
    } else if (run !== null && 'turn_id' in event && isOfRun(event.turn_id)) heard(event, event.turn_id, run);
  };
  const soundDone = (turnId: string): void => {
    ended(turnId, { isCancelled: false });
    if (saying !== null && isOfRun(turnId)) endRun(saying);
  };
  const send = (event: ServerEvent): void => {
    if (event.type === 'response.output_audio.started') begin(event.turn_id);
    else if (event.type === 'response.output_audio_transcript.delta') {
      if (saying?.turnId === event.turn_id) saying.text += event.delta;
    } else if (event.type === 'response.output_audio.done') soundDone(event.turn_id);
    else if (event.type === 'response.done') done(event);
    else hear(event);
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
    line: { send, loudspeaker },
    /** Call once the session exists. The device is heard from then on. */
    serve(served: Pick<Session, 'hear' | 'take'>): void {
      session = served;
    },
    /** The device was woken. */
    asked(wakeWord: string): void {
      dropRun();
      take({ type: 'response.cancel' });
      take({ type: 'input_audio_buffer.clear' });
      const mine: Run = {
        state: 'listening',
        turns: new Set(),
        answer: newAnswer(left),
        callOff: () => undefined,
      };
      run = mine;
      waitForSpeech(mine);
      link.accept();
      link.tell('runStart', { url: mine.answer.url });
      link.tell('listening');
      if (wakeWord === '') return;
      void isTaken(wakeWord).then((taken) => {
        if (taken && run === mine) fail('duplicate_wake_up_detected', 'Another device answers.');
      });
    },
    /** Someone has stopped it on the device. */
    stopped(): void {
      dropRun();
      take({ type: 'input_audio_buffer.clear' });
      take({ type: 'response.cancel' });
    },
    sound(samples: Buffer): void {
      if (run?.state === 'listening') {
        void session?.hear(samples);
        return;
      }
      lateBytes += samples.length;
      if (lateBytes > maxLateBytes) onFault('endless sound');
    },
    /** The device has finished playback, or someone has stopped it there: then less time has passed. */
    played(): void {
      if (saying === null) return;
      const { turnId, bytes, begunAtMs } = saying;
      const playedMs = Math.min(bytes / bytesPerMs, Math.round(clock.nowMs() - begunAtMs));
      take({ type: 'playback.finished', turn_id: turnId, played_ms: playedMs });
    },
    /** The device has disconnected. */
    close(): void {
      run?.answer.drop();
      saying?.answer.drop();
      closeRun();
      session = null;
    },
  };
}
