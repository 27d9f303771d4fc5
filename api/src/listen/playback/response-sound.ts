import { audioFormat, type ServerEvent } from '../events/listen-events.ts';
import { createPlayback, type PlaybackOptions, type SpeechSegment } from './playback.ts';
import type { Loudness } from './session-speaker.ts';

interface ResponseSoundOptions extends Omit<PlaybackOptions, 'onDrained'> {
  turnId: string;
  loudness: Loudness;
  send: (event: ServerEvent) => void;
  /** The reply is complete: no more sound will be added. */
  isComplete: () => boolean;
  /** Called when playback is over. */
  onPlayed: () => void;
}

/** Plays the sound of one response to its end, and sends the matching events. */
export function createResponseSound(options: ResponseSoundOptions) {
  const { turnId, clock, send, loudness, loudspeaker, aheadMs, onBegin, onWords, isComplete, onPlayed } =
    options;
  let hasEnded = false;
  let cancelPlayed = (): void => undefined;

  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (!playback.hasBegun) return;
    const audio_duration_ms = Math.round(playback.sentMs);
    send({ type: 'response.output_audio.done', turn_id: turnId, audio_duration_ms });
  };
  const playback = createPlayback({
    clock,
    aheadMs,
    loudspeaker: { ...loudspeaker, play: (samples) => loudspeaker.play(loudness.apply(samples, turnId)) },
    onBegin: () => {
      onBegin();
      const volume = loudness.volumeForClient();
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
      cancelPlayed();
      cancelPlayed = clock.after(playback.leftMs(), onPlayed);
    },
  });

  return {
    playback,
    /** Plays an utterance. On a muted loudspeaker it only sends the words. */
    add: ({ text, sound }: SpeechSegment): void =>
      playback.add({ text, sound: loudness.isSilent(turnId) ? null : sound }),
    /** Stops the sound, whether or not it is complete. */
    stop(): void {
      cancelPlayed();
      playback.stop();
      end();
    },
  };
}
