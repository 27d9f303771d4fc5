import type { RanOn, Reply, Span, Timings } from '../turn/turn.ts';
import type { QueueWait } from './queue-wait.ts';

/** Limit for long replies. More spans would not make the timeline clearer. */
const maxSpans = 64;

interface TurnClockOptions {
  /** ms since the turn began. */
  now: () => number;
  /** Time spent before the turn began, to decode a recording. */
  preparedMs?: number | undefined;
  /** The first stage that the turn waits for. */
  first?: QueueWait['stage'];
}

/** Measures the stages of a turn, as seen by the process that waits for it. */
export function createTurnClock({ now, preparedMs, first = 'respond' }: TurnClockOptions) {
  const spans: Span[] = [];
  const ranOn: RanOn[] = [];
  let queueMs = 0;
  let waitingSince: number | undefined = preparedMs ?? 0;
  let next: { stage: QueueWait['stage']; since: number } | null = { stage: first, since: now() };
  let answeringSince = 0;
  let sttMs: number | undefined;
  let ttsMs: number | undefined;
  let firstAudioMs: number | undefined;

  const note = (name: string, start_ms: number, took_ms: number): void => {
    if (spans.length < maxSpans) spans.push({ name, start_ms: rounded(start_ms), took_ms: rounded(took_ms) });
  };
  const ended = (name: string, took: number): void => note(name, now() - took, took);
  if (preparedMs !== undefined) note('decode', 0, preparedMs);

  return {
    begun(stage: 'transcribe' | 'respond' | 'think'): void {
      if (waitingSince !== undefined) {
        queueMs += now() - waitingSince;
        note('queue', waitingSince, now() - waitingSince);
      }
      waitingSince = now();
      next = null;
      if (stage !== 'transcribe') answeringSince = now();
    },
    waits(): void {
      waitingSince = now();
      next = { stage: 'think', since: now() };
    },
    transcribed({ sttMs: ms, ranOn: server }: { sttMs: number; ranOn?: RanOn | undefined }): void {
      if (server) ranOn.push(server);
      sttMs = ms;
      waitingSince = now();
      next = { stage: 'respond', since: now() };
      ended('stt', ms);
    },
    /** The next stage and how long the turn has waited for it. Null: a stage is running, or none is left. */
    queued: (): QueueWait | null => next && { stage: next.stage, ms: now() - next.since },
    /** The reply is complete. */
    answered({ via, steps = [], ranOn: server, timings: { llm, 'llm-first': first } }: Reply): void {
      if (server) ranOn.push(server);
      next = null;
      // Without steps from the worker, there is one step that ends with the reply.
      const whole = {
        name: llm === undefined ? via : 'llm',
        start_ms: 0,
        took_ms: llm ?? now() - answeringSince,
      };
      whole.start_ms = Math.max(0, now() - whole.took_ms - answeringSince);
      const done = steps.length > 0 ? steps : [whole];
      const thinking = done.find(({ name }) => name === 'llm');
      if (thinking && first !== undefined) note('llm-first', answeringSince + thinking.start_ms, first);
      for (const { name, start_ms, took_ms } of done) note(name, answeringSince + start_ms, took_ms);
    },
    made(ms: number): void {
      ttsMs = (ttsMs ?? 0) + ms;
      ended('tts', ms);
    },
    spoke(): void {
      firstAudioMs ??= now();
    },
    spans: (): readonly Span[] => spans.toSorted((one, other) => one.start_ms - other.start_ms),
    /** The servers that ran its parts. */
    ranOn: (): readonly RanOn[] => ranOn,
    timings: (): Timings => ({
      ...(preparedMs !== undefined && { decode: preparedMs }),
      queue: queueMs,
      ...(sttMs !== undefined && { stt: sttMs }),
      ...(ttsMs !== undefined && { tts: ttsMs }),
      ...(firstAudioMs !== undefined && { 'first-audio': firstAudioMs }),
      total: now(),
    }),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
