import { randomUUID } from 'node:crypto';
import type { AppError } from '../errors.ts';
import type { ServerEvent } from '../listen/events/listen-events.ts';
import type { Reply } from '../turn/turn.ts';
import { createConversationItems, type SendEvent } from './conversation-items.ts';
import { type AskedResponse, idsOf, type OpenResponse, openResponse, unasked } from './open-response.ts';
import { realtimeCode } from './refusals.ts';
import type { RealtimeState } from './session-state.ts';

type EventOf<Type extends ServerEvent['type']> = Extract<ServerEvent, { type: Type }>;

interface RealtimeEventsOptions {
  send: (event: object) => void;
  state: () => RealtimeState;
  /** Called when the session is created or changed. */
  onSession: (event: EventOf<'session.created'> | EventOf<'session.updated'>) => void;
}

/**
 * Translates session events to OpenAI's Realtime events. There, a response ends when all of its sound is
 * sent. On our connections it ends when the sound has been heard.
 */
export function createRealtimeEvents({ send: write, state, onSession }: RealtimeEventsOptions) {
  let open: OpenResponse | null = null;
  let lastSent: string | null = null;
  let hasAnswered = false;
  let noted = unasked;
  let spokenFromMs = 0;

  const send: SendEvent = (type, fields = {}) =>
    write({ type, event_id: `event_${randomUUID()}`, ...fields });
  const items = createConversationItems({ send, transcribes: () => state().transcribes });

  const refuse = (error: AppError | EventOf<'error'>['error'], eventId: string | null): void => {
    const { message, param } = error;
    const code = realtimeCode(error);
    send('error', { error: { type: 'invalid_request_error', code, message, param, event_id: eventId } });
  };
  const openOf = (turnId: string | null): OpenResponse | null =>
    open !== null && open.turnId === turnId ? open : null;

  const end = (...outcome: Parameters<OpenResponse['end']>): void => {
    const ended = open;
    open = null;
    // The client dropped the rest of a cancelled answer.
    if (ended) lastSent = outcome[0]?.status === 'cancelled' ? null : ended.turnId;
    ended?.end(...outcome);
  };
  const begin = (turnId: string): void => {
    end({ status: 'cancelled', reason: 'turn_detected' });
    hasAnswered = true;
    const asked = noted;
    noted = unasked;
    open = openResponse({ turnId, send, items, state: state(), asked });
  };
  /** All sound is sent. A cut-off is reported in the same tick. */
  const soundEnded = (turnId: string): void => {
    openOf(turnId)?.endSound();
    queueMicrotask(() => {
      if (openOf(turnId)) end();
    });
  };
  const over = (event: EventOf<'response.done'>): void => {
    items.forget(event.turn_id);
    if (openOf(event.turn_id)) end(event);
  };
  const cleared = ({ type, turn_id }: EventOf<'input_audio_buffer.cleared'>): void => {
    if (turn_id !== null) items.forget(turn_id);
    send(type);
  };
  const failed = ({ turn_id, error, event_id }: EventOf<'error'>): void => {
    if (turn_id === null) refuse(error, event_id);
    else openOf(turn_id)?.fail(error.code);
  };

  return {
    send,
    refuse,
    items,
    /** Whether a response is open; with an id, whether it is that one. */
    isAnswering: (responseId?: string | null) =>
      open !== null && (responseId == null || responseId === idsOf(open.turnId).response),
    /** The turn whose sound was sent last: the client may still play it. */
    lastSent: () => lastSent,
    /** Whether a response was ever created. */
    hasAnswered: () => hasAnswered,
    /** Sets the options of the next response. */
    note(asked: AskedResponse): void {
      noted = asked;
    },
    /** Records the tokens used for an answer before all of it is sent. */
    tellUsage: (turnId: string, usage: Reply['usage']): void => openOf(turnId)?.use(usage),
    /** Sends sound of the answer at 16 kHz. */
    play: (samples: Buffer): void => open?.play(samples),
    /** Translates and sends a session event. */
    tell(event: ServerEvent): void {
      switch (event.type) {
        case 'session.created':
        case 'session.updated':
          onSession(event);
          break;
        case 'input_audio_buffer.speech_started': {
          const { audio_start_ms, turn_id } = event;
          spokenFromMs = audio_start_ms;
          send(event.type, { audio_start_ms, item_id: idsOf(turn_id).item });
          break;
        }
        case 'input_audio_buffer.speech_stopped': {
          const { audio_end_ms, turn_id } = event;
          items.spoke(turn_id, (audio_end_ms - spokenFromMs) / 1_000);
          send(event.type, { audio_end_ms, item_id: idsOf(turn_id).item });
          break;
        }
        case 'input_audio_buffer.committed':
          items.commit(event.turn_id, idsOf(event.turn_id).item);
          break;
        case 'input_audio_buffer.cleared':
          cleared(event);
          break;
        case 'conversation.item.input_audio_transcription.completed':
          items.transcribed(event.turn_id, event.transcript);
          break;
        case 'response.created':
          begin(event.turn_id);
          break;
        case 'response.output_audio_transcript.delta':
          openOf(event.turn_id)?.say(event.delta);
          break;
        case 'response.output_audio.done':
          soundEnded(event.turn_id);
          break;
        case 'response.done':
          over(event);
          break;
        case 'error':
          failed(event);
          break;
        default:
          // Realtime clients know no events for timers, loudspeakers and the like.
          break;
      }
    },
  };
}
