import type { ClientEvent, ServerEvent } from './event.ts';
import { gettext } from './gettext.ts';
import type { Loudspeaker, Speech } from './loudspeaker.ts';

interface ConversationOptions {
  send: (event: ClientEvent) => void;
  loudspeaker: Loudspeaker;
  /** Shows the words that were heard and spoken. */
  show: (line: string) => void;
  /** Shows everything else that the person should know. */
  tell: (line: string) => void;
}

interface Answer {
  turnId: string;
  speech: Speech;
  hasSound: boolean;
  /** The server counts the turn as over; our loudspeaker may still play some of its sound. */
  isDone: boolean;
}

/** A room still echoes for a moment after the loudspeaker falls silent. */
const reverberationMs = 300;

type ResponseDone = Extract<ServerEvent, { type: 'response.done' }>;

export type Conversation = ReturnType<typeof createConversation>;

/** Creates the satellite's reactions to the server's events. */
export function createConversation({ send, loudspeaker, show, tell }: ConversationOptions) {
  /** The turn that is speaking or is about to speak. */
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
  const finish = ({ turn_id, status, reason }: ResponseDone): void => {
    openTurns.delete(turn_id);
    if (status === 'cancelled' && reason === 'turn_detected') show(`      ${gettext('(interrupted)')}`);
    if (answer?.turnId !== turn_id) return;
    answer.isDone = true;
    if (status === 'cancelled') silence();
    else answer.speech.end();
  };

  /** Updates the turns and the loudspeaker after an event. */
  const follow = (event: ServerEvent): void => {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        openTurns.add(event.turn_id);
        if (answer?.isDone) silence();
        break;
      case 'input_audio_buffer.cleared':
        if (event.turn_id !== null) openTurns.delete(event.turn_id);
        break;
      // The loudspeaker prepares while the engine still works on the answer.
      case 'response.created':
        openTurns.add(event.turn_id);
        begin(event.turn_id);
        break;
      case 'response.output_audio.done':
        if (answer?.turnId === event.turn_id) answer.speech.end();
        break;
      case 'response.done':
        finish(event);
        break;
    }
  };

  return {
    handle(event: ServerEvent): void {
      follow(event);
      const line = lineOf(event);
      if (line !== undefined) show(line);
      if (event.type === 'error') tell(event.error.message);
    },
    sound: (samples: Buffer) => {
      if (!answer) return;
      answer.hasSound = true;
      answer.speech.play(samples);
    },
    /** Whether a microphone in the room can hear the loudspeaker. */
    isAudible: () => answer?.hasSound === true || performance.now() - silentSinceMs < reverberationMs,
    /** Stops the sound and any further answer. */
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

/** Returns the line to show for an event. */
function lineOf(event: ServerEvent): string | undefined {
  switch (event.type) {
    case 'conversation.item.input_audio_transcription.completed':
      return gettext('Heard: %s', event.transcript || gettext('(nothing)'));
    case 'response.output_audio_transcript.delta':
      return gettext('Said:  %s', event.delta.trim());
    case 'timer.finished':
      return overWords(event.timer.name);
    case 'wake.changed':
      // The person who has just said the word is speaking.
      return event.awake && event.reason !== 'word'
        ? gettext('(go on: no wake word or name is needed now)')
        : undefined;
    default:
      return undefined;
  }
}

export function overWords(timer: string | null): string {
  return timer ? gettext('The timer "%s" is over.', timer) : gettext('A timer is over.');
}
