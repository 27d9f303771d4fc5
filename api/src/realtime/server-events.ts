import type { AppError } from '../errors.ts';
import type { ServerEvent } from '../listen/events/listen-events.ts';
import type { Reply } from '../turn/turn.ts';
import { createConversationItems, sendEventBy } from './conversation-items.ts';
import { idsOf } from './open-response.ts';
import { realtimeCode } from './refusals.ts';
import { createResponses } from './responses.ts';
import type { RealtimeState } from './session-state.ts';

type EventOf<Type extends ServerEvent['type']> = Extract<ServerEvent, { type: Type }>;

interface RealtimeEventsOptions {
  send: (event: object) => void;
  state: () => RealtimeState;
  /** Called when the session is created or changed. */
  onSession: (event: EventOf<'session.created'> | EventOf<'session.updated'>) => void;
}

export type RealtimeEvents = ReturnType<typeof createRealtimeEvents>;

/**
 * Translates session events to OpenAI's Realtime events. There, a response ends when all of its sound is
 * sent. On our connections it ends when the sound has been heard.
 */
export function createRealtimeEvents({ send: write, state, onSession }: RealtimeEventsOptions) {
  let spokenFromMs = 0;

  const send = sendEventBy(write);
  const items = createConversationItems({ send, transcribes: () => state().transcribes });
  const responses = createResponses({ send, items, state });

  const refuse = (error: AppError | EventOf<'error'>['error'], eventId: string | null): void => {
    const { message, param } = error;
    const code = realtimeCode(error);
    send('error', { error: { type: 'invalid_request_error', code, message, param, event_id: eventId } });
  };
  const cleared = ({ type, turn_id }: EventOf<'input_audio_buffer.cleared'>): void => {
    if (turn_id !== null) {
      items.forget(turn_id);
      items.dropRequested();
    }
    send(type);
  };
  const failed = ({ turn_id, error, event_id }: EventOf<'error'>): void => {
    if (turn_id === null) refuse(error, event_id);
    else responses.of(turn_id)?.fail(error.code);
  };

  return {
    send,
    refuse,
    items,
    isAnswering: responses.isAnswering,
    lastSent: responses.lastSent,
    hasAnswered: responses.hasAnswered,
    note: responses.note,
    /** Records the tokens used for an answer before all of it is sent. */
    tellUsage: (turnId: string, usage: Reply['usage']): void => responses.of(turnId)?.use(usage),
    play: responses.play,
    isReadOnly: responses.isReadOnly,
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
          responses.begin(event.turn_id);
          break;
        case 'response.output_audio_transcript.delta':
          responses.of(event.turn_id)?.say(event.delta);
          break;
        case 'response.output_audio.done':
          responses.soundEnded(event.turn_id);
          break;
        case 'response.done':
          items.forget(event.turn_id);
          responses.over(event);
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
