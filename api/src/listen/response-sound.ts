import { audioFormat, type ServerEvent } from './listen-events.ts';
import { createPlayback, type PlaybackOptions } from './playback.ts';

interface ResponseSoundOptions extends Omit<PlaybackOptions, 'onDrained'> {
  turnId: string;
  send: (event: ServerEvent) => void;
  /** Nothing more will be added. */
  isComplete: () => boolean;
  /** The person has heard everything. */
  onHeard: () => void;
}

/** The sound of one response, to its end, and the events that go with it. */
export function createResponseSound(options: ResponseSoundOptions) {
  const { turnId, clock, send, onBegin, onWords, isComplete, onHeard } = options;
  let hasEnded = false;
  let callOffHeard = (): void => undefined;

  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (!playback.hasBegun) return;
    const audio_duration_ms = Math.round(playback.sentMs);
    send({ type: 'response.output_audio.done', turn_id: turnId, audio_duration_ms });
  };
  const playback = createPlayback({
    ...options,
    onBegin: () => {
      onBegin();
      send({ type: 'response.output_audio.started', turn_id: turnId, format: audioFormat });
    },
    onWords: (words) => {
      const delta = playback.words === words.text ? words.text : ` ${words.text}`;
      send({ type: 'response.output_audio_transcript.delta', turn_id: turnId, delta });
      onWords(words);
    },
    onDrained: () => {
      if (!isComplete()) return;
      end();
      callOffHeard();
      callOffHeard = clock.after(playback.leftMs(), onHeard);
    },
  });

  return {
    playback,
    /** No more sound comes, whether or not there was to be more. */
    stop(): void {
      callOffHeard();
      playback.stop();
      end();
    },
  };
}
