import { type Event, textOf } from './event.ts';
import type { Loudspeaker, Speech } from './loudspeaker.ts';

interface ConversationOptions {
  send: (event: Event) => void;
  loudspeaker: Loudspeaker;
  /** What was heard and said. */
  show: (line: string) => void;
  /** What else the person should know. */
  tell: (line: string) => void;
}

interface Answer {
  turnId: string;
  speech: Speech;
  hasSound: boolean;
  /** The server counts it as over; some of its sound may still be in our loudspeaker. */
  isDone: boolean;
}

/** A room still sounds for a moment when the loudspeaker is silent. */
const reverberationMs = 300;

export type Conversation = ReturnType<typeof createConversation>;

/** What a satellite does about the events of the server. */
export function createConversation({ send, loudspeaker, show, tell }: ConversationOptions) {
  /** The turn that speaks, or is about to. */
  let answer: Answer | undefined;
  const openTurns = new Set<string>();
  let silentSinceMs = Number.NEGATIVE_INFINITY;

  const begin = (turnId: string): void => {
    const begun: Answer = { turnId, speech: loudspeaker.begin(), hasSound: false, isDone: false };
    answer = begun;
    void begun.speech.playedMs.then((playedMs) => {
      if (playedMs > 0) {
        silentSinceMs = performance.now();
        send({ type: 'playback.finished', turn_id: turnId, played_ms: Math.round(playedMs) });
      }
      if (answer === begun) answer = undefined;
    });
  };
  const silence = (): void => {
    answer?.speech.stop();
    answer = undefined;
  };
  const finish = (event: Event, turnId: string): void => {
    openTurns.delete(turnId);
    if (event['status'] === 'cancelled' && event['reason'] === 'turn_detected') show('      (interrupted)');
    if (answer?.turnId !== turnId) return;
    answer.isDone = true;
    if (event['status'] === 'cancelled') silence();
    else answer.speech.end();
  };

  const handlers: Record<string, (event: Event, turnId: string) => void> = {
    'input_audio_buffer.speech_started': (_event, turnId) => {
      openTurns.add(turnId);
      if (answer?.isDone) silence();
    },
    'input_audio_buffer.cleared': (_event, turnId) => openTurns.delete(turnId),
    'conversation.item.input_audio_transcription.completed': (event) => {
      show(`Heard: ${textOf(event, 'transcript') || '(nothing)'}`);
    },
    // The loudspeaker gets ready while the answer is still thought about.
    'response.created': (_event, turnId) => {
      openTurns.add(turnId);
      begin(turnId);
    },
    'response.output_audio_transcript.delta': (event) => show(`Said:  ${textOf(event, 'delta').trim()}`),
    'response.output_audio.done': (_event, turnId) => {
      if (answer?.turnId === turnId) answer.speech.end();
    },
    'response.done': finish,
    'timer.finished': (event) => {
      const name = textOf(event['timer'], 'name');
      show(`${name ? `The timer "${name}"` : 'A timer'} is over.`);
    },
    error: (event) => tell(textOf(event['error'], 'message')),
  };

  return {
    handle: (event: Event) => handlers[event.type]?.(event, textOf(event, 'turn_id')),
    sound: (samples: Buffer) => {
      if (!answer) return;
      answer.hasSound = true;
      answer.speech.play(samples);
    },
    /** Whether a microphone in the room hears us. */
    isAudible: () => answer?.hasSound === true || performance.now() - silentSinceMs < reverberationMs,
    /** Silence, and no answer any more. */
    interrupt: () => {
      if (openTurns.size > 0) send({ type: 'response.cancel' });
      silence();
    },
    /** The server has forgotten the turns of a lost connection. */
    lost: () => {
      openTurns.clear();
      silence();
    },
    isQuiet: () => openTurns.size === 0 && answer === undefined,
  };
}
