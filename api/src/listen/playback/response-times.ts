import type { Clock } from '../../clock.ts';
import type { Timings } from '../../turn/turn.ts';
import type { ResponseTimings } from '../events/listen-events.ts';

interface ResponseTimesOptions {
  clock: Clock;
  /** Clock time at which the person fell silent, and the silence that confirmed it. */
  speechEndMs: number;
  endSilenceMs: number;
}

export type ResponseTimes = ReturnType<typeof createResponseTimes>;

/** Measures the stages of a response, from the end of speech. */
export function createResponseTimes({ clock, speechEndMs, endSilenceMs }: ResponseTimesOptions) {
  let reported: Timings = {};
  let firstAudioMs: number | undefined;
  const sinceSpeechMs = () => clock.nowMs() - speechEndMs;

  return {
    /** Records the stages that the turn client has measured. */
    tell(timings: Timings): void {
      reported = timings;
    },
    firstSound(): void {
      firstAudioMs ??= sinceSpeechMs();
    },
    /** The key moments of the response, by the clock. */
    moments: () => ({
      speechEndAt: speechEndMs,
      certainAt: speechEndMs + endSilenceMs,
      firstSoundAt: firstAudioMs === undefined ? null : speechEndMs + firstAudioMs,
      overAt: clock.nowMs(),
    }),
    all: (): ResponseTimings => ({
      end_silence_ms: Math.round(endSilenceMs),
      ...rounded('queue_ms', reported.queue),
      ...rounded('stt_ms', reported.stt),
      ...rounded('llm_first_ms', reported['llm-first']),
      ...rounded('llm_ms', reported.llm),
      ...rounded('tts_ms', reported.tts),
      ...rounded('first_audio_ms', firstAudioMs),
      total_ms: Math.round(sinceSpeechMs()),
    }),
  };
}

function rounded(name: keyof ResponseTimings, ms: number | undefined): Partial<ResponseTimings> {
  return ms === undefined ? {} : { [name]: Math.round(ms) };
}
