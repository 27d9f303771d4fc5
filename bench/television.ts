import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toBytes } from '../api/src/audio/pcm.ts';
import type { ServerEvent, WakeMode } from '../api/src/listen/events/listen-events.ts';
import { quiet, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import { clipOf } from './by-name.ts';
import { type Household, startHousehold } from './household.ts';
import { roundTo, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { cpuMs } from './processes.ts';
import { hasSpeechModels, startSttEngine, startTts } from './real-engines.ts';
import { type Satellite, withSatellite } from './satellite.ts';
import { readingTexts } from './wake/readings.ts';
import { espeakSpeakers, piperSpeakers, type Speaker } from './wake/utterances.ts';

/** Minutes of television in each mode. */
const minutes = {
  name: Number(process.env['TELEVISION_MINUTES'] ?? 30),
  open: Number(process.env['TELEVISION_OPEN_MINUTES'] ?? 5),
} as const;
/** Multiple of real time. The next item waits until everything before it is decided. */
/** The server's hint about sound that arrives faster than real time. */
const tooFast = 'audio_unreadable';
const speed = Number(process.env['TELEVISION_SPEED'] ?? 1);
const names = ['Computer', 'Jarvis', 'Okay Nabu'];
/** A recorded request comes before every third reading. */
const clipEvery = 3;
const voicesOfEachKind = 6;
/** Pause between two items. */
const pauseMs = 1_200;
const maxDecideMs = 240_000;
const bytesPerMs = 32;

/** A talking television beside a satellite: who is answered, and what it costs the speech recognition. */
export const televisionPart: Part = {
  name: 'television',
  async run(house) {
    if (!hasSpeechModels || spokenCases.length === 0) {
      const text = 'A television: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const stt = await startSttEngine(house);
    const ttsUrl = await startTts(house);
    const folder = join(house.folder, 'television-house');
    mkdirSync(folder);
    const live = await startHousehold({ folder, signal: house.signal, sttUrl: stt.url, ttsUrl });
    try {
      await callIt(live);
      const program = createProgram(ttsUrl);
      const watch = (wake: keyof typeof minutes) => watchIt(live, { wake, program, stt: stt.child });
      return report([await watch('name'), await watch('open')]);
    } finally {
      await live.end();
    }
  },
};

async function callIt({ api }: Household): Promise<void> {
  const { ok, status } = await fetch(`${api.url}/admin/pipeline`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ names }),
  });
  if (!ok) throw new Error(`the names were refused: ${status}`);
}

type Program = () => AsyncGenerator<Buffer, never>;

/** Readings in many voices and recorded requests, without end, the same each time. */
function createProgram(ttsUrl: string): Program {
  const some = (speakers: readonly Speaker[]) =>
    speakers.filter((_, n) => n % Math.ceil(speakers.length / voicesOfEachKind) === 0);
  const [robots, people] = [some(espeakSpeakers()), some(piperSpeakers(ttsUrl))];
  const speakers = people.flatMap((person, n) => [person, robots[n % robots.length] ?? person]);
  const texts = readingTexts();
  const clips = spokenCases.filter(({ text }) => text !== '').map((said) => clipOf(said).samples);
  return async function* () {
    for (let n = 0; ; n += 1) {
      const clip = clips[(n / clipEvery) % clips.length];
      if (clip) yield clip;
      const speech = await speakers[n % speakers.length]?.(texts[n % texts.length] ?? '');
      if (speech) yield toBytes(speech);
    }
  };
}

interface Watched {
  wake: WakeMode;
  minutes: number;
  utterances: number;
  /** Transcripts that got an answer. */
  answered: string[];
  /** From the end of an utterance until it was answered or dropped. */
  decidedMs: number[];
  /** Utterances that waited for their decision at the same time. */
  maxWaiting: number;
  /** Seconds of one core for a minute of television. */
  sttSecondsPerMinute: number;
  apiSecondsPerMinute: number;
  /** Error codes, such as those of a recognition that is too slow. */
  faults: string[];
}

interface WatchOptions {
  wake: keyof typeof minutes;
  program: Program;
  stt: ChildProcess;
}

