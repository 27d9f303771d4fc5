import type { UtteranceEdge } from '../audio/listener.ts';

/**
 * Whisper completes what it expects: out of "What time" it makes "What time is it?". Such a text has more letters than fit into the voice. Of 42
 * recordings of four voices, the fastest has 17 letters a second; most sentences that were completed had 18 to 24.
 */
const maxLettersPerSecond = 18;

/** Whether a text has more letters than anybody says in this time. */
export function isFasterThanSpeech(text: string, voicedMs: number): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters > (voicedMs / 1_000) * maxLettersPerSecond;
}

/** How long a voice was heard, from the edges of its speech. Its pauses do not count; what goes on after an early end does. */
export function createVoiceLength() {
  /** Up to the last pause, and where the voice of now began; null: there is none. */
  let lengthMs = 0;
  let fromMs: number | null = null;

  return {
    hear(edge: UtteranceEdge): void {
      if (edge.type === 'started' && !edge.continues) lengthMs = 0;
      if (edge.type === 'started' || edge.type === 'resumed') fromMs = edge.fromMs;
      else if (fromMs !== null) [lengthMs, fromMs] = [lengthMs + edge.untilMs - fromMs, null];
    },
    /** Up to this place in the sound. */
    until: (ms: number): number => lengthMs + (fromMs === null ? 0 : Math.max(0, ms - fromMs)),
  };
}
