import type { ServerEvent } from '../../../api/src/listen/events/listen-events.ts';

/** The state of a turn according to the events so far. */
interface Told {
  /** An event preceded its response, so a person has spoken. */
  isSpoken: boolean;
  isCommitted: boolean;
  isTranscribed: boolean;
  hasResponse: boolean;
  isOver: boolean;
  sound: 'none' | 'open' | 'closed';
  soundBytes: number;
  words: string;
}

type TurnEvent = Exclude<ServerEvent, { type: `${'session' | 'timer'}.${string}` | 'error' }> & {
  turn_id: string;
};

const bytesPerMs = 32;

/**
 * Checks the frames of one connection against the order that docs/listen.md promises. Returns the fault, or
 * null.
 */
export function createOrderCheck() {
  const turns = new Map<string, Told>();
  let isFirst = true;
  let speaking: Told | null = null;
  let speakingTurn: string | null = null;

  const toldOf = (turnId: string): Told => {
    const told = turns.get(turnId) ?? newTurn();
    turns.set(turnId, told);
    return told;
  };

  return {
    faultOf: (event: ServerEvent): string | null => {
      if (isFirst !== (event.type === 'session.created')) return 'session.created comes first, and once';
      isFirst = false;
      if (!belongsToTurn(event)) return null;
      const told = toldOf(event.turn_id);
      if (event.type.startsWith('input_audio_buffer.')) told.isSpoken = true;
      const fault = told.isOver ? 'the turn was over' : step(told, event, speaking);
      if (event.type === 'response.output_audio.started') [speaking, speakingTurn] = [told, event.turn_id];
      if (event.type === 'response.output_audio.done') [speaking, speakingTurn] = [null, null];
      return fault;
    },
    /** Checks a binary frame: sound of the most recently announced turn. */
    faultOfSound: (bytes: number): string | null => {
      if (bytes === 0 || bytes % 2 !== 0) return `${bytes} bytes are not whole samples`;
      if (!speaking) return 'sound that no response.output_audio.started announced';
      speaking.soundBytes += bytes;
      return null;
    },
    /** The turn whose sound is arriving. */
    speaking: (): string | null => speakingTurn,
    /** Turns whose answer has begun and not ended. */
    openResponses: (): string[] =>
      [...turns].flatMap(([id, { hasResponse, isOver }]) => (hasResponse && !isOver ? [id] : [])),
  };
}

function newTurn(): Told {
  return {
    isSpoken: false,
    isCommitted: false,
    isTranscribed: false,
    hasResponse: false,
    isOver: false,
    sound: 'none',
    soundBytes: 0,
    words: '',
  };
}

/** Timers and errors may arrive at any time, in any state of their turn. */
function belongsToTurn(event: ServerEvent): event is TurnEvent {
  if (event.type === 'error' || event.type.startsWith('timer.')) return false;
  return 'turn_id' in event && event.turn_id !== null;
}

function step(told: Told, event: TurnEvent, speaking: Told | null): string | null {
  switch (event.type) {
    case 'input_audio_buffer.committed':
      if (told.isCommitted) return 'committed twice';
      told.isCommitted = true;
      return null;
    case 'conversation.item.input_audio_transcription.delta':
      return told.isTranscribed ? 'a partial transcript after the whole' : null;
    case 'conversation.item.input_audio_transcription.completed':
      if (told.isTranscribed) return 'transcribed twice';
      told.isTranscribed = true;
      return null;
    case 'response.created':
      // A ringing timer is a response without a question.
      if ((told.isSpoken && !told.isCommitted) || told.hasResponse)
        return 'one response for each committed utterance';
      told.hasResponse = true;
      return null;
    case 'input_audio_buffer.speech_started':
    case 'input_audio_buffer.speech_stopped':
      return told.isCommitted ? 'the utterance was committed' : null;
    default:
      return stepOfCleared(told, event) ?? stepOfAnswer(told, event, speaking);
  }
}

function stepOfCleared(told: Told, { type }: TurnEvent): string | null {
  if (type !== 'input_audio_buffer.cleared') return null;
  told.isOver = true;
  return told.isCommitted ? 'cleared after it was committed' : null;
}

function stepOfAnswer(told: Told, event: TurnEvent, speaking: Told | null): string | null {
  if (!event.type.startsWith('response.')) return null;
  if (!told.hasResponse) return 'no response was created';
  switch (event.type) {
    case 'response.output_audio.started':
      if (told.sound !== 'none' || speaking) return 'speech began twice, or two turns speak at once';
      told.sound = 'open';
      return null;
    case 'response.output_audio_transcript.delta':
      told.words += event.delta;
      return null;
    case 'response.output_audio.done':
      if (told.sound !== 'open') return 'speech ended that had not begun';
      told.sound = 'closed';
      return differs(event.audio_duration_ms, told.soundBytes / bytesPerMs);
    case 'response.done':
      told.isOver = true;
      if (told.sound === 'open') return 'response.output_audio.done is missing';
      return event.status !== 'cancelled' && event.reply !== told.words
        ? `the words were "${told.words}", the reply is "${event.reply}"`
        : null;
    default:
      return null;
  }
}

function differs(toldMs: number, seenMs: number): string | null {
  return Math.abs(toldMs - seenMs) <= 1 ? null : `${seenMs} ms of sound came, ${toldMs} ms were announced`;
}