async function watchIt(live: Household, { wake, program, stt }: WatchOptions): Promise<Watched> {
  const cost = async () => ({ stt: (await cpuMs(stt)) ?? 0, api: (await cpuMs(live.api.child)) ?? 0 });
  const { url } = live.api;
  return withSatellite({ url, client: `beside-${wake}`, wake, speed }, async (satellite) => {
    let soundMs = 0;
    let [sttMs, apiMs] = [0, 0];
    for await (const speech of program()) {
      live.signal.throwIfAborted();
      const before = await cost();
      await satellite.say({ samples: Buffer.concat([speech, quiet(pauseMs)]), fromMs: 0, untilMs: 20 });
      await satellite.until(() => isDecided(satellite) || undefined, 'a decision', maxDecideMs);
      const after = await cost();
      [sttMs, apiMs] = [sttMs + after.stt - before.stt, apiMs + after.api - before.api];
      soundMs += speech.length / bytesPerMs + pauseMs;
      if (soundMs >= minutes[wake] * 60_000) break;
      await delay(1);
    }
    const perMinute = (ms: number) => roundTo(ms / 1_000 / (soundMs / 60_000), 1);
    return {
      wake,
      minutes: roundTo(soundMs / 60_000, 1),
      ...seenBy(satellite),
      sttSecondsPerMinute: perMinute(sttMs),
      apiSecondsPerMinute: perMinute(apiMs),
    };
  });
}

/** When each turn had its event of this type, by the turn's id. */
function timesOf({ line }: Satellite, type: ServerEvent['type']): Map<string, number> {
  const times = line.events.flatMap(({ event, atMs }): [string, number][] =>
    event.type === type && 'turn_id' in event && event.turn_id !== null ? [[event.turn_id, atMs]] : [],
  );
  return new Map(times);
}

/** Nobody speaks, and everything that was said has been answered or dropped. */
function isDecided(satellite: Satellite): boolean {
  const cleared = timesOf(satellite, 'input_audio_buffer.cleared');
  const created = timesOf(satellite, 'response.created');
  const started = timesOf(satellite, 'input_audio_buffer.speech_started');
  return [...started.keys()].every((turnId) => cleared.has(turnId) || created.has(turnId));
}

function seenBy(satellite: Satellite) {
  const { line, doneOf } = satellite;
  const started = timesOf(satellite, 'input_audio_buffer.speech_started');
  const stopped = timesOf(satellite, 'input_audio_buffer.speech_stopped');
  const created = timesOf(satellite, 'response.created');
  const cleared = timesOf(satellite, 'input_audio_buffer.cleared');
  const turnIds = [...started.keys()];
  const waits = turnIds.flatMap((turnId) => {
    const fromMs = stopped.get(turnId);
    const untilMs = created.get(turnId) ?? cleared.get(turnId);
    return fromMs === undefined || untilMs === undefined ? [] : [{ fromMs, untilMs }];
  });
  const waitingAt = (atMs: number) =>
    waits.filter(({ fromMs, untilMs }) => fromMs <= atMs && untilMs > atMs).length;
  return {
    utterances: started.size,
    // A fault is said aloud, too, once in ten minutes.
    answered: turnIds
      .filter((turnId) => created.has(turnId) && doneOf(turnId)?.status !== 'failed')
      .map((turnId) => `${transcriptOf(line, turnId)} -> ${doneOf(turnId)?.reply ?? '...'}`),
    decidedMs: waits.map(({ fromMs, untilMs }) => untilMs - fromMs),
    maxWaiting: Math.max(0, ...waits.map(({ fromMs }) => waitingAt(fromMs))),
    faults: line.events
      .flatMap(({ event }) => (event.type === 'error' ? [event.error.code] : []))
      .filter((code) => !(speed > 1 && code === tooFast)),
  };
}

function transcriptOf(line: Satellite['line'], turnId: string): string {
  const found = line.events.find(
    ({ event }) =>
      event.type === 'conversation.item.input_audio_transcription.completed' && event.turn_id === turnId,
  )?.event;
  return found && 'transcript' in found ? found.transcript : '';
}

function report(watched: readonly Watched[]): Findings {
  const rows = watched.map((each) => {
    const { medianMs, p95Ms } = summary(each.decidedMs);
    return [
      `mode ${each.wake}`,
      String(each.minutes),
      String(each.utterances),
      String(each.answered.length),
      `${each.sttSecondsPerMinute} s`,
      `${each.apiSecondsPerMinute} s`,
      String(each.maxWaiting),
      `${medianMs.toFixed(0)}, ${p95Ms.toFixed(0)}`,
    ];
  });
  const head = ['beside it', 'minutes', 'utterances', 'answered', 'recognition', 'api', 'waiting', 'decided'];
  const byName = watched.filter(({ wake }) => wake !== 'open');
  const wrong = byName.flatMap(({ answered }) => answered);
  return {
    text: `A television, at ${speed} times its pace; the house is called ${names.join(', ')}. Core seconds for a minute of it, most utterances waiting, and ms until they are decided (median, p95)
${table([head, ...rows])}
answered by name: ${wrong.join('; ') || '-'}`,
    figures: watched,
    missed: [
      ...wrong.map((said) => `The television was answered: ${said}`),
      ...watched
        .filter(({ faults }) => faults.length > 0)
        .map(({ wake, faults }) => `Faults in the mode ${wake}: ${faults.join(', ')}`),
    ],
  };
}
