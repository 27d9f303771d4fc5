import { AppError } from '../errors.ts';
import type { TranscriptionListener, TranscriptionSession } from '../listen/transcription-session.ts';
import type { TranscriptionOptions } from '../turn/transcription-options.ts';
import { type RealtimeClientEvent, readClientEvent } from './client-events.ts';
import { createConversationItems, sendEventBy } from './conversation-items.ts';
import { createInputAudioBuffer } from './input-audio-buffer.ts';
import { realtimeCode, refused } from './refusals.ts';
import { firstTranscription, transcriptionBody, updatedTranscription } from './transcription-state.ts';

interface TranscriptionClientOptions {
  id: string;
  send: (event: object) => void;
  /** Opens the transcription session. */
  open: (side: { tell: TranscriptionListener; options: () => TranscriptionOptions }) => TranscriptionSession;
  /** Silence that ends an utterance unless the client sets another value. */
  usualSilenceMs: number;
  /** Handles input samples at 16 kHz. */
  onSound: (session: TranscriptionSession, samples: Buffer) => void;
  onFault: (error: unknown) => void;
}

/** Connects a client of OpenAI's Realtime interface that only wants transcripts (`intent=transcription`). */
export function createTranscriptionClient({
  id,
  send: write,
  open,
  usualSilenceMs,
  onSound,
  onFault,
}: TranscriptionClientOptions) {
  let state = firstTranscription;
  const buffer = createInputAudioBuffer(() => state.input);

  const send = sendEventBy(write);
  const refuse = (error: AppError, eventId: string | null): void => {
    const { message, param } = error;
    const code = realtimeCode(error);
    send('error', { error: { type: 'invalid_request_error', code, message, param, event_id: eventId } });
  };
  const items = createConversationItems({ send, transcribes: () => true });

  const session = open({
    tell: {
      started: (item_id, audio_start_ms) =>
        send('input_audio_buffer.speech_started', { audio_start_ms, item_id }),
      stopped: (item_id, audio_end_ms) =>
        send('input_audio_buffer.speech_stopped', { audio_end_ms, item_id }),
      committed: items.tellCommitted,
      words: items.tellWords,
      written: items.tellWritten,
      failed: items.tellNotWritten,
    },
    options: () => ({ ...state.options, times: false, words: false }),
  });
  const settle = (type: 'session.created' | 'session.updated'): void => {
    session.set({ endSilenceMs: state.endSilenceMs ?? usualSilenceMs, isManual: state.isManual });
    send(type, { session: transcriptionBody(id, state, usualSilenceMs) });
  };

  const serve = async (event: RealtimeClientEvent, eventId: string | null): Promise<void> => {
    switch (event.type) {
      case 'session.update': {
        if (event.session.type === 'realtime')
          throw refused(
            'This connection only transcribes. For a conversation, connect without "intent".',
            'session.type',
          );
        state = updatedTranscription(state, event.session);
        return settle('session.updated');
      }
      case 'input_audio_buffer.append':
        for (const samples of buffer.append(event.audio)) onSound(session, samples);
        return;
      case 'input_audio_buffer.commit':
        buffer.commit();
        return session.commit((error) => refuse(error, eventId));
      case 'input_audio_buffer.clear':
        buffer.clear();
        await session.clear();
        return send('input_audio_buffer.cleared');
      default:
        throw refused(`"${event.type}" belongs to a conversation. This connection only transcribes.`, 'type');
    }
  };

  settle('session.created');
  return {
    session,
    /** Handles a text frame of the client. */
    read(text: string): void {
      const given = readClientEvent(text);
      const done = 'error' in given ? Promise.reject(given.error) : serve(given.event, given.eventId);
      done.catch((error: unknown) => {
        if (!(error instanceof AppError)) onFault(error);
        refuse(error instanceof AppError ? error : new AppError('internal'), given.eventId);
      });
    },
  };
}
