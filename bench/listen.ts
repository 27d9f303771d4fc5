import { writeWav } from '../api/src/audio/wav.ts';
import { createEngineClient } from '../api/src/engines/engine-client.ts';
import { createSttClient } from '../api/src/engines/stt-client.ts';
import { spokenClip } from '../tests/support/audio/spoken-clips.ts';
import type { Household } from './household.ts';
import { type KnownEngines, onKnownEngines, type Speed } from './known-engines.ts';
import { measureLoad } from './listen-load.ts';
import { median, roundTo, type Summary, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import {
  type Clip,
  type Noticed,
  question,
  type Satellite,
  talkOverStory,
  withSatellite,
} from './satellite.ts';
import { machineMs, type Work } from './stub-work.ts';
import { say } from './voice.ts';

/** The product's default silence that ends an utterance. */
const endSilenceMs = 600;
const limits = { ratio: 0.5, bargeInMs: 250, fromServerMs: 150 };
const rounds = { turns: 6, direct: 3, bargeIns: 6 };

const speech = { hearMs: 300, msPerCharacter: 3 };
const story = { firstMs: 200, tokens: 60, perSecond: 50, isStory: true };
/** The first sentence of the same story. */
const sentence = { ...story, tokens: 12 };
const speeds = {
  story: { ...speech, transcript: 'Tell me a story about a boat.', answer: story },
  sentence: { ...speech, transcript: 'Tell me a story about a boat.', answer: sentence },
  command: { ...speech, transcript: 'What time is it?', answer: sentence },
} as const satisfies Record<string, Speed>;

const recording = writeWav({ sampleRateHz: 16_000, samples: question.samples });
const shout: Clip = { samples: spokenClip('hello'), fromMs: 20, untilMs: 460 };

/** Speaking to a satellite, with engines of known speed. */
export const listenPart: Part = {
  name: 'listen',
  async run(house) {
    return await onKnownEngines(house, 'listen-house', async (live, engines) =>
      combine([
        await firstSound(live, engines),
        await bargeIn(live, engines),
        await measureLoad(live, { engines, clips: { question, shout }, speed: speeds.sentence }),
      ]),
    );
  },
};

function combine(all: readonly (Findings & { name: string })[]): Findings {
  return {
    text: all.map(({ text }) => text).join('\n\n'),
    figures: Object.fromEntries(all.map(({ name, figures }) => [name, figures])),
    missed: all.flatMap(({ missed }) => missed),
  };
}

async function firstSound(live: Household, engines: KnownEngines) {
  const sums = await sumsOf(live, engines);
  const { without, ...timings } = await withSatellite(
    { url: live.api.url, client: 'first-sound' },
    async (satellite) => ({
      story: await askOften(satellite, engines, speeds.story),
      sentence: await askOften(satellite, engines, speeds.sentence),
      command: await askOften(satellite, engines, speeds.command),
      without: await askWithout(live, satellite, engines),
    }),
  );

  const ratio = timings.story.first.medianMs / sums.story;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const row = (what: string, { first }: { first: Summary }, sumMs: number) => [
    what,
    ms(sumMs),
    ms(first.medianMs),
    ms(first.p95Ms),
    (first.medianMs / sumMs).toFixed(2),
  ];
  const rows = [
    ['end of speech to first sound', 'stages in turn', 'median', 'p95', 'ratio'],
    row('a story of 60 words', timings.story, sums.story),
    row('an answer of one sentence', timings.sentence, sums.sentence),
    row('a command', timings.command, sums.command),
    row('one sentence, started only at the certain end', without.speculation, sums.sentence),
    row('a command, not ended at its first pause', without.earlyEnd, sums.command),
    row('a command, no transcription before its end', without.partials, sums.command),
    row('a command, without all three', without.all, sums.command),
  ];
  const stages = Object.entries(timings.sentence.stages).map(([stage, value]) => [
    stage,
    ms(value),
    timings.command.stages[stage] === undefined ? '' : ms(timings.command.stages[stage]),
  ]);
  return {
    name: 'firstSound',
    text: `/listen (hears in 300 ms; first word after 200 ms, then 50 words/s; 3 ms a character; ${endSilenceMs} ms of silence end an utterance)
Stages in turn: the silence, the whole transcription, the whole answer and its sound, one after the other
${table(rows)}

${table([['ms after the end of speech', 'one sentence', 'a command'], ...stages])}`,
    figures: { ratio: roundTo(ratio, 4), sums, ...timings, without },
    missed:
      ratio > limits.ratio
        ? [
            `The first sound of a story comes after ${ratio.toFixed(2)} of its stages; the limit is ${limits.ratio}.`,
          ]
        : [],
  };
}

/**
 * The time of a server that starts each stage when the previous one is over, measured on the same engines.
 */
async function sumsOf(live: Household, engines: KnownEngines) {
  const stt = createSttClient({ http: createEngineClient('stt'), baseUrl: engines.urls.sttUrl });
  const sound = { sampleRateHz: 16_000, samples: question.samples };
  const inTurn = async (speed: Speed): Promise<number> => {
    await engines.set(speed);
    const text = (await live.voice(recording, `sum-${speed.answer.tokens}`)).reply;
    const timesMs: number[] = [];
    for (let round = 0; round < rounds.direct; round += 1) {
      const begunAt = performance.now();
      await stt.transcribe({ sound, signal: live.signal });
      await live.askEngine();
      await say(engines.urls.ttsUrl, text, live.signal);
      timesMs.push(performance.now() - begunAt);
    }
    return endSilenceMs + median(timesMs);
  };
  const [ofStory, ofSentence] = [await inTurn(speeds.story), await inTurn(speeds.sentence)];
  // A command needs no language model, and its sound was cached last time.
  return { story: ofStory, sentence: ofSentence, command: endSilenceMs + speech.hearMs };
}

async function askOften(satellite: Satellite, engines: KnownEngines, speed: Speed) {
  await engines.set(speed);
  await satellite.ask(question);
  const stages: Record<string, number>[] = [];
  const timesMs: number[] = [];
  for (let round = 0; round < rounds.turns; round += 1) {
    await engines.work();
    const noticed = await satellite.ask(question);
    timesMs.push(noticed.firstSoundMs);
    stages.push(stagesOf(noticed, await engines.work()));
  }
  return { first: summary(timesMs), stages: medians(stages) };
}

/**
 * When each engine received the request for the first sound and finished it, in ms after the end of speech.
 */
function stagesOf({ endedAtMs, certainMs, firstSoundMs }: Noticed, work: readonly Work[]) {
  const since = (atMs?: number | null) => (atMs ? atMs - machineMs(endedAtMs) : null);
  // Earlier work belongs to partial transcripts, or to the previous answer.
  const now = work.filter(({ begunAt }) => begunAt > machineMs(endedAtMs));
  const think = now.find(({ stage }) => stage === 'think');
  const spoken = now.find(({ stage }) => stage === 'say');
  const next = think ?? spoken;
  const transcribed = now.findLast(
    ({ stage, begunAt }) => stage === 'hear' && (!next || begunAt < next.begunAt),
  );
  const all = {
    'speech recognition is asked': since(transcribed?.begunAt),
    'transcript is ready': since(transcribed?.endedAt),
    'language model is asked': since(think?.begunAt),
    'voice is asked for the first piece': since(spoken?.begunAt),
    'first piece is spoken': since(spoken?.endedAt),
    'the end is certain': certainMs,
    'first sound': firstSoundMs,
  };
  return Object.fromEntries(Object.entries(all).flatMap(([stage, ms]) => (ms === null ? [] : [[stage, ms]])));
}

function medians(all: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, roundTo(median(all.flatMap((each) => each[name] ?? [])), 1)]),
  );
}

