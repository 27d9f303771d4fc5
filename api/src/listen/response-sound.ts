import { audioFormat, type ServerEvent } from './listen-events.ts';
import { createPlayback, type PlaybackOptions, type Utterable } from './playback.ts';
import type { Loudness } from './session-speaker.ts';

interface ResponseSoundOptions extends Omit<PlaybackOptions, 'onDrained'> {
  turnId: string;
  loudness: Loudness;
  send: (event: ServerEvent) => void;
  /** Nothing more will be added. */
  isComplete: () => boolean;
  /** The person has heard everything. */
  onHeard: () => void;
}

/** The sound of one response, to its end, and the events that go with it. */
export function createResponseSound(options: ResponseSoundOptions) {
  const { turnId, clock, send, loudness, loudspeaker, onBegin, onWords, isComplete, onHeard } = options;
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
    loudspeaker: { ...loudspeaker, play: (samples) => loudspeaker.play(loudness.apply(samples, turnId)) },
    onBegin: () => {
      onBegin();
      const volume = loudness.told();
      send({
        type: 'response.output_audio.started',
        turn_id: turnId,
        format: audioFormat,
        ...(volume !== null && { volume }),
      });
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
    /** Says it; on a loudspeaker that is muted only its words are told. */
    add: ({ text, sound }: Utterable): void =>
      playback.add({ text, sound: loudness.isSilent(turnId) ? null : sound }),
    /** No more sound comes, whether or not there was to be more. */
    stop(): void {
      callOffHeard();
      playback.stop();
      end();
    },
  };
}
