import type { ClientEvent, ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import type { Played } from '../sound/playout.ts';

interface SpeechOptions {
  send: (event: ClientEvent) => void;
  loudspeaker: {
    play: (turnId: string, sound: ArrayBuffer) => void;
    end: (turnId: string) => void;
    stop: (turnId?: string) => void;
  };
}

/** Plays and stops the sound of answers when their events arrive. */
export function createSpeech({ send, loudspeaker }: SpeechOptions) {
  /** The turn whose sound is arriving. */
  let coming: string | null = null;
  /** Turns whose sound is playing, and whether the server has ended them. */
  const playing = new Map<string, { isDone: boolean }>();

  const stop = (turnId: string): void => {
    if (coming === turnId) coming = null;
    if (playing.has(turnId)) loudspeaker.stop(turnId);
  };

  const finish = (turnId: string, isCancelled: boolean): void => {
    const speech = playing.get(turnId);
    if (!speech) return;
    speech.isDone = true;
    if (isCancelled) stop(turnId);
    else loudspeaker.end(turnId);
  };
  const stopOld = (): void => {
    for (const [turnId, { isDone }] of playing) if (isDone) stop(turnId);
  };

  return {
    handle(event: ServerEvent): void {
      switch (event.type) {
        case 'response.output_audio.started':
          coming = event.turn_id;
          break;
        case 'response.output_audio.done':
          if (coming === event.turn_id) coming = null;
          if (playing.has(event.turn_id)) loudspeaker.end(event.turn_id);
          break;
        case 'input_audio_buffer.speech_started':
          stopOld();
          break;
        case 'response.done':
          finish(event.turn_id, event.status === 'cancelled');
          break;
      }
    },
    sound(samples: ArrayBuffer): void {
      if (coming === null || samples.byteLength % 2 !== 0) return;
      if (!playing.has(coming)) playing.set(coming, { isDone: false });
      loudspeaker.play(coming, samples);
    },
    /** The loudspeaker reports how far it has played. */
    played({ turnId, playedMs, isOver }: Played): void {
      if (!isOver || !playing.delete(turnId)) return;
      send({ type: 'playback.finished', turn_id: turnId, played_ms: Math.round(playedMs) });
    },
    /** Stops playback at once, because the person wants to speak or the connection is lost. */
    silence(): void {
      coming = null;
      for (const turnId of playing.keys()) loudspeaker.stop(turnId);
    },
    get isPlaying() {
      return playing.size > 0;
    },
  };
}