/**
 * The gain from working ahead, ending early and partial transcripts: the same turns with each of them
 * switched off.
 */
async function askWithout(live: Household, satellite: Satellite, engines: KnownEngines) {
  const ask = async (speed: Speed, settings: Record<string, unknown>) => {
    await setPipeline(live, settings);
    const timings = await askOften(satellite, engines, speed);
    // Restores the defaults.
    await setPipeline(live, Object.fromEntries(Object.keys(settings).map((key) => [key, null])));
    return timings;
  };
  const speculation = { speculates: false };
  const earlyEnd = { ends_early: false };
  const partials = { partials_every_ms: 0 };
  return {
    speculation: await ask(speeds.sentence, speculation),
    earlyEnd: await ask(speeds.command, earlyEnd),
    partials: await ask(speeds.command, partials),
    all: await ask(speeds.command, { ...speculation, ...earlyEnd, ...partials }),
  };
}

async function setPipeline({ api, signal }: Household, settings: Record<string, unknown>): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(settings);
  const answer = await fetch(`${api.url}/admin/pipeline`, { method: 'PATCH', headers, body, signal });
  if (!answer.ok) throw new Error(`the settings were refused: ${await answer.text()}`);
}

async function bargeIn(live: Household, engines: KnownEngines) {
  await engines.set(speeds.story);
  const times: { lastSoundMs: number; overMs: number }[] = [];
  await withSatellite({ url: live.api.url, client: 'barge-in' }, async (satellite) => {
    for (let round = 0; round < rounds.bargeIns; round += 1) {
      times.push(
        await talkOverStory(satellite, { story: question, over: round % 2 === 0 ? question : shout }),
      );
    }
  });
  const last = summary(times.map(({ lastSoundMs }) => lastSoundMs));
  const over = summary(times.map(({ overMs }) => overMs));
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const rows = [
    ['interrupting a story', 'median', 'most'],
    ['first voiced frame at the server to the last sound', ms(last.medianMs), ms(last.maxMs)],
    ['... to the event that ends it', ms(over.medianMs), ms(over.maxMs)],
  ];
  const missed =
    over.medianMs > limits.fromServerMs
      ? [
          `An interrupted story continues for ${over.medianMs.toFixed(0)} ms; the limit is ${limits.fromServerMs} ms.`,
        ]
      : [];
  return { name: 'bargeIn', text: table(rows), figures: { last, over }, missed };
}
