import { setTimeout as delay } from 'node:timers/promises';
import { segmentsOf } from '../console/src/views/activity/segments.ts';
import { type SpokenCase, spokenCase, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import { wordErrors } from '../tests/support/audio/word-errors.ts';
import type { Household } from './household.ts';
import { roundTo, type Summary, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { hasRealEngines, onRealEngines } from './real-engines.ts';
import { type Clip, type Noticed, type Satellite, talkOverStory, withSatellite } from './satellite.ts';
import { segmentsText, turnRecord } from './turn-segments.ts';

/** Each long clip is spoken only once. */
const rounds = { short: 2, long: 1 };
const longMs = 4_000;
const bargeIns = 4;
/** Short answers are complete by then and report where their time went. */
const listenMs = 400;
/**
 * The part of the recording before the first word; the microphone itself sends the silence after the last.
 */
const leadMs = 200;
/** Each clip is a separate request. Sooner than the end silence, it would count as a continuation. */
const restMs = 800;
/** People who ask for these listen for a long time. */
const longAnswers = /story|count/i;
const maxMs = { question: 300, command: 250, long: 350, bargeIn: 120 };
const maxP95Ms = { question: 550, command: 450, long: 600, bargeIn: 180 };
type Kind = Exclude<keyof typeof maxMs, 'bargeIn'>;
const kindsOfTurns = ['question', 'command', 'long'] as const;
const names: Readonly<Record<Kind, string>> = {
  question: 'a question',
  command: 'a whole command',
  long: 'a long answer',
};

/**
 * Speaking to a satellite on the real engines: time from the last voiced sample to the first answer sound.
 */
export const listenRealPart: Part = {
  name: 'listen-real',
  async run(house) {
    if (!hasRealEngines || spokenCases.length === 0) {
      const text = '/listen on real engines: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    return onRealEngines(house, 'listen-real-house', measure);
  },
};

/** The results of one clip, over all of its rounds. */
interface Tries {
  said: SpokenCase;
  tries: Noticed[];
  /** Why there was no answer. */
  failures: string[];
}

async function measure(live: Household): Promise<Findings> {
  const { clips, overMs, failures } = await withSatellite(
    { url: live.api.url, client: 'real' },
    async (satellite) => ({
      clips: await askAll(satellite, live.signal),
      ...(await talkOverStories(satellite)),
    }),
  );
  const kinds = Object.fromEntries(kindsOfTurns.map((kind) => [kind, ofKind(clips, kind)]));
  const medians = await medianTurns(live, clips);
  return {
    text: `${report(clips, kinds, summary(overMs))}\n\n${medians.map(({ text }) => text).join('\n\n')}`,
    figures: {
      kinds,
      bargeIn: summary(overMs),
      medians: medians.map(({ text, ...figures }) => figures),
      clips: clips.map(({ said, tries, failures }) => ({
        file: said.file,
        failures,
        tries: tries.map(figuresOf),
      })),
    },
    missed: [...missedOf(kinds, overMs), ...failures, ...clips.flatMap(failuresOf)],
  };
}

async function askAll(satellite: Satellite, signal: AbortSignal): Promise<Tries[]> {
  const clips = spokenCases
    .filter(({ text }) => text !== '')
    .map((said): Tries => ({ said, tries: [], failures: [] }));
  // A process's first turn includes compiling.
  for (const { said } of clips.slice(0, 1)) await satellite.ask(clipOf(said));
  for (let round = 0; round < rounds.short; round += 1) {
    for (const { said, tries, failures } of clips) {
      signal.throwIfAborted();
      if (round >= rounds.long && clipOf(said).untilMs > longMs) continue;
      await delay(restMs, undefined, { signal });
      // A separate conversation each time, so that a growing prompt is not part of this measurement.
      satellite.line.send({ type: 'session.update', session: { client: `${said.file}-${round}` } });
      try {
        tries.push(await satellite.ask(clipOf(said), { listenMs }));
      } catch (error) {
        failures.push(String(error));
        await satellite.hush();
      }
    }
  }
  return clips;
}

function clipOf({ file, speech }: SpokenCase): Clip {
  const [from, until] = [speech[0]?.[0] ?? 0, speech.at(-1)?.[1] ?? 0].map((seconds) => seconds * 1_000);
  const cutMs = Math.max(0, (from ?? 0) - leadMs);
  // A little longer than the voice, whose end fades.
  const samples = spokenCase(file).subarray(cutMs * 32, ((until ?? 0) + 100) * 32);
  return { samples, fromMs: (from ?? 0) - cutMs, untilMs: (until ?? 0) - cutMs };
}

async function talkOverStories(satellite: Satellite): Promise<{ overMs: number[]; failures: string[] }> {
  const clip = (file: string) => {
    const said = spokenCases.find((each) => each.file === file);
    if (!said) throw new Error(`${file} is missing`);
    return clipOf(said);
  };
  const [story, over] = [clip('joe-story.wav'), clip('joe-hamlet.wav')];
  const overMs: number[] = [];
  const failures: string[] = [];
  for (let round = 0; round < bargeIns; round += 1) {
    // A separate conversation again: after half a story, a small model tells only short ones.
    satellite.line.send({ type: 'session.update', session: { client: `over-${round}` } });
    try {
      overMs.push((await talkOverStory(satellite, { story, over })).overMs);
    } catch (error) {
      failures.push(`A story was not interrupted: ${error}`);
      await satellite.hush();
    }
  }
  return { overMs, failures };
}

/** The median turn of each kind, with the waits of its parts. */
async function medianTurns(live: Household, clips: readonly Tries[]) {
  const found = [];
  for (const kind of kindsOfTurns) {
    const turns = clips
      .flatMap(({ said, tries }) => tries.filter((each) => kindOf(each, said) === kind))
      .toSorted((one, other) => one.firstSoundMs - other.firstSoundMs);
    const middle = turns[Math.floor(turns.length / 2)];
    const record = middle ? await turnRecord(live, middle.done.turn_id) : null;
    if (record === null) continue;
    const segments = segmentsOf(record);
    found.push({ kind, segments, text: segmentsText(names[kind], segments) });
  }
  return found;
}

const kindOf = ({ done: { via } }: Noticed, { text }: SpokenCase): Kind => {
  if (via === 'skills') return 'command';
  return longAnswers.test(text) ? 'long' : 'question';
};

function ofKind(clips: readonly Tries[], kind: Kind): Summary {
  const all = clips.flatMap(({ said, tries }) => tries.filter((each) => kindOf(each, said) === kind));
  return summary(all.map(({ firstSoundMs }) => firstSoundMs));
}

const counted = (count: number, what: string) => (count > 0 ? `${count} ${what}` : '');

function figuresOf({
  transcript,
  certainMs,
  firstSoundMs,
  isFiller,
  done: { via, reply, timings },
}: Noticed) {
  return {
    heard: transcript,
    via,
    reply,
    certainMs,
    firstSoundMs: roundTo(firstSoundMs, 1),
    isFiller,
    timings,
  };
}

function missedOf(kinds: Readonly<Record<string, Summary>>, overMs: readonly number[]): string[] {
  const over = summary(overMs);
  const limits = [
    ...kindsOfTurns.flatMap((kind) => [
      {
        what: `The first sound of ${names[kind]} comes`,
        ms: kinds[kind]?.medianMs ?? Number.NaN,
        max: maxMs[kind],
      },
      {
        what: `The first sound of ${names[kind]} (p95) comes`,
        ms: kinds[kind]?.p95Ms ?? Number.NaN,
        max: maxP95Ms[kind],
      },
    ]),
    { what: 'An interrupted story falls silent', ms: over.medianMs, max: maxMs.bargeIn },
    { what: 'An interrupted story (p95) falls silent', ms: over.p95Ms, max: maxP95Ms.bargeIn },
  ];
  return limits
    .filter(({ ms, max }) => !(ms <= max))
    .map(({ what, ms, max }) => `${what} after ${ms.toFixed(0)} ms; the limit is ${max} ms.`);
}

const failuresOf = ({ said, failures }: Tries) => failures.map((why) => `No answer to ${said.file}: ${why}`);

function report(clips: readonly Tries[], kinds: Readonly<Record<string, Summary>>, over: Summary): string {
  const ms = (value: number | undefined) => (value === undefined ? '-' : `${value.toFixed(0)}`);
  const head = ['ms after the last voiced sample', 'calls', 'median', 'p95', 'promised', 'p95'];
  const rows = kindsOfTurns.map((kind) => {
    const { calls, medianMs, p95Ms } = kinds[kind] ?? summary([]);
    return [names[kind], String(calls), ms(medianMs), ms(p95Ms), ms(maxMs[kind]), ms(maxP95Ms[kind])];
  });
  const bargeIn = [
    'interruption: to the end of sound',
    String(over.calls),
    ms(over.medianMs),
    ms(over.p95Ms),
  ];
  const each = clips.map(({ said, tries, failures }) => {
    const first = summary(tries.map(({ firstSoundMs }) => firstSoundMs));
    const last = tries.at(-1);
    const { stt_ms, llm_first_ms, tts_ms } = last?.done.timings ?? {};
    const transcript = last?.transcript ?? '';
    const words = wordErrors(said.text, transcript) === 0 ? '=' : `"${transcript}"`;
    const all = [first.medianMs, first.maxMs, last?.certainMs ?? undefined, stt_ms, llm_first_ms, tts_ms];
    const fillers = tries.filter(({ isFiller }) => isFiller).length;
    const note = [
      words,
      counted(failures.length, 'without an answer'),
      counted(fillers, 'began with a filler'),
    ];
    return [said.file, ...all.map(ms), last?.done.via ?? '-', note.filter(Boolean).join(', ')];
  });
  const columns = ['clip', 'first sound', 'most', 'certain', 'stt', 'llm first', 'tts', 'via', 'heard'];
  return `/listen on real engines, each clip ${rounds.short} times, long ones once (without the stages of answers that were cut off)
${table([head, ...rows, [...bargeIn, ms(maxMs.bargeIn), ms(maxP95Ms.bargeIn)]])}

${table([columns, ...each])}`;
}
