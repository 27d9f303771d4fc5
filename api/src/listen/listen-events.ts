import type { ErrorBody } from '../errors.ts';

/** Sound in both directions. */
export const audioFormat = { encoding: 'pcm_s16le', sample_rate_hz: 16_000, channels: 1 } as const;

export type Endpointing = 'server' | 'manual';

export interface RunningTimer {
  id: string;
  kind: 'timer' | 'alarm' | 'reminder';
  name: string | null;
  duration_ms: number;
  remaining_ms: number;
  ends_at: string;
}

export interface SessionState {
  id: string;
  protocol_version: 1;
  client: string | null;
  room: string | null;
  endpointing: Endpointing;
  end_silence_ms: number;
  input_audio_format: typeof audioFormat;
  output_audio_format: typeof audioFormat;
  timers: RunningTimer[];
  limits: {
    max_utterance_ms: number;
    max_frame_bytes: number;
    max_audio_ahead_ms: number;
    ping_interval_ms: number;
  };
}

/** Why an utterance or its answer came to nothing, without anything having failed. */
export type CancelReason =
  | 'turn_detected'
  | 'client_cancelled'
  | 'revised'
  | 'nothing_heard'
  | 'echo'
  | 'duplicate'
  | 'acknowledged';

export interface ResponseTimings {
  end_silence_ms?: number;
  queue_ms?: number;
  stt_ms?: number;
  llm_first_ms?: number;
  llm_ms?: number;
  tts_ms?: number;
  first_audio_ms?: number;
  total_ms: number;
}

export interface ResponseDone {
  type: 'response.done';
  turn_id: string;
  status: 'completed' | 'cancelled' | 'failed';
  reason: string | null;
  via: string | null;
  reply: string;
  timings: ResponseTimings;
}

export interface ErrorEvent extends ErrorBody {
  type: 'error';
  turn_id: string | null;
  event: string | null;
  event_id: string | null;
}

/** What the server sends, as listen-events.schema.json has it. */
export type ServerEvent =
  | { type: 'session.created' | 'session.updated'; session: SessionState }
  | { type: 'input_audio_buffer.speech_started'; turn_id: string; audio_start_ms: number }
  | { type: 'input_audio_buffer.speech_stopped'; turn_id: string; audio_end_ms: number }
  | { type: 'input_audio_buffer.committed'; turn_id: string; audio_duration_ms: number }
  | { type: 'input_audio_buffer.cleared'; turn_id: string | null }
  | {
      type: `conversation.item.input_audio_transcription.${'delta' | 'completed'}`;
      turn_id: string;
      transcript: string;
    }
  | { type: 'response.created'; turn_id: string }
  | { type: 'response.output_audio.started'; turn_id: string; format: typeof audioFormat }
  | { type: 'response.output_audio_transcript.delta'; turn_id: string; delta: string }
  | { type: 'response.output_audio.done'; turn_id: string; audio_duration_ms: number }
  | ResponseDone
  | {
      type: 'timer.started' | 'timer.changed' | 'timer.finished' | 'timer.stopped';
      turn_id: string | null;
      timer: RunningTimer;
    }
  | ErrorEvent;
